/** Whether the node gets back what it gives out as unfinished. */
import type { IExecuteFunctions } from 'n8n-workflow';

/** Nodes that lead into a node, by its inputs. `index` is the output that they lead from. */
type Connections = ReadonlyArray<ReadonlyArray<{ node: string; index: number }> | null | undefined>;

/** What n8n can tell of the wires. It has this on both of its lines, but its types do not say so. */
interface Wires {
	getConnections?(destination: { name: string }, type: 'main'): Connections;
}

/** The output of what is unfinished. */
const stillRunning = 0;

/**
 * Whether a way leads from the node's output Still Running back to its input, straight or through
 * other nodes. Where n8n does not tell its wires, it is taken for granted.
 */
export function isLoopConnected(n8n: Pick<IExecuteFunctions, 'getNode'> & Wires): boolean {
	if (typeof n8n.getConnections !== 'function') return true;
	const self = n8n.getNode().name;
	const seen = new Set<string>();
	const next = [self];
	for (let name = next.pop(); name !== undefined; name = next.pop()) {
		if (seen.has(name)) continue;
		seen.add(name);
		const before = n8n.getConnections({ name }, 'main').flatMap((one) => one ?? []);
		if (before.some(({ node, index }) => node === self && index === stillRunning)) return true;
		next.push(...before.map(({ node }) => node).filter((node) => node !== self));
	}
	return false;
}
