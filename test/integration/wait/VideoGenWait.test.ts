/** VideoGenWait: suspended executions, and the items of finished jobs. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { avatar, batch, items, session } from '../support/calls';
import { clock } from '../support/core';
import { contentOf, fileItem, itemsOf } from '../support/engine';
import { media } from '../support/media';
import { useService } from '../support/service';
import { showsOnPage } from '../support/shown';
import { until } from '../support/time';
import { waiting } from '../support/waiting';

const service = useService({ jobSeconds: 100 });

const reads = () => service.control.requests({ method: 'GET' }).length;

/** Videos that are being made, one for each item. */
const films = async (count: number) =>
	await itemsOf(service, 'VideoGenVideo', avatar(), { items: items(count) });

/** A batch that is being made, a row for each item. */
const rows = async (count: number) =>
	await itemsOf(service, 'VideoGenVideo', batch(), { items: items(count) });

const idsOf = (all: readonly INodeExecutionData[]) => all.map(({ json }) => json.video_id);
const paired = (count: number) => items(count).map((_, item) => ({ item }));

test('suspends the execution while a job runs, checks again automatically, and outputs finished items', async () => {
	const made = await films(3);
	const flow = waiting(service, { items: made });
	const began = clock.now();
	const first = await flow.start();
	expect(first.error).toBeUndefined();
	expect(first.run.status).toBe('waiting');
	expect((first.until?.getTime() ?? 0) - began).toBeGreaterThanOrEqual(65_000);
	expect((first.until?.getTime() ?? 0) - began).toBeLessThan(70_000);
	expect(first.unfinished.map(({ json }) => json.still_running)).toEqual(
		made.map(() => expect.stringMatching(/^Not finished yet\. The node checks again at /)),
	);
	expect(first.finished).toEqual([]);

	const second = await flow.wake(first);
	expect(second.run.status).toBe('waiting');
	const last = await flow.wake(second);
	expect(last.error).toBeUndefined();
	expect(last.run.status).toBe('success');
	expect(idsOf(last.finished)).toEqual(idsOf(made));
	expect(last.finished.map(({ pairedItem }) => pairedItem)).toEqual(paired(3));
	for (const { json } of last.finished) {
		expect(json).toMatchObject({ status: 'completed', video_url: expect.any(String) });
		expect(json).toMatchObject({ job: { kind: 'video', id: json.video_id } });
		expect(json).not.toHaveProperty('still_running');
	}
	expect(last.run.data.resultData.runData.Next?.[0]?.data?.main?.[0]).toHaveLength(3);
});

test('outputs what its page shows', async () => {
	const made = await films(1);
	service.control.clock.advance(200);
	const { finished } = await waiting(service, { items: made }).start();
	showsOnPage('VideoGenWait', 'finished', finished[0]);
});

test('jobs that have finished need no loop and no suspension', async () => {
	const made = await films(2);
	service.control.clock.advance(200);
	const { run, finished } = await waiting(service, { items: made, looped: false }).start();
	expect(run.status).toBe('success');
	expect(idsOf(finished)).toEqual(idsOf(made));
});

test('without the loop it fails before it suspends the execution, and names the jobs', async () => {
	const made = await films(2);
	const { run, error } = await waiting(service, { items: made, looped: false }).start();
	expect(run.status).toBe('error');
	expect(run.waitTill).toBeUndefined();
	expect(error?.message).toContain('"Still Running" is not connected back');
	for (const id of idsOf(made)) expect(error?.description).toContain(String(id));
});

test('every row of a batch gets its own result; the batch is read once', async () => {
	const made = await rows(20);
	service.control.clock.advance(200);
	const before = reads();
	const { finished, error } = await waiting(service, { items: made }).start();
	expect(error).toBeUndefined();
	expect(finished.map(({ pairedItem }) => pairedItem)).toEqual(paired(20));
	const titles = finished.map(({ json }) => json.item_index);
	expect(titles).toEqual(items(20).map((_, i) => i));
	expect(new Set(idsOf(finished)).size).toBe(20);
	for (const { json } of finished) {
		expect(json).toMatchObject({ status: 'completed', job: { kind: 'video', id: json.video_id } });
		expect(json.batch_id).toBe(made[0]?.json.batch_id);
	}
	expect(reads() - before).toBe(1 + 20);
});

test('files that are uploaded as a batch become their assets', async () => {
	const files = await Promise.all(
		['a', 'b', 'c'].map(async (name) => await fileItem(Buffer.from(name), 'text/plain', name)),
	);
	const made = await itemsOf(
		service,
		'VideoGenAsset',
		{ resource: 'asset', operation: 'uploadBatch', waitForCompletion: false },
		{ items: files },
	);
	service.control.clock.advance(200);
	const { finished, error } = await waiting(service, { items: made }).start();
	expect(error).toBeUndefined();
	expect(finished.map(({ json }) => json.asset_id)).toEqual(made.map(({ json }) => json.asset_id));
	for (const { json } of finished) {
		expect(json.job).toEqual({ kind: 'asset', id: json.asset_id });
	}
});

