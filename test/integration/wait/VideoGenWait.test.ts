/** VideoGen Wait for Job: suspended executions, and the items of finished jobs. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { avatar, batch, items, session } from '../support/calls';
import { clock } from '../support/core';
import { readContent, createFileItem, runForItems } from '../support/engine';
import { media } from '../support/media';
import { useService } from '../support/service';
import { expectOnPage } from '../support/shown';
import { waitFor } from '../support/time';
import { createWaitFlow } from '../support/waiting';

const service = useService({ jobSeconds: 100 });

const countReads = () => service.control.requests({ method: 'GET' }).length;

afterEach(() => jest.restoreAllMocks());

/** Creates a running video for each item. */
const createVideos = async (count: number) =>
	await runForItems(service, 'VideoGenVideo', avatar(), { items: items(count) });

/** Creates a running batch, with a row for each item. */
const createRows = async (count: number) =>
	await runForItems(service, 'VideoGenVideo', batch(), { items: items(count) });

const getVideoIds = (all: readonly INodeExecutionData[]) => all.map(({ json }) => json.video_id);
const pairedItems = (count: number) => items(count).map((_, item) => ({ item }));

test('suspends the execution while a job runs, checks again automatically, and outputs finished items', async () => {
	const created = await createVideos(3);
	const flow = createWaitFlow(service, { items: created });
	const began = clock.now();
	jest.spyOn(clock, 'now').mockReturnValue(began);
	const first = await flow.start();
	jest.restoreAllMocks();
	expect(first.error).toBeUndefined();
	expect(first.run.status).toBe('waiting');
	expect(first.resumeAt?.getTime()).toBe(began + 65_000);
	expect(first.unfinished.map(({ json }) => json.still_running)).toEqual(
		created.map(() => expect.stringMatching(/^Not finished yet\. The node checks again at /)),
	);
	expect(first.finished).toEqual([]);

	const second = await flow.resume(first);
	expect(second.run.status).toBe('waiting');
	const last = await flow.resume(second);
	expect(last.error).toBeUndefined();
	expect(last.run.status).toBe('success');
	expect(getVideoIds(last.finished)).toEqual(getVideoIds(created));
	expect(last.finished.map(({ pairedItem }) => pairedItem)).toEqual(pairedItems(3));
	for (const { json } of last.finished) {
		expect(json).toMatchObject({ status: 'completed', video_url: expect.any(String) });
		expect(json).toMatchObject({ job: { kind: 'video', id: json.video_id } });
		expect(json).not.toHaveProperty('still_running');
	}
	expect(last.run.data.resultData.runData.Next?.[0]?.data?.main?.[0]).toHaveLength(3);
});

test('outputs the item on its page', async () => {
	const created = await createVideos(1);
	service.control.clock.advance(200);
	const { finished } = await createWaitFlow(service, { items: created }).start();
	expectOnPage('VideoGenWait', 'finished', finished[0]);
});

test('finished jobs need no loop and no suspension', async () => {
	const created = await createVideos(2);
	service.control.clock.advance(200);
	const { run, finished } = await createWaitFlow(service, {
		items: created,
		isLooped: false,
	}).start();
	expect(run.status).toBe('success');
	expect(getVideoIds(finished)).toEqual(getVideoIds(created));
});

test('without the loop it fails before it suspends the execution, and shows the jobs', async () => {
	const created = await createVideos(2);
	const { run, error } = await createWaitFlow(service, { items: created, isLooped: false }).start();
	expect(run.status).toBe('error');
	expect(run.waitTill).toBeUndefined();
	expect(error?.message).toContain('"Still Running" is not connected back');
	for (const id of getVideoIds(created)) expect(error?.description).toContain(String(id));
});

