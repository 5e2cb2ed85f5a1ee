import { createHash, randomBytes } from 'node:crypto';
import { request } from 'undici';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator';
import {} from './support';

const redirectUri = 'http://localhost:5678/rest/oauth2-credential/callback';
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

type Fields = Record<string, string>;

let simulator: Simulator;
beforeEach(async () => {
	simulator = await startSimulator();
});
afterEach(() => simulator.close());

const restart = async (options: SimulatorOptions) => {
	await simulator.close();
	simulator = await startSimulator(options);
};

const asked = (fields: Fields = {}): Fields => ({
	response_type: 'code',
	client_id: 'demo-public',
	redirect_uri: redirectUri,
	scope: 'openid profile email',
	state: 'state-1',
	code_challenge: challenge,
	code_challenge_method: 'S256',
	...fields,
});

async function send(method: 'GET' | 'POST', path: string, fields: Fields, headers: Fields = {}) {
	const form = new URLSearchParams(fields).toString();
	const response = await request(
		`${simulator.baseUrl}${path}${method === 'GET' ? `?${form}` : ''}`,
		{
			method,
			...(method === 'GET' ? {} : { body: form }),
			headers: {
				...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
				...headers,
			},
		},
	);
	const text = await response.body.text();
	const location = response.headers.location;
	return {
		status: response.statusCode,
		headers: response.headers,
		text,
		// eslint-disable-next-line @typescript-eslint/no-explicit-any
		json: (text.startsWith('{') ? JSON.parse(text) : undefined) as any,
		/** Fields that the browser is sent back with. */
		back: location ? Object.fromEntries(new URL(String(location)).searchParams) : undefined,
		location: location ? String(location) : undefined,
	};
}

const without = (fields: Fields, name: string) => {
	const { [name]: _left, ...rest } = fields;
	return rest;
};

/** Follows the page as a browser does, and returns the code. */
async function allow(fields: Fields = {}) {
	const reply = await send('POST', '/oauth/authorize', { ...asked(fields), decision: 'allow' });
	expect(reply.status).toBe(303);
	return String(reply.back?.code);
}

const exchange = (code: string, fields: Fields = {}, headers: Fields = {}) =>
	send(
		'POST',
		'/oauth/token',
		{
			grant_type: 'authorization_code',
			client_id: 'demo-public',
			code,
			redirect_uri: redirectUri,
			code_verifier: verifier,
			...fields,
		},
		headers,
	);

const refresh = (token: string, fields: Fields = {}) =>
	send('POST', '/oauth/token', {
		grant_type: 'refresh_token',
		client_id: 'demo-public',
		refresh_token: token,
		...fields,
	});

const revoke = (token: string, fields: Fields = {}) =>
	send('POST', '/oauth/revoke', { client_id: 'demo-public', token, ...fields });

async function connect() {
	const { json } = await exchange(await allow());
	return json as { access_token: string; refresh_token: string };
}

async function statusWith(token: string) {
	const { statusCode, body } = await request(`${simulator.baseUrl}/v3/users/me`, {
		headers: { authorization: `Bearer ${token}` },
	});
	await body.dump();
	return statusCode;
}