test('jobs of several kinds and creates are gathered, in the order of the items', async () => {
	const voice = await itemsOf(service, 'VideoGenModelVideo', {
		operation: 'textToVideo',
		modelFrom: 'name',
		model: 'model-1',
		prompt: 'A river',
		waitForCompletion: false,
	});
	const talk = await itemsOf(service, 'VideoGenAgent', session());
	const all = [...(await films(1)), ...(await rows(2)), ...voice, ...talk].map(({ json }, i) => ({
		json: { ...json, place: i },
	}));
	const flow = waiting(service, { items: all });
	let stand = await flow.start();
	while (stand.until) stand = await flow.wake(stand);
	expect(stand.error).toBeUndefined();
	expect(stand.finished.map(({ json }) => json.place)).toEqual(all.map((_, i) => i));
	expect(stand.finished.map(({ json }) => (json.job as IDataObject).kind)).toEqual([
		'video',
		'video',
		'video',
		'model_video',
		'session',
	]);
	expect(stand.finished.at(-1)?.json.video).toMatchObject({ status: 'completed' });
});

test('a kind and an ID in the form', async () => {
	const made = await films(2);
	service.control.clock.advance(200);
	const { finished } = await waiting(service, {
		items: made.map(({ json }) => ({ json: { mine: json.video_id } })),
		parameters: { jobs: 'id', kind: 'video', job_id: '={{ $json.mine }}' },
	}).start();
	expect(finished.map(({ json }) => [json.mine, json.video_id, json.status])).toEqual(
		idsOf(made).map((id) => [id, id, 'completed']),
	);
});

test('an item that names no job is an error before anything is read', async () => {
	const [first] = await films(1);
	const before = reads();
	const { error } = await waiting(service, {
		items: [first as INodeExecutionData, { json: { name: 'Ada' } }],
	}).start();
	expect(error?.message).toBe('The item names no job [item 1]');
	expect(error?.description).toContain('Wait for Completion off');
	expect(reads()).toBe(before);
});

test('a failed job fails its own item: with Continue it is an error item among the others', async () => {
	service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
	const made = await films(3);
	service.control.clock.advance(200);
	const { finished } = await waiting(service, {
		items: made,
		node: { onError: 'continueRegularOutput' },
	}).start();
	const failed = finished.findIndex(({ json }) => json.error !== undefined);
	expect(finished).toHaveLength(3);
	expect(Object.keys(finished[failed]?.json ?? {})).toEqual(['error', 'details']);
	expect(finished[failed]?.json).toMatchObject({
		error: `The video failed: The face was lost [item ${failed}]`,
		details: { code: 'render_failed', job: { kind: 'video', id: made[failed]?.json.video_id } },
	});
	expect(finished.filter(({ json }) => json.status === 'completed')).toHaveLength(2);

	const { error, run } = await waiting(service, { items: made }).start();
	expect(run.status).toBe('error');
	expect(error?.message).toContain('The face was lost');
	for (const id of idsOf(made)) expect(error?.description).toContain(String(id));
});

test('when the time is over, unfinished jobs go to the error output with their IDs, and can be waited for again', async () => {
	const made = await films(2);
	const setting = { node: { onError: 'continueErrorOutput' as const } };
	const flow = waiting(service, {
		...setting,
		items: made,
		parameters: { options: { waitTimeout: 0.5 } },
	});
	const late = await flow.start();
	expect(late.run.status).toBe('success');
	expect(late.finished).toEqual([]);
	expect(late.errors).toHaveLength(2);
	for (const [i, { json }] of late.errors.entries()) {
		expect(json.error).toContain('was not finished after 0.5 minutes');
		expect(json.details).toMatchObject({
			code: 'wait_timeout',
			job: { kind: 'video', id: made[i]?.json.video_id },
		});
		expect((json.details as IDataObject).description).toContain('do not create it again');
		expect((json.details as IDataObject).description).toContain('wait for it again');
	}
	service.control.clock.advance(200);
	const again = await waiting(service, { ...setting, items: late.errors }).start();
	expect(idsOf(again.finished)).toEqual(idsOf(made));
	for (const { json } of again.finished) {
		expect(json).not.toHaveProperty('error');
		expect(json).not.toHaveProperty('details');
	}
});

test('the time counts from the first check, however often the execution is suspended', async () => {
	service.control.holdJobs(true);
	const made = await films(1);
	const began = clock.now();
	const flow = waiting(service, {
		items: made,
		parameters: { options: { waitTimeout: 20 } },
		node: { onError: 'continueRegularOutput' },
	});
	const pauses: number[] = [];
	let stand = await flow.start();
	while (stand.until) {
		pauses.push(stand.until.getTime() - clock.now());
		stand = await flow.wake(stand);
	}
	expect(stand.finished[0]?.json.error).toContain('was not finished after 20 minutes');
	expect((clock.now() - began) / 60_000).toBeGreaterThanOrEqual(20);
	expect((clock.now() - began) / 60_000).toBeLessThan(20.2);
	expect(pauses.every((pause) => pause <= 301_000)).toBe(true);
	expect(Math.max(...pauses)).toBeGreaterThan(250_000);
	// The wait is over: the same jobs can be waited for anew.
	const context = stand.run.data.executionData?.contextData['node:Wait'];
	expect(context).toEqual({});
});

