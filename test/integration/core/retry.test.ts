/** Which requests are repeated, when, and how often. */
import type { IDataObject } from 'n8n-workflow';
import { avatar, items, session } from '../support/calls';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const received = (method: string, path: string | RegExp) =>
	service.control.requests({ method, path });

test('a create with a key survives 503, 500, 429 and a connection cut before and after', async () => {
	for (const fault of [
		{ status: 503, code: 'service_unavailable' },
		{ status: 500, code: 'internal_error' },
		{ status: 429, code: 'rate_limit_exceeded', retryAfter: 1 },
		{ cut: 'before' as const },
		{ cut: 'after' as const },
	]) {
		service.control.fail({ method: 'POST', path: '/v3/videos', times: 1, ...fault });
	}
	const { items: out, error } = await runNode(service, 'VideoGenVideo', avatar());
	expect(error).toBeUndefined();
	expect(service.control.jobs('video')).toHaveLength(1);
	expect(out[0]?.json.video_id).toBe((service.control.jobs('video')[0] as IDataObject).id);
	const requests = received('POST', '/v3/videos');
	expect(requests).toHaveLength(6);
	expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
}, 60_000);

test('all items wait for the Retry-After of one of them', async () => {
	service.control.fail({
		method: 'GET',
		path: /^\/v3\/videos\//,
		status: 429,
		code: 'rate_limit_exceeded',
		retryAfter: 2,
		times: 1,
	});
	await runNode(
		service,
		'VideoGenVideo',
		{ operation: 'get', video_id: byId('video_001'), options: { requestsAtOnce: 1 } },
		{ items: items(3) },
	);
	const at = received('GET', /videos/).map((request) => request.at);
	expect(at).toHaveLength(4);
	// The first is refused. No other is sent for two seconds.
	expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(1.9);
});

test('a Retry-After beyond five minutes, and a used-up quota, are errors at once', async () => {
	for (const fault of [
		{ code: 'rate_limit_exceeded', retryAfter: 3600 },
		{ code: 'quota_exceeded' },
		{ code: 'free_tier_quota_exceeded' },
	]) {
		service.control.clearFaults();
		service.control.fail({ path: /videos/, status: 429, ...fault });
		const { error } = await runNode(service, 'VideoGenVideo', avatar());
		expect(error?.httpCode).toBe('429');
		expect(error?.description).toContain(
			fault.retryAfter ? 'The service asks to wait 60 minutes.' : 'Wait until it renews',
		);
	}
	expect(received('POST', '/v3/videos')).toHaveLength(3);
});

test('after a Retry-After of 0, pauses grow all the same', async () => {
	service.control.fail({
		path: '/v3/videos',
		status: 429,
		code: 'rate_limit_exceeded',
		retryAfter: 0,
		times: 4,
	});
	const { error } = await runNode(service, 'VideoGenVideo', avatar());
	expect(error).toBeUndefined();
	const at = received('POST', '/v3/videos').map((request) => request.at);
	const pauses = at.slice(1).map((time, i) => time - (at[i] ?? 0));
	expect(pauses).toHaveLength(4);
	// At least half of 0.5, 1, 2 and 4 seconds.
	for (const [i, least] of [0.25, 0.5, 1, 2].entries()) {
		expect(pauses[i]).toBeGreaterThanOrEqual(least * 0.98);
	}
}, 30_000);

test('a final refusal is not repeated', async () => {
	for (const [status, code] of [
		[402, 'insufficient_credit'],
		[409, 'voice_training_failed'],
		[422, 'image_processing_failed'],
		[400, 'content_policy_violation'],
	] as const) {
		service.control.clearFaults();
		service.control.fail({ path: '/v3/videos', status, code });
		const { error } = await runNode(service, 'VideoGenVideo', avatar());
		expect(error?.description).toContain(`Code: ${code}`);
	}
	expect(received('POST', '/v3/videos')).toHaveLength(4);
});

test('a delete whose response is lost succeeds', async () => {
	const { items: out } = await runNode(service, 'VideoGenVideo', avatar());
	const id = String(out[0]?.json.video_id);
	service.control.fail({ method: 'DELETE', cut: 'after', times: 1 });
	const { error } = await runNode(service, 'VideoGenVideo', {
		operation: 'delete',
		video_id: byId(id),
	});
	expect(error).toBeUndefined();
});

test('a delete of a missing video is an error, also after a 429', async () => {
	service.control.fail({
		method: 'DELETE',
		status: 429,
		code: 'rate_limit_exceeded',
		retryAfter: 0,
		times: 1,
	});
	const { error } = await runNode(service, 'VideoGenVideo', {
		operation: 'delete',
		video_id: byId('no_such_video'),
	});
	expect(error?.httpCode).toBe('404');
	expect(received('DELETE', /videos/)).toHaveLength(2);
});

test('stopping a session is repeated after a lost response: it sets the same state', async () => {
	const { items: out } = await runNode(service, 'VideoGenAgent', session());
	const id = String(out[0]?.json.session_id);
	service.control.fail({ method: 'POST', path: /stop$/, cut: 'after', times: 1 });
	const { error } = await runNode(service, 'VideoGenAgent', {
		operation: 'stop',
		session_id: byId(id),
	});
	expect(error).toBeUndefined();
	expect(received('POST', /stop$/)).toHaveLength(2);
});

test('a request in progress is polled until its result is available', async () => {
	service.control.fail({
		method: 'POST',
		path: '/v3/videos',
		status: 409,
		code: 'request_in_progress',
		times: 2,
	});
	const { error } = await runNode(service, 'VideoGenVideo', avatar());
	expect(error).toBeUndefined();
	expect(service.control.jobs('video')).toHaveLength(1);
});

describe('200 creates with 30 % of the responses replaced with failures', () => {
	test.each([false, true])(
		'exactly 200 jobs (Retry On Fail: %s)',
		async (retryOnFail) => {
			const third = { path: '/v3/videos', method: 'POST' };
			service.control.fail({
				...third,
				probability: 0.1,
				status: 429,
				code: 'rate_limit_exceeded',
				retryAfter: 0,
			});
			service.control.fail({
				...third,
				probability: 0.1,
				status: 503,
				code: 'service_unavailable',
			});
			service.control.fail({ ...third, probability: 0.05, cut: 'before' });
			service.control.fail({ ...third, probability: 0.05, cut: 'after' });
			if (retryOnFail) {
				// The whole node fails once, and n8n runs it again.
				service.control.fail({ ...third, times: 1, status: 400, code: 'voice_unavailable' });
			}
			const { items: out, error } = await runNode(
				service,
				'VideoGenVideo',
				avatar({ options: { requestsAtOnce: 20 } }),
				{
					items: items(200),
					node: retryOnFail ? { retryOnFail, maxTries: 3, waitBetweenTries: 10 } : {},
				},
			);
			expect(error).toBeUndefined();
			const jobs = service.control.jobs('video') as IDataObject[];
			expect(jobs).toHaveLength(200);
			expect(out).toHaveLength(200);
			expect(new Set(out.map(({ json }) => json.video_id)).size).toBe(200);
			expect(out.map(({ pairedItem }) => pairedItem)).toEqual(
				items(200).map((_, item) => ({ item })),
			);
			expect(received('POST', '/v3/videos').length).toBeGreaterThan(240);
		},
		180_000,
	);
});
