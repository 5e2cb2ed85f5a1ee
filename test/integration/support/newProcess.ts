import { useVirtualTime } from './time';

/** Libraries of the nodes. They keep nothing of ours in memory, and take half a second to load. */
const libraries = ['n8n-workflow', 'zod'];

/** Loads modules of the nodes again, as a new process of n8n does: with empty memory. */
export async function loadInNewProcess<T>(load: () => Promise<T>): Promise<T> {
	const loaded: T[] = [];
	for (const name of libraries) {
		const library: unknown = jest.requireActual(name);
		jest.doMock(name, () => library);
	}
	await jest.isolateModulesAsync(async () => {
		useVirtualTime((await import('./core')).clock);
		loaded.push(await load());
	});
	return loaded[0]!;
}
