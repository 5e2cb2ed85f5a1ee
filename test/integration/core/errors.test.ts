/** Responses that are not from the service, and what errors say and hide. */
import { avatar, session } from '../support/calls';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const other = useService();

test.each([401, 429])('a page with status %i is explained by its status', async (status) => {
	const page = { status, body: '<html>no</html>', headers: { 'retry-after': '900' } };
	service.control.fail({ path: '/v3/videos', ...page });
	const { error } = await runNode(service, 'VideoGenVideo', avatar());
	expect(error?.message).toBe(
		status === 401
			? 'The service does not accept the credential'
			: 'The service receives too many requests',
	);
	expect(error?.description).toContain(`HTTP status: ${status}`);
});

test('https to an http server is never sent: the advice is about the URL', async () => {
	const { error } = await runNode(
		{ baseUrl: service.baseUrl.replace('http:', 'https:'), apiKey: service.apiKey },
		'VideoGenAgent',
		session(),
	);
	expect(error?.message).toBe('The request could not be sent');
	expect(error?.description).toContain('begin with https:// or http://');
	expect(error?.context?.details).toMatchObject({ uncertain: false });
});

test('a service that cannot be reached is reported as such', async () => {
	const { error } = await runNode(
		{ baseUrl: 'http://127.0.0.1:1', apiKey: 'key-of-the-test' },
		'VideoGenVideo',
		{ operation: 'get', video_id: byId('x') },
	);
	expect(error?.message).toContain('cannot be reached');
	expect(error?.description).toContain('Base URL');
}, 90_000);

test('a page instead of JSON advises to check the Base URL', async () => {
	service.control.fail({ path: /videos/, status: 200, body: '<html>Welcome</html>' });
	const { error } = await runNode(service, 'VideoGenVideo', {
		operation: 'get',
		video_id: byId('x'),
	});
	expect(error?.message).toContain('not from the Video Generation Service');
	expect(error?.description).toContain('Base URL');
});

test('a redirect is not followed, so that no other host gets the key', async () => {
	service.control.fail({
		path: /videos/,
		status: 307,
		headers: { location: `${other.baseUrl}/v3/videos/x` },
		body: '',
	});
	const { error } = await runNode(service, 'VideoGenVideo', {
		operation: 'get',
		video_id: byId('x'),
	});
	expect(error?.message).toContain('redirect');
	expect(other.control.requests()).toHaveLength(0);
});

test.each([
	['avatar_id', 'Avatar Look (avatar_id)'],
	['voice_settings.speed', 'Voice Settings (voice_settings.speed)'],
	['videos[3].script', 'Script (videos[3].script)'],
	['something_new', 'something_new'],
])('the error names the field %s as the form does', async (param, words) => {
	const refusal = { status: 400, code: 'invalid_parameter', message: 'No', param };
	service.control.fail({ path: '/v3/videos', ...refusal });
	const { error } = await runNode(service, 'VideoGenVideo', avatar());
	expect(error?.description).toContain(`Field: ${words} · Code`);
	expect(error?.context?.details).toMatchObject({ param });
});

test('a key that the service repeats is removed from the error', async () => {
	service.control.fail({
		path: /videos/,
		status: 403,
		code: 'forbidden',
		message: `The key ${service.apiKey} may not do this`,
	});
	const { error, run } = await runNode(service, 'VideoGenVideo', {
		operation: 'get',
		video_id: byId('x'),
	});
	expect(error?.message).toContain('The key *** may not');
	expect(JSON.stringify(run.data.resultData)).not.toContain(service.apiKey);
});