test('Download puts the files of each kind into its items', async () => {
	const made = [
		...(await films(1)),
		...(await itemsOf(service, 'VideoGenAgent', session())),
		...(await rows(1)),
	];
	service.control.clock.advance(300);
	const { finished, error } = await waiting(service, {
		items: made.map((item) => ({ json: item.json })),
		parameters: { download: ['video', 'thumbnail'], options: { binaryPropertyName: 'film' } },
	}).start();
	expect(error).toBeUndefined();
	for (const item of finished) {
		expect(Object.keys(item.binary ?? {}).sort()).toEqual(['film', 'thumbnail']);
		expect((await contentOf(item, 'film')).equals(media('video.mp4'))).toBe(true);
	}
});

test('files that an item had stay on it', async () => {
	const [made] = await films(1);
	service.control.clock.advance(200);
	const photo = { data: 'aGk=', mimeType: 'text/plain' };
	const { finished } = await waiting(service, {
		items: [{ json: made?.json ?? {}, binary: { photo } }],
	}).start();
	expect(finished[0]?.binary?.photo).toMatchObject(photo);
});

describe('a call of the service', () => {
	const answered = { status: 200, said: 'Received.' };
	const early = { status: 200, said: 'Received. Not all jobs have ended yet.' };

	test('resumes the execution when the last job has ended, and trusts nothing else', async () => {
		const made = await films(2);
		const flow = waiting(service, { items: made });
		const stand = await flow.start();
		const lie = { event_type: 'avatar_video.success', event_data: made[0]?.json };
		expect(await flow.call(stand, lie as IDataObject)).toEqual({ answer: early });

		service.control.clock.advance(200);
		const { answer, stand: last } = await flow.call(stand);
		expect(answer).toEqual(answered);
		expect(last?.run.status).toBe('success');
		expect(idsOf(last?.finished ?? [])).toEqual(idsOf(made));
		expect(last?.finished.map(({ pairedItem }) => pairedItem)).toEqual(paired(2));
	});

	test('also finds jobs that the form names by ID', async () => {
		const made = await films(2);
		const flow = waiting(service, {
			items: made.map(({ json }) => ({ json: { mine: json.video_id } })),
			parameters: { jobs: 'id', kind: 'video', job_id: '={{ $json.mine }}' },
		});
		const stand = await flow.start();
		expect((await flow.call(stand)).answer).toEqual(early);
		service.control.clock.advance(200);
		expect(idsOf((await flow.call(stand)).stand?.finished ?? [])).toEqual(idsOf(made));
	});

	test('in a burst causes one check', async () => {
		const made = await films(30);
		const flow = waiting(service, { items: made });
		const stand = await flow.start();
		service.control.clock.advance(200);
		const before = reads();
		const rung = await Promise.all(items(20).map(async () => await flow.ring(stand)));
		const said = rung.map(({ answer }) => answer.said).sort();
		expect(rung.map(({ answer }) => answer.status)).toEqual(items(20).map(() => 200));
		expect(said).toEqual([...items(19).map(() => 'Received, with another call.'), answered.said]);
		expect(rung.filter(({ woken }) => woken)).toHaveLength(1);
		// Each job once, and the lookups of many that found it no longer at work.
		expect(reads() - before).toBeLessThanOrEqual(30 + 5);
	});

	test('that comes during a check does not resume the execution again', async () => {
		const made = await films(1);
		const flow = waiting(service, { items: made });
		const stand = await flow.start();
		service.control.clock.advance(200);
		const before = reads();
		service.control.fail({ method: 'GET', path: /videos/, delayMs: 300, times: 1 });
		const first = flow.ring(stand);
		await until(() => reads() > before);
		const second = await flow.ring(stand);
		expect((await first).woken).toBeDefined();
		expect(second.answer).toEqual({
			status: 200,
			said: 'Received. The execution has already resumed.',
		});
		expect(second.woken).toBeUndefined();
	});

	test('of many costs about two reads each, in whatever order the jobs end', async () => {
		service.control.holdJobs(true);
		const made = await films(40);
		const flow = waiting(service, { items: made });
		const stand = await flow.start();
		const ids = idsOf(made).map(String);
		const order = [...ids].sort();
		const before = reads();
		for (const id of order.slice(0, 39)) {
			service.control.change('videos', id, { status: 'completed' } as never);
			expect((await flow.call(stand)).answer).toEqual(early);
		}
		expect(reads() - before).toBeLessThanOrEqual(3 * 40);
	});

	test('is asked for again when the service cannot be read', async () => {
		const made = await films(1);
		const flow = waiting(service, { items: made });
		const stand = await flow.start();
		service.control.fail({ method: 'GET', status: 503 } as never);
		const { answer, stand: woken } = await flow.call(stand);
		expect(answer).toEqual({
			status: 503,
			said: 'The jobs cannot be read now. Call again later.',
		});
		expect(woken).toBeUndefined();
	});
});
