import { avatarVideo, useSimulator } from './support';

const simulator = useSimulator({ jobSeconds: 0.2 });
const { call, data, rejection } = simulator;

const callWith = (headers: Record<string, string>, line = 'GET /v3/users/me', body?: unknown) =>
	call(line, body, headers);
const withKey = (key: string) => ({ 'x-api-key': key });

test.each([
	['no credential', {}],
	['an unknown key', withKey('nobody')],
	['a malformed header', { authorization: 'Basic abc' }],
	['an unknown token', { authorization: 'Bearer nobody' }],
])('rejects %s', async (_name, headers) => {
	const reply = await callWith(headers);
	expect(reply.status).toBe(401);
	expect(reply.body.error).toMatchObject({
		code: 'unauthorized',
		param: null,
		request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
		doc_url: expect.stringContaining('unauthorized'),
	});
});

test('names the scope that a key lacks; a write scope may read', async () => {
	const key = withKey(simulator.control.addKey({ scopes: ['videos:read', 'video_agent:write'] }));
	const rejected = await callWith(key, 'POST /v3/videos', avatarVideo);
	expect(rejected.status).toBe(403);
	expect(rejected.body.error.code).toBe('insufficient_api_key_scope');
	expect(rejected.body.error.message).toContain('videos:write');
	expect(simulator.control.jobs('video')).toEqual([]);
	const read = async (path: string) => (await callWith(key, `GET /v3/${path}`)).status;
	expect([await read('videos'), await read('video-agents')]).toEqual([200, 200]);
	expect(await read('voices')).toBe(403);
	const { body } = await callWith(key, 'GET /v3/api_keys/self');
	const scopes = ['videos:read', 'video_agent:write'];
	expect(body.data).toMatchObject({ scope_mode: 'custom', scopes });
});

test('wraps the legacy account in the v1 envelope', async () => {
	const account = await data('GET /v3/users/me');
	const { body } = await call('GET /v1/user/me');
	expect(body).toEqual({ code: 100, data: account, message: null });
});

test('returns 404 for unknown routes', async () => {
	expect(await rejection('GET /v3/unheard-of')).toEqual([404, 'not_found', null]);
});

test.each([
	['minute', { requestsPerMinute: 2 }, 60],
	['second', { requestsPerSecond: 2 }, 1],
])('limits the rate per credential and simulated %s', async (_unit, limit, seconds) => {
	await simulator.restart(limit);
	// Real time stands still, so that the window does not end during the test.
	const clock = jest.spyOn(Date, 'now').mockReturnValue(Math.floor(Date.now() / 1000) * 1000);
	try {
		const statuses: number[] = [];
		for (let i = 0; i < 3; i += 1) statuses.push((await call('GET /v3/users/me')).status);
		expect(statuses).toEqual([200, 200, 429]);
		const rejected = await call('GET /v3/users/me');
		expect(rejected.headers['retry-after']).toBe(String(seconds));
		expect((await callWith({ authorization: `Bearer ${simulator.accessToken}` })).status).toBe(200);
		simulator.control.clock.advance(seconds);
		expect((await call('GET /v3/users/me')).status).toBe(200);
	} finally {
		clock.mockRestore();
	}
});
