/** VideoGen Wait for Job: suspended executions, and the items of finished jobs. */
import { stringify } from 'flatted';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { toText } from '../../../nodes/core/json';
import type { Fault } from '../../../simulator';
import {
	continueOnFail,
	createCalls,
	expectOnePerItem,
	getValues,
	items,
	readLog,
	session,
	waiting,
} from '../support/calls';
import { runForJson } from '../support/cases';
import { clock } from '../support/core';
import { byId, Credentials, readContent, createFileItem, runForItems } from '../support/engine';
import { media } from '../support/media';
import { createCaller, useService } from '../support/service';
import { expectOnPage } from '../support/shown';
import { runAfter, waitFor } from '../support/time';
import { createWaitFlow, type WaitRun, type WaitSettings } from '../support/waiting';

const service = useService({ jobSeconds: 100 });
const calls = createCalls(service);
const { failRenders } = calls;

const countReads = () => service.control.requests({ method: 'GET' }).length;
const getVideoIds = (all: readonly INodeExecutionData[]) => getValues([...all], 'video_id');
/** Lets all jobs end. */
const endJobs = () => service.control.clock.advance(300);

afterEach(() => jest.restoreAllMocks());

/** Creates running videos, sessions or rows of a batch: one for each item. */
const createVideos = async (count: number) => (await calls.createVideos(count)).items;
const createSessions = async (count: number) => (await calls.createSessions(count)).items;
const createRows = async (count: number) => (await calls.createBatch(count)).items;
/** Creates videos that have ended. */
async function createEnded(count: number) {
	const created = await createVideos(count);
	endJobs();
	return created;
}

/** Runs the workflow of the Wait node until it is suspended or ends. */
const start = async (all: INodeExecutionData[], settings: Partial<WaitSettings> = {}) =>
	await createWaitFlow(service, { items: all, ...settings }).start();

/** A workflow that is suspended because of these items. */
async function suspend(all: INodeExecutionData[], settings: Partial<WaitSettings> = {}) {
	const flow = createWaitFlow(service, { items: all, ...settings });
	return { flow, state: await flow.start() };
}

test('suspends the execution while a job runs, checks again automatically, and outputs finished items', async () => {
	const created = await createVideos(3);
	const flow = createWaitFlow(service, { items: created });
	const began = clock.now();
	// While the node waits in place.
	runAfter(20, () => service.control.endJob(String(getVideoIds(created)[0])));
	const first = await flow.start();
	expect(first.run.status).toBe('waiting');
	// 30 seconds in place, then the shortest suspension.
	expect(((first.resumeAt?.getTime() ?? 0) - began) / 1000).toBeCloseTo(95, -1);
	expect(getValues(first.unfinished, 'still_running')).toEqual(
		created.map(() =>
			expect.stringMatching(
				/^Not finished yet: 1 of 3 jobs have ended\. The node checks again at /,
			),
		),
	);
	const [task] = first.run.data.resultData.runData.Wait ?? [];
	expect(task?.hints).toMatchObject([{ message: first.unfinished[0]?.json.still_running }]);
	expect(first.finished).toEqual([]);

	const second = await flow.resume(first);
	expect(second.run.status).toBe('waiting');
	const last = await flow.resume(second);
	expect(last.run.status).toBe('success');
	expect(getVideoIds(last.finished)).toEqual(getVideoIds(created));
	expectOnePerItem(last.finished, 3);
	for (const { json } of last.finished) {
		const job = { kind: 'video', id: json.video_id };
		expect(json).toMatchObject({ status: 'completed', video_url: expect.any(String), job });
		expect(json).not.toHaveProperty('still_running');
	}
	expect(last.run.data.resultData.runData.Next?.[0]?.data?.main?.[0]).toHaveLength(3);
});

test('outputs the item on its page', async () => {
	const { finished } = await start(await createEnded(1));
	expectOnPage('VideoGenWait', 'finished', finished[0]);
});

