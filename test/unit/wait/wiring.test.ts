/** What the connections of the wait node mean: whether it may suspend, and which outputs get items. */
import type { INode, NodeTypeAndVersion } from 'n8n-workflow';
import { readWiring, copyItemsToOutputs } from '../../../nodes/VideoGenWait/wiring';

/** Types of nodes by name; others pass their items on. */
const types: Record<string, string> = {
	Create: 'n8n-nodes-videogen.videoGenVideo',
	Wait2: 'n8n-nodes-videogen.videoGenWait',
	Loop: 'n8n-nodes-base.splitInBatches',
};

/** A workflow with these connections, each as `source output target`. */
function createWorkflow(connections: string) {
	const all = connections.split(', ').map((one) => one.split(' '));
	const names = new Set(all.map(([, , target = '']) => target));
	return {
		getNode: () => ({ name: 'Wait' }) as INode,
		getChildNodes: () =>
			[...names].map((name): NodeTypeAndVersion => {
				return { name, type: types[name] ?? 'noOp', typeVersion: 1, disabled: false };
			}),
		getConnections: ({ name }: { name: string }) => {
			const sources = all.filter(([, , target]) => target === name);
			return sources.length === 0
				? [null, undefined, []]
				: [sources.map(([node = '', index]) => ({ node, index: Number(index) }))];
		},
		isToolExecution: () => false,
	};
}

test.each([
	['only its input', 'Create 0 Wait', false],
	['the loop', 'Create 0 Wait, Wait 0 Wait', true],
	['a loop from the wrong output', 'Create 0 Wait, Wait 1 Wait', false],
	['a loop through another node', 'Wait 0 Filter, Filter 1 Wait', true],
	['a loop through another node from Finished', 'Wait 1 Edit, Edit 0 Wait', false],
	['a loop through another wait', 'Wait 0 Wait2, Wait2 1 Wait', true],
	['a branch that ends elsewhere', 'Wait 0 Mail, Create 0 Wait', false],
	['a loop of other nodes before it', 'Loop 0 Create, Create 0 Loop, Loop 1 Wait', false],
	['a loop of other nodes through it', 'Loop 1 Wait, Wait 0 Wait, Wait 1 Loop', true],
	['a loop through Loop Over Items', 'Wait 0 Loop, Loop 1 Wait', false],
	['a loop through the create', 'Wait 0 Create, Create 0 Wait', false],
])('%s (%s): may suspend: %s', (_, connections, canSuspend) => {
	expect(readWiring(createWorkflow(connections)).canSuspend).toBe(canSuspend);
});

test.each([
	['nothing', 'Create 0 Wait', [true, true]],
	['Finished', 'Wait 1 Next', [false, true]],
	['Still Running', 'Wait 0 Next', [true, true]],
	['both', 'Wait 0 Mail, Wait 1 Next', [true, true]],
	['both to one node', 'Wait 0 Next, Wait 1 Next', [false, true]],
	['both to one node in the end', 'Wait 0 Mail, Mail 0 Next, Wait 1 Next', [false, true]],
	['exchanged', 'Wait 0 Next, Wait 1 Wait', [true, false]],
	['exchanged with a common end', 'Wait 0 Next, Wait 1 Wait, Wait 1 Next', [true, false]],
	['looped', 'Wait 0 Wait, Wait 1 Next', [false, true]],
	['both back', 'Wait 0 Wait, Wait 1 Wait', [false, true]],
	['Still Running to the create', 'Wait 0 Create, Create 0 Wait', [false, true]],
	['Finished to the create', 'Wait 0 Wait, Wait 1 Create, Create 0 Wait', [false, true]],
	['Finished to a wait that leads back', 'Wait 1 Wait2, Wait2 0 Wait', [false, true]],
	[
		'Finished to the create, Still Running onward',
		'Wait 0 Mail, Wait 1 Create, Create 0 Wait',
		[true, true],
	],
	['a common loop', 'Wait 0 Loop, Wait 1 Loop, Loop 1 Wait', [false, true]],
])('the outputs that get the finished items: %s (%s)', (_, connections, outputs) => {
	expect(readWiring(createWorkflow(connections)).outputs).toEqual(outputs);
});

describe('in a sub-workflow', () => {
	const readIn = (connections: string, count: number, more: object = {}) => {
		const run = { data: { main: [Array.from({ length: count }, () => ({ json: {} }))] } };
		const runExecutionData = {
			parentExecution: { executionId: '1', workflowId: '1', ...more },
			resultData: { runData: { Called: [run] } },
		};
		return { ...createWorkflow(connections), runExecutionData } as never;
	};
	const looped = 'Wait 0 Wait, Wait 1 Next';

	test('a call with several items may be suspended', () => {
		expect(readWiring(readIn(looped, 2)).canSuspend).toBe(true);
	});

	test('a call with one item may be one of many', () => {
		expect(readWiring(readIn(looped, 1)).canSuspend).toBe(false);
	});

	test.each([
		{},
		{ Called: [] },
		{ Called: [{}] },
		{ Called: [{ data: {} }] },
		{ Called: [{ data: { main: [] } }] },
		{ Called: [{ data: { main: [null] } }] },
	])('a call whose items are not stored may be one of many: %j', (runData) => {
		const { runExecutionData, ...context } = readIn(looped, 2) as { runExecutionData: object };
		const data = { ...runExecutionData, resultData: { runData } };
		expect(readWiring({ ...context, runExecutionData: data } as never).canSuspend).toBe(false);
	});

	test('no parent waits for a call that it does not wait for', () => {
		expect(readWiring(readIn(looped, 1, { shouldResume: false })).canSuspend).toBe(true);
	});

	test('on n8n 1, a parent does not get the items of a suspended call', () => {
		const { isToolExecution, ...n8n1 } = readIn(looped, 2) as { isToolExecution: unknown };
		expect(readWiring(n8n1 as never).canSuspend).toBe(false);
	});

	test('the first output of a looped last node gets the items, which come back once', () => {
		expect(readWiring(readIn('Wait 0 Wait', 2))).toMatchObject({
			outputs: [true, true],
			returnsToNode: true,
		});
	});
});

test('finished items that come back from another wait are not the end', () => {
	const connections = 'Wait 0 Wait, Wait 1 Wait2, Wait2 0 Wait, Wait2 1 Next';
	expect(readWiring(createWorkflow(connections)).returnsToNode).toBe(false);
});

test('Still Running counts as looped if n8n does not show the connections', () => {
	const { getNode, getChildNodes } = createWorkflow('Create 0 Wait');
	const wiring = readWiring({ getNode, getChildNodes });
	expect(wiring).toEqual({
		canSuspend: true,
		isLooped: true,
		outputs: [false, true],
		returnsToNode: false,
	});
});

test('both outputs get the items, and the error output gets error items once', () => {
	const done = { json: { id: 1 } };
	const failed = { json: { error: 'It failed', details: {} } };
	expect(copyItemsToOutputs([done, failed], [true, true], true)).toEqual([[done], [done, failed]]);
	expect(copyItemsToOutputs([done, failed], [true, true], false)).toEqual([
		[done, failed],
		[done, failed],
	]);
	expect(copyItemsToOutputs([done, failed], [true, false], true)).toEqual([[done, failed], []]);
});
