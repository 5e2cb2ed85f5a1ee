/** Creates that wait for long jobs: n8n suspends their execution, and runs the node again later. */
import type { IDataObject, INode, INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';
import {
	avatar,
	continueOnFail,
	createCalls,
	expectOnePerItem,
	getValues,
	items,
	readLog,
	retryOnFail,
	speakingImage,
} from '../support/calls';
import { clock } from '../support/core';
import {
	addType,
	connectTo,
	createFileItem,
	createNode,
	describeType,
	retryRun,
	runNode,
	runNodes,
	signedIn,
	type RunOptions,
} from '../support/engine';
import { media } from '../support/media';
import { useService } from '../support/service';
import { runAfter } from '../support/time';

/** Seconds that a job takes: the execution is suspended several times meanwhile. */
const jobSeconds = 600;
const service = useService({ jobSeconds });
const calls = createCalls(service);
const { createVideos, createBatch, createSessions, jobs, posts, failRenders } = calls;

afterEach(() => jest.restoreAllMocks());

addType('passing', {
	description: describeType('passing'),
	async execute() {
		return [this.getInputData()];
	},
});

/** A stand-in for n8n's Loop Over Items: one item at a time on `loop`, all of them on `done`. */
addType('looping', {
	description: { ...describeType('looping'), outputs: ['main', 'main'] },
	async execute() {
		const state = this.getContext('node') as Partial<Record<'left' | 'done', INodeExecutionData[]>>;
		const all = this.getInputData();
		if (state.left) state.done?.push(...all);
		else Object.assign(state, { left: [...all], done: [] });
		const next = state.left?.shift();
		return next ? [[], [next]] : [state.done ?? [], []];
	},
});

const reads = () => service.control.requests({ method: 'GET', path: /^\/v3\// });
const wait: INodeParameters = { waitForCompletion: true };

/** Collects the suspensions of a run. */
function watch(act: (run: IRun, count: number) => void = () => {}) {
	const suspensions: IRun[] = [];
	const onSuspend: RunOptions['onSuspend'] = (run) => {
		suspensions.push(run);
		act(run, suspensions.length);
	};
	return { suspensions, onSuspend };
}

const readLedger = ({ data }: IRun) =>
	(data.executionData?.contextData['node:Node'] as IDataObject).videoGenLedger as IDataObject;

const ids = (kind: string) => jobs(kind).map(({ id }) => id);

/** Checks that each item has the finished result of its own job, in order. */
function expectFinished(all: INodeExecutionData[], key: string, expected: string[]) {
	expect(getValues(all, key)).toEqual(expected);
	expectOnePerItem(all, expected.length);
	for (const { json } of all) {
		expect(json).toMatchObject({ status: 'completed', outcome: 'finished', creation: 'created' });
	}
}

test('a run is suspended several times, creates and logs each job once, and outputs all in order', async () => {
	const log = readLog();
	const { suspensions, onSuspend } = watch();
	const began = clock.now();
	const { items: out, error, run } = await createVideos(5, wait, { onSuspend });
	expect(error).toBeUndefined();
	expect(suspensions.length).toBeGreaterThan(2);
	expect(posts()).toHaveLength(5);
	expectFinished(out, 'video_id', ids('video'));
	const started = log.filter((line) => line.includes('VideoGen started'));
	expect(started).toHaveLength(5);
	expect(new Set(started).size).toBe(5);
	expect(log.filter((line) => line.includes('VideoGen sends'))).toHaveLength(5);
	// The editor shows a single run of the node.
	expect(run.data.resultData.runData.Node).toHaveLength(1);
	expect((clock.now() - began) / 1000 / jobSeconds).toBeLessThan(1.25);
});

test('the first suspension begins after a minute, and names the jobs and the time of the next check', async () => {
	const { suspensions, onSuspend } = watch();
	const began = clock.now();
	await createVideos(2, wait, { onSuspend });
	const [first] = suspensions;
	const [task] = first?.data.resultData.runData.Node ?? [];
	const [{ message = '' } = {}] = task?.hints ?? [];
	expect(message).toMatch(
		/^0 of 2 videos ended, 2 still running\. .* IDs in the service: video \w+, video \w+\.$/,
	);
	for (const id of ids('video')) expect(message).toContain(id);
	const pause = (Number(first?.waitTill) - began) / 1000;
	expect(pause).toBeGreaterThanOrEqual(60 + 65);
	expect(pause).toBeLessThan(60 + 65 * 1.1 + 15);
});

test('of many executions at once, twenty wait in place for a minute', async () => {
	service.control.setWorkspace({ jobsAtOnce: 100 });
	const began = clock.now();
	const { suspensions, onSuspend } = watch();
	const first: number[] = [];
	const run = async () => {
		let isFirst = true;
		const { items: out } = await createVideos(1, wait, {
			onSuspend: (suspended) => {
				if (isFirst) first.push((clock.now() - began) / 1000);
				isFirst = false;
				onSuspend(suspended);
			},
		});
		return out[0]?.json.status;
	};
	const statuses = await Promise.all(Array.from({ length: 50 }, run));
	expect(statuses).toEqual(Array(50).fill('completed'));
	expect(suspensions.length).toBeGreaterThan(100);
	expect(first).toHaveLength(50);
	expect(first.filter((seconds) => seconds < 60)).toHaveLength(30);
});

test('short jobs are not suspended', async () => {
	const { suspensions, onSuspend } = watch();
	const onStart = () => runAfter(40, () => ids('video').forEach(service.control.endJob));
	const { items: out } = await createVideos(3, wait, { onSuspend, onStart });
	expect(getValues(out, 'status')).toEqual(Array(3).fill('completed'));
	expect(suspensions).toHaveLength(0);
});

test('Wait Timeout counts over all suspensions, and the error names the job', async () => {
	service.control.holdJobs(true);
	const { suspensions, onSuspend } = watch();
	const began = clock.now();
	const options = { waitTimeout: 10 };
	const { error } = await createVideos(1, { ...wait, options }, { onSuspend });
	const minutes = (clock.now() - began) / 60_000;
	expect(minutes).toBeGreaterThanOrEqual(10);
	expect(minutes).toBeLessThan(10.5);
	expect(suspensions.length).toBeGreaterThan(2);
	expect(error?.message).toBe(`The video ${ids('video')[0]} was not finished after 10 minutes`);
	expect(error?.description).toContain(ids('video')[0]);
});

test('a job that ends during the last suspension before the timeout is a result', async () => {
	service.control.holdJobs(true);
	jest.spyOn(Math, 'random').mockReturnValue(0.99);
	const began = clock.now();
	const { suspensions, onSuspend } = watch(() => ids('video').forEach(service.control.endJob));
	const options = { waitTimeout: 2.15 };
	const { items: out, error } = await createVideos(1, { ...wait, options }, { onSuspend });
	expect(error).toBeUndefined();
	expect(suspensions).toHaveLength(1);
	// The execution resumes when the time is up.
	expect((Number(suspensions[0]?.waitTill) - began) / 60_000).toBeCloseTo(2.15, 1);
	expect(getValues(out, 'status')).toEqual(['completed']);
});

describe.each<[string, INodeParameters]>([
	['Unique Request', { payOncePer: 'request' }],
	['Custom Key', { payOncePer: 'ownKey', idempotencyKey: '=key-{{ $json.i }}' }],
])('with Pay Once Per set to %s', (_, options) => {
	test.each([
		['videos', createVideos],
		['rows of a batch', createBatch],
	])('%s are suspended as often, and read together', async (__, create) => {
		service.control.setWorkspace({ jobsAtOnce: 100 });
		const counts: number[] = [];
		const { suspensions, onSuspend } = watch(() => counts.push(reads().length));
		const { items: out, error } = await create(30, { ...wait, options }, { onSuspend });
		expect(error).toBeUndefined();
		expectFinished(out, 'video_id', ids('video'));
		expect(posts()).toHaveLength(30);
		expect(suspensions.length).toBeGreaterThan(4);
		const perResume = counts.slice(1).map((count, i) => count - (counts[i] ?? 0));
		for (const count of perResume) expect(count).toBeLessThanOrEqual(3);
	});
});

describe('with Retry On Fail', () => {
	test('a job that fails again and again is created three times in all', async () => {
		failRenders(9, 'internal_error');
		const { suspensions, onSuspend } = watch();
		const { error } = await createVideos(1, wait, { onSuspend, node: retryOnFail });
		expect(jobs('video')).toHaveLength(3);
		expect(suspensions.length).toBeGreaterThan(6);
		expect(error?.description).toContain('The job was created 3 times');
	});

	test('only the jobs that failed are created again', async () => {
		failRenders(2, 'internal_error');
		const { onSuspend } = watch();
		const { items: out, error } = await createVideos(5, wait, { onSuspend, node: retryOnFail });
		expect(error).toBeUndefined();
		expect(jobs('video')).toHaveLength(7);
		expect(getValues(out, 'status')).toEqual(Array(5).fill('completed'));
		expect(new Set(getValues(out, 'video_id')).size).toBe(5);
	});

	test('the failures are stored with the execution', async () => {
		failRenders(1, 'internal_error');
		const failures: unknown[] = [];
		const { onSuspend } = watch((run) => failures.push(readLedger(run).failures));
		await createVideos(1, wait, { onSuspend, node: retryOnFail });
		expect(failures[0]).toEqual({});
		expect(failures.at(-1)).toEqual({ '1.0': 1 });
	});
});

test('Min Account Balance does not refuse what is paid, when the execution resumes', async () => {
	service.control.setWorkspace({ credit: 100 });
	const { suspensions, onSuspend } = watch(() => service.control.setWorkspace({ credit: 1 }));
	const options = { stopBelowBalance: 50, mostJobs: 3 };
	const { items: out, error } = await createVideos(3, { ...wait, options }, { onSuspend });
	expect(error).toBeUndefined();
	expect(suspensions.length).toBeGreaterThan(2);
	expectFinished(out, 'video_id', ids('video'));
});

test('Min Account Balance refuses the rows that are not paid yet, when the execution resumes', async () => {
	service.control.setWorkspace({ credit: 100, jobsAtOnce: 2 });
	const { onSuspend } = watch(() => service.control.setWorkspace({ credit: 1 }));
	const options = { stopBelowBalance: 50 };
	const node = continueOnFail;
	const { items: out } = await createVideos(4, { ...wait, options }, { onSuspend, node });
	expect(jobs('video')).toHaveLength(2);
	expect(getValues(out, 'status')).toEqual(['completed', 'completed', undefined, undefined]);
	for (const { json } of out.slice(2)) {
		expect(json.error).toContain('less than the minimum');
	}
});

test('a hundred rows on an account that runs ten jobs take little longer than the account needs', async () => {
	service.control.setWorkspace({ jobsAtOnce: 10 });
	const { suspensions, onSuspend } = watch();
	const options = { waitTimeout: 600 };
	const { items: out, error } = await createVideos(100, { ...wait, options }, { onSuspend });
	expect(error).toBeUndefined();
	expectOnePerItem(out, 100);
	expect(new Set(getValues(out, 'video_id'))).toEqual(new Set(ids('video')));
	expect(jobs('video')).toHaveLength(100);
	expect(suspensions.length).toBeGreaterThan(9);
	const seconds = service.control.clock.now() - (posts()[0]?.at ?? 0);
	const ratio = seconds / (10 * jobSeconds);
	console.log(`100 rows: ${ratio.toFixed(3)} of the optimum, ${suspensions.length} suspensions`);
	expect(ratio).toBeLessThanOrEqual(1.15);
	const rejected = posts().filter(({ status }) => status === 429).length;
	expect(rejected).toBeLessThan(120);
});

describe('Wait for Capacity counts over all suspensions', () => {
	const options = { waitForCapacity: 10, waitTimeout: 60 };
	beforeEach(() => {
		service.control.holdJobs(true);
		service.control.setWorkspace({ jobsAtOnce: 2 });
	});

	test('and then ends the run', async () => {
		const { suspensions, onSuspend } = watch();
		const began = clock.now();
		const { error } = await createVideos(4, { ...wait, options }, { onSuspend });
		expect(error?.message).toMatch(/^Not started and not charged/);
		expect(suspensions.length).toBeGreaterThan(1);
		const minutes = (clock.now() - began) / 60_000;
		expect(minutes).toBeGreaterThanOrEqual(10);
		expect(minutes).toBeLessThan(15);
		for (const id of ids('video')) expect(error?.description).toContain(id);
	});

	test('and begins again with each row that starts', async () => {
		const { onSuspend } = watch((_, count) => {
			if (count % 2 === 0) {
				const running = jobs('video').find(({ ended }) => ended !== true);
				if (running) service.control.endJob(running.id);
			}
		});
		const { items: out, error } = await createVideos(4, { ...wait, options }, { onSuspend });
		expect(error).toBeUndefined();
		expect(getValues(out, 'status')).toEqual(Array(4).fill('completed'));
	});
});

describe('a row that the service rejects', () => {
	const look = {
		__rl: true,
		mode: 'id',
		value: '={{ $json.i === 1 ? "look_bad" : "look_001_1" }}',
	};

	test.each([
		['of videos', createVideos, 3],
		// The rows that are left are sent again without it.
		['of a batch', createBatch, 3],
	])('is not sent again on each resume (%s)', async (_, create, most) => {
		const { suspensions, onSuspend } = watch();
		const parameters = { ...wait, avatar_id: look as never };
		const { items: out } = await create(3, parameters, { onSuspend, node: continueOnFail });
		expect(suspensions.length).toBeGreaterThan(2);
		expect(out[1]?.json.error).toContain('look_bad does not exist');
		expect(out[1]?.json.details).toMatchObject({ status: 404 });
		expect([0, 2].map((item) => out[item]?.json.status)).toEqual(['completed', 'completed']);
		expect(posts().length).toBeLessThanOrEqual(most);
	});

	test('for lack of credit is not sent again on each resume, nor are the rows after it', async () => {
		service.control.fail({ method: 'POST', path: '/v3/videos', delayMs: 1, times: 1 });
		const fault = { status: 402, code: 'insufficient_credit' };
		service.control.fail({ method: 'POST', path: '/v3/videos', ...fault });
		const { suspensions, onSuspend } = watch();
		const parameters = { ...wait, options: { requestsAtOnce: 1 } };
		const { items: out } = await createVideos(4, parameters, { onSuspend, node: continueOnFail });
		expect(suspensions.length).toBeGreaterThan(2);
		expect(posts()).toHaveLength(2);
		expect(out[0]?.json.status).toBe('completed');
		for (const { json } of out.slice(1)) expect(json.error).toContain('enough credit');
	});
});

test('items that are only checked are output with the others', async () => {
	const { suspensions, onSuspend } = watch();
	const options = { checkOnly: '={{ $json.i === 0 ? "check" : "off" }}' };
	const { items: out, error } = await createVideos(3, { ...wait, options }, { onSuspend });
	expect(error).toBeUndefined();
	expect(suspensions.length).toBeGreaterThan(2);
	expectOnePerItem(out, 3);
	expect(out[0]?.json.valid).toBe(true);
	expect(getValues(out.slice(1), 'video_id')).toEqual(ids('video'));
	expect(posts()).toHaveLength(2);
});

test('a file is uploaded once', async () => {
	const { suspensions, onSuspend } = watch();
	const image = await createFileItem(media('thumbnail.jpg'), 'image/jpeg');
	const parameters = speakingImage(wait);
	const input = { items: [image], onSuspend };
	const { items: out, error } = await runNode(service, 'VideoGenVideo', parameters, input);
	expect(error).toBeUndefined();
	expect(suspensions.length).toBeGreaterThan(2);
	expect(getValues(out, 'status')).toEqual(['completed']);
	expect(posts().map(({ path }) => path)).toEqual(['/v3/assets', '/v3/videos']);
});

test('the files of rows that wait to be sent are uploaded once', async () => {
	service.control.setWorkspace({ jobsAtOnce: 1 });
	const { suspensions, onSuspend } = watch();
	const image = async () => await createFileItem(media('thumbnail.jpg'), 'image/jpeg');
	const input = { items: [await image(), await image(), await image()], onSuspend };
	const { items: out, error } = await runNode(service, 'VideoGenVideo', speakingImage(wait), input);
	expect(error).toBeUndefined();
	expect(suspensions.length).toBeGreaterThan(5);
	expect(getValues(out, 'status')).toEqual(Array(3).fill('completed'));
	expect(posts().filter(({ path }) => path === '/v3/assets')).toHaveLength(3);
});

test('of a batch, Retry On Fail creates only the rows that failed again', async () => {
	failRenders(2, 'internal_error');
	const { suspensions, onSuspend } = watch();
	const { items: out, error } = await createBatch(5, wait, { onSuspend, node: retryOnFail });
	expect(error).toBeUndefined();
	expect(suspensions.length).toBeGreaterThan(4);
	expect(getValues(out, 'status')).toEqual(Array(5).fill('completed'));
	expect(posts()).toHaveLength(2);
	expect(jobs('video')).toHaveLength(7);
});

test('an error output that leads back to the node continues timeouts, and ends with failures', async () => {
	failRenders(1, 'content_policy_violation');
	const parameters = avatar({ ...wait, options: { waitTimeout: 4 } });
	const more = { ...signedIn, onError: 'continueErrorOutput' as const };
	const node = createNode('Node', 'VideoGenVideo', parameters, more);
	const connections = {
		Items: connectTo('Node'),
		Node: { main: [[], connectTo('Node').main[0]!] },
	};
	const { suspensions, onSuspend } = watch();
	const run = await runNodes(service, [node], connections, { items: items(3), onSuspend });
	expect(run.data.resultData.error).toBeUndefined();
	expect(suspensions.length).toBeGreaterThan(2);
	expect(jobs('video')).toHaveLength(3);
	const outputs = (run.data.resultData.runData.Node ?? []).map(({ data }) => data?.main ?? []);
	const finished = outputs.flatMap(([all]) => all ?? []);
	expect(getValues(finished, 'status')).toEqual(['completed', 'completed']);
	const [last] = outputs.at(-1)?.[1] ?? [];
	expect(last?.json.error).toContain('The video failed');
	expect(outputs.length).toBeLessThan(8);
});

test('a row that runs into its Wait Timeout does not end the others', async () => {
	service.control.holdJobs(true);
	const { suspensions, onSuspend } = watch((_, count) => {
		if (count === 6) ids('video').slice(1).forEach(service.control.endJob);
	});
	const options = { waitTimeout: '={{ $json.i === 0 ? 4 : 60 }}' };
	const { items: out, error } = await createVideos(
		3,
		{ ...wait, options },
		{ onSuspend, node: continueOnFail },
	);
	expect(error).toBeUndefined();
	expect(suspensions.length).toBeGreaterThan(2);
	expect(posts()).toHaveLength(3);
	expect(out[0]?.json).toMatchObject({
		error: expect.stringMatching(/^The video \w+ was not finished after .* minutes \[row 1\]$/),
		details: { code: 'wait_timeout', job: { kind: 'video', id: ids('video')[0] } },
	});
	expect(getValues(out.slice(1), 'video_id')).toEqual(ids('video').slice(1));
	expect(getValues(out.slice(1), 'status')).toEqual(['completed', 'completed']);
});

test('a job that ends after its Wait Timeout, while other jobs still run, is a result', async () => {
	const options = { waitTimeout: '={{ $json.i === 0 ? 4 : 60 }}' };
	const { items: out } = await createVideos(2, { ...wait, options }, { node: continueOnFail });
	expectFinished(out, 'video_id', ids('video'));
});

test('a batch is suspended, and sent and logged once', async () => {
	const log = readLog();
	const { suspensions, onSuspend } = watch();
	const { items: out, error } = await createBatch(5, wait, { onSuspend });
	expect(error).toBeUndefined();
	expect(suspensions.length).toBeGreaterThan(2);
	expect(posts()).toHaveLength(1);
	expectFinished(out, 'video_id', ids('video'));
	expect(getValues(out, 'item_index')).toEqual([0, 1, 2, 3, 4]);
	const started = log.filter((line) => line.includes('VideoGen started'));
	// The batch, and the video of each row.
	expect(started).toHaveLength(1 + 5);
	expect(new Set(started).size).toBe(started.length);
});

test('sessions, which have no key, are suspended while they run and while their video does', async () => {
	const { suspensions, onSuspend } = watch();
	const { items: out, error } = await createSessions(2, wait, { onSuspend });
	expect(error).toBeUndefined();
	expect(suspensions.length).toBeGreaterThan(2);
	expect(posts()).toHaveLength(2);
	expectFinished(out, 'session_id', ids('session'));
	for (const { json } of out) expect(json.video).toMatchObject({ status: 'completed' });
});

test('without Continue On Fail, a row that fails for good ends the run at once, and names all jobs', async () => {
	service.control.holdJobs(true);
	failRenders(1, 'content_policy_violation');
	const { suspensions, onSuspend } = watch((_, count) => {
		if (count === 2) service.control.endJob(ids('video')[0] ?? '');
	});
	const { error } = await createVideos(3, wait, { onSuspend });
	expect(suspensions).toHaveLength(2);
	expect(error?.message).toContain('The video failed');
	for (const id of ids('video')) expect(error?.description).toContain(id);
});

test('with Continue On Fail, a row that fails waits for the others', async () => {
	failRenders(1, 'content_policy_violation');
	const { suspensions, onSuspend } = watch((_, count) => {
		if (count === 1) service.control.endJob(ids('video')[0] ?? '');
	});
	const node = continueOnFail;
	const { items: out } = await createVideos(3, wait, { onSuspend, node });
	expect(suspensions.length).toBeGreaterThan(2);
	expectOnePerItem(out, 3);
	expect(out[0]?.json.error).toContain('The video failed');
	expect(getValues(out.slice(1), 'status')).toEqual(['completed', 'completed']);
});

test("n8n's Retry of a run that failed after it was resumed creates only what failed", async () => {
	failRenders(1, 'internal_error');
	const node = createNode('Node', 'VideoGenVideo', avatar(wait), signedIn);
	const connections = { Items: connectTo('Node') };
	const { suspensions, onSuspend } = watch((_, count) => {
		if (count === 2) service.control.endJob(ids('video')[0] ?? '');
	});
	const options = { items: items(3), onSuspend };
	const failed = await runNodes(service, [node], connections, options);
	expect(failed.data.resultData.error).toBeDefined();
	expect(suspensions).toHaveLength(2);
	service.control.clock.advance(jobSeconds);
	const run = await retryRun(service, failed, [node], connections, { items: items(3), onSuspend });
	expect(run.data.resultData.error).toBeUndefined();
	// The new job is awaited as in any run.
	expect(suspensions.length).toBeGreaterThan(4);
	expect(jobs('video')).toHaveLength(4);
	const out = run.data.resultData.runData.Node?.[0]?.data?.main?.[0] ?? [];
	expectOnePerItem(out, 3);
	expect(getValues(out, 'status')).toEqual(Array(3).fill('completed'));
	// Two jobs are of an earlier execution, and one was created by this one.
	expect(getValues(out, 'creation')).toEqual(['created', 'continued', 'continued']);
});

test('files are downloaded once, after the last suspension', async () => {
	const files = () => service.control.requests({ method: 'GET', path: /\.mp4/ });
	const counts: number[] = [];
	const { suspensions, onSuspend } = watch((_, count) => {
		counts.push(files().length);
		if (count === 1) service.control.endJob(ids('video')[0] ?? '');
	});
	const parameters = { ...wait, download: ['video'] };
	const { items: out } = await createVideos(3, parameters, { onSuspend });
	expect(suspensions.length).toBeGreaterThan(2);
	expect(counts).toEqual(suspensions.map(() => 0));
	expect(files()).toHaveLength(3);
	for (const { binary } of out) expect(binary?.data?.mimeType).toBe('video/mp4');
});

test('jobs that have ended are not read again until all have ended', async () => {
	service.control.holdJobs(true);
	service.control.setWorkspace({ jobsAtOnce: 100 });
	const counts: number[] = [];
	const { suspensions, onSuspend } = watch((_, count) => {
		counts.push(reads().length);
		if (count === 1) for (const id of ids('video').slice(0, 90)) service.control.endJob(id);
		if (count === 6) service.control.holdJobs(false);
	});
	const { items: out } = await createVideos(100, wait, { onSuspend });
	expect(suspensions.length).toBeGreaterThanOrEqual(6);
	expect(getValues(out, 'status')).toEqual(Array(100).fill('completed'));
	const perResume = counts.slice(1).map((count, i) => count - (counts[i] ?? 0));
	// The second reads the 90 that have ended; after that, at most the ten that run are read.
	for (const count of perResume.slice(1)) expect(count).toBeLessThanOrEqual(12);
	expect(Math.max(...perResume)).toBeLessThanOrEqual(110);
});

test('values that change between two resumes create nothing new', async () => {
	const script = '=At {{ $now.toMillis() }} and {{ Math.random() }}, number {{ $json.i }}';
	const { suspensions, onSuspend } = watch();
	for (const create of [createVideos, createBatch, createSessions]) {
		service.control.reset();
		suspensions.length = 0;
		const text = create === createSessions ? { prompt: script } : { script };
		const { items: out, error } = await create(3, { ...wait, ...text }, { onSuspend });
		expect(error).toBeUndefined();
		expect(suspensions.length).toBeGreaterThan(1);
		expect(out).toHaveLength(3);
		expect(posts()).toHaveLength(create === createBatch ? 1 : 3);
	}
});

test('what is stored while the execution is suspended contains no secret', async () => {
	const { suspensions, onSuspend } = watch();
	await createVideos(2, wait, { onSuspend });
	expect(suspensions.length).toBeGreaterThan(1);
	for (const run of suspensions) {
		const { resumeToken = '' } = run.data as { resumeToken?: string };
		const ledger = JSON.stringify(readLedger(run));
		expect(ledger).toContain(ids('video')[0]);
		expect(resumeToken).not.toBe('');
		for (const secret of [resumeToken, service.apiKey]) expect(ledger).not.toContain(secret);
	}
});

test('nothing is left in the ledger at the end', async () => {
	const { run } = await createVideos(3, wait);
	const empty = { creates: {}, failures: {}, jobs: {}, errors: {} };
	expect(readLedger(run)).toEqual(expect.objectContaining(empty));
	expect(readLedger(run)).not.toHaveProperty('run.wait');
});

test('each suspension adds little to the stored size of the execution', async () => {
	service.control.holdJobs(true);
	service.control.setWorkspace({ jobsAtOnce: 100 });
	const sizes: number[] = [];
	const { onSuspend } = watch((run, count) => {
		sizes.push(JSON.stringify(readLedger(run)).length + run.data.resultData.runData.Node!.length);
		if (count === 5) service.control.holdJobs(false);
	});
	await createVideos(50, wait, { onSuspend });
	const [first = 0] = sizes;
	expect(first).toBeGreaterThan(1_000);
	for (const size of sizes) expect(size - first).toBeLessThan(200);
});

describe('in a workflow', () => {
	const create = (name: string, more: Partial<INode> = {}) =>
		createNode(name, 'VideoGenVideo', avatar(wait), { ...signedIn, ...more });
	const next = createNode('Next', 'passing', {});
	const inputOf = ({ data }: IRun, name: string) =>
		(data.resultData.runData[name] ?? []).map((task) => task.data?.main?.[0] ?? []);

	test.each<[string, Partial<INode>, number]>([
		['as usual', {}, 2],
		['with Always Output Data', { alwaysOutputData: true }, 2],
		['with Execute Once', { executeOnce: true }, 1],
		['with an error output', { onError: 'continueErrorOutput' }, 2],
	])('the next node gets the items once, %s', async (_, more, count) => {
		const { suspensions, onSuspend } = watch();
		const connections = { Items: connectTo('Node'), Node: connectTo('Next') };
		const options = { items: items(2), onSuspend };
		const run = await runNodes(service, [create('Node', more), next], connections, options);
		expect(run.data.resultData.error).toBeUndefined();
		expect(suspensions.length).toBeGreaterThan(1);
		const [all = [], ...others] = inputOf(run, 'Next');
		expect(others).toEqual([]);
		expect(getValues(all, 'video_id')).toEqual(ids('video'));
		expect(all).toHaveLength(count);
	});

	test('two branches are suspended one after the other, and each creates its own jobs once', async () => {
		const { suspensions, onSuspend } = watch();
		const connections = {
			Items: { main: [['One', 'Two'].map((node) => connectTo(node).main[0]![0]!)] },
			One: connectTo('Next'),
		};
		const nodes = [create('One'), create('Two'), next];
		const run = await runNodes(service, nodes, connections, { items: items(2), onSuspend });
		expect(run.data.resultData.error).toBeUndefined();
		expect(suspensions.length).toBeGreaterThan(4);
		expect(posts()).toHaveLength(4);
		const outputs = ['Next', 'Two'].flatMap((name) => inputOf(run, name).flat());
		expect(getValues(outputs, 'video_id').sort()).toEqual(ids('video').sort());
		expect(run.data.resultData.runData.One).toHaveLength(1);
		expect(run.data.resultData.runData.Two).toHaveLength(1);
	});

	test('each round of a loop is a run of its own, however often it is suspended', async () => {
		const { suspensions, onSuspend } = watch();
		const connections = {
			Items: connectTo('Loop'),
			Loop: { main: [connectTo('Next').main[0]!, connectTo('Node').main[0]!] },
			Node: connectTo('Loop'),
		};
		const nodes = [createNode('Loop', 'looping', {}), create('Node'), next];
		const run = await runNodes(service, nodes, connections, { items: items(3), onSuspend });
		expect(run.data.resultData.error).toBeUndefined();
		expect(suspensions.length).toBeGreaterThan(6);
		expect(posts()).toHaveLength(3);
		expect(run.data.resultData.runData.Node).toHaveLength(3);
		const [all = []] = inputOf(run, 'Next');
		expect(getValues(all, 'video_id')).toEqual(ids('video'));
		expect(getValues(all, 'creation')).toEqual(Array(3).fill('created'));
	});

	test('the stop button of a resumed execution logs the jobs that run on, once', async () => {
		const log = readLog();
		service.control.holdJobs(true);
		let starts = 0;
		const onStart = (stop: () => void) => {
			if (++starts === 3) runAfter(0.5, stop);
		};
		// A status response that takes long, so that the execution is still running.
		const { onSuspend } = watch((_, count) => {
			if (count === 2) service.control.fail({ method: 'GET', path: /videos/, status: 503 });
		});
		await createVideos(2, wait, { onStart, onSuspend });
		const stopped = log.filter((line) => line.includes('Stopped.'));
		expect(stopped).toHaveLength(1);
		for (const id of ids('video')) expect(stopped[0]).toContain(id);
		expect(posts()).toHaveLength(2);
	});
});

describe('rows that wait to be sent when the execution is suspended', () => {
	test.each([true, false])(
		'are sent later, a batch too (Continue On Fail: %s)',
		async (continues) => {
			calls.passPosts('/v3/videos/batches', 1);
			const limited = { status: 429, code: 'rate_limited', retryAfter: 60, times: 14 };
			calls.failPosts('/v3/videos/batches', limited);
			const node = continues ? continueOnFail : {};
			const { items: out, error } = await createBatch(105, wait, { node });
			expect(error).toBeUndefined();
			expectOnePerItem(out, 105);
			expect(new Set(getValues(out, 'video_id')).size).toBe(105);
			expect(jobs('video')).toHaveLength(105);
		},
	);

	test('are new: their job may not be found at first', async () => {
		service.control.setWorkspace({ jobsAtOnce: 2 });
		const { onSuspend } = watch((_, count) => {
			if (count > 1) return;
			const path = new RegExp(`^/v3/videos/(?!${ids('video').join('|')}|statuses)[^/]+$`);
			service.control.fail({ method: 'GET', path, status: 404, code: 'not_found', times: 1 });
		});
		const { items: out } = await createVideos(3, wait, { onSuspend, node: continueOnFail });
		expectFinished(out, 'video_id', ids('video'));
	});
});

test('a video that ended in time is output, even if it is read again after its Wait Timeout', async () => {
	service.control.holdJobs(true);
	const { onSuspend } = watch((_, count) => {
		const [first = ''] = ids('video');
		if (count === 1) service.control.endJob(first);
		const path = `/v3/videos/${first}`;
		if (count === 3) service.control.fail({ method: 'GET', path, status: 503, times: 3 });
	});
	const form = { ...wait, options: { waitTimeout: 10 } };
	const { items: out } = await createVideos(2, form, { onSuspend, node: continueOnFail });
	expect(getValues(out, 'outcome')).toEqual(['finished', 'running']);
});

test.each([
	['Wait Timeout', 1, { waitTimeout: 10 }],
	['Wait for Capacity', 2, { waitTimeout: 6_000, waitForCapacity: 10 }],
])('Retry On Fail ends although each of its tries ends by %s', async (_, rows, options) => {
	service.control.holdJobs(true);
	service.control.setWorkspace({ jobsAtOnce: 1 });
	const began = clock.now();
	const { error } = await createVideos(rows, { ...wait, options }, { node: retryOnFail });
	expect(error?.message).toMatch(/was not finished after|^Not started/);
	expect(clock.now() - began).toBeLessThan(3_600_000);
	expect(jobs('video')).toHaveLength(1);
});
