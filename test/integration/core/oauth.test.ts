/** OAuth credentials: renewal of the token, and the errors if it fails. */
import { createHash, randomBytes } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { request } from 'undici';
import { startSimulator, type Simulator } from '../../../simulator';
import { isTransient } from '../support/core';
import { byId, runNode } from '../support/engine';

let simulator: Simulator;
beforeEach(async () => {
	simulator = await startSimulator({ jobSeconds: 0, rotateRefreshTokens: true });
});
afterEach(() => simulator.close());

const post = async (path: string, fields: Record<string, string>) =>
	await request(simulator.baseUrl + path, {
		method: 'POST',
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		body: new URLSearchParams(fields).toString(),
	});

/** Creates a credential as n8n stores it after the account was connected. */
async function connectAccount(): Promise<IDataObject> {
	const verifier = randomBytes(32).toString('base64url');
	const redirect_uri = 'http://localhost:5678/rest/oauth2-credential/callback';
	const response = await post('/oauth/authorize', {
		response_type: 'code',
		client_id: 'demo-public',
		redirect_uri,
		state: 'state',
		code_challenge: createHash('sha256').update(verifier).digest('base64url'),
		code_challenge_method: 'S256',
		decision: 'allow',
	});
	await response.body.dump();
	const tokens = await post('/oauth/token', {
		grant_type: 'authorization_code',
		client_id: 'demo-public',
		code: new URL(String(response.headers.location)).searchParams.get('code') ?? '',
		redirect_uri,
		code_verifier: verifier,
	});
	return {
		...createCredential(),
		oauthTokenData: (await tokens.body.json()) as IDataObject,
	};
}

const createCredential = (): IDataObject => ({
	grantType: 'pkce',
	clientId: 'demo-public',
	clientSecret: '',
	authentication: 'body',
	accessTokenUrl: `${simulator.baseUrl}/oauth/token`,
});

const runSignedIn = async (credential: IDataObject, parameters: INodeParameters, count = 1) =>
	await runNode(
		simulator,
		'VideoGenVideo',
		{ authentication: 'oAuth2', ...parameters },
		{
			items: Array.from({ length: count }, (_, i) => ({ json: { name: `Name ${i}` } })),
			credential,
			node: { credentials: { videoGenOAuth2Api: { id: '1', name: 'My account' } } },
		},
	);

const list = async (credential: IDataObject) =>
	await runSignedIn(credential, { operation: 'getMany', limit: 1 });

const create = async (credential: IDataObject, count = 1) =>
	await runSignedIn(
		credential,
		{
			operation: 'createAvatar',
			avatar_id: byId('look_001_1'),
			speechFrom: 'text',
			script: '=Hello {{ $json.name }}, this is a long enough text.',
			voice_id: byId('voice_001'),
			waitForCompletion: false,
		},
		count,
	);

const listRequests = () =>
	simulator.control.requests().map(({ method, path }) => `${method} ${path}`);
const countVideos = () => simulator.control.jobs('video').length;

test('an account that was never connected is an error before any request', async () => {
	for (const credential of [createCredential(), { ...createCredential(), oauthTokenData: {} }]) {
		const { error } = await list(credential);
		expect(error?.message).toContain('The account is not connected yet');
		expect(error?.description).toContain('Open the credential "My account", connect');
	}
	expect(listRequests()).toEqual([]);
});

test('an expired token is renewed once for all requests, and nothing is created twice', async () => {
	const credential = await connectAccount();
	simulator.control.expireTokens();
	const { items, error } = await create(credential, 5);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(5);
	expect(countVideos()).toBe(5);
	const renewals = simulator.control
		.requests({ path: '/oauth/token' })
		.filter(({ body }) => (body as IDataObject).grant_type === 'refresh_token');
	expect(renewals).toHaveLength(1);
});

test('an account whose access was withdrawn must be connected again', async () => {
	const credential = await connectAccount();
	simulator.control.revokeGrants();
	const { error, run } = await create(credential, 2);
	expect(error?.message).toContain('The account must be connected again');
	expect(error?.description).toContain('Open the credential "My account", reconnect');
	expect(error?.description).not.toContain('API key');
	expect(error?.context?.details).toMatchObject({ code: 'unauthorized', status: 401 });
	expect(isTransient(error)).toBe(false);
	expect(countVideos()).toBe(0);
	const { accessTokens, refreshTokens } = simulator.control.oauth();
	for (const secret of [...accessTokens, ...refreshTokens]) {
		expect(JSON.stringify(run.data.resultData)).not.toContain(secret);
	}
});

test.each<[string, IDataObject]>([
	['the refresh token is missing', { oauthTokenData: { access_token: 'old' } }],
	['the client is unknown', { clientId: 'nobody' }],
	['the client secret is wrong', { clientSecret: 'some secret' }],
	['the token URL leads to another page', { accessTokenUrl: '/v3/unheard-of' }],
])('the account must be connected again when %s', async (_name, change) => {
	const credential = { ...(await connectAccount()), ...change };
	if (String(credential.accessTokenUrl).startsWith('/')) {
		credential.accessTokenUrl = `${simulator.baseUrl}${String(credential.accessTokenUrl)}`;
	}
	simulator.control.expireTokens();
	const { error } = await create(credential);
	expect(error?.message).toContain('The account must be connected again');
	expect(error?.description).toMatch(/Reason: \S/);
	expect(JSON.stringify(error)).not.toContain('some secret');
	expect(countVideos()).toBe(0);
});

test.each([
	{ status: 503, body: { message: 'not now' } },
	{ status: 429, body: 'slow down' },
	{ cut: 'before' as const },
])('a create waits while the renewal fails temporarily (%j)', async (fault) => {
	const credential = await connectAccount();
	simulator.control.expireTokens();
	simulator.control.fail({ path: '/oauth/token', times: 1, ...fault });
	const { error } = await create(credential);
	expect(error).toBeUndefined();
	expect(countVideos()).toBe(1);
});

test('a token endpoint that cannot be reached is an error about its URL', async () => {
	const credential = await connectAccount();
	simulator.control.expireTokens();
	const { error } = await create({ ...credential, accessTokenUrl: 'http://127.0.0.1:1/token' });
	expect(error?.message).toContain('The access to the account cannot be renewed at the moment');
	expect(error?.description).toContain('Access Token URL of the credential "My account"');
	expect(error?.context?.details).toMatchObject({ code: 'econnrefused' });
	expect(isTransient(error)).toBe(true);
	expect(countVideos()).toBe(0);
});

test('errors of the service itself are not errors of the renewal', async () => {
	const credential = await connectAccount();
	simulator.control.fail({ path: '/v3/videos', method: 'POST', status: 401, times: 2 });
	const refused = await create(credential);
	expect(refused.error?.message).toContain('The service does not accept the credential');

	simulator.control.fail({ path: '/v3/videos', method: 'POST', status: 400 });
	const wrong = await create(await connectAccount());
	expect(wrong.error?.message).toContain('The service does not accept a value');

	simulator.control.clearFaults();
	const unreachable = await runNode(
		{ ...simulator, baseUrl: 'http://127.0.0.1:1' },
		'VideoGenVideo',
		{ authentication: 'oAuth2', operation: 'getMany', limit: 1 },
		{
			credential: await connectAccount(),
			node: { credentials: { videoGenOAuth2Api: { id: '1', name: 'My account' } } },
		},
	);
	expect(unreachable.error?.message).toContain('The service cannot be reached');
});
