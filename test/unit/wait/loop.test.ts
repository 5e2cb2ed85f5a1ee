/** Whether Still Running is connected back to the node. */
import type { INode } from 'n8n-workflow';
import { isLoopConnected } from '../../../nodes/VideoGenWait/stillRunningConnection';

/** Wires as `from output to`. */
function n8nWith(...wires: Array<[string, number, string]>) {
	return {
		getNode: () => ({ name: 'Wait' }) as INode,
		getConnections: ({ name }: { name: string }) => {
			const into = wires.filter(([, , to]) => to === name);
			return into.length === 0 ? [] : [into.map(([node, index]) => ({ node, index }))];
		},
	};
}

test.each<[string, boolean, Array<[string, number, string]>]>([
	['nothing but its input', false, [['Create', 0, 'Wait']]],
	[
		'the loop',
		true,
		[
			['Create', 0, 'Wait'],
			['Wait', 0, 'Wait'],
		],
	],
	[
		'the wrong output',
		false,
		[
			['Create', 0, 'Wait'],
			['Wait', 1, 'Wait'],
		],
	],
	[
		'a loop over another node',
		true,
		[
			['Wait', 0, 'Filter'],
			['Filter', 1, 'Wait'],
		],
	],
	[
		'a loop over another node from Finished',
		false,
		[
			['Wait', 1, 'Edit'],
			['Edit', 0, 'Wait'],
		],
	],
	[
		'a way that ends elsewhere',
		false,
		[
			['Wait', 0, 'Mail'],
			['Create', 0, 'Wait'],
		],
	],
	[
		'a loop of other nodes before it',
		false,
		[
			['Loop', 0, 'Create'],
			['Create', 0, 'Loop'],
			['Loop', 1, 'Wait'],
		],
	],
	[
		'a loop of other nodes through it',
		true,
		[
			['Loop', 1, 'Wait'],
			['Wait', 0, 'Wait'],
			['Wait', 1, 'Loop'],
		],
	],
])('%s: %s', (_, wired, wires) => {
	expect(isLoopConnected(n8nWith(...wires))).toBe(wired);
});

test('the loop counts as connected if n8n does not show its connections', () => {
	expect(isLoopConnected({ getNode: () => ({ name: 'Wait' }) as INode })).toBe(true);
});

test('an input without connections is no loop', () => {
	const n8n = { ...n8nWith(), getConnections: () => [null, undefined, []] };
	expect(isLoopConnected(n8n)).toBe(false);
});
