/**
 * Replies that give several items the same job, as those of a caching proxy do. No item may get a
 * video that may be another item's.
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { continueOnFail, createCalls, getValues, retryOnFail } from '../support/calls';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { createVideos, createSessions, createBatch, jobs, passPosts, posts } = createCalls(service);

const videos = '/v3/videos';
const sessions = '/v3/video-agents';
const batches = '/v3/videos/batches';

/** The create requests are carried out, but the next replies name this job. */
const repeatReplies = (path: string, data: IDataObject, times = Infinity) =>
	service.control.fail({ method: 'POST', path, data, times });

const details = ({ json }: INodeExecutionData) => json.details as IDataObject;

const creates = [
	['video', videos, 'video_id', createVideos],
	['session', sessions, 'session_id', createSessions],
] as const;

describe.each(creates)('three items that get the same %s', (kind, path, id, create) => {
	const prepare = async () => {
		const { items: out } = await create(1);
		const job = String(out[0]?.json[id]);
		repeatReplies(path, { [id]: job });
		return job;
	};

	test.each([true, false])('are unknown (Wait for Completion: %s)', async (waitForCompletion) => {
		const job = await prepare();
		const { items: out, errors } = await create(
			3,
			{ waitForCompletion },
			{ node: { onError: 'continueErrorOutput' } },
		);
		expect(out).toEqual([]);
		expect(errors.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		for (const [item, error] of errors.entries()) {
			expect(error.json.error).toBe(
				`The service returned the same ${kind} ID for several items: it is unknown which item the ID belongs to [row ${item + 1}]`,
			);
			expect(details(error)).toMatchObject({
				code: 'shared_job',
				uncertain: true,
				shared_jobs: [{ kind, id: job }],
			});
			expect(details(error).description).toContain(`${kind} ${job}`);
			// VideoGen Job Status would wait for it.
			expect(details(error).job).toBeUndefined();
		}
	});

	test('end the run with an error that names the job', async () => {
		const job = await prepare();
		const { items: out, error } = await create(3);
		expect(out).toEqual([]);
		expect(error?.message).toContain('it is unknown which item the ID belongs to');
		expect(error?.description).toContain(job);
		expect(error?.description).not.toContain('Already started for this item');
	});

	test('are one item if there is only one', async () => {
		const job = await prepare();
		const { items: out, error } = await create(1);
		expect(error).toBeUndefined();
		expect(getValues(out, id)).toEqual([job]);
	});
});

test('only the items that share a job fail, and their keys are named', async () => {
	passPosts(videos, 1);
	repeatReplies(videos, { video_id: 'v_same' }, 2);
	const { items: out } = await createVideos(
		4,
		{ options: { requestsAtOnce: 1 } },
		{ node: continueOnFail },
	);
	expect(out.map(({ json }) => json.error === undefined)).toEqual([true, false, false, true]);
	const keys = posts(videos).map(({ headers }) => headers['idempotency-key']);
	for (const item of [1, 2]) {
		expect(details(out[item]!).idempotency_key).toBe(keys[item]);
		expect(details(out[item]!).description).toContain(keys[item]);
	}
	expect(new Set(getValues([out[0]!, out[3]!], 'video_id')).size).toBe(2);
});

test('the next attempt of n8n outputs the video of each item, without a second payment', async () => {
	repeatReplies(videos, { video_id: 'v_same' }, 2);
	const { items: out, error } = await createVideos(
		3,
		{ options: { requestsAtOnce: 1 } },
		{ node: retryOnFail },
	);
	expect(error).toBeUndefined();
	expect(jobs('video')).toHaveLength(3);
	expect(new Set(getValues(out, 'video_id'))).toEqual(new Set(jobs('video').map(({ id }) => id)));
});

test('two batches with the same ID are unknown', async () => {
	repeatReplies(batches, { batch_id: 'batch_same' });
	const { items: out } = await createBatch(101, {}, { node: continueOnFail });
	expect(out).toHaveLength(101);
	for (const item of out) expect(details(item)).toMatchObject({ code: 'shared_job' });
});

test('all jobs of a request with several languages are named', async () => {
	const ids = ['t_1', 't_2'];
	repeatReplies('/v3/video-translations', { video_translation_ids: ids });
	const { items: out } = await runNode(
		service,
		'VideoGenTranslation',
		{
			operation: 'create',
			video: { __rl: true, mode: 'url', value: 'https://videos.example/a.mp4' },
			output_languages: ['German', 'French'],
			waitForCompletion: false,
		},
		{ items: [{ json: {} }, { json: {} }], node: continueOnFail },
	);
	expect(out).toHaveLength(2);
	for (const item of out) {
		expect(details(item).shared_jobs).toEqual(ids.map((id) => ({ kind: 'translation', id })));
		expect(details(item).description).not.toContain('Already started');
	}
});

test('items with the same key may share a video', async () => {
	const { items: out, error } = await createVideos(3, {
		script: 'Hello there, this is a long enough text.',
		options: { payOncePer: 'request' },
	});
	expect(error).toBeUndefined();
	expect(new Set(getValues(out, 'video_id')).size).toBe(1);
});

test('two messages to one session may have the session as their result', async () => {
	const { items: created } = await createSessions(1, { mode: 'chat' });
	const session = String(created[0]?.json.session_id);
	repeatReplies(`${sessions}/${session}`, { video_id: null });
	const { items: out, error } = await runNode(
		service,
		'VideoGenAgent',
		{
			operation: 'continue',
			session_id: byId(session),
			message: '=Change number {{ $json.i }}',
			waitForCompletion: false,
			options: { requestsAtOnce: 1 },
		},
		{ items: [{ json: { i: 0 } }, { json: { i: 1 } }] },
	);
	expect(error).toBeUndefined();
	expect(out).toHaveLength(2);
});