test('a continued session whose status lags behind does not output its old video', async () => {
	const agent = async (parameters: INodeParameters) =>
		await runForJson(service, 'VideoGenAgent', parameters);
	const opened = await agent({ ...session(), mode: 'chat', waitForCompletion: true });
	const session_id = byId(opened.session_id);
	const say = async (message: string, waitForCompletion: boolean) =>
		await agent({ operation: 'continue', session_id, message, waitForCompletion });
	await say('Yes, make it', true);
	const read = `GET /v3/video-agents/${toText(opened.session_id)}`;
	const { status, video_id, messages } = await createCaller(service)(read);
	const item = await say('Could it be longer?', false);
	expect(status).toBe('completed');
	service.control.fail({
		...{ method: 'GET', path: /video-agents/, times: 2 },
		data: { status, video_id, messages },
	});
	const { finished } = await start([{ json: item }], { isLooped: false });
	expect(finished).toMatchObject([
		{
			json: {
				...{ status: 'waiting_for_input', video_id: null },
				job: { kind: 'chat_session', id: opened.session_id },
			},
		},
	]);
	expect(finished[0]?.json.job).not.toHaveProperty('before');
});

const photo = { data: 'aGk=', mimeType: 'text/plain' };

test('finished jobs need no loop and no suspension, and keep the files of their input', async () => {
	const created = await createEnded(2);
	const input = created.map(({ json }) => ({ json, binary: { photo } }));
	const { run, finished } = await start(input, { isLooped: false });
	expect(run.status).toBe('success');
	expect(getVideoIds(finished)).toEqual(getVideoIds(created));
	for (const { binary } of finished) expect(binary?.photo).toMatchObject(photo);
});

test('short jobs end before the first suspension', async () => {
	const created = await createVideos(2);
	service.control.clock.advance(80);
	const began = clock.now();
	const { run, finished } = await start(created);
	expect(run.status).toBe('success');
	expect(getVideoIds(finished)).toEqual(getVideoIds(created));
	expect(clock.now() - began).toBeLessThan(30_000);
});

test('without the loop it waits in place, and a hint says how to suspend the execution', async () => {
	const created = await createVideos(2);
	const { run, finished } = await start(created, { isLooped: false });
	expect(run.status).toBe('success');
	expect(getVideoIds(finished)).toEqual(getVideoIds(created));
	const { hints } = run.data.resultData.runData.Wait?.[0] ?? {};
	expect(hints).toEqual([
		{ message: expect.stringContaining('connect Still Running to'), location: 'outputPane' },
	]);
});

test('waiting in place, a single job is read immediately once, and then after pauses', async () => {
	const created = await createVideos(1);
	const count = countReads();
	const { finished } = await start(created, { isLooped: false });
	const times = service.control.requests({ method: 'GET' }).slice(count);
	const pauses = times.slice(1).map(({ at }, i) => Math.round(at - (times[i]?.at ?? 0)));
	expect(pauses.slice(0, 2)).toEqual([10, 10]);
	expect(finished).toHaveLength(1);
});

test.each([true, false])(
	'a job that cannot be read is an error of its item when the others have ended (loop: %s)',
	async (isLooped) => {
		const created = await createVideos(2);
		const [first] = getVideoIds(created);
		service.control.fail({ path: `/v3/videos/${String(first)}`, status: 403, code: 'forbidden' });
		const { flow, state } = await suspend(created, { isLooped, node: continueOnFail });
		expect(state.resumeAt === undefined).toBe(!isLooped);
		endJobs();
		const { finished } = isLooped ? await flow.resume(state) : state;
		expect(finished.map(({ json }) => json.details ?? json.status)).toEqual([
			expect.objectContaining({ code: 'forbidden', job: { kind: 'video', id: first } }),
			'completed',
		]);
	},
);

test('without the loop, jobs that are still running after the timeout are errors', async () => {
	service.control.holdJobs(true);
	const { finished } = await start(await createVideos(1), {
		isLooped: false,
		parameters: { options: { waitTimeout: 20 } },
		node: continueOnFail,
	});
	expect(finished[0]?.json.error).toContain('was not finished after 20 minutes');
});

test('outputs an item for every row of a batch, and reads the batch once', async () => {
	const created = await createRows(20);
	endJobs();
	const before = countReads();
	const { finished } = await start(created);
	expectOnePerItem(finished, 20);
	expect(new Set(getVideoIds(finished)).size).toBe(20);
	const { batch_id } = created[0]?.json ?? {};
	expect(finished.map(({ json }) => json)).toMatchObject(
		getVideoIds(finished).map((id, item_index) => ({
			item_index,
			status: 'completed',
			job: { kind: 'video', id },
			batch_id,
		})),
	);
	expect(countReads() - before).toBe(1 + 20);
});

