/** n8n's Retry button starts a new execution with the data of the failed one: it continues the run. */
import type { INodeParameters, IRun } from 'n8n-workflow';
import type { NodeRun } from '../../../nodes/core/ledger/ledger';
import { avatar, batch, createCalls, getValues, items, session, waiting } from '../support/calls';
import { connectTo, createNode, retryRun, runNodes, signedIn } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { jobs, failPosts, passPosts, failRenders, posts } = createCalls(service);

const connections = { Items: connectTo('Node') };
const rejection = { status: 402, code: 'insufficient_credit', times: 1 };
const oneByOne = { advanced: { requestsAtOnce: 1 } };

/** Runs a node for ten items, and then presses Retry. Returns the run and its output items. */
async function runAndRetry(
	type: string,
	parameters: INodeParameters,
	change?: (data: IRun['data']) => void,
) {
	const nodes = [createNode('Node', type, parameters, signedIn)];
	const input = { items: items(10) };
	const failed = await runNodes(service, nodes, connections, input);
	expect(failed.data.resultData.error).toBeDefined();
	const run = await retryRun(service, failed, nodes, connections, input, change);
	const [task] = run.data.resultData.runData.Node ?? [];
	return { failed, run, error: task?.error, items: task?.data?.main?.[0] ?? [] };
}

const creates = [
	['videos', 'VideoGenVideo', '/v3/videos', 'video', 'video_id', avatar],
	['sessions (no key)', 'VideoGenAgent', '/v3/video-agents', 'session', 'session_id', session],
] as const;

test.each(creates)('of ten %s, of which the seventh is rejected, creates four', async (...row) => {
	const [, type, path, kind, id, parametersOf] = row;
	passPosts(path, 6);
	failPosts(path, rejection);
	const { error, items: out } = await runAndRetry(type, parametersOf(oneByOne));
	expect(error).toBeUndefined();
	expect(jobs(kind)).toHaveLength(10);
	expect(new Set(getValues(out, id))).toEqual(new Set(jobs(kind).map((job) => job.id)));
	// Six jobs were in the execution, so nothing was asked for again.
	expect(posts(path)).toHaveLength(11);
});

test.each([
	['videos', avatar(waiting()), 13],
	['rows of a batch', batch(waiting()), 13],
])('of ten %s, of which three failed, creates three', async (_, parameters, created) => {
	failRenders(3, 'internal_error');
	const { error, items: out } = await runAndRetry('VideoGenVideo', parameters);
	expect(error).toBeUndefined();
	expect(jobs('video')).toHaveLength(created);
	expect(getValues(out, 'status')).toEqual(Array(10).fill('completed'));
});

test('creates a job that always fails three times at most, and says so', async () => {
	failRenders(9, 'internal_error');
	const nodes = [createNode('Node', 'VideoGenVideo', avatar(waiting()), signedIn)];
	const input = { items: items(1) };
	let run = await runNodes(service, nodes, connections, input);
	for (let i = 0; i < 4; i++) run = await retryRun(service, run, nodes, connections, input);
	expect(jobs('video')).toHaveLength(3);
	expect(run.data.resultData.error?.description).toContain('The job was created 3 times');
});

test('keeps the key of a lost response while the balance is too low', async () => {
	failPosts('/v3/videos', { cut: 'after', times: 10 });
	const parameters = avatar({ advanced: { stopBelowBalance: 50 } });
	const nodes = [createNode('Node', 'VideoGenVideo', parameters, signedIn)];
	const input = { items: items(1) };
	let run = await runNodes(service, nodes, connections, input);
	const messages = [run.data.resultData.error?.message];
	service.control.clearFaults();
	for (const credit of [10, 100]) {
		service.control.setWorkspace({ credit });
		run = await retryRun(service, run, nodes, connections, input);
		messages.push(run.data.resultData.error?.message);
	}
	expect(messages).toEqual([
		expect.stringContaining('connection to the service was lost'),
		expect.stringContaining('less than the minimum'),
		undefined,
	]);
	expect(jobs('video')).toHaveLength(1);
});

test.each([
	[401, 'authentication_failed', 'execution'],
	[402, 'insufficient_credit', 'execution'],
	[402, 'insufficient_credit', 'request'],
	[403, 'forbidden', 'execution'],
])(
	'keeps the key of a lost response while the service rejects it with %d %s, paid per %s',
	async (status, code, payOncePer) => {
		failPosts('/v3/videos', { cut: 'after', times: 10 });
		const parameters = avatar({ options: { payOncePer } });
		const nodes = [createNode('Node', 'VideoGenVideo', parameters, signedIn)];
		const input = { items: items(1) };
		let run = await runNodes(service, nodes, connections, input);
		service.control.clearFaults();
		failPosts('/v3/videos', { status, code });
		for (let i = 0; i < 2; i++) {
			run = await retryRun(service, run, nodes, connections, input);
			expect(run.data.resultData.error).toBeDefined();
		}
		service.control.clearFaults();
		run = await retryRun(service, run, nodes, connections, input);
		expect(run.data.resultData.error).toBeUndefined();
		expect(jobs('video')).toHaveLength(1);
	},
);

test('finds the jobs by their keys if n8n lost the ledger but kept the token', async () => {
	passPosts('/v3/videos', 6);
	failPosts('/v3/videos', rejection);
	const { error } = await runAndRetry('VideoGenVideo', avatar(oneByOne), (data) => {
		if (data.executionData) data.executionData.contextData = {};
	});
	expect(error).toBeUndefined();
	expect(jobs('video')).toHaveLength(10);
});

test('keeps nothing in the execution once all is output, and never the token', async () => {
	passPosts('/v3/videos', 6);
	failPosts('/v3/videos', rejection);
	const { failed, run } = await runAndRetry('VideoGenVideo', avatar(oneByOne));
	const ledgerOf = ({ data }: IRun) => data.executionData?.contextData['node:Node']?.videoGenLedger;
	const { creates } = ledgerOf(failed) as { creates: NodeRun };
	expect(Object.values(creates).filter(({ outcome }) => outcome)).toHaveLength(6);
	const empty = { creates: {}, failures: {}, jobs: {}, errors: {} };
	expect(ledgerOf(run)).toEqual(expect.objectContaining(empty));
	const { resumeToken = '' } = failed.data as { resumeToken?: string };
	expect(resumeToken).not.toBe('');
	expect(JSON.stringify(ledgerOf(failed))).not.toContain(resumeToken);
});

test.each([
	['a single create', { operation: 'createAvatar' }],
	['rows with keys of their own', { options: { payOncePer: 'request' } }],
])('of a batch, does not pay for the rows again with %s', async (_, changed) => {
	service.control.holdJobs(true);
	const nodes = [
		createNode('Node', 'VideoGenVideo', batch(waiting({ waitTimeout: 0.05 })), signedIn),
	];
	const input = { items: items(4) };
	const failed = await runNodes(service, nodes, connections, input);
	service.control.holdJobs(false);
	const parameters = { ...batch(waiting()), ...changed };
	const node = createNode('Node', 'VideoGenVideo', parameters, signedIn);
	const run = await retryRun(service, failed, [node], connections, input, ({ executionData }) => {
		// "Retry with currently saved workflow"
		for (const task of executionData?.nodeExecutionStack ?? []) task.node = node;
	});
	expect(run.data.resultData.error?.message).toContain('was already sent with another operation');
	expect(jobs('video')).toHaveLength(4);
});
