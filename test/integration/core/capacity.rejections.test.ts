/** Rejections with 429 that do not show that the account runs as many jobs as it may. */
import { clock } from '../support/core';
import { createCalls } from '../support/calls';
import { signInToNewAccount } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { createVideos, failPosts, passPosts, posts, jobs } = createCalls(service);

const path = '/v3/videos';

test.each([undefined, 10])(
	'requests that came too fast are sent again without Wait for Capacity (Retry-After: %s)',
	async (retryAfter) => {
		passPosts(path, 3);
		failPosts(path, { status: 429, code: 'rate_limit_exceeded', retryAfter, times: 7 });
		const { items, error } = await createVideos(
			30,
			{ options: { waitForCapacity: 0 } },
			{ node: signInToNewAccount() },
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(30);
		expect(jobs('video')).toHaveLength(30);
	},
);

test('after an item has failed, those that a proxy rejected with 429 are not started', async () => {
	passPosts(path, 3);
	failPosts(path, { status: 400, code: 'invalid_parameter', message: 'Bad row', times: 1 });
	failPosts(path, { status: 429, body: 'Too Many Requests', times: 15 });
	const begun = clock.now();
	const { items, error } = await createVideos(10, {}, { node: signInToNewAccount() });
	expect(items).toEqual([]);
	expect(error?.message).toContain('Bad row');
	expect(posts(path).length).toBeLessThanOrEqual(10);
	expect(jobs('video')).toHaveLength(3);
	expect(clock.now() - begun).toBeLessThan(60_000);
});

test('a 504 is still repeated with its key after an item has failed', async () => {
	passPosts(path, 3);
	failPosts(path, { status: 400, code: 'invalid_parameter', message: 'Bad row', times: 1 });
	failPosts(path, { status: 504, proxy: true, times: 1 });
	failPosts(path, { status: 429, body: 'Too Many Requests', times: 1 });
	const { error } = await createVideos(5, {}, { node: signInToNewAccount() });
	expect(error?.message).toContain('Bad row');
	expect(jobs('video')).toHaveLength(4);
});
