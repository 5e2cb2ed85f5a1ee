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
