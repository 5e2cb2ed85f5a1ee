/** The error output is connected back to the node's input: items are continued, and the loop ends. */
import type { IConnections, IDataObject, INode, INodeParameters, INodeType } from 'n8n-workflow';
import {
	avatar,
	batch,
	createCalls,
	getValues,
	items,
	retryOnFail,
	session,
	waiting,
} from '../support/calls';
import {
	addType,
	connectTo,
	createNode,
	describeType,
	runNodes,
	signedIn,
} from '../support/engine';
import { useService } from '../support/service';
import { runAfter } from '../support/time';

const service = useService();
const { jobs, failPosts, passPosts, failRenders, posts } = createCalls(service);

const loop = {
	Items: connectTo('Node'),
	Node: { main: [[], [{ node: 'Node', type: 'main' as const, index: 0 }]] },
};

/** Creates a node that outputs its first item twice when it runs for the first time. */
function createCopyingNode(): INodeType {
	let runs = 0;
	return {
		description: describeType('twice'),
		async execute() {
			const input = this.getInputData();
			const [first] = input;
			const copies = runs++ === 0 && first ? [structuredClone(first)] : [];
			return [[...input, ...copies]];
		},
	};
}

/** Runs a node whose error output leads back to its input. Returns what each of its runs output. */
async function runLoop(
	type: string,
	parameters: INodeParameters,
	input = items(4),
	connections: IConnections = loop,
	more: Partial<INode> = {},
) {
	const node = createNode('Node', type, parameters, {
		...signedIn,
		onError: 'continueErrorOutput',
		...more,
	});
	addType('twice', createCopyingNode());
	const nodes = [node, createNode('Twice', 'twice', {})];
	const run = await runNodes(service, nodes, connections, { items: input });
	const runs = run.data.resultData.runData.Node ?? [];
	return {
		runs: runs.length,
		items: runs.flatMap(({ data }) => data?.main?.[0] ?? []),
		errors: runs.at(-1)?.data?.main?.[1] ?? [],
		run,
	};
}

const rejectedOnce = { status: 402, code: 'insufficient_credit', times: 1 };
const oneByOne = { options: { requestsAtOnce: 1 } };
const slow = waiting({ waitTimeout: 0.05 });

const expectEachOnce = (kind: string, out: Array<{ json: IDataObject }>, id: string) =>
	expect(getValues(out, id).sort()).toEqual(
		jobs(kind)
			.map((job) => job.id)
			.sort(),
	);

test.each([
	['a video', 'VideoGenVideo', 'video', 'video_id', avatar(slow)],
	['a session (no key)', 'VideoGenAgent', 'session', 'session_id', session(slow)],
	['a row of a batch', 'VideoGenVideo', 'video', 'video_id', batch(slow)],
])('%s that takes longer than Wait Timeout is awaited again', async (...row) => {
	const [, type, kind, id, parameters] = row;
	service.control.holdJobs(true);
	runAfter(10, () => service.control.holdJobs(false));
	const { runs, items: out } = await runLoop(type, parameters);
	expect(runs).toBeGreaterThan(1);
	expect(jobs(kind)).toHaveLength(4);
	expectEachOnce(kind, out, id);
});

test.each([
	['a video', 'VideoGenVideo', '/v3/videos', 'video', 'video_id', avatar(oneByOne)],
	['a session', 'VideoGenAgent', '/v3/video-agents', 'session', 'session_id', session(oneByOne)],
])('%s that was rejected for certain is created', async (...row) => {
	const [, type, path, kind, id, parameters] = row;
	passPosts(path, 3);
	failPosts(path, rejectedOnce);
	const { runs, items: out } = await runLoop(type, parameters);
	expect(runs).toBe(2);
	expect(jobs(kind)).toHaveLength(4);
	expectEachOnce(kind, out, id);
});

test('a session whose response was lost keeps its error, and the loop ends', async () => {
	failPosts('/v3/video-agents', { cut: 'after', times: 1 });
	const { runs, items: out, errors } = await runLoop('VideoGenAgent', session(oneByOne));
	expect(jobs('session')).toHaveLength(4);
	expect(out).toHaveLength(3);
	// n8n does not record the last run, which ends the branch.
	expect([runs, errors.length]).toEqual([3, 1]);
	expect(posts('/v3/video-agents')).toHaveLength(4);
});

test.each([
	['videos', avatar(waiting())],
	['rows of a batch', batch(waiting())],
])('%s that failed with a temporary error are created again', async (_, parameters) => {
	failRenders(2, 'internal_error');
	const { items: out } = await runLoop('VideoGenVideo', parameters);
	expect(jobs('video')).toHaveLength(6);
	expect(out).toHaveLength(4);
});

test('a video that always fails is created three times, and the loop ends', async () => {
	failRenders(50, 'internal_error');
	const { items: out, run } = await runLoop('VideoGenVideo', avatar(waiting()), items(1));
	expect(jobs('video')).toHaveLength(3);
	expect(out).toEqual([]);
	expect(JSON.stringify(run.data)).toContain('The job was created 3 times');
});

