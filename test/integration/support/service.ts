import type { IDataObject } from 'n8n-workflow';
import { request } from 'undici';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../../simulator';

/**
 * The service for the tests that follow in this place: started before the first of them, empty at
 * the beginning of each, closed after the last.
 */
export function useService(options: SimulatorOptions = {}): Simulator {
	const service = {} as Simulator;
	beforeAll(async () => {
		Object.assign(service, await startSimulator({ jobSeconds: 0, ...options }));
	});
	afterAll(async () => await service.close());
	beforeEach(() => service.control.reset());
	return service;
}

/** Asks the service itself, without our code. */
export const callOf =
	(service: Pick<Simulator, 'baseUrl' | 'apiKey'>) =>
	async (line: string, body?: object): Promise<IDataObject> => {
		const [method = 'GET', path = ''] = line.split(' ');
		const reply = await request(service.baseUrl + path, {
			method: method as 'GET',
			headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const answer = (await reply.body.json()) as IDataObject;
		if (reply.statusCode >= 300) throw new Error(JSON.stringify(answer));
		return answer.data as IDataObject;
	};