test.each<[string, Fault | undefined]>([
	['timed out', undefined],
	['could not be read', { status: 403, code: 'forbidden', message: 'No access' }],
])('outputs the own row of each error item of a batch that %s', async (_, fault) => {
	if (fault) service.control.fail({ method: 'GET', path: /batches/, ...fault });
	const { items: failed } = await calls.createBatch(3, waiting({ waitTimeout: 1 }), {
		node: continueOnFail,
	});
	service.control.clearFaults();
	const { error } = failed[0]?.json ?? {};
	expect(error).toMatch(fault ? /No access/ : /was not finished/);
	const details = [0, 1, 2].map((item_index) => ({ json: { details: { item_index } } }));
	expect(failed).toMatchObject(details);
	endJobs();
	const { finished } = await start(failed);
	expectOnePerItem(finished, 3);
	expect(getValues(finished, 'item_index')).toEqual([0, 1, 2]);
	expect(new Set(getVideoIds(finished)).size).toBe(3);
});

test('after a timeout, the error items of batch rows can be awaited again', async () => {
	service.control.holdJobs(true);
	const { finished: late } = await start(await createRows(2), {
		isLooped: false,
		parameters: { options: { waitTimeout: 20 } },
		node: continueOnFail,
	});
	service.control.holdJobs(false);
	expect(getValues(late, 'error')).toEqual(Array(2).fill(expect.stringContaining('not finished')));
	endJobs();
	const { finished } = await start(late);
	expect(getValues(finished, 'item_index')).toEqual([0, 1]);
	expect(new Set(getVideoIds(finished)).size).toBe(2);
});

test('outputs the assets of files that were uploaded as a batch', async () => {
	const files = await Promise.all(
		['a', 'b', 'c'].map(
			async (text) => await createFileItem(Buffer.from(text), 'text/plain', text),
		),
	);
	const form = { resource: 'asset', operation: 'uploadBatch', waitForCompletion: false };
	const created = await runForItems(service, 'VideoGenAsset', form, { items: files });
	endJobs();
	const { finished } = await start(created);
	expect(finished.map(({ json: { asset_id, job } }) => [asset_id, job])).toEqual(
		created.map(({ json: { asset_id } }) => [asset_id, { kind: 'asset', id: asset_id }]),
	);
});

test('outputs jobs of several kinds and creates in the order of the items', async () => {
	const model = { modelFrom: 'name', model: 'model-1', prompt: 'A river' };
	const form = { operation: 'textToVideo', ...model, waitForCompletion: false };
	const all = [
		...(await createVideos(1)),
		...(await createRows(2)),
		...(await runForItems(service, 'VideoGenModelVideo', form)),
		...(await createSessions(1)),
	].map(({ json }, i) => ({ json: { ...json, position: i } }));
	const flow = createWaitFlow(service, { items: all });
	let state = await flow.start();
	while (state.resumeAt) state = await flow.resume(state);
	const order = state.finished.map(({ json }) => [json.position, (json.job as IDataObject).kind]);
	expect(order).toEqual([
		[0, 'video'],
		[1, 'video'],
		[2, 'video'],
		[3, 'model_video'],
		[4, 'session'],
	]);
	expect(state.finished.at(-1)?.json.video).toMatchObject({ status: 'completed' });
});

/** Items with the ID of a video under another key, and the form that reads it. */
const byForm = (created: INodeExecutionData[]) =>
	[
		created.map(({ json }) => ({ json: { row_id: json.video_id } })),
		{ parameters: { jobs: 'id', kind: 'video', job_id: '={{ $json.row_id }}' } },
	] as const;

test('reads the kind and the ID of a job from the form', async () => {
	const created = await createEnded(2);
	const { finished } = await start(...byForm(created));
	expect(finished.map(({ json }) => [json.row_id, json.video_id, json.status])).toEqual(
		getVideoIds(created).map((id) => [id, id, 'completed']),
	);
});

