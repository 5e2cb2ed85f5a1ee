/** Hints of the output pane before and after a run that costs something. */
import { createRunExecutionData, type INodeTypes, Workflow, type NodeHint } from 'n8n-workflow';
import { buildHints } from '../../../nodes/core/describe/nodeDescription';
import { createCostHint } from '../../../nodes/core/collect/outputHints';
import { videoBatchJob, videoJob } from '../../../nodes/jobs/catalog';
import { loadNode } from '../../../tools/nodes';
import { resources } from '../../../nodes/VideoGenVideo/operations';

const videos = (count: number) =>
	Array.from({ length: count }, (_, i) => ({ kind: videoJob, id: `v${i}` }));
const batch = { kind: videoBatchJob, id: 'b' };

test.each<[string, Parameters<typeof createCostHint>, RegExp | undefined]>([
	[
		'several jobs are named',
		[2, videos(2), 5],
		/^This run made 2 results, .*: video v0, video v1\. /,
	],
	[
		'of many jobs, ten are named',
		[12, videos(12), 5],
		/^This run made 12 results.* video v9 and 2 more\. /,
	],
	[
		'rows of a batch are named, not the batch',
		[2, [batch, ...videos(2)], 5],
		/: video v0, video v1\./,
	],
	[
		'a batch that is not awaited',
		[30, [batch], 5],
		/^This run made 30 results, .*: video batch b\. /,
	],
	['results without a job', [3, [], 5], /^This run made 3 results, and each is charged\. /],
	['one job after a long wait', [1, videos(1), 720], /^This run took 12 minutes for video v0\. /],
	['one job after a short wait', [1, videos(1), 59], undefined],
	['what costs nothing', [0, [], 900], undefined],
])('after a run: %s', (_, run, message) => {
	const hint = createCostHint(...run);
	if (message === undefined) expect(hint).toBeUndefined();
	else expect(hint).toMatch(message);
});

const type = loadNode('VideoGenVideo');
const nodeTypes: INodeTypes = {
	getByName: () => type,
	getByNameAndVersion: () => type,
	getKnownTypes: () => ({}),
};

/** The hints that n8n shows before this operation runs with N items. */
function before(operation: string, items: number): NodeHint[] {
	const node = {
		id: '1',
		name: 'Node',
		type: 'video',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: { resource: 'video', operation },
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const connectionInputData = Array.from({ length: items }, (_, i) => ({ json: { i } }));
	const run = createRunExecutionData();
	return (type.description.hints ?? []).filter(
		({ displayCondition = '' }) =>
			workflow.expression.getParameterValue(
				displayCondition,
				run,
				0,
				0,
				'Node',
				connectionInputData,
				'manual',
				{},
			) === true,
	);
}

test('before a run, a hint says that each of several items is charged', () => {
	expect(buildHints(resources)).toEqual(type.description.hints);
	expect(before('createAvatar', 2)).toMatchObject([
		{ message: expect.stringContaining('each is charged'), whenToDisplay: 'beforeExecution' },
	]);
	expect(before('createAvatar', 1)).toEqual([]);
	expect(before('getMany', 2)).toEqual([]);
});
