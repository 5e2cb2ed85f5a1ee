/**
 * An n8n that was restored from a backup, or cloned for staging, counts its executions from a number
 * that the account has already seen. No item may get the video of that earlier execution.
 */
import { createCalls, getValues, retryOnFail } from '../support/calls';
import { useService } from '../support/service';

const service = useService();
const { createVideos, createBatch, keys, jobs, failPosts } = createCalls(service);

const videos = '/v3/videos';
const sameExecution = { executionId: '1042' };
const script = (customer: string) => ({
	script: `=Hello ${customer} number {{ $json.i }}, this is a long enough text.`,
});

test.each([
	['videos', createVideos, videos, 2],
	['a batch', createBatch, '/v3/videos/batches', 1],
] as const)('the same execution number makes %s of its own', async (...row) => {
	const [, create, path, requests] = row;
	const before = await create(2, script('Anna'), sameExecution);
	const after = await create(2, script('Bruno'), sameExecution);
	expect(before.error ?? after.error).toBeUndefined();
	expect(new Set(keys(path)).size).toBe(2 * requests);
	expect(jobs('video')).toHaveLength(4);
	const ids = [before, after].flatMap(({ items }) =>
		getValues(items, create === createVideos ? 'video_id' : 'batch_id'),
	);
	expect(new Set(ids).size).toBe(2 * requests);
});

test('an attempt of n8n keeps the key, an execution with the same number does not', async () => {
	failPosts(videos, { status: 500, code: 'internal_error', times: 10 });
	await createVideos(1, script('Anna'), { ...sameExecution, node: retryOnFail });
	await createVideos(1, script('Bruno'), { ...sameExecution, node: retryOnFail });
	const sent = keys(videos);
	const [first, again, other] = [sent[0], sent[10], sent[11]];
	expect(again).toBe(first);
	expect(other).not.toBe(first);
	expect(jobs('video')).toHaveLength(2);
});