test('an invalid value is an error of its item, and the next item says how long to wait', async () => {
	service.control.holdJobs(true);
	const created = await createVideos(2);
	const items = created.map(({ json }, i) => ({ json: { ...json, minutes: i === 0 ? -1 : 0.5 } }));
	const parameters = { options: { waitTimeout: '={{ $json.minutes }}' } };
	const { finished } = await start(items, { parameters, node: continueOnFail });
	expect(finished.map(({ json }) => json)).toMatchObject([
		{
			error: expect.stringMatching(/^"Wait Timeout.* \[item 0\]$/),
			details: { code: 'invalid_value', complaints: [expect.stringContaining('Wait Timeout')] },
		},
		{ error: expect.stringContaining('was not finished after 0.5 minutes') },
	]);
});

test('an item without a job is an error before any request', async () => {
	const created = await createVideos(1);
	const before = countReads();
	const { error } = await start([...created, { json: { name: 'Ada' } }]);
	expect(error?.message).toBe('The item does not refer to a job [item 1]');
	expect(error?.description).toContain('Wait for Completion turned off');
	expect(error).toMatchObject({ context: { details: { code: 'invalid_value' } } });
	expect(countReads()).toBe(before);
});

test('a failed job fails only its own item: with Continue On Fail it is an error item among the others', async () => {
	failRenders();
	const created = await createEnded(3);
	const { finished } = await start(created, { node: continueOnFail });
	const failed = finished.findIndex(({ json }) => json.error !== undefined);
	const job = { kind: 'video', id: created[failed]?.json.video_id };
	expect(finished[failed]?.json).toEqual({
		error: `The video failed: The face was lost [item ${failed}]`,
		details: expect.objectContaining({ code: 'render_failed', job }),
	});
	expect(finished.filter(({ json }) => json.status === 'completed')).toHaveLength(2);
	expect(finished).toHaveLength(3);

	const { error, run } = await start(created);
	expect(run.status).toBe('error');
	expect(error?.message).toContain('The face was lost');
	for (const id of getVideoIds(created)) expect(error?.description).toContain(String(id));
});

test('after the timeout, unfinished jobs go to the error output with their IDs, and can be awaited again', async () => {
	const created = await createVideos(2);
	const node = { onError: 'continueErrorOutput' as const };
	const parameters = { options: { waitTimeout: 0.5 } };
	const timedOut = await start(created, { node, parameters });
	expect(timedOut.run.status).toBe('success');
	expect(timedOut.finished).toEqual([]);
	expect(timedOut.errors.map(({ json }) => json)).toMatchObject(
		getVideoIds(created).map((id) => ({
			error: expect.stringContaining('was not finished after 0.5 minutes'),
			details: {
				code: 'wait_timeout',
				job: { kind: 'video', id },
				description: expect.stringMatching(/do not create it again.*wait for it again/s),
			},
		})),
	);
	endJobs();
	const again = await start(timedOut.errors, { node });
	expect(getVideoIds(again.finished)).toEqual(getVideoIds(created));
	for (const { json } of again.finished) {
		expect(json).not.toHaveProperty('error');
		expect(json).not.toHaveProperty('details');
	}
});

test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
	'items with nothing but an error and its job remain suspended, with On Error: %s',
	async (onError) => {
		const created = await createVideos(2);
		const errors = created.map(({ json }) => {
			return { json: { error: 'Late', details: { job: json.job as IDataObject } } };
		});
		const { flow, state } = await suspend(errors, { node: { onError } });
		expect(state.run.status).toBe('waiting');
		endJobs();
		const last = await flow.resume(state);
		expect(last.errors).toEqual([]);
		expect(getVideoIds(last.finished)).toEqual(getVideoIds(created));
	},
);

test('the error output, connected back, repeats timeouts, but not failures', async () => {
	failRenders();
	const created = await createEnded(2);
	const running = await createVideos(1);
	const settings = {
		node: { onError: 'continueErrorOutput' as const },
		parameters: { options: { waitTimeout: 0.5 } },
		returnsErrors: true,
	};
	const log = readLog();
	// During the second wait of the job that still runs.
	runAfter(45, endJobs);
	const { run } = await start([...created, ...running, { json: { no: 'job' } }], settings);
	expect(run.status).toBe('success');
	const outputs = (run.data.resultData.runData.Wait ?? []).map(({ data }) => data?.main ?? []);
	const finished = outputs.flatMap(([, items]) => items ?? []);
	const completed = finished.filter(({ json }) => json.status === 'completed');
	expect(getVideoIds(completed)).toContain(getVideoIds(running)[0]);
	expect(completed).toHaveLength(2);
	const lastErrors = outputs.flatMap(([, , items]) => (items?.length ? [items] : [])).at(-1);
	expect(lastErrors?.map(({ json }) => json.error)).toEqual([
		expect.stringContaining('The face was lost'),
		expect.stringContaining('does not refer to a job'),
	]);
	expect(outputs.length).toBeLessThan(6);
	expect(log.join()).toContain('2 items came back from the error output and end here');
});