test('a video that failed for good is not created again, and the loop ends', async () => {
	failRenders(1, 'content_policy_violation', 'Not allowed');
	const { runs, items: out } = await runLoop('VideoGenVideo', avatar(waiting()));
	expect(jobs('video')).toHaveLength(4);
	expect(out).toHaveLength(3);
	expect(runs).toBe(3);
});

test('a file that cannot be downloaded is no reason to create a video again', async () => {
	service.control.fail({ method: 'GET', path: /\.mp4/, status: 404 });
	const { items: out } = await runLoop(
		'VideoGenVideo',
		avatar({ ...waiting(), download: ['video'] }),
		items(2),
	);
	service.control.clearFaults();
	expect(jobs('video')).toHaveLength(2);
	expect(out).toEqual([]);
});

test('rows that a batch lost are read again from that batch', async () => {
	failRenders(1, 'content_policy_violation', 'Not allowed');
	const { items: out, runs } = await runLoop('VideoGenVideo', batch(waiting()), items(5));
	expect(jobs('video')).toHaveLength(5);
	expect(posts('/v3/videos/batches')).toHaveLength(1);
	expect(out).toHaveLength(4);
	expect(runs).toBe(3);
});

test.each([
	['videos', avatar(slow), '/v3/videos'],
	['rows of a batch', batch(slow), '/v3/videos/batches'],
])('copies of error items pay for nothing: %s', async (_, parameters, path) => {
	service.control.holdJobs(true);
	runAfter(10, () => service.control.holdJobs(false));
	const back = { node: 'Node', type: 'main' as const, index: 0 };
	const { items: out } = await runLoop('VideoGenVideo', parameters, items(3), {
		...loop,
		Node: { main: [[], [{ ...back, node: 'Twice' }]] },
		Twice: { main: [[back]] },
	} as never);
	expect(jobs('video')).toHaveLength(3);
	expect(posts(path)).toHaveLength(path.endsWith('batches') ? 1 : 3);
	expect(new Set(getValues(out, 'video_id')).size).toBe(3);
});

test('an error item of another node is new input', async () => {
	failPosts('/v3/videos', { ...rejectedOnce, times: 1 });
	const parameters = avatar(oneByOne);
	const toSecond = {
		Items: connectTo('Node'),
		Node: { main: [[], [{ node: 'Second', type: 'main' as const, index: 0 }]] },
	};
	const nodes = ['Node', 'Second'].map((name) =>
		createNode(name, 'VideoGenVideo', parameters, {
			...signedIn,
			onError: 'continueErrorOutput',
		}),
	);
	const run = await runNodes(service, nodes, toSecond, { items: items(1) });
	expect(run.data.resultData.runData.Second?.[0]?.data?.main?.[0]).toHaveLength(1);
	expect(jobs('video')).toHaveLength(1);
});

test('with Retry On Fail, a row that has succeeded in an earlier try is not created again', async () => {
	failPosts('/v3/videos', { status: 400, code: 'voice_unavailable', times: 7 });
	const { items: out } = await runLoop(
		...(['VideoGenVideo', avatar(oneByOne), items(2), loop, retryOnFail] as const),
	);
	expect(jobs('video')).toHaveLength(2);
	expectEachOnce('video', out, 'video_id');
});

test('a copy of an error item that arrives after the row has succeeded creates nothing', async () => {
	passPosts('/v3/videos', 1);
	failPosts('/v3/videos', rejectedOnce);
	const back = { node: 'Node', type: 'main' as const, index: 0 };
	const { items: out } = await runLoop('VideoGenVideo', avatar(oneByOne), items(3), {
		Items: connectTo('Node'),
		Node: { main: [[], [back, { ...back, node: 'Twice' }]] },
		Twice: connectTo('Node'),
	});
	expect(jobs('video')).toHaveLength(3);
	expectEachOnce('video', out, 'video_id');
});

test('a loop ends although the message contains a request ID', async () => {
	for (let i = 0; i < 40; i++) {
		const message = `Not good, request req_${i}`;
		failPosts('/v3/videos', { status: 400, code: 'invalid_parameter', message, times: 1 });
	}
	const { runs, run } = await runLoop('VideoGenVideo', avatar(), items(1));
	expect(runs).toBeLessThan(10);
	// The rows that end there are forgotten.
	const { videoGenLedger } = run.data.executionData?.contextData['node:Node'] ?? {};
	expect(videoGenLedger).toHaveProperty('errors', {});
});

test('a session that a proxy returned for two rows belongs to none of them later, either', async () => {
	failPosts('/v3/video-agents', { data: { session_id: 'sess_shared' }, times: 2 });
	const { items: out } = await runLoop('VideoGenAgent', session(), items(2));
	expect(out).toEqual([]);
});