test('outputs an item for every row of a batch, and reads the batch once', async () => {
	const created = await createRows(20);
	service.control.clock.advance(200);
	const before = countReads();
	const { finished, error } = await createWaitFlow(service, { items: created }).start();
	expect(error).toBeUndefined();
	expect(finished.map(({ pairedItem }) => pairedItem)).toEqual(pairedItems(20));
	const titles = finished.map(({ json }) => json.item_index);
	expect(titles).toEqual(items(20).map((_, i) => i));
	expect(new Set(getVideoIds(finished)).size).toBe(20);
	for (const { json } of finished) {
		expect(json).toMatchObject({ status: 'completed', job: { kind: 'video', id: json.video_id } });
		expect(json.batch_id).toBe(created[0]?.json.batch_id);
	}
	expect(countReads() - before).toBe(1 + 20);
});

test('outputs the assets of files that were uploaded as a batch', async () => {
	const files = await Promise.all(
		['a', 'b', 'c'].map(
			async (name) => await createFileItem(Buffer.from(name), 'text/plain', name),
		),
	);
	const created = await runForItems(
		service,
		'VideoGenAsset',
		{ resource: 'asset', operation: 'uploadBatch', waitForCompletion: false },
		{ items: files },
	);
	service.control.clock.advance(200);
	const { finished, error } = await createWaitFlow(service, { items: created }).start();
	expect(error).toBeUndefined();
	expect(finished.map(({ json }) => json.asset_id)).toEqual(
		created.map(({ json }) => json.asset_id),
	);
	for (const { json } of finished) {
		expect(json.job).toEqual({ kind: 'asset', id: json.asset_id });
	}
});

test('outputs jobs of several kinds and creates in the order of the items', async () => {
	const voice = await runForItems(service, 'VideoGenModelVideo', {
		operation: 'textToVideo',
		modelFrom: 'name',
		model: 'model-1',
		prompt: 'A river',
		waitForCompletion: false,
	});
	const talk = await runForItems(service, 'VideoGenAgent', session());
	const all = [...(await createVideos(1)), ...(await createRows(2)), ...voice, ...talk].map(
		({ json }, i) => ({
			json: { ...json, position: i },
		}),
	);
	const flow = createWaitFlow(service, { items: all });
	let state = await flow.start();
	while (state.resumeAt) state = await flow.resume(state);
	expect(state.error).toBeUndefined();
	expect(state.finished.map(({ json }) => json.position)).toEqual(all.map((_, i) => i));
	expect(state.finished.map(({ json }) => (json.job as IDataObject).kind)).toEqual([
		'video',
		'video',
		'video',
		'model_video',
		'session',
	]);
	expect(state.finished.at(-1)?.json.video).toMatchObject({ status: 'completed' });
});

test('reads the kind and the ID of a job from the form', async () => {
	const created = await createVideos(2);
	service.control.clock.advance(200);
	const { finished } = await createWaitFlow(service, {
		items: created.map(({ json }) => ({ json: { row_id: json.video_id } })),
		parameters: { jobs: 'id', kind: 'video', job_id: '={{ $json.row_id }}' },
	}).start();
	expect(finished.map(({ json }) => [json.row_id, json.video_id, json.status])).toEqual(
		getVideoIds(created).map((id) => [id, id, 'completed']),
	);
});

test('an item without a job is an error before any request', async () => {
	const [first] = await createVideos(1);
	const before = countReads();
	const { error } = await createWaitFlow(service, {
		items: [first as INodeExecutionData, { json: { name: 'Ada' } }],
	}).start();
	expect(error?.message).toBe('The item names no job [item 1]');
	expect(error?.description).toContain('Wait for Completion off');
	expect(countReads()).toBe(before);
});

test('a failed job fails only its own item: with Continue On Fail it is an error item among the others', async () => {
	service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
	const created = await createVideos(3);
	service.control.clock.advance(200);
	const { finished } = await createWaitFlow(service, {
		items: created,
		node: { onError: 'continueRegularOutput' },
	}).start();
	const failed = finished.findIndex(({ json }) => json.error !== undefined);
	expect(finished).toHaveLength(3);
	expect(Object.keys(finished[failed]?.json ?? {})).toEqual(['error', 'details']);
	expect(finished[failed]?.json).toMatchObject({
		error: `The video failed: The face was lost [item ${failed}]`,
		details: { code: 'render_failed', job: { kind: 'video', id: created[failed]?.json.video_id } },
	});
	expect(finished.filter(({ json }) => json.status === 'completed')).toHaveLength(2);

	const { error, run } = await createWaitFlow(service, { items: created }).start();
	expect(run.status).toBe('error');
	expect(error?.message).toContain('The face was lost');
	for (const id of getVideoIds(created)) expect(error?.description).toContain(String(id));
});