test('the timeout counts from the first check, however often the execution is suspended', async () => {
	service.control.holdJobs(true);
	const parameters = { options: { waitTimeout: 20 } };
	const settings = { parameters, node: continueOnFail };
	const { flow, state: first } = await suspend(await createVideos(1), settings);
	const pauses: number[] = [];
	let state = first;
	while (state.resumeAt) {
		pauses.push(state.resumeAt.getTime() - clock.now());
		state = await flow.resume(state);
	}
	expect(state.finished[0]?.json.error).toContain('was not finished after 20 minutes');
	// Pauses grow: the eighth one is 237 s. The ninth one ends with the timeout.
	expect(Math.round((pauses[7] ?? 0) / 10_000)).toBe(24);
	expect(Math.max(...pauses)).toBe(pauses[8]);
	// The wait is over: the same jobs can be awaited again.
	expect(state.run.data.executionData?.contextData['node:Wait']).toEqual({});
});

test('Download adds the files of each kind to its items, and keeps those of the input', async () => {
	const created = [
		...(await createVideos(1)),
		...(await createSessions(1)),
		...(await createRows(1)),
	].map(({ json }) => ({ json, binary: { photo } }));
	endJobs();
	const { finished } = await start(created, {
		parameters: { download: ['video', 'thumbnail'], options: { binaryPropertyName: 'movie' } },
	});
	expect(finished).toHaveLength(3);
	for (const item of finished) {
		expect(Object.keys(item.binary ?? {}).sort()).toEqual(['movie', 'photo', 'thumbnail']);
		expect((await readContent(item, 'movie')).equals(media('video.mp4'))).toBe(true);
	}
});

test('the new video of a session that is not found for a moment does not end a long wait', async () => {
	service.control.holdJobs(true);
	const { flow, state: first } = await suspend(await createSessions(1));
	let state = first;
	for (let check = 0; check < 4; check++) state = await flow.resume(state);
	expect(state.run.status).toBe('waiting');
	service.control.holdJobs(false);
	endJobs();
	service.control.fail({ path: /^\/v3\/videos\/[^/]+$/, status: 404, code: 'not_found', times: 2 });
	const { finished } = await flow.resume(state);
	expect(finished[0]?.json.video_url).toEqual(expect.any(String));
});

describe('a credential that cannot be read', () => {
	const reason = 'Credential with ID "credential" does not exist';
	const failCredentialReads = () =>
		jest.spyOn(Credentials.prototype, 'getDecrypted').mockRejectedValue(new Error(reason));

	const suspendAndDelete = async (settings: Partial<WaitSettings> = {}) => {
		const created = await createVideos(2);
		const { flow, state } = await suspend(created, settings);
		failCredentialReads();
		let last = state;
		let checks = 0;
		for (; last.resumeAt && checks < 10; checks++) last = await flow.resume(last);
		return { ids: getVideoIds(created).map(String), last, checks };
	};

	test('once, because n8n is busy, does not end a suspended wait', async () => {
		const created = await createVideos(2);
		const { flow, state } = await suspend(created);
		const mock = failCredentialReads();
		const again = await flow.resume(state);
		mock.mockRestore();
		expect(again.run.status).toBe('waiting');
		expect(again.unfinished[0]?.json.still_running).toContain('(CREDENTIAL_UNUSABLE)');
		endJobs();
		const last = await flow.resume(again);
		expect(getVideoIds(last.finished)).toEqual(getVideoIds(created));
	});

	test('at the start of a wait is an error immediately', async () => {
		const created = await createVideos(1);
		failCredentialReads();
		const { error } = await start(created);
		expect(error?.message).toBe("This node's credential cannot be used");
	});

	test('three times in a row is an error that names the jobs and says what to do', async () => {
		const { ids, last, checks } = await suspendAndDelete();
		expect(checks).toBe(3);
		expect(last.error?.message).toBe("This node's credential cannot be used [item 0]");
		for (const text of [...ids, reason, 'Retry with currently saved workflow']) {
			expect(last.error?.description).toContain(text);
		}
	});

	test('is an error immediately if the wait ends before the next check', async () => {
		const { checks } = await suspendAndDelete({ parameters: { options: { waitTimeout: 2.5 } } });
		expect(checks).toBe(1);
	});

	test('is an error item for each job with Continue On Fail, and no endless loop', async () => {
		const { ids, last } = await suspendAndDelete({ node: continueOnFail });
		expect(last.run.status).toBe('success');
		expect(last.finished.map(({ json: { details } }) => (details as IDataObject).job)).toEqual(
			ids.map((id) => ({ kind: 'video', id })),
		);
	});
});

