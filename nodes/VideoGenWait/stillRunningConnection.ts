/** Whether the output Still Running is connected back to the node. */
import type { IExecuteFunctions } from 'n8n-workflow';

/** Nodes connected to the inputs of a node. `index` is the number of their output. */
type Connections = ReadonlyArray<ReadonlyArray<{ node: string; index: number }> | null | undefined>;

/** A method that n8n 1 and n8n 2 have, but their types do not. */
interface ConnectionReader {
	getConnections?(destination: { name: string }, type: 'main'): Connections;
}

/** The output Still Running. */
const stillRunningOutput = 0;

/**
 * Whether Still Running is connected to the input of the node, directly or through other nodes.
 * Also true if n8n does not show its connections.
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
