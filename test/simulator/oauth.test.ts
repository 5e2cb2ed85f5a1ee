import { createHash, randomBytes } from 'node:crypto';
import { request } from 'undici';
import { useSimulator } from './support';

const simulator = useSimulator();
const advance = (seconds: number) => simulator.control.clock.advance(seconds);

const redirectUri = 'http://localhost:5678/rest/oauth2-credential/callback';
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const publicClient = { client_id: 'demo-public' };
const confidential = { client_id: 'demo-confidential' };
const secret = 'demo-confidential-secret';
const jsonType = { 'content-type': 'application/json' };
const formType = { 'content-type': 'application/x-www-form-urlencoded' };

type Fields = Record<string, string>;

/** Fields of an authorization request. An empty change counts as a missing field. */
const buildFields = (changes: Fields = {}): Fields => ({
	response_type: 'code',
	...publicClient,
	redirect_uri: redirectUri,
	scope: 'openid profile email',
	state: 'state-1',
	code_challenge: challenge,
	code_challenge_method: 'S256',
	...changes,
});

async function send(method: 'GET' | 'POST', path: string, fields: Fields, headers: Fields = {}) {
	const form = new URLSearchParams(fields).toString();
	const url = `${simulator.baseUrl}${path}`;
	const response = await (method === 'GET'
		? request(form === '' ? url : `${url}?${form}`, { headers })
		: request(url, { method, body: form, headers: { ...formType, ...headers } }));
	const text = await response.body.text();
	const location = response.headers.location ? String(response.headers.location) : undefined;
	return {
		status: response.statusCode,
		headers: response.headers,
		text,
		// eslint-disable-next-line @typescript-eslint/no-explicit-any
		json: (text.startsWith('{') ? JSON.parse(text) : undefined) as any,
		/** Query fields of the redirect. */
		redirected: location && Object.fromEntries(new URL(location).searchParams),
		location,
	};
}

const decide = (changes: Fields = {}, decision = 'allow') =>
	send('POST', '/oauth/authorize', { ...buildFields(changes), decision });

const createCode = async (changes: Fields = {}) => {
	const { redirected } = await decide(changes);
	return String((redirected as Fields).code);
};

const exchange = (code: string, changes: Fields = {}, headers: Fields = {}) => {
	const grant = { grant_type: 'authorization_code', code, code_verifier: verifier };
	const fields = { ...publicClient, redirect_uri: redirectUri, ...grant, ...changes };
	return send('POST', '/oauth/token', fields, headers);
};

const refresh = (refresh_token: string, changes: Fields = {}) => {
	const fields = { grant_type: 'refresh_token', ...publicClient, refresh_token, ...changes };
	return send('POST', '/oauth/token', fields);
};

const revoke = (token: string, changes: Fields = {}) =>
	send('POST', '/oauth/revoke', { ...publicClient, token, ...changes });

async function connect() {
	const { json } = await exchange(await createCode());
	return { access: json.access_token as string, renewal: json.refresh_token as string };
}

const errorOf = async (reply: ReturnType<typeof send>) => (await reply).json.error as string;

const statusWith = async (token: string) =>
	(await send('GET', '/v3/users/me', {}, { authorization: `Bearer ${token}` })).status;

describe('the consent page', () => {
	test('is a form with the fields of the request and a choice', async () => {
		const page = await send('GET', '/oauth/authorize', buildFields({ state: `"><b>'&` }));
		expect(page.status).toBe(200);
		expect(page.headers['content-type']).toContain('text/html');
		for (const part of [
			'demo-public',
			'<li>profile</li>',
			`name="code_challenge" value="${challenge}"`,
			'name="decision" value="allow"',
			'name="decision" value="deny"',
		]) {
			expect(page.text).toContain(part);
		}
		expect(page.text).not.toContain('<b>');
	});

	test('redirects with a code and the state, and keeps the query of the URL', async () => {
		const reply = await decide({ redirect_uri: 'https://flows.example/back?from=1' });
		expect(reply.status).toBe(303);
		expect(reply.location).toMatch(/^https:\/\/flows\.example\/back\?from=1&code=/);
		expect(reply.redirected).toEqual({ from: '1', state: 'state-1', code: expect.any(String) });
	});

	test.each(['deny', ''])('redirects without a code for the decision "%s"', async (decision) => {
		const { redirected } = await decide({}, decision);
		expect(redirected).toMatchObject({ error: 'access_denied', state: 'state-1' });
		expect(redirected).not.toHaveProperty('code');
	});

	test.each<[Fields, string]>([
		[{ response_type: 'token' }, 'unsupported_response_type'],
		[{ response_type: '' }, 'invalid_request'],
		[{ code_challenge_method: 'plain' }, 'invalid_request'],
		[{ code_challenge_method: '' }, 'invalid_request'],
		[{ code_challenge: 'abc' }, 'invalid_request'],
		[{ state: '' }, 'invalid_request'],
		[{ scope: 'openid everything' }, 'invalid_scope'],
	])('redirects with an error for %j', async (changes, error) => {
		const page = await send('GET', '/oauth/authorize', buildFields(changes));
		for (const { status, redirected } of [page, await decide(changes)]) {
			expect(status).toBe(303);
			expect(redirected).toEqual({
				error,
				error_description: expect.any(String),
				...('state' in changes ? {} : { state: 'state-1' }),
			});
		}
	});

	test.each<Fields>([
		{ client_id: 'nobody' },
		{ redirect_uri: '' },
		{ redirect_uri: 'http://flows.example/back' },
		{ redirect_uri: 'javascript:alert(1)' },
		{ redirect_uri: 'https://flows.example/#here' },
	])('never redirects for %j', async (changes) => {
		const page = await send('GET', '/oauth/authorize', buildFields(changes));
		for (const reply of [page, await decide(changes)]) {
			expect([reply.status, reply.location]).toEqual([400, undefined]);
		}
	});
});

