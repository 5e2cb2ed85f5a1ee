/** Which requests are repeated, when, and how often. */
import type { INode } from 'n8n-workflow';
import { createCalls, expectOnePerItem, getValues } from '../support/calls';
import { byId, runNode, signInToNewAccount } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { createVideos, createSessions, ...calls } = createCalls(service);
const { posts, keys, jobs, failPosts } = calls;

const videos = '/v3/videos';
const deleteVideo = async (id: unknown) =>
	await runNode(service, 'VideoGenVideo', { operation: 'delete', video_id: byId(String(id)) });

test('a create with a key survives 503, 500, 429 and a connection cut before and after', async () => {
	failPosts(videos, { status: 503, code: 'service_unavailable', times: 1 });
	failPosts(videos, { status: 500, code: 'internal_error', times: 1 });
	failPosts(videos, { status: 429, code: 'rate_limit_exceeded', retryAfter: 1, times: 1 });
	failPosts(videos, { cut: 'before', times: 1 });
	failPosts(videos, { cut: 'after', times: 1 });
	const { items: out, error } = await createVideos(1);
	expect(error).toBeUndefined();
	expect(jobs('video')).toHaveLength(1);
	expect(getValues(out, 'video_id')).toEqual([jobs('video')[0]?.id]);
	expect(keys(videos)).toEqual(Array(6).fill(keys(videos)[0]));
});

test.each([
	['rate_limit_exceeded', { retryAfter: 3600 }, 'The service asks you to wait 60 minutes.'],
	['quota_exceeded', {}, 'Wait until the quota resets'],
	['free_tier_quota_exceeded', {}, 'Wait until the quota resets'],
])('429 with %s and %j is an error at once', async (code, more, advice) => {
	failPosts(videos, { status: 429, code, ...more });
	const { error } = await createVideos(1, {}, { node: signInToNewAccount() });
	expect(error?.httpCode).toBe('429');
	expect(error?.description).toContain(advice);
	expect(posts(videos)).toHaveLength(1);
});

test('a delete whose response is lost succeeds', async () => {
	await createVideos(1);
	service.control.fail({ method: 'DELETE', cut: 'after', times: 1 });
	expect((await deleteVideo(jobs('video')[0]?.id)).error).toBeUndefined();
});

test('a delete of a missing video is an error, also after a 429', async () => {
	service.control.fail({ method: 'DELETE', status: 429, retryAfter: 0, times: 1 });
	expect((await deleteVideo('no_such_video')).error?.httpCode).toBe('404');
	expect(service.control.requests({ method: 'DELETE' })).toHaveLength(2);
});

test('stopping a session is repeated after a lost response: it sets the same state', async () => {
	const { items: out } = await createSessions(1);
	failPosts(/stop$/, { cut: 'after', times: 1 });
	const form = { operation: 'stop', session_id: byId(String(out[0]?.json.session_id)) };
	const { error } = await runNode(service, 'VideoGenAgent', form);
	expect(error).toBeUndefined();
	expect(posts(/stop$/)).toHaveLength(2);
});

test('a request in progress is polled until its result is available', async () => {
	failPosts(videos, { status: 409, code: 'request_in_progress', times: 2 });
	expect((await createVideos(1)).error).toBeUndefined();
	expect(jobs('video')).toHaveLength(1);
});

test.each<[string, Partial<INode>]>([
	['at the first attempt', {}],
	['with Retry On Fail', { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 }],
])('200 creates of which 30 %% fail at random make exactly 200 jobs %s', async (_, node) => {
	const rejection = { status: 429, code: 'rate_limit_exceeded', retryAfter: 0 };
	failPosts(videos, { ...rejection, probability: 0.1 });
	failPosts(videos, { status: 503, code: 'service_unavailable', probability: 0.1 });
	failPosts(videos, { cut: 'before', probability: 0.05 });
	failPosts(videos, { cut: 'after', probability: 0.05 });
	// The whole node fails once, and n8n runs it again.
	if (node.retryOnFail) failPosts(videos, { times: 1, status: 400, code: 'voice_unavailable' });
	const form = { options: { requestsAtOnce: 20 } };
	const { items: out, error } = await createVideos(200, form, { node });
	expect(error).toBeUndefined();
	expect(jobs('video')).toHaveLength(200);
	expectOnePerItem(out, 200);
	expect(new Set(getValues(out, 'video_id')).size).toBe(200);
	expect(posts(videos).length).toBeGreaterThan(240);
});