describe('the consent page', () => {
	test('is a form that sends back what was asked, and lets choose', async () => {
		const page = await send('GET', '/oauth/authorize', asked({ state: `"><b>'&` }));
		expect(page.status).toBe(200);
		expect(page.headers['content-type']).toContain('text/html');
		expect(page.text).toContain('demo-public');
		expect(page.text).toContain('<li>profile</li>');
		expect(page.text).toContain('<form method="post" action="/oauth/authorize">');
		expect(page.text).toContain(`name="code_challenge" value="${challenge}"`);
		expect(page.text).toContain('<button name="decision" value="allow">Allow</button>');
		expect(page.text).toContain('<button name="decision" value="deny">Deny</button>');
		expect(page.text).not.toContain('<b>');
	});

	test('sends back with a code and the state, and keeps the query of the address', async () => {
		const reply = await send('POST', '/oauth/authorize', {
			...asked({ redirect_uri: 'https://flows.example/back?from=1' }),
			decision: 'allow',
		});
		expect(reply.status).toBe(303);
		expect(reply.location).toMatch(/^https:\/\/flows\.example\/back\?from=1&code=/);
		expect(reply.back).toEqual({ from: '1', state: 'state-1', code: expect.any(String) });
	});

	test.each(['deny', ''])('sends back without a code when the answer is "%s"', async (decision) => {
		const reply = await send('POST', '/oauth/authorize', { ...asked(), decision });
		expect(reply.status).toBe(303);
		expect(reply.back).toMatchObject({ error: 'access_denied', state: 'state-1' });
		expect(reply.back).not.toHaveProperty('code');
	});

	test.each<[string, Fields, string]>([
		['another response type', asked({ response_type: 'token' }), 'unsupported_response_type'],
		['no response type', without(asked(), 'response_type'), 'invalid_request'],
		['the plain method', asked({ code_challenge_method: 'plain' }), 'invalid_request'],
		['no method', without(asked(), 'code_challenge_method'), 'invalid_request'],
		['no challenge', without(asked(), 'code_challenge'), 'invalid_request'],
		['a challenge that is too short', asked({ code_challenge: 'abc' }), 'invalid_request'],
		['no state', without(asked(), 'state'), 'invalid_request'],
		['an unknown scope', asked({ scope: 'openid everything' }), 'invalid_scope'],
	])('sends back with an error for %s', async (_name, fields, error) => {
		for (const method of ['GET', 'POST'] as const) {
			const reply = await send(method, '/oauth/authorize', { ...fields, decision: 'allow' });
			expect(reply.status).toBe(303);
			expect(reply.back).toMatchObject({ error, error_description: expect.any(String) });
			expect(reply.back).not.toHaveProperty('code');
			expect(reply.back?.state).toBe(fields.state);
		}
	});

	test.each<[string, Fields]>([
		['an unknown client', asked({ client_id: 'nobody' })],
		['no client', without(asked(), 'client_id')],
		['no address', without(asked(), 'redirect_uri')],
		['an address in clear text', asked({ redirect_uri: 'http://flows.example/back' })],
		['another kind of address', asked({ redirect_uri: 'javascript:alert(1)' })],
		['an address with a fragment', asked({ redirect_uri: 'https://flows.example/#here' })],
	])('never sends back for %s', async (_name, fields) => {
		for (const method of ['GET', 'POST'] as const) {
			const reply = await send(method, '/oauth/authorize', { ...fields, decision: 'allow' });
			expect(reply.status).toBe(400);
			expect(reply.location).toBeUndefined();
			expect(reply.headers['content-type']).toContain('text/html');
		}
	});

	test('takes a request without scopes', async () => {
		const code = await allow({ scope: '' });
		expect((await exchange(code)).json.scope).toBe('openid profile email');
	});
});

describe('a code', () => {
	test('becomes tokens that the API accepts', async () => {
		const reply = await exchange(await allow());
		expect(reply.status).toBe(200);
		expect(reply.headers['cache-control']).toBe('no-store');
		expect(reply.json).toEqual({
			access_token: expect.any(String),
			token_type: 'Bearer',
			expires_in: 3600,
			scope: 'openid profile email',
			refresh_token: expect.any(String),
		});
		expect(await statusWith(reply.json.access_token)).toBe(200);
		expect(await statusWith(reply.json.refresh_token)).toBe(401);
		expect(simulator.control.oauth()).toEqual({
			accessTokens: [reply.json.access_token],
			refreshTokens: [reply.json.refresh_token],
		});
	});

	test.each<[string, Fields, string]>([
		['another verifier', { code_verifier: randomBytes(32).toString('base64url') }, 'invalid_grant'],
		['the challenge for a verifier', { code_verifier: challenge }, 'invalid_grant'],
		['a malformed verifier', { code_verifier: 'short' }, 'invalid_request'],
		['no verifier', { code_verifier: '' }, 'invalid_request'],
		['another address', { redirect_uri: 'http://localhost:5678/other' }, 'invalid_grant'],
		['no address', { redirect_uri: '' }, 'invalid_request'],
		['another code', { code: 'sim_code_unknown' }, 'invalid_grant'],
		['no code', { code: '' }, 'invalid_request'],
		['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
		['no grant type', { grant_type: '' }, 'invalid_request'],
	])('is not exchanged with %s', async (_name, fields, error) => {
		const code = await allow();
		const reply = await exchange(code, fields);
		expect(reply.status).toBe(400);
		expect(reply.json).toEqual({ error, error_description: expect.any(String) });
		expect((await exchange(code)).status).toBe(200);
	});

	test('works once, and its second use ends what the first gave', async () => {
		const code = await allow();
		const { access_token: token, refresh_token: renewal } = (await exchange(code)).json;
		const again = await exchange(code);
		expect(again.status).toBe(400);
		expect(again.json.error).toBe('invalid_grant');
		expect(await statusWith(token)).toBe(401);
		expect((await refresh(renewal)).json.error).toBe('invalid_grant');
	});

	test('is good for ten minutes', async () => {
		const [first, second] = [await allow(), await allow()];
		simulator.control.clock.advance(590);
		expect((await exchange(first)).status).toBe(200);
		simulator.control.clock.advance(11);
		expect((await exchange(second)).json.error).toBe('invalid_grant');
	});

	test('is of one client', async () => {
		const code = await allow({ client_id: 'demo-confidential' });
		expect((await exchange(code)).json.error).toBe('invalid_grant');
	});

	test('is taken as a form only', async () => {
		const fields = {
			grant_type: 'authorization_code',
			client_id: 'demo-public',
			code: await allow(),
			redirect_uri: redirectUri,
			code_verifier: verifier,
		};
		const reply = await request(`${simulator.baseUrl}/oauth/token`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(fields),
		});
		expect(reply.statusCode).toBe(400);
		expect(((await reply.body.json()) as Fields).error).toBe('invalid_request');
		expect((await exchange(fields.code)).status).toBe(200);
	});
});

