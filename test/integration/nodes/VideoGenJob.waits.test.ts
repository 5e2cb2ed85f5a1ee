/** VideoGen Job Status, Wait: the jobs that items name, and the output for all other items. */
import type { IDataObject, INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';
import { toText } from '../../../nodes/core/json';
import type { Fault } from '../../../simulator';
import {
	continueOnFail,
	createCalls,
	expectOnePerItem,
	getValues,
	readLog,
	session,
	waiting,
} from '../support/calls';
import { runForJson } from '../support/cases';
import { clock } from '../support/core';
import { byId, createFileItem, readContent, runForItems, storeBinary } from '../support/engine';
import { media } from '../support/media';
import { createCaller, useService } from '../support/service';
import { runAfter } from '../support/time';

const service = useService({ jobSeconds: 400 });
const calls = createCalls(service);
const { failRenders, waitForJobs } = calls;

const reads = () => service.control.requests({ method: 'GET', path: /^\/v3\// });
/** Reads of a single video. */
const singleReads = () =>
	service.control.requests({ method: 'GET', path: /^\/v3\/videos\/[0-9a-f]{32}$/ });
const getVideoIds = (all: readonly INodeExecutionData[]) => getValues([...all], 'video_id');
/** Lets all jobs end. */
const endJobs = () => service.control.clock.advance(1_000);

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

/** Waits, and counts the suspensions. */
async function wait(
	all: INodeExecutionData[],
	parameters: INodeParameters = {},
	options: Parameters<typeof waitForJobs>[2] = {},
) {
	const suspensions: IRun[] = [];
	const onSuspend = (run: IRun) => {
		suspensions.push(run);
		options.onSuspend?.(run);
	};
	const result = await waitForJobs(all, parameters, { ...options, onSuspend });
	return { ...result, suspensions };
}

test('suspends the execution while jobs run, and outputs all items in order at the end', async () => {
	const created = await createVideos(3);
	let starts = 0;
	const onStart = () => {
		if (++starts === 1) runAfter(20, () => service.control.endJob(String(getVideoIds(created)[1])));
	};
	const { items: out, error, run, suspensions } = await wait(created, {}, { onStart });
	expect(error).toBeUndefined();
	expect(suspensions.length).toBeGreaterThan(1);
	expect(run.data.resultData.runData.Node).toHaveLength(1);
	expect(getVideoIds(out)).toEqual(getVideoIds(created));
	expectOnePerItem(out, 3);
	for (const { json } of out) {
		const job = { kind: 'video', id: json.video_id };
		expect(json).toMatchObject({ status: 'completed', outcome: 'finished', job });
		expect(json.video_url).toEqual(expect.any(String));
	}
	expect(calls.posts()).toHaveLength(3);
	const [task] = suspensions[0]?.data.resultData.runData.Node ?? [];
	expect(task?.hints?.[0]?.message).toMatch(/^1 of 3 videos ended, 2 still running\. /);
});

test('finished jobs are output at once, and each is read once', async () => {
	const created = await createEnded(2);
	const began = clock.now();
	const { items: out, suspensions } = await wait(created);
	expect(suspensions).toHaveLength(0);
	expect((clock.now() - began) / 1000).toBeLessThan(2);
	expect(getVideoIds(out)).toEqual(getVideoIds(created));
	expect(singleReads()).toHaveLength(2);
});

describe('items without a job', () => {
	const odd: IDataObject = {
		name: 'Ada',
		id: 7,
		created_at: 1_790_000_000,
		completed_at: '1790000000',
		times: { started_at: 1_790_000_000_000, list: [1_790_000_000, null, '', 0, -1.5, false] },
		status: 'completed',
		url: 'https://files.example/a.mp4?expires=1',
		details: { job: null },
		message: '',
		html: '<b>&amp;</b>',
	};

	test.each([true, false])(
		'are passed on unchanged, with their files (suspended: %s)',
		async (isSuspended) => {
			const binary = { photo: await storeBinary(Buffer.from('hi'), 'a.txt', 'text/plain') };
			const created = isSuspended ? await createVideos(1) : await createEnded(1);
			const others: INodeExecutionData[] = [{ json: odd, binary }, { json: {} }];
			const input = [others[0]!, created[0]!, others[1]!];
			const before = structuredClone(input);
			const { items: out, error, suspensions } = await wait(input, { download: ['video'] });
			expect(error).toBeUndefined();
			expect(suspensions.length > 0).toBe(isSuspended);
			expectOnePerItem(out, 3);
			expect(JSON.stringify(out[0]?.json)).toBe(JSON.stringify(before[0]?.json));
			expect(out[0]?.binary).toEqual(before[0]?.binary);
			expect((await readContent(out[0], 'photo')).toString()).toBe('hi');
			expect(out[2]).toEqual({ json: {}, pairedItem: { item: 2 } });
			expect(getVideoIds([out[1]!])).toEqual(getVideoIds(created));
		},
	);

	test('are passed on unchanged with Include Input Fields, too', async () => {
		const created = await createEnded(1);
		const options = { includeInputFields: true };
		const { items: out } = await wait([{ json: odd }, ...created], { options });
		expect(JSON.stringify(out[0]?.json)).toBe(JSON.stringify(odd));
	});

	test('are an error if no item has a job, before any request', async () => {
		const before = reads().length;
		const { error } = await wait([{ json: odd }, { json: {} }]);
		expect(error?.message).toBe('No item refers to a job [row 1]');
		expect(error?.description).toContain('Jobs → By ID');
		expect(error).toMatchObject({ context: { details: { code: 'invalid_value' } } });
		expect(reads()).toHaveLength(before);
	});

	test('are error items with Continue On Fail if no item has a job', async () => {
		const { items: out } = await wait([{ json: odd }, { json: {} }], {}, { node: continueOnFail });
		expectOnePerItem(out, 2);
		for (const { json } of out) expect(json.error).toContain('No item refers to a job');
	});

	test('are error items of another node, which remain what they are', async () => {
		const created = await createEnded(1);
		const error = { error: 'Too poor', details: { code: 'insufficient_credit' } };
		const { items: out } = await wait([{ json: error }, ...created], {}, { node: continueOnFail });
		expect(out[0]?.json).toEqual(error);
		expect(getVideoIds(out.slice(1))).toEqual(getVideoIds(created));
	});
});

describe('the job of an item', () => {
	const waitForOne = async (json: IDataObject) => (await wait([{ json }])).items[0]?.json ?? {};

	test('is found by its reference alone', async () => {
		const [video] = await createEnded(1);
		const { job, video_id } = video?.json ?? {};
		expect(await waitForOne({ job } as IDataObject)).toMatchObject({
			...{ video_id, status: 'completed', job: { kind: 'video', id: video_id } },
		});
	});

	test('is found by an ID', async () => {
		const [video] = await createEnded(1);
		const { video_id } = video?.json ?? {};
		expect(await waitForOne({ video_id, name: 'Ada' } as IDataObject)).toMatchObject({
			...{ video_id, name: 'Ada', status: 'completed', job: { kind: 'video', id: video_id } },
		});
	});

	test('is the session if the item also has the ID of its video', async () => {
		const [created] = await createSessions(1);
		endJobs();
		const { session_id } = created?.json ?? {};
		const out = await waitForOne({ video_id: 'video_001', session_id } as IDataObject);
		expect(out).toMatchObject({ job: { kind: 'session', id: session_id } });
		expect(out.video).toMatchObject({ status: 'completed' });
	});

	test('is an error if its kind is unknown', async () => {
		const item = { json: { job: { kind: 'poem', id: 'p1' } } };
		const created = await createEnded(1);
		const { items: out } = await wait([item, ...created], {}, { node: continueOnFail });
		expect(out[0]?.json.error).toBe('The item refers to a job of an unknown kind: "poem" [row 1]');
		expect(JSON.stringify(out[0]?.json.details)).toContain('Known kinds are');
		expect(getVideoIds(out.slice(1))).toEqual(getVideoIds(created));
	});

	test('is the one in the form', async () => {
		const created = await createEnded(2);
		const rows = created.map(({ json }) => ({ json: { row_id: json.video_id } }));
		const parameters = { jobs: 'id', kind: 'video', job_id: '= {{ $json.row_id }} ' };
		const { items: out } = await wait(rows, parameters);
		expect(out.map(({ json }) => [json.row_id, json.video_id, json.status])).toEqual(
			getVideoIds(created).map((id) => [id, id, 'completed']),
		);
	});

	test('in the form must not be empty', async () => {
		const parameters = { jobs: 'id', kind: 'video', job_id: '={{ $json.none }}' };
		const { error } = await wait([{ json: {} }], parameters);
		expect(error?.message).toContain('"Job ID" is empty');
		expect(reads()).toHaveLength(0);
	});

	test('of a kind that is not the default is read from the form', async () => {
		const [created] = await createSessions(1);
		endJobs();
		const job_id = String(created?.json.session_id);
		const { items: out } = await wait([{ json: {} }], { jobs: 'id', kind: 'session', job_id });
		expect(out[0]?.json).toMatchObject({ session_id: job_id, status: 'completed' });
	});
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
	const { items: out } = await wait([{ json: item }]);
	expect(out).toMatchObject([
		{
			json: {
				...{ status: 'waiting_for_input', video_id: null },
				job: { kind: 'chat_session', id: opened.session_id },
			},
		},
	]);
	expect(out[0]?.json.job).not.toHaveProperty('before');
});

describe('rows of a batch', () => {
	test('have an item each, and share the wait', async () => {
		const created = await createRows(20);
		endJobs();
		const before = reads().length;
		const { items: out } = await wait(created);
		expectOnePerItem(out, 20);
		expect(new Set(getVideoIds(out)).size).toBe(20);
		const { batch_id } = created[0]?.json ?? {};
		expect(out.map(({ json }) => json)).toMatchObject(
			getVideoIds(out).map((id, item_index) => ({
				...{ item_index, status: 'completed', batch_id },
				job: { kind: 'video', id },
			})),
		);
		expect(reads().length - before).toBe(1 + 20);
	});

	test('share each poll, also while the execution is suspended again and again', async () => {
		const created = await createRows(20);
		const { items: out, suspensions } = await wait(created);
		expect(suspensions.length).toBeGreaterThan(1);
		expectOnePerItem(out, 20);
		const polls = service.control.requests({ method: 'GET', path: /batches/ }).length;
		// Each suspension is followed by a read, and the first minute has a few.
		expect(polls).toBeLessThan(15 + 2 * suspensions.length);
		expect(singleReads()).toHaveLength(20);
	});

	test.each<[string, Fault | undefined]>([
		['timed out', undefined],
		['could not be read', { status: 403, code: 'forbidden', message: 'No access' }],
	])('that %s can be awaited by their error items', async (_, fault) => {
		if (fault) service.control.fail({ method: 'GET', path: /batches/, ...fault });
		const { items: failed } = await calls.createBatch(3, waiting({ waitTimeout: 1 }), {
			node: continueOnFail,
		});
		service.control.clearFaults();
		expect(failed[0]?.json.error).toMatch(fault ? /No access/ : /was not finished/);
		endJobs();
		const { items: out } = await wait(failed);
		expectOnePerItem(out, 3);
		expect(getValues(out, 'item_index')).toEqual([0, 1, 2]);
		expect(new Set(getVideoIds(out)).size).toBe(3);
		for (const { json } of out) {
			expect(json).not.toHaveProperty('error');
			expect(json).not.toHaveProperty('details');
		}
	});

	test('whose wait timed out can be awaited again', async () => {
		service.control.holdJobs(true);
		const options = { waitTimeout: 1.5 };
		const { items: late } = await wait(await createRows(2), { options }, { node: continueOnFail });
		service.control.holdJobs(false);
		expect(getValues(late, 'error')).toEqual(
			Array(2).fill(expect.stringContaining('not finished')),
		);
		endJobs();
		const { items: out } = await wait(late);
		expect(getValues(out, 'item_index')).toEqual([0, 1]);
		expect(new Set(getVideoIds(out)).size).toBe(2);
	});
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
	const { items: out } = await wait(created);
	expect(out.map(({ json: { asset_id, job } }) => [asset_id, job])).toEqual(
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
	const { items: out, suspensions } = await wait(all);
	expect(suspensions.length).toBeGreaterThan(1);
	expect(out.map(({ json }) => [json.position, (json.job as IDataObject).kind])).toEqual([
		[0, 'video'],
		[1, 'video'],
		[2, 'video'],
		[3, 'model_video'],
		[4, 'session'],
	]);
	expect(out.at(-1)?.json.video).toMatchObject({ status: 'completed' });
});

test('an error item that names several jobs has an item for each of them', async () => {
	const created = await createEnded(2);
	const jobs = created.map(({ json }) => json.job as IDataObject);
	const json = { name: 'Ada', error: 'No access', details: { code: 'forbidden', jobs } };
	const { items: out, error } = await wait([{ json }]);
	expect(error).toBeUndefined();
	expect(getVideoIds(out)).toEqual(getVideoIds(created));
	expect(out.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
	for (const item of out) {
		expect(item.json).toMatchObject({ name: 'Ada', status: 'completed' });
		expect(item.json).not.toHaveProperty('error');
	}
});

test('items that name the same job share its wait', async () => {
	const [created] = await createVideos(1);
	const { items: out } = await wait([created!, created!]);
	expectOnePerItem(out, 2);
	expect(new Set(getVideoIds(out)).size).toBe(1);
	const times = reads().map(({ at }) => Math.round(at));
	expect(new Set(times).size).toBe(times.length);
});

test('a job of another account is an error of its item soon, and the others are output', async () => {
	const created = await createVideos(2);
	const other = { json: { job: { kind: 'video', id: 'f00dcafe' } } };
	const began = clock.now();
	const { items: out, suspensions } = await wait([other, ...created], {}, { node: continueOnFail });
	expect(suspensions.length).toBeGreaterThan(1);
	expectOnePerItem(out, 3);
	expect(out[0]?.json.details).toMatchObject({
		status: 404,
		job: { kind: 'video', id: 'f00dcafe' },
	});
	expect(getVideoIds(out.slice(1))).toEqual(getVideoIds(created));
	expect(getValues(out.slice(1), 'status')).toEqual(['completed', 'completed']);

	const stopped = clock.now();
	const { error } = await wait([other, ...(await createVideos(1))]);
	expect(error).toMatchObject({ httpCode: '404' });
	expect((clock.now() - stopped) / 1000).toBeLessThan(60);
	expect(stopped).toBeGreaterThan(began);
});

test('a job that does not exist is an error within about 20 seconds', async () => {
	const began = clock.now();
	const { error } = await wait([{ json: { video_id: 'f00dcafe' } }]);
	expect(error).toMatchObject({ httpCode: '404' });
	expect((clock.now() - began) / 1000).toBeLessThan(25);
});

test('a failed job fails only its own item with Continue On Fail, and otherwise ends the run', async () => {
	failRenders();
	const created = await createEnded(3);
	const { items: out } = await wait(created, {}, { node: continueOnFail });
	expectOnePerItem(out, 3);
	const failed = out.findIndex(({ json }) => json.error !== undefined);
	const job = { kind: 'video', id: created[failed]?.json.video_id };
	expect(out[failed]?.json).toMatchObject({
		error: `The video failed: The face was lost [row ${failed + 1}]`,
		details: { code: 'render_failed', job },
	});
	expect(out.filter(({ json }) => json.status === 'completed')).toHaveLength(2);

	const { error } = await wait(created);
	expect(error?.message).toContain('The face was lost');
	expect(error?.description).toContain(String(job.id));
});

test('a job that failed with a temporary error is not created again', async () => {
	failRenders(1, 'internal_error');
	const created = await createEnded(2);
	const node = { ...continueOnFail, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const { items: out } = await wait(created, {}, { node });
	expect(out.filter(({ json }) => json.error !== undefined)).toHaveLength(1);
	expect(calls.posts()).toHaveLength(2);
});

test('after the timeout, unfinished jobs go to the error output with their IDs, and can be awaited again', async () => {
	service.control.holdJobs(true);
	const created = await createVideos(2);
	const node = { onError: 'continueErrorOutput' as const };
	const options = { waitTimeout: 3 };
	const { items: none, errors, suspensions } = await wait(created, { options }, { node });
	expect(none).toEqual([]);
	expect(suspensions.length).toBeGreaterThan(0);
	expect(errors.map(({ json }) => json)).toMatchObject(
		getVideoIds(created).map((id) => ({
			error: expect.stringContaining('was not finished after 3 minutes'),
			details: {
				code: 'wait_timeout',
				job: { kind: 'video', id },
				description: expect.stringContaining('do not create it again'),
			},
		})),
	);
	service.control.holdJobs(false);
	endJobs();
	const { items: out } = await wait(errors, {}, { node });
	expect(getVideoIds(out)).toEqual(getVideoIds(created));
	for (const { json } of out) {
		expect(json).not.toHaveProperty('error');
		expect(json).not.toHaveProperty('details');
	}
});

test('an invalid value is an error of its item, and the next item says how long to wait', async () => {
	service.control.holdJobs(true);
	const created = await createVideos(2);
	const input = created.map(({ json }, i) => ({ json: { ...json, minutes: i === 0 ? -1 : 0.5 } }));
	const options = { waitTimeout: '={{ $json.minutes }}' };
	const { items: out } = await wait(input, { options }, { node: continueOnFail });
	expect(out.map(({ json }) => json)).toMatchObject([
		{
			error: expect.stringMatching(/^"Wait Timeout.* \[row 1\]$/),
			details: { code: 'invalid_value', complaints: [expect.stringContaining('Wait Timeout')] },
		},
		{ error: expect.stringContaining('was not finished after 0.5 minutes') },
	]);
});

test('Download adds the files of each kind to its items, and keeps those of the input', async () => {
	const photo = { data: 'aGk=', mimeType: 'text/plain' };
	const created = [
		...(await createVideos(1)),
		...(await createSessions(1)),
		...(await createRows(1)),
	].map(({ json }) => ({ json, binary: { photo } }));
	const { items: out, suspensions } = await wait(created, {
		download: ['video', 'thumbnail'],
		options: { binaryPropertyName: 'movie' },
	});
	expect(suspensions.length).toBeGreaterThan(1);
	expect(out).toHaveLength(3);
	for (const item of out) {
		expect(Object.keys(item.binary ?? {}).sort()).toEqual(['movie', 'photo', 'thumbnail']);
		expect((await readContent(item, 'movie')).equals(media('video.mp4'))).toBe(true);
		expect(item.binary?.photo).toMatchObject(photo);
	}
	expect(service.control.requests({ method: 'GET', path: /\.mp4/ })).toHaveLength(3);
});

test('samples of Check Only are finished without a request, next to real jobs', async () => {
	const options = { checkOnly: 'sample' };
	const { items: samples } = await calls.createVideos(1, { options });
	const created = await createEnded(1);
	const before = reads().length;
	const { items: out } = await wait([...samples, ...created]);
	expect(out[0]?.json).toMatchObject({ video_id: 'sample_video_1', simulated: true });
	expect(getValues(out, 'status')).toEqual(['completed', 'completed']);
	expect(reads().length - before).toBe(1);
});

test('the new video of a session that is not found for a moment does not end a long wait', async () => {
	service.control.holdJobs(true);
	const created = await createSessions(1);
	let count = 0;
	const onSuspend = () => {
		if (++count !== 4) return;
		service.control.holdJobs(false);
		endJobs();
		const path = /^\/v3\/videos\/[^/]+$/;
		service.control.fail({ path, status: 404, code: 'not_found', times: 2 });
	};
	const { items: out, error } = await wait(created, {}, { onSuspend });
	expect(error).toBeUndefined();
	expect(out[0]?.json.video_url).toEqual(expect.any(String));
});

test('nothing is logged as started, and no job is stopped or logged as created', async () => {
	const created = await createVideos(2);
	const log = readLog();
	await wait(created);
	expect(log.filter((line) => /started|sends/.test(line))).toEqual([]);
});

test('a thousand items that name one job cost few requests and little storage', async () => {
	const [{ json }] = (await createVideos(1)) as [INodeExecutionData];
	const input = Array.from({ length: 1000 }, (_, row) => ({ json: { ...json, row } }));
	const sizes: number[] = [];
	const onSuspend = ({ data }: IRun) => {
		const context = data.executionData?.contextData['node:Node'];
		sizes.push(JSON.stringify(context).length);
	};
	const { items: out, suspensions } = await wait(input, {}, { onSuspend });
	expectOnePerItem(out, 1000);
	expect(getValues(out, 'row')).toEqual(input.map((_, row) => row));
	expect(suspensions.length).toBeGreaterThan(1);
	expect(reads().length).toBeLessThan(15 + 2 * suspensions.length);
	for (const size of sizes) expect(size / 1000).toBeLessThan(600);
});
