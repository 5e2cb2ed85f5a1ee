import type { IDataObject } from 'n8n-workflow';
import { request } from 'undici';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../../simulator';

/**
 * A simulated service for the following tests. It starts before the first test, is reset before each
 * test, and closes after the last one.
 */
export function useService(options: SimulatorOptions = {}): Simulator {
	const service = {} as Simulator;
	beforeAll(async () => {
		Object.assign(
			service,
			await startSimulator({ jobSeconds: 0, checkResponses: true, ...options }),
		);
	});
	afterAll(async () => await service.close());
	beforeEach(() => service.control.reset());
	return service;
}

/** Creates a function that calls the service directly, without the nodes. */
export const createCaller =
	(service: Pick<Simulator, 'baseUrl' | 'apiKey'>) =>
	async (line: string, body?: object): Promise<IDataObject> => {
		const [method = 'GET', path = ''] = line.split(' ');
		const reply = await request(service.baseUrl + path, {
			method: method as 'GET',
			headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const json = (await reply.body.json()) as IDataObject;
		if (reply.statusCode >= 300) throw new Error(JSON.stringify(json));
		return json.data as IDataObject;
	};