describe('a client', () => {
	const confidential = { client_id: 'demo-confidential' };
	const secret = 'demo-confidential-secret';
	const basic = (id: string, password: string) => ({
		authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
	});

	test.each<[string, Fields, Fields]>([
		['in the form', { ...confidential, client_secret: secret }, {}],
		['as Basic', { client_id: '' }, basic('demo-confidential', secret)],
		['as Basic, named in the form too', confidential, basic('demo-confidential', secret)],
	])('shows its secret %s', async (_name, fields, headers) => {
		const code = await allow(confidential);
		expect((await exchange(code, fields, headers)).status).toBe(200);
	});

	test('without a secret may send an empty one, or a Basic header without one', async () => {
		expect((await exchange(await allow(), { client_secret: '' })).status).toBe(200);
		const header = basic('demo-public', '');
		expect((await exchange(await allow(), { client_id: '' }, header)).status).toBe(200);
	});

	test.each<[string, Fields, Fields]>([
		['that is unknown', { client_id: 'nobody' }, {}],
		['that is not named', { client_id: '' }, {}],
		['with a wrong secret', { ...confidential, client_secret: 'wrong' }, {}],
		['with a wrong secret as Basic', { client_id: '' }, basic('demo-confidential', 'wrong')],
		['without the secret it has', confidential, {}],
		['with a secret it has not', { client_secret: 'some' }, {}],
	])('is refused %s', async (_name, fields, headers) => {
		const code = await allow({ client_id: fields.client_id || 'demo-public' }).catch(() => 'none');
		const reply = await exchange(code, fields, headers);
		expect(reply.status).toBe(401);
		expect(reply.json.error).toBe('invalid_client');
		expect(reply.headers['www-authenticate']).toContain('Basic');
	});
});

describe('an access token', () => {
	test('ends with its time, in simulated seconds', async () => {
		await restart({ tokenSeconds: 100 });
		const reply = await exchange(await allow());
		expect(reply.json.expires_in).toBe(100);
		simulator.control.clock.advance(90);
		expect(await statusWith(reply.json.access_token)).toBe(200);
		simulator.control.reset();
		expect(await statusWith(reply.json.access_token)).toBe(200);
		simulator.control.clock.advance(11);
		expect(await statusWith(reply.json.access_token)).toBe(401);
		expect((await refresh(reply.json.refresh_token)).status).toBe(200);
	});

	test('is refused once the control has expired it, and a new one works', async () => {
		const { access_token: token, refresh_token: renewal } = await connect();
		simulator.control.expireTokens();
		expect(await statusWith(token)).toBe(401);
		expect(await statusWith(simulator.accessToken)).toBe(401);
		const renewed = (await refresh(renewal)).json;
		expect(renewed.access_token).not.toBe(token);
		expect(await statusWith(renewed.access_token)).toBe(200);
	});
});

