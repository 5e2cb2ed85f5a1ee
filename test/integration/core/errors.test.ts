/** Responses that are not from the service, and what errors say and hide. */
import { createCalls, getVideo } from '../support/calls';
import { runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const other = useService();
const { createVideos, createSessions, failPosts } = createCalls(service);

const read = async (from: { baseUrl: string; apiKey: string } = service) =>
	await runNode(from, 'VideoGenVideo', getVideo('x'));

test.each([
	[401, 'The service rejected the credential'],
	[429, 'The service is receiving too many requests'],
])('a page with status %i is explained by its status', async (status, words) => {
	failPosts(/videos/, { status, body: '<html>no</html>', headers: { 'retry-after': '900' } });
	const { error } = await createVideos(1);
	expect(error?.message).toBe(words);
	expect(error?.description).toContain(`HTTP status: ${status}`);
});

test('https to an http server is never sent: the advice is about the URL', async () => {
	const { error } = await createSessions(
		1,
		{},
		{ credential: { baseUrl: service.baseUrl.replace('http:', 'https:') } },
	);
	expect(error?.message).toBe('The request could not be sent');
	expect(error?.description).toContain('begin with https:// or http://');
	expect(error?.context?.details).toMatchObject({ uncertain: false });
});

test('a service that cannot be reached is reported as such', async () => {
	const { error } = await read({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key-of-the-test' });
	expect(error?.message).toContain('cannot be reached');
	expect(error?.description).toContain('Base URL');
});

test('a page instead of JSON advises to check the Base URL', async () => {
	service.control.fail({ path: /videos/, status: 200, body: '<html>Welcome</html>' });
	const { error } = await read();
	expect(error?.message).toContain('not from the Video Generation Service');
	expect(error?.description).toContain('Base URL');
});

test('a redirect is not followed, so that no other host gets the key', async () => {
	const headers = { location: `${other.baseUrl}/v3/videos/x` };
	service.control.fail({ path: /videos/, status: 307, headers, body: '' });
	expect((await read()).error?.message).toContain('redirect');
	expect(other.control.requests()).toHaveLength(0);
});

test.each([
	['avatar_id', 'Avatar Look (avatar_id)'],
	['voice_settings.speed', 'Voice Settings (voice_settings.speed)'],
	['videos[3].script', 'Script (videos[3].script)'],
	['something_new', 'something_new'],
])('the error names the field %s as the form does', async (param, words) => {
	failPosts(/videos/, { status: 400, code: 'invalid_parameter', message: 'No', param });
	const { error } = await createVideos(1);
	expect(error?.description).toContain(`Field: ${words}`);
	expect(error?.context?.details).toMatchObject({ param });
});

describe('a code without an explanation', () => {
	const code = 'resource_limit_exceeded';

	test("has the service's message first, and then what its status means", async () => {
		const message = 'You can keep at most 20 avatars';
		failPosts(/videos/, { status: 402, code, message });
		const { error } = await createVideos(1);
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(
			/^The account does not have enough credit for this request\. Check the account's credit and plan\./,
		);
		expect(error?.description).toContain(`Code: ${code}`);
	});

	test('is explained by its status if the message says nothing', async () => {
		failPosts(/videos/, { status: 402, code, message: 'Not allowed' });
		expect((await createVideos(1)).error?.message).toBe(
			'The account does not have enough credit for this request: Not allowed',
		);
	});
});

describe('a removed endpoint', () => {
	test.each([
		['VideoGenAgent', { operation: 'generateLegacy', prompt: 'A boat' }, 'Generate Video'],
		['VideoGenAccount', { operation: 'getLegacy' }, 'Get'],
	])('of the legacy API: %s names its successor', async (node, form, successor) => {
		service.control.setWorkspace({ hasLegacyRoutes: false });
		const { error } = await runNode(service, node, form);
		expect(error?.message).toBe('The service has removed this endpoint: This endpoint was retired');
		expect(error?.description).toContain(`Use the operation ${successor} instead.`);
	});

	test.each([{ code: 'endpoint_sunset' }, { body: {} }])('is recognized by %j', async (reply) => {
		service.control.fail({ method: 'GET', path: /videos/, status: 410, ...reply });
		const { error } = await read();
		expect(error?.message).toContain('The service has removed this endpoint');
		expect(error?.description).toContain('update the package');
	});
});
