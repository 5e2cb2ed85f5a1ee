/** Checks whether the output Still Running is connected back to the node. */
import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Connections to the inputs of a node: for each input, the connected nodes and their output index.
 */
type Connections = ReadonlyArray<ReadonlyArray<{ node: string; index: number }> | null | undefined>;

/** Method of the execution context that n8n 1 and n8n 2 provide, but their types lack. */
interface ConnectionReader {
	getConnections?(destination: { name: string }, type: 'main'): Connections;
}

/** Index of the output Still Running. */
const stillRunningOutput = 0;

/**
 * Whether Still Running leads to the input of the node, directly or through other nodes. Also true
 * if n8n does not expose the connections.
 */
export function isLoopConnected(
	n8n: Pick<IExecuteFunctions, 'getNode'> & ConnectionReader,
): boolean {
	if (typeof n8n.getConnections !== 'function') return true;
	const self = n8n.getNode().name;
	const seen = new Set<string>();
	const next = [self];
	for (let name = next.pop(); name !== undefined; name = next.pop()) {
		if (seen.has(name)) continue;
		seen.add(name);
		const sources = n8n.getConnections({ name }, 'main').flatMap((one) => one ?? []);
		if (sources.some(({ node, index }) => node === self && index === stillRunningOutput)) {
			return true;
		}
		next.push(...sources.map(({ node }) => node).filter((node) => node !== self));
	}
	return false;
}