describe('a refresh token', () => {
	test('stays the same without rotation', async () => {
		const { refresh_token: renewal } = await connect();
		const first = await refresh(renewal);
		expect(first.status).toBe(200);
		expect(first.json).not.toHaveProperty('refresh_token');
		expect(first.json).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
		const second = await refresh(renewal);
		expect(await statusWith(first.json.access_token)).toBe(200);
		expect(await statusWith(second.json.access_token)).toBe(200);
	});

	test('is spent with rotation, and its second use ends the access', async () => {
		await restart({ rotateRefreshTokens: true });
		const { refresh_token: renewal } = await connect();
		const first = (await refresh(renewal)).json;
		expect(first.refresh_token).not.toBe(renewal);
		const second = (await refresh(first.refresh_token)).json;
		expect(await statusWith(second.access_token)).toBe(200);
		expect((await refresh(renewal)).json.error).toBe('invalid_grant');
		expect(await statusWith(second.access_token)).toBe(401);
		expect((await refresh(second.refresh_token)).json.error).toBe('invalid_grant');
	});

	test('narrows the scope, and never widens it', async () => {
		const { refresh_token: renewal } = await connect();
		expect((await refresh(renewal, { scope: 'email' })).json.scope).toBe('email');
		expect((await refresh(renewal, { scope: 'email videos:read' })).json.error).toBe(
			'invalid_scope',
		);
		expect((await refresh(renewal)).json.scope).toBe('openid profile email');
	});

	test.each<[string, Fields, string]>([
		['missing', { refresh_token: '' }, 'invalid_request'],
		['unknown', { refresh_token: 'nobody' }, 'invalid_grant'],
		[
			'of another client',
			{ client_id: 'demo-confidential', client_secret: 'demo-confidential-secret' },
			'invalid_grant',
		],
	])('is refused when it is %s', async (_name, fields, error) => {
		const { refresh_token: renewal } = await connect();
		const reply = await refresh(renewal, fields);
		expect(reply.status).toBe(400);
		expect(reply.json.error).toBe(error);
	});
});

describe('revocation', () => {
	test('of a refresh token ends all', async () => {
		const { access_token: token, refresh_token: renewal } = await connect();
		const reply = await revoke(renewal, { token_type_hint: 'access_token' });
		expect(reply.status).toBe(200);
		expect(await statusWith(token)).toBe(401);
		expect((await refresh(renewal)).json.error).toBe('invalid_grant');
	});

	test('of an access token leaves the refresh token', async () => {
		const { access_token: token, refresh_token: renewal } = await connect();
		expect((await revoke(token)).status).toBe(200);
		expect(await statusWith(token)).toBe(401);
		expect((await refresh(renewal)).status).toBe(200);
	});

	test('takes unknown tokens, and refuses what it cannot judge', async () => {
		const { access_token: token } = await connect();
		expect((await revoke('nobody')).status).toBe(200);
		expect((await revoke('')).json.error).toBe('invalid_request');
		expect((await revoke(token, { client_id: 'nobody' })).status).toBe(401);
		const other = { client_id: 'demo-confidential', client_secret: 'demo-confidential-secret' };
		expect((await revoke(token, other)).json.error).toBe('unauthorized_client');
		expect(await statusWith(token)).toBe(200);
	});

	test('by the control ends every access', async () => {
		const [first, second] = [await connect(), await connect()];
		simulator.control.revokeGrants();
		expect(await statusWith(first.access_token)).toBe(401);
		expect((await refresh(second.refresh_token)).json.error).toBe('invalid_grant');
	});
});

test('a field that is given twice is refused', async () => {
	const twice = `${new URLSearchParams(asked())}&client_id=demo-confidential`;
	const page = await request(`${simulator.baseUrl}/oauth/authorize?${twice}`);
	expect(page.statusCode).toBe(400);
	await page.body.dump();
	const token = await request(`${simulator.baseUrl}/oauth/token`, {
		method: 'POST',
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		body: 'grant_type=refresh_token&client_id=demo-public&refresh_token=a&refresh_token=b',
	});
	expect(((await token.body.json()) as Fields).error).toBe('invalid_request');
});

test('the API itself takes no forms', async () => {
	const reply = await request(`${simulator.baseUrl}/v3/folders`, {
		method: 'POST',
		headers: {
			'content-type': 'application/x-www-form-urlencoded',
			'x-api-key': simulator.apiKey,
		},
		body: 'name=Folder',
	});
	expect(reply.statusCode).toBe(400);
	expect(((await reply.body.json()) as { error: Fields }).error.code).toBe('invalid_parameter');
});

test('the control over HTTP expires, revokes and shows', async () => {
	const { access_token: token, refresh_token: renewal } = await connect();
	const control = async (method: 'GET' | 'POST', path: string) => {
		const { body } = await request(`${simulator.baseUrl}/_control/${path}`, { method });
		return await body.json();
	};
	await control('POST', 'expire-tokens');
	expect(await statusWith(token)).toBe(401);
	expect((await refresh(renewal)).status).toBe(200);
	await control('POST', 'revoke-grants');
	expect((await refresh(renewal)).status).toBe(400);
	expect(await control('GET', 'oauth')).toEqual(simulator.control.oauth());
});
