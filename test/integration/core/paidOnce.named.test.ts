/** No job is lost: whatever happens, an item, an error or the log names each job that may exist. */
import { createHash } from 'node:crypto';
import { url } from '../support/cases';
import {
	createCalls,
	continueOnFail,
	readLog,
	retryOnFail,
	waiting,
	getValues,
} from '../support/calls';
import { getErrorDetails } from '../support/core';
import { runNode, type Result } from '../support/engine';
import { useService } from '../support/service';
import { runAfter, waitFor } from '../support/time';

const service = useService();
const { createVideos, createBatch, createSessions, ...calls } = createCalls(service);
const { bodies, posts, keys, jobs, failPosts, passPosts } = calls;

afterEach(() => jest.restoreAllMocks());

const videos = '/v3/videos';
const batches = '/v3/videos/batches';

const losePosts = (path: string, times: number) => failPosts(path, { cut: 'after', times });
const cutPosts = (path: string, times: number) => failPosts(path, { cut: 'midway', times });

const startedIn = (lines: string[]) => lines.filter((line) => line.includes('VideoGen started'));

describe('a create with a key whose ten responses are lost', () => {
	const keyIn = ({ error }: Result) =>
		/may have been created anyway.*Custom Key in the options.*: (\S+)/.exec(
			error?.description ?? '',
		)?.[1];

	test('says that a video may exist, and the key that finds it', async () => {
		losePosts(videos, 10);
		const lost = await createVideos(1);
		expect(posts(videos)).toHaveLength(10);
		expect(jobs('video')).toHaveLength(1);
		const [key] = keys(videos);
		expect(keyIn(lost)).toBe(key);
		expect(getErrorDetails(lost.error)).toMatchObject({ uncertain: true, idempotency_key: key });

		// As the text says: another execution with it as Custom Key.
		const options = { payOncePer: 'ownKey', idempotencyKey: String(key) };
		const again = await createVideos(1, { options });
		expect(getValues(again.items, 'video_id')).toEqual([jobs('video')[0]?.id]);
		expect(jobs('video')).toHaveLength(1);
	});

	test('has both in the details of an error item', async () => {
		losePosts(videos, 10);
		const { items: out } = await createVideos(1, {}, { node: continueOnFail });
		const details = { uncertain: true, idempotency_key: keys(videos)[0] };
		expect(out[0]?.json.details).toMatchObject(details);
	});

	test('names the key of a batch of 100, and a key in the body', async () => {
		losePosts(batches, 10);
		expect(keyIn(await createBatch(100))).toBe(keys(batches)[0]);
		losePosts('/v3/background-removals', 10);
		const removal = await runNode(service, 'VideoGenBackgroundRemoval', {
			operation: 'create',
			video: url('https://files.example/a.mp4'),
			waitForCompletion: false,
		});
		expect(keyIn(removal)).toBe(bodies('/v3/background-removals')[0]?.request_id);
	});

	test('names it also where the last response is a rejection of that attempt only', async () => {
		losePosts(videos, 1);
		failPosts(videos, { status: 429, retryAfter: 3600 });
		const lost = await createVideos(1);
		expect(jobs('video')).toHaveLength(1);
		expect(keyIn(lost)).toBe(keys(videos)[0]);
	});

	test('finds the video in the next attempt of n8n', async () => {
		losePosts(videos, 10);
		const { items: out } = await createVideos(1, {}, { node: retryOnFail });
		expect(jobs('video')).toHaveLength(1);
		expect(getValues(out, 'video_id')).toEqual([jobs('video')[0]?.id]);
	});
});

describe('a response that breaks off', () => {
	test('to a create with a key: it is sent again, and 100 videos are paid for once', async () => {
		cutPosts(batches, 3);
		const { items: out } = await createBatch(100);
		expect(jobs('video')).toHaveLength(100);
		expect(jobs('batch')).toHaveLength(1);
		expect(out[0]?.json.batch_id).toBe(jobs('batch')[0]?.batch_id ?? jobs('batch')[0]?.id);
	});

	test('to a create without a key: a session may exist, and no second one is created', async () => {
		cutPosts('/v3/video-agents', 1);
		const { error } = await createSessions(1, {}, { node: retryOnFail });
		expect(jobs('session')).toHaveLength(1);
		expect(error?.description).toContain('session may have been created');
		expect(getErrorDetails(error)).toMatchObject({ uncertain: true, code: 'cut_answer' });
	});

	test('to a read: neither a wait nor a list ends', async () => {
		const cutReads = (path: string | RegExp) =>
			service.control.fail({ method: 'GET', path, cut: 'midway', times: 3 });
		cutReads(/^\/v3\/videos/);
		const { items: out } = await createVideos(1, waiting());
		expect(getValues(out, 'status')).toEqual(['completed']);
		cutReads(videos);
		const form = { operation: 'getMany', returnAll: true };
		const list = await runNode(service, 'VideoGenVideo', form);
		expect(list.error).toBeUndefined();
		expect(getValues(list.items, 'video_id')).toContain(jobs('video')[0]?.id);
	});
});