test('after the timeout, unfinished jobs go to the error output with their IDs, and can be awaited again', async () => {
	const created = await createVideos(2);
	const settings = { node: { onError: 'continueErrorOutput' as const } };
	const flow = createWaitFlow(service, {
		...settings,
		items: created,
		parameters: { options: { waitTimeout: 0.5 } },
	});
	const timedOut = await flow.start();
	expect(timedOut.run.status).toBe('success');
	expect(timedOut.finished).toEqual([]);
	expect(timedOut.errors).toHaveLength(2);
	for (const [i, { json }] of timedOut.errors.entries()) {
		expect(json.error).toContain('was not finished after 0.5 minutes');
		expect(json.details).toMatchObject({
			code: 'wait_timeout',
			job: { kind: 'video', id: created[i]?.json.video_id },
		});
		expect((json.details as IDataObject).description).toContain('do not create it again');
		expect((json.details as IDataObject).description).toContain('wait for it again');
	}
	service.control.clock.advance(200);
	const again = await createWaitFlow(service, { ...settings, items: timedOut.errors }).start();
	expect(getVideoIds(again.finished)).toEqual(getVideoIds(created));
	for (const { json } of again.finished) {
		expect(json).not.toHaveProperty('error');
		expect(json).not.toHaveProperty('details');
	}
});

test('the timeout counts from the first check, however often the execution is suspended', async () => {
	service.control.holdJobs(true);
	const created = await createVideos(1);
	const flow = createWaitFlow(service, {
		items: created,
		parameters: { options: { waitTimeout: 20 } },
		node: { onError: 'continueRegularOutput' },
	});
	const pauses: number[] = [];
	let state = await flow.start();
	while (state.resumeAt) {
		pauses.push(state.resumeAt.getTime() - clock.now());
		state = await flow.resume(state);
	}
	expect(state.finished[0]?.json.error).toContain('was not finished after 20 minutes');
	// Pauses grow: the ninth one is the longest (273.9 s).
	expect(pauses.map((pause) => Math.round(pause / 10_000))[8]).toBe(27);
	expect(Math.max(...pauses)).toBe(pauses[8]);
	// The wait is over: the same jobs can be awaited again.
	const context = state.run.data.executionData?.contextData['node:Wait'];
	expect(context).toEqual({});
});

test('Download adds the files of each kind to its items', async () => {
	const created = [
		...(await createVideos(1)),
		...(await runForItems(service, 'VideoGenAgent', session())),
		...(await createRows(1)),
	];
	service.control.clock.advance(300);
	const { finished, error } = await createWaitFlow(service, {
		items: created.map((item) => ({ json: item.json })),
		parameters: { download: ['video', 'thumbnail'], options: { binaryPropertyName: 'movie' } },
	}).start();
	expect(error).toBeUndefined();
	for (const item of finished) {
		expect(Object.keys(item.binary ?? {}).sort()).toEqual(['movie', 'thumbnail']);
		expect((await readContent(item, 'movie')).equals(media('video.mp4'))).toBe(true);
	}
});

test('keeps the files of an input item', async () => {
	const [created] = await createVideos(1);
	service.control.clock.advance(200);
	const photo = { data: 'aGk=', mimeType: 'text/plain' };
	const { finished } = await createWaitFlow(service, {
		items: [{ json: created?.json ?? {}, binary: { photo } }],
	}).start();
	expect(finished[0]?.binary?.photo).toMatchObject(photo);
});

