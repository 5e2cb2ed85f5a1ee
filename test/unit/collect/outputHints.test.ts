/** Hints in the output pane before and after a run that costs something. */
import {
	createRunExecutionData,
	type INode,
	type INodeTypes,
	Workflow,
	type INodeParameters,
	type NodeHint,
} from 'n8n-workflow';
import { buildChargeHints, buildWaitHints } from '../../../nodes/core/describe/nodeDescription';
import {
	createBalanceChangeHint,
	createPlayHint,
	createRateLimitHint,
} from '../../../nodes/core/collect/outputHints';
import type { Operation } from '../../../nodes/core/operation';
import type { PlannedRequest } from '../../../nodes/core/plan/groupRequests';
import { loadNode } from '../../../tools/nodes';
import { resources } from '../../../nodes/VideoGenVideo/operations';

test('a balance in another unit says nothing about the cost', () => {
	const [before, after] = [
		{ left: 12.5, unit: 'USD' },
		{ left: 300, unit: 'credits' },
	];
	expect(createBalanceChangeHint(before, after)).toBe(
		'The account balance was 12.5 USD before this run, and is 300 credits now. The units differ, so the cost is unknown.',
	);
});

test('after a run with a single video, the hint plays it', () => {
	const url = 'https://files.example/v.mp4?a=1&b="><script>';
	const hint = createPlayHint([{ video_url: url }]);
	expect(hint).toBe(
		'The video is ready. <a href="https://files.example/v.mp4?a=1&#38;b=&#34;&#62;&#60;script&#62;" target="_blank">Play the video</a>',
	);
});

test.each([
	['several videos', [{ video_url: 'https://a/1' }, { video_url: 'https://a/2' }]],
	['no item', []],
	['an item without a video', [{ audio_url: 'https://a/1' }]],
	['a URL that a browser would run', [{ video_url: 'javascript:alert(1)' }]],
])('for %s there is no link', (_, results) => {
	expect(createPlayHint(results)).toBeUndefined();
});

const type = loadNode('VideoGenVideo');
const nodeTypes: INodeTypes = {
	getByName: () => type,
	getByNameAndVersion: () => type,
	getKnownTypes: () => ({}),
};

/** The hints that n8n shows before this operation runs with N items. */
function readHints(operation: string, items: number, more: INodeParameters = {}): NodeHint[] {
	const node: INode = {
		...{ id: '1', name: 'Node', type: 'video', typeVersion: 1, position: [0, 0] },
		parameters: { resource: 'video', operation, ...more },
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

test('before a run, a hint appears if several items will be charged', () => {
	expect([...buildChargeHints(resources), ...buildWaitHints(resources)]).toEqual(
		type.description.hints,
	);
	expect(readHints('createAvatar', 2, { waitForCompletion: false })).toMatchObject([
		{
			message: expect.stringContaining('you are charged for each result'),
			whenToDisplay: 'beforeExecution',
		},
	]);
	expect(readHints('createAvatar', 1, { waitForCompletion: false })).toEqual([]);
	expect(readHints('getMany', 2)).toEqual([]);
});

test('during a run that waits, a hint says so', () => {
	const [hint, ...others] = readHints('createAvatar', 1, { waitForCompletion: true });
	expect(others).toEqual([]);
	expect(hint?.message).toContain('waits until the result is finished');
	expect(readHints('createAvatar', 1, { waitForCompletion: false })).toEqual([]);
	expect(readHints('getMany', 1, { waitForCompletion: true })).toEqual([]);
});

const requests = (count: number, more: Partial<Operation> = {}) =>
	Array<PlannedRequest>(count).fill({ operation: more as Operation } as PlannedRequest);
const speech = { perMinuteLimit: { name: 'speech', perMinute: 30 } };

test.each<[string, Parameters<typeof createRateLimitHint>, string | undefined]>([
	['no hint at full speed', [requests(1000)], undefined],
	['no hint within a known limit', [requests(30, speech)], undefined],
	['the accepted rate', [requests(10), 9.7], 'about 9.7 requests per second'],
	['a high rate in whole numbers', [requests(10), 48.53], 'about 49 requests per second'],
	['a low rate per minute', [requests(10), 0.5], 'about 30 requests per minute'],
	[
		'a known limit and the time that it costs',
		[requests(91, speech)],
		'accepts 30 of these requests per minute, so 91 items need at least 3 minutes',
	],
	['the minutes in which the last one can start', [requests(90, speech)], 'at least 2 minutes'],
	['a rate of one', [requests(10), 1], 'about 1 request per second'],
])('the rate hint shows %s', (_, run, words) => {
	expect(createRateLimitHint(...run)).toEqual(words && expect.stringContaining(words));
});