test('a create whose response was lost is sent until its job is known, also when another item fails', async () => {
	// The first goes alone and succeeds. The second loses its response and pauses. The third ends the run.
	passPosts(videos, 1);
	losePosts(videos, 1);
	failPosts(videos, { status: 402, code: 'insufficient_credit', delayMs: 50, times: 1 });
	const { error } = await createVideos(3);
	expect(error?.message).toContain('not have enough credit');
	expect(jobs('video')).toHaveLength(2);
	for (const { id } of jobs('video')) expect(error?.description).toContain(id);
});

test('the stop button in the pause after a lost response leaves the key in the log', async () => {
	const lines = readLog();
	failPosts(videos, { cut: 'after' });
	await createVideos(1, {}, { onStart: (stop) => runAfter(1.5, stop) });
	// n8n ends the execution before the node has ended.
	await waitFor(() =>
		lines.some((line) => /^warn /.test(line) && line.includes(String(keys(videos)[0]))),
	);
	expect(jobs('video')).toHaveLength(1);
});

describe('the log of n8n', () => {
	test('names each job as soon as it exists, and where it was started', async () => {
		const lines = readLog();
		await createVideos(3, { options: { requestsAtOnce: 1 } }, { executionId: 'e7' });
		await createSessions(1, {}, { executionId: 'e8' });
		const line = (job: string, execution: string, item: number) =>
			`info VideoGen started ${job} (execution ${execution}, workflow workflow, node "Node", item ${item})`;
		expect(startedIn(lines)).toEqual([
			...jobs('video').map(({ id }, item) => line(`video ${id}`, 'e7', item)),
			line(`session ${jobs('session')[0]?.id}`, 'e8', 0),
		]);
	});

	test('names a create and its key before it is sent: n8n may be killed before the response', async () => {
		const lines = readLog();
		failPosts(videos, { status: 402 });
		const { error } = await createVideos(1, {}, { executionId: 'e9' });
		expect(error?.httpCode).toBe('402');
		expect(lines.find((line) => line.includes('VideoGen sends'))).toBe(
			`info VideoGen sends POST /v3/videos (key ${keys(videos)[0]}, execution e9, workflow workflow, node "Node", item 0)`,
		);
		await createSessions(1);
		expect(lines.filter((line) => line.includes('sends POST /v3/video-agents ('))).toHaveLength(1);
		const before = lines.length;
		await runNode(service, 'VideoGenVideo', { operation: 'getMany', returnAll: true });
		expect(lines).toHaveLength(before);
	});

	test('logs a digest of a key of the user, which may name a customer', async () => {
		const lines = readLog();
		const options = { payOncePer: 'ownKey', idempotencyKey: 'Anna-7' };
		await createVideos(1, { options });
		expect(keys(videos)).toEqual(['Anna-7']);
		const digest = createHash('sha256').update('Anna-7').digest('hex');
		expect(lines.join()).toContain(`(key sha256:${digest} of your own key, execution`);
		expect(lines.join()).not.toContain('Anna-7');
	});

	test('names a job before the wait for it begins', async () => {
		const lines = readLog();
		service.control.holdJobs(true);
		const { error } = await createVideos(1, waiting({ waitTimeout: 0.1 }));
		expect(error?.message).toContain('was not finished');
		expect(startedIn(lines).join()).toContain(`video ${jobs('video')[0]?.id}`);
	});

	test('names a job once, however often n8n runs the node', async () => {
		const lines = readLog();
		passPosts(videos, 2);
		failPosts(videos, { status: 402, times: 2 });
		await createVideos(4, { options: { requestsAtOnce: 1 } }, { node: retryOnFail });
		expect(startedIn(lines)).toHaveLength(4);
	});

	test('names each job of a translation into several languages', async () => {
		const lines = readLog();
		await runNode(service, 'VideoGenTranslation', {
			operation: 'create',
			video: url('https://files.example/a.mp4'),
			output_languages: ['Spanish', 'German'],
			waitForCompletion: false,
		});
		expect(startedIn(lines)).toHaveLength(2);
		expect(jobs('translation')).toHaveLength(2);
		for (const { id } of jobs('translation')) expect(startedIn(lines).join('\n')).toContain(id);
	});
});