describe('a callback', () => {
	const accepted = { status: 200, message: 'Received.' };
	const early = { status: 200, message: 'Received. Not all jobs have ended yet.' };

	test('resumes the execution only when the last job has ended, whatever its body claims', async () => {
		const created = await createVideos(2);
		const flow = createWaitFlow(service, { items: created });
		const state = await flow.start();
		const claim = { event_type: 'avatar_video.success', event_data: created[0]?.json };
		expect(await flow.callBack(state, claim as IDataObject)).toEqual({ response: early });

		service.control.clock.advance(200);
		const { response, state: last } = await flow.callBack(state);
		expect(response).toEqual(accepted);
		expect(last?.run.status).toBe('success');
		expect(getVideoIds(last?.finished ?? [])).toEqual(getVideoIds(created));
		expect(last?.finished.map(({ pairedItem }) => pairedItem)).toEqual(pairedItems(2));
	});

	test('also finds jobs whose IDs are in the form', async () => {
		const created = await createVideos(2);
		const flow = createWaitFlow(service, {
			items: created.map(({ json }) => ({ json: { row_id: json.video_id } })),
			parameters: { jobs: 'id', kind: 'video', job_id: '={{ $json.row_id }}' },
		});
		const state = await flow.start();
		expect((await flow.callBack(state)).response).toEqual(early);
		service.control.clock.advance(200);
		expect(getVideoIds((await flow.callBack(state)).state?.finished ?? [])).toEqual(
			getVideoIds(created),
		);
	});

	test('that is one of many at the same time causes no further check', async () => {
		const created = await createVideos(30);
		const flow = createWaitFlow(service, { items: created });
		const state = await flow.start();
		service.control.clock.advance(200);
		const before = countReads();
		const responses = await Promise.all(items(20).map(async () => await flow.sendCallback(state)));
		const messages = responses.map(({ response }) => response.message).sort();
		expect(responses.map(({ response }) => response.status)).toEqual(items(20).map(() => 200));
		expect(messages).toEqual([
			...items(19).map(() => 'Received, with another call.'),
			accepted.message,
		]);
		expect(responses.filter(({ resumed }) => resumed)).toHaveLength(1);
		// One request for each job, and a few batched lookups.
		expect(countReads() - before).toBeLessThanOrEqual(30 + 5);
	});

	test('during a check does not resume the execution again', async () => {
		const created = await createVideos(1);
		const flow = createWaitFlow(service, { items: created });
		const state = await flow.start();
		service.control.clock.advance(200);
		const before = countReads();
		service.control.fail({ method: 'GET', path: /videos/, delayMs: 300, times: 1 });
		const first = flow.sendCallback(state);
		await waitFor(() => countReads() > before);
		const second = await flow.sendCallback(state);
		expect((await first).resumed).toBeDefined();
		expect(second.response).toEqual({
			status: 200,
			message: 'Received. The execution has already resumed.',
		});
		expect(second.resumed).toBeUndefined();
	});

	test('of many costs about two requests, in whatever order the jobs end', async () => {
		service.control.holdJobs(true);
		service.control.setWorkspace({ jobsAtOnce: 40 });
		const created = await createVideos(40);
		const flow = createWaitFlow(service, { items: created });
		const state = await flow.start();
		const ids = getVideoIds(created).map(String);
		const order = [...ids].sort();
		const before = countReads();
		for (const id of order.slice(0, 39)) {
			service.control.change('videos', id, { status: 'completed' } as never);
			expect((await flow.callBack(state)).response).toEqual(early);
		}
		expect(countReads() - before).toBeLessThanOrEqual(3 * 40);
	});

	test('is rejected for a later repeat if the service cannot be read', async () => {
		const created = await createVideos(1);
		const flow = createWaitFlow(service, { items: created });
		const state = await flow.start();
		service.control.fail({ method: 'GET', status: 503 } as never);
		const { response, state: resumed } = await flow.callBack(state);
		expect(response).toEqual({
			status: 503,
			message: 'The jobs cannot be read now. Call again later.',
		});
		expect(resumed).toBeUndefined();
	});
});
