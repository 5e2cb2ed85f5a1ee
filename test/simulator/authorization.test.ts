import { startSimulator, type Simulator } from '../../simulator';
import { caller, speaking, type Caller } from './support';

let simulator: Simulator;
let call: Caller;

beforeAll(async () => {
	simulator = await startSimulator({ jobSeconds: 0.2 });
	call = caller(simulator);
});
afterAll(() => simulator.close());

const withKey = (key: string) => ({ 'x-api-key': key });

test.each([
	['no credential', {}],
	['an unknown key', withKey('nobody')],
	['a malformed header', { authorization: 'Basic abc' }],
	['an unknown token', { authorization: 'Bearer nobody' }],
])('refuses %s', async (_name, headers) => {
	const reply = await call('GET /v3/users/me', undefined, headers);
	expect(reply.status).toBe(401);
	expect(reply.body.error).toMatchObject({ code: 'unauthorized', param: null });
	expect(reply.body.error.request_id).toMatch(/^[0-9a-f]{32}$/);
	expect(reply.body.error.doc_url).toContain('unauthorized');
});

test('takes a key or a bearer token on the same operation', async () => {
	expect((await call('GET /v3/users/me')).status).toBe(200);
	const bearer = { authorization: `Bearer ${simulator.accessToken}` };
	expect((await call('GET /v3/users/me', undefined, bearer)).status).toBe(200);
});

test('refuses an expired key and a revoked token', async () => {
	const key = simulator.control.addKey({ expired: true });
	expect((await call('GET /v3/users/me', undefined, withKey(key))).status).toBe(401);
	const token = simulator.control.addToken();
	const bearer = { authorization: `Bearer ${token}` };
	expect((await call('GET /v3/users/me', undefined, bearer)).status).toBe(200);
	simulator.control.revokeToken(token);
	expect((await call('GET /v3/users/me', undefined, bearer)).status).toBe(401);
});

test('names the scope that a key lacks, and does no work', async () => {
	const key = simulator.control.addKey({ scopes: ['videos:read', 'video_agent:write'] });
	const before = simulator.control.jobs('video').length;
	const refused = await call('POST /v3/videos', speaking, withKey(key));
	expect(refused.status).toBe(403);
	expect(refused.body.error.code).toBe('insufficient_api_key_scope');
	expect(refused.body.error.message).toContain('videos:write');
	expect(simulator.control.jobs('video')).toHaveLength(before);
	expect((await call('GET /v3/videos', undefined, withKey(key))).status).toBe(200);
});

test('lets a write scope read', async () => {
	const key = simulator.control.addKey({ scopes: ['video_agent:write'] });
	expect((await call('GET /v3/video-agents', undefined, withKey(key))).status).toBe(200);
	expect((await call('GET /v3/videos', undefined, withKey(key))).status).toBe(403);
});

test('shows the key in use without asking for a scope', async () => {
	const key = simulator.control.addKey({ scopes: ['videos:read'] });
	const self = await call('GET /v3/api_keys/self', undefined, withKey(key));
	expect(self.body.data).toMatchObject({
		status: 'active',
		scope_mode: 'custom',
		scopes: ['videos:read'],
	});
	expect((await call('GET /v3/api_keys/self')).body.data.scope_mode).toBe('full');
});

test('wraps the legacy account in the older envelope', async () => {
	const v3 = await call('GET /v3/users/me');
	const v1 = await call('GET /v1/user/me');
	expect(v1.body).toEqual({ code: 100, data: v3.body.data, message: null });
	expect(v3.body.data.wallet).toMatchObject({ currency: 'usd' });
});

test('does not know other routes', async () => {
	const reply = await call('GET /v3/unheard-of');
	expect(reply.status).toBe(404);
	expect(reply.body.error.code).toBe('not_found');
});

test('limits the rate per credential in simulated minutes', async () => {
	const limited = await startSimulator({ requestsPerMinute: 2 });
	const ask = caller(limited);
	expect((await ask('GET /v3/users/me')).status).toBe(200);
	expect((await ask('GET /v3/users/me')).status).toBe(200);
	const refused = await ask('GET /v3/users/me');
	expect(refused.status).toBe(429);
	expect(refused.body.error.code).toBe('rate_limit_exceeded');
	const wait = Number(refused.headers['retry-after']);
	expect(wait).toBeGreaterThan(55);
	limited.control.clock.advance(wait);
	expect((await ask('GET /v3/users/me')).status).toBe(200);
	await limited.close();
});