test('checks add nothing to the stored size of the execution', async () => {
	service.control.holdJobs(true);
	const [{ json }] = (await createVideos(1)) as [INodeExecutionData];
	const { flow, state } = await suspend(items(1000).map((_, row) => ({ json: { ...json, row } })));
	const measure = ({ run }: WaitRun) => stringify(run.data).length;
	const second = await flow.resume(state);
	const third = await flow.resume(second);
	const fourth = await flow.resume(third);
	expect(third.run.status).toBe('waiting');
	expect(measure(second)).toBeGreaterThan(100_000);
	for (const later of [third, fourth]) {
		expect(measure(later) - measure(second)).toBeLessThan(2_000);
		const passed = later.run.data.resultData.runData.Wait?.[1]?.data?.main?.[0];
		expect(passed?.map(({ json: { row }, pairedItem }) => [row, pairedItem])).toEqual(
			items(1000).map((_, item) => [item, { item }]),
		);
	}
});

describe('a callback', () => {
	const received = { status: 200, message: 'Received.' };
	/** The response, without anything to resume the execution with. */
	const ignored = { response: received };

	test('resumes the execution only when the last job has ended, whatever its body claims', async () => {
		const created = await createVideos(2);
		const { flow, state } = await suspend(created);
		const claim = { event_type: 'avatar_video.success', event_data: created[0]?.json };
		expect(await flow.callBack(state, claim as IDataObject)).toEqual(ignored);

		endJobs();
		const { response, state: last } = await flow.callBack(state);
		expect(response).toEqual(received);
		expect(last?.run.status).toBe('success');
		expect(getVideoIds(last?.finished ?? [])).toEqual(getVideoIds(created));
		expectOnePerItem(last?.finished ?? [], 2);
	});

	test('also finds jobs whose IDs are in the form', async () => {
		const created = await createVideos(2);
		const { flow, state } = await suspend(...byForm(created));
		expect(await flow.callBack(state)).toEqual(ignored);
		endJobs();
		const { state: last } = await flow.callBack(state);
		expect(getVideoIds(last?.finished ?? [])).toEqual(getVideoIds(created));
	});

	test.each([
		['a session', createSessions, 'session_id', { kind: 'session' }],
		['by default a video', createVideos, 'video_id', {}],
	])('also finds %s whose ID is not an expression', async (_, create, key, kind) => {
		const job_id = String((await create(1))[0]?.json[key]);
		const parameters = { jobs: 'id', job_id, ...kind };
		const { flow, state } = await suspend([{ json: {} }], { parameters });
		expect(await flow.callBack(state)).toEqual(ignored);
		endJobs();
		const { state: last } = await flow.callBack(state);
		expect(getValues(last?.finished ?? [], key)).toEqual([job_id]);
	});

	test('resumes the execution although a sample result is among the items', async () => {
		const job = { kind: 'video', id: 'sample_video_1' };
		const sample = { json: { video_id: job.id, status: 'completed', simulated: true, job } };
		const created = await createVideos(1);
		const { flow, state } = await suspend([sample, ...created]);
		endJobs();
		const { state: last } = await flow.callBack(state);
		expect(getVideoIds(last?.finished ?? [])).toEqual(['sample_video_1', ...getVideoIds(created)]);
	});

	test('that is one of many at the same time causes no further check', async () => {
		const { flow, state } = await suspend(await createVideos(30));
		endJobs();
		const before = countReads();
		const responses = await Promise.all(items(20).map(async () => await flow.sendCallback(state)));
		expect(responses.map(({ response }) => response)).toEqual([
			received,
			...Array(19).fill({ status: 200, message: 'Received together with another call.' }),
		]);
		expect(responses.filter(({ resumed }) => resumed)).toHaveLength(1);
		// One request for each job, and a few batched lookups.
		expect(countReads() - before).toBeLessThanOrEqual(30 + 5);
	});

	test('during a check does not resume the execution again', async () => {
		const { flow, state } = await suspend(await createVideos(1));
		endJobs();
		const before = countReads();
		service.control.fail({ method: 'GET', path: /videos/, delayMs: 300, times: 1 });
		const first = flow.sendCallback(state);
		await waitFor(() => countReads() > before);
		expect(await flow.sendCallback(state)).toEqual(ignored);
		expect((await first).resumed).toBeDefined();
	});

	test('does not resume an execution that the timer has just resumed', async () => {
		const { flow, state } = await suspend(await createVideos(1));
		endJobs();
		expect((await flow.resume(state)).finished).toHaveLength(1);
		// n8n read the execution for the callback before its timer resumed it.
		expect(await flow.sendCallback(state)).toEqual(ignored);
	});

	test('of many costs about two requests, in whatever order the jobs end', async () => {
		service.control.holdJobs(true);
		service.control.setWorkspace({ jobsAtOnce: 40 });
		const created = await createVideos(40);
		const { flow, state } = await suspend(created);
		const before = countReads();
		for (const id of getVideoIds(created).map(String).sort().slice(0, 39)) {
			service.control.change('videos', id, { status: 'completed' } as never);
			expect(await flow.callBack(state)).toEqual(ignored);
		}
		expect(countReads() - before).toBeLessThanOrEqual(3 * 40);
	});

	test('is answered before the jobs are read, and the resumed execution does not read them again', async () => {
		const created = await createVideos(3);
		const { flow, state } = await suspend(created);
		endJobs();
		const { response, resumed } = await flow.sendCallback(state);
		expect(response).toEqual(received);
		const before = countReads();
		const last = await flow.continueRun(resumed as NonNullable<typeof resumed>);
		expect(last.run.status).toBe('success');
		expect(getVideoIds(last.finished)).toEqual(getVideoIds(created));
		expect(countReads()).toBe(before);
	});

	test('long before the execution resumes does not spare a read, because URLs expire', async () => {
		const created = await createVideos(2);
		const { flow, state } = await suspend(created);
		endJobs();
		const { resumed } = await flow.sendCallback(state);
		await flow.pass(300);
		const before = countReads();
		const last = await flow.continueRun(resumed as NonNullable<typeof resumed>);
		expect(getVideoIds(last.finished)).toEqual(getVideoIds(created));
		expect(countReads() - before).toBeGreaterThanOrEqual(2);
	});

	test('resumes the execution again only after a minute', async () => {
		const { flow, state } = await suspend(await createVideos(1));
		endJobs();
		expect((await flow.sendCallback(state)).resumed).toBeDefined();
		expect(await flow.sendCallback(state)).toEqual(ignored);
		await flow.pass(60);
		expect((await flow.sendCallback(state)).resumed).toBeDefined();
	});

	test.each<[string, Fault, string]>([
		['temporarily', { status: 503 }, 'The service cannot be reached right now'],
		[
			'for good',
			{ path: /videos/, status: 403, code: 'resource_access_denied', message: 'No' },
			'This belongs to another user or organization: No',
		],
	])('leaves the execution suspended if a read fails %s, and the log says why', async (...row) => {
		const [, fault, reason] = row;
		const log = readLog();
		const created = await createVideos(1);
		const { flow, state } = await suspend(created);
		service.control.fail({ method: 'GET', ...fault });
		expect(await flow.callBack(state)).toEqual(ignored);
		expect(log.filter((line) => line.includes('was called'))).toEqual([
			`warn Wait (workflow workflow) was called back, but could not read its jobs: ${reason}. It checks again at the scheduled time.`,
		]);
		service.control.clearFaults();
		endJobs();
		const { state: last } = await flow.callBack(state);
		expect(getVideoIds(last?.finished ?? [])).toEqual(getVideoIds(created));
	});

	test('about a deleted job is left to the next check', async () => {
		const { flow, state } = await suspend(await createVideos(1));
		const log = readLog();
		service.control.fail({ method: 'GET', path: /videos/, status: 404, code: 'not_found' });
		expect(await flow.callBack(state)).toEqual(ignored);
		expect(log).toEqual([]);
	});
});