describe('a code', () => {
	test('is exchanged for tokens that the API accepts', async () => {
		const reply = await exchange(await createCode({ scope: '' }));
		expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'no-store']);
		expect(reply.json).toEqual({
			access_token: expect.any(String),
			token_type: 'Bearer',
			expires_in: 3600,
			scope: 'openid profile email',
			refresh_token: expect.any(String),
		});
		const { access_token: access, refresh_token: renewal } = reply.json;
		expect([await statusWith(access), await statusWith(renewal)]).toEqual([200, 401]);
		expect(simulator.control.oauth()).toEqual({ accessTokens: [access], refreshTokens: [renewal] });
	});

	test.each<[Fields, string]>([
		[{ code_verifier: randomBytes(32).toString('base64url') }, 'invalid_grant'],
		[{ code_verifier: challenge }, 'invalid_grant'],
		[{ code_verifier: '' }, 'invalid_request'],
		[{ redirect_uri: 'http://localhost:5678/other' }, 'invalid_grant'],
		[{ redirect_uri: '' }, 'invalid_request'],
		[{ code: 'sim_code_unknown' }, 'invalid_grant'],
		[{ code: '' }, 'invalid_request'],
		[{ grant_type: 'password' }, 'unsupported_grant_type'],
		[{ grant_type: '' }, 'invalid_request'],
		[{ ...confidential, client_secret: secret }, 'invalid_grant'],
	])('is rejected with %j, and stays valid', async (changes, error) => {
		const code = await createCode();
		const { status, json } = await exchange(code, changes);
		expect([status, json]).toEqual([400, { error, error_description: expect.any(String) }]);
		expect((await exchange(code)).status).toBe(200);
	});

	test('is valid once: its second use revokes the tokens of the first', async () => {
		const code = await createCode();
		const { access_token, refresh_token } = (await exchange(code)).json;
		expect(await errorOf(exchange(code))).toBe('invalid_grant');
		expect(await statusWith(access_token)).toBe(401);
		expect(await errorOf(refresh(refresh_token))).toBe('invalid_grant');
	});

	test('is valid for ten minutes', async () => {
		const [first, second] = [await createCode(), await createCode()];
		advance(590);
		expect((await exchange(first)).status).toBe(200);
		advance(11);
		expect(await errorOf(exchange(second))).toBe('invalid_grant');
	});

	test('is accepted in a form only', async () => {
		const options = { method: 'POST' as const, headers: jsonType, body: '{}' };
		const reply = await request(`${simulator.baseUrl}/oauth/token`, options);
		expect(await reply.body.json()).toMatchObject({
			error: 'invalid_request',
			error_description: expect.stringContaining('x-www-form-urlencoded'),
		});
	});
});

describe('a client', () => {
	const basic = (id: string, password: string) => ({
		authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
	});
	const unnamed = { client_id: '' };

	test.each<[string, Fields, Fields, Fields]>([
		['a secret in the form', confidential, { ...confidential, client_secret: secret }, {}],
		['a secret as Basic', confidential, unnamed, basic('demo-confidential', secret)],
		['an empty secret', publicClient, { client_secret: '' }, {}],
	])('is accepted with %s', async (_name, client, changes, headers) => {
		expect((await exchange(await createCode(client), changes, headers)).status).toBe(200);
	});

	test.each<[string, Fields, Fields]>([
		['without a name', unnamed, {}],
		['with a wrong secret', { ...confidential, client_secret: 'wrong' }, {}],
		['with a wrong secret as Basic', unnamed, basic('demo-confidential', 'wrong')],
		['without its secret', confidential, {}],
		['with a secret although it is public', { client_secret: 'some' }, {}],
	])('is rejected %s', async (_name, changes, headers) => {
		const reply = await exchange(await createCode(), changes, headers);
		expect([reply.status, reply.json.error]).toEqual([401, 'invalid_client']);
		expect(reply.headers['www-authenticate']).toContain('Basic');
	});
});

