/** Whether finished items come back to the wait node, and what its outputs share. */
import type { INode } from 'n8n-workflow';
import {
	copyItemsToOutputs,
	readWiring,
	type OutputWiring,
} from '../../../nodes/VideoGenWait/wiring';

/** Reads the wiring of a workflow with these connections, each as `source output target`. */
function read(connections: string, more: object = {}): OutputWiring {
	const all = connections.split(', ').map((one) => one.split(' '));
	const names = [...new Set(all.map(([, , target = '']) => target))];
	return readWiring({
		getNode: () => ({ name: 'Wait' }) as INode,
		getChildNodes: () =>
			names.map((name) => {
				const type = { Loop: 'splitInBatches', Create: 'videoGenVideo' }[name] ?? 'noOp';
				return { name, type, typeVersion: 1, disabled: false };
			}),
		getConnections: ({ name }: { name: string }) => [
			all
				.filter(([, , target]) => target === name)
				.map(([node = '', index]) => ({ node, index: Number(index) })),
		],
		...more,
	} as never);
}

test.each([
	['Wait 0 Wait, Wait 1 Next', false, true],
	['Wait 0 Wait, Wait 1 Wait', true, true],
	['Wait 0 Mail, Wait 1 Wait', false, false],
	['Wait 1 Edit, Edit 0 Wait', true, false],
	['Wait 0 Wait', false, true],
	['Wait 0 Loop, Loop 1 Wait, Wait 1 Loop', false, false],
	['Wait 0 Mail, Mail 0 Text, Text 0 Mail', false, false],
])('with %s, finished items come back: %j, and unfinished ones: %j', (...row) => {
	const [connections, returnsToNode, isLooped] = row;
	expect(read(connections)).toMatchObject({ returnsToNode, isLooped, canSuspend: isLooped });
});

test('only the last node of a sub-workflow outputs finished items twice', () => {
	const resultData = { runData: {} };
	const parentExecution = { shouldResume: false };
	const inSubWorkflow = { runExecutionData: { parentExecution, resultData } };
	expect(read('Wait 0 Wait', inSubWorkflow)).toStrictEqual({
		...{ canSuspend: true, isLooped: true, outputs: [true, true], returnsToNode: true },
	});
	for (const more of [{}, { runExecutionData: null }, { runExecutionData: { resultData } }]) {
		expect(read('Wait 0 Wait', more)).toStrictEqual({
			...{ canSuspend: true, isLooped: true, outputs: [false, true], returnsToNode: false },
		});
	}
});

test('an error item needs an error and details, and each output has a list of its own', () => {
	const items = [
		{ json: { error: 'No' } },
		{ json: { details: {} } },
		{ json: { error: 'No', details: {} } },
	];
	const [first, second] = copyItemsToOutputs(items, [true, true], true);
	expect([first, second]).toStrictEqual([items.slice(0, 2), items]);
	expect(second).not.toBe(items);
	expect(copyItemsToOutputs(items, [false, false], false)).toStrictEqual([[], []]);
	expect(copyItemsToOutputs(items, [false, true], true)).toStrictEqual([[], items]);
});
