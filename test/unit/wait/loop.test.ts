/** Whether Still Running is connected back to the node. */
import type { INode } from 'n8n-workflow';
import { isLoopConnected } from '../../../nodes/VideoGenWait/stillRunningConnection';

/** A workflow with these connections, each as `source output target`. */
function createWorkflow(connections: string) {
	const all = connections.split(', ').map((one) => one.split(' '));
	return {
		getNode: () => ({ name: 'Wait' }) as INode,
		getConnections: ({ name }: { name: string }) => {
			const sources = all.filter(([, , target]) => target === name);
			return sources.length === 0
				? []
				: [sources.map(([node = '', index]) => ({ node, index: Number(index) }))];
		},
	};
}

test.each([
	['only its input', 'Create 0 Wait', false],
	['the loop', 'Create 0 Wait, Wait 0 Wait', true],
	['a loop from the wrong output', 'Create 0 Wait, Wait 1 Wait', false],
	['a loop through another node', 'Wait 0 Filter, Filter 1 Wait', true],
	['a loop through another node from Finished', 'Wait 1 Edit, Edit 0 Wait', false],
	['a branch that ends elsewhere', 'Wait 0 Mail, Create 0 Wait', false],
	['a loop of other nodes before it', 'Loop 0 Create, Create 0 Loop, Loop 1 Wait', false],
	['a loop of other nodes through it', 'Loop 1 Wait, Wait 0 Wait, Wait 1 Loop', true],
])('%s (%s): %s', (_, connections, isConnected) => {
	expect(isLoopConnected(createWorkflow(connections))).toBe(isConnected);
});

test('the loop counts as connected if n8n does not show its connections', () => {
	expect(isLoopConnected({ getNode: () => ({ name: 'Wait' }) as INode })).toBe(true);
});

test('an input without connections is no loop', () => {
	const n8n = { ...createWorkflow(''), getConnections: () => [null, undefined, []] };
	expect(isLoopConnected(n8n)).toBe(false);
});