test('an access token expires in simulated time, but not by a reset', async () => {
	await simulator.restart({ tokenSeconds: 100 });
	const { access, renewal } = await connect();
	advance(90);
	simulator.control.reset();
	expect(await statusWith(access)).toBe(200);
	advance(11);
	expect(await statusWith(access)).toBe(401);
	expect((await refresh(renewal)).json.expires_in).toBe(100);
});

describe('a refresh token', () => {
	test('stays the same without rotation', async () => {
		const { renewal } = await connect();
		for (let round = 0; round < 2; round += 1) {
			const { json } = await refresh(renewal);
			expect(json).not.toHaveProperty('refresh_token');
			expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
			expect(await statusWith(json.access_token)).toBe(200);
		}
	});

	test('is valid once with rotation: its second use revokes the grant', async () => {
		await simulator.restart({ rotateRefreshTokens: true });
		const { renewal } = await connect();
		const first = (await refresh(renewal)).json;
		const second = (await refresh(first.refresh_token)).json;
		expect(await statusWith(second.access_token)).toBe(200);
		expect(await errorOf(refresh(renewal))).toBe('invalid_grant');
		expect(await statusWith(second.access_token)).toBe(401);
		expect(await errorOf(refresh(second.refresh_token))).toBe('invalid_grant');
	});

	test('narrows the scope, and never widens it', async () => {
		const { renewal } = await connect();
		expect((await refresh(renewal, { scope: 'email' })).json.scope).toBe('email');
		expect(await errorOf(refresh(renewal, { scope: 'email voices' }))).toBe('invalid_scope');
		expect((await refresh(renewal)).json.scope).toBe('openid profile email');
	});

	test.each<[Fields, string]>([
		[{ refresh_token: '' }, 'invalid_request'],
		[{ refresh_token: 'nobody' }, 'invalid_grant'],
		[{ ...confidential, client_secret: secret }, 'invalid_grant'],
	])('is rejected with %j', async (changes, error) => {
		const reply = await refresh((await connect()).renewal, changes);
		expect([reply.status, reply.json.error]).toEqual([400, error]);
	});
});

describe('revocation', () => {
	test('of a refresh token revokes the grant, of an access token only that token', async () => {
		const { access, renewal } = await connect();
		expect((await revoke(access)).status).toBe(200);
		expect(await statusWith(access)).toBe(401);
		const { access_token } = (await refresh(renewal)).json;
		expect((await revoke(renewal, { token_type_hint: 'access_token' })).status).toBe(200);
		expect(await statusWith(access_token)).toBe(401);
		expect(await errorOf(refresh(renewal))).toBe('invalid_grant');
	});

	test('accepts unknown tokens, and rejects those of other clients', async () => {
		const { access } = await connect();
		expect((await revoke('nobody')).status).toBe(200);
		expect(await errorOf(revoke(''))).toBe('invalid_request');
		const other = revoke(access, { ...confidential, client_secret: secret });
		expect(await errorOf(other)).toBe('unauthorized_client');
		expect(await statusWith(access)).toBe(200);
	});

	test.each(['the control', 'the control over HTTP'])(
		'by %s: refreshing works until the grant is revoked',
		async (by) => {
			const { access, renewal } = await connect();
			const isHttp = by.endsWith('HTTP');
			const post = (path: string) => send('POST', `/_control/${path}`, {}, jsonType);
			if (isHttp) await post('expire-tokens');
			else simulator.control.expireTokens();
			expect(await statusWith(access)).toBe(401);
			expect(await statusWith(simulator.accessToken)).toBe(401);
			expect((await refresh(renewal)).status).toBe(200);
			if (isHttp) await post('revoke-grants');
			else simulator.control.revokeGrants();
			expect(await errorOf(refresh(renewal))).toBe('invalid_grant');
			expect((await send('GET', '/_control/oauth', {})).json).toEqual(simulator.control.oauth());
		},
	);
});

test('a repeated field is rejected', async () => {
	const query = `${new URLSearchParams(buildFields())}&client_id=demo-confidential`;
	expect((await send('GET', `/oauth/authorize?${query}`, {})).status).toBe(400);
	const body = 'grant_type=refresh_token&client_id=demo-public&refresh_token=a&refresh_token=b';
	const options = { method: 'POST' as const, headers: formType, body };
	const token = await request(`${simulator.baseUrl}/oauth/token`, options);
	expect(await token.body.json()).toMatchObject({ error: 'invalid_request' });
});

test('the API itself accepts no forms', async () => {
	const headers = { 'x-api-key': simulator.apiKey };
	const reply = await send('POST', '/v3/folders', { name: 'Folder' }, headers);
	expect([reply.status, reply.json.error.code]).toEqual([400, 'invalid_parameter']);
});
