/** Checks whether the output Still Running is connected back to the input of the same node. */
import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Incoming connections of a node: for each input, the source nodes and the indexes of their
 * outputs.
 */
type Connections = ReadonlyArray<ReadonlyArray<{ node: string; index: number }> | null | undefined>;

/**
 * Method of n8n's execution context that exists in n8n 1 and n8n 2 but is missing from their types.
 */
interface ConnectionReader {
	getConnections?(destination: { name: string }, type: 'main'): Connections;
}

/** Index of the output Still Running. */
const stillRunningOutput = 0;

/**
 * Returns whether the output Still Running leads back to the input of the same node, directly or
 * through other nodes. Also returns true if n8n does not expose the connections.
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
