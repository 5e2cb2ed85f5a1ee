/** OAuth credentials: renewal of the token, and the errors if it fails. */
import { createHash, randomBytes } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { request } from 'undici';
import { avatar, items, readLog, session, waiting } from '../support/calls';
import { isTransientError } from '../support/core';
import { runNode } from '../support/engine';
import { useService } from '../support/service';
import { waitFor, withVirtualTime } from '../support/time';

const service = useService({ rotateRefreshTokens: true });

const post = async (path: string, fields: Record<string, string>) =>
	await request(service.baseUrl + path, {
		method: 'POST',
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		body: new URLSearchParams(fields).toString(),
	});

const createCredential = (): IDataObject => ({
	grantType: 'pkce',
	clientId: 'demo-public',
	clientSecret: '',
	authentication: 'body',
	accessTokenUrl: `${service.baseUrl}/oauth/token`,
});

/** Creates a credential as n8n stores it after the account was connected. */
async function connectAccount(): Promise<IDataObject> {
	const code_verifier = randomBytes(32).toString('base64url');
	const client = {
		client_id: 'demo-public',
		redirect_uri: 'http://localhost:5678/rest/oauth2-credential/callback',
	};
	const response = await post('/oauth/authorize', {
		...client,
		response_type: 'code',
		state: 'state',
		code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
		code_challenge_method: 'S256',
		decision: 'allow',
	});
	await response.body.dump();
	const code = new URL(String(response.headers.location)).searchParams.get('code') ?? '';
	const grant = { ...client, grant_type: 'authorization_code', code, code_verifier };
	const tokens = await post('/oauth/token', grant);
	return { ...createCredential(), oauthTokenData: (await tokens.body.json()) as IDataObject };
}

/** Connects an account whose access token has expired. */
async function connectExpired() {
	const credential = await connectAccount();
	service.control.expireTokens();
	return credential;
}

/** Creates videos with this credential. */
const create = async (credential: IDataObject, count = 1) =>
	await runNode(
		service,
		'VideoGenVideo',
		{ ...avatar(), authentication: 'oAuth2' },
		{
			items: items(count),
			credential,
			node: { credentials: { videoGenOAuth2Api: { id: '1', name: 'My account' } } },
		},
	);

const countVideos = () => service.control.jobs('video').length;

test('an account that was never connected is an error before any request', async () => {
	for (const credential of [createCredential(), { ...createCredential(), oauthTokenData: {} }]) {
		const { error } = await create(credential);
		expect(error?.message).toContain('The account is not connected yet');
		expect(error?.description).toContain('Open the credential "My account", connect');
	}
	expect(service.control.requests()).toEqual([]);
});

test('an expired token is renewed once for all requests, and nothing is created twice', async () => {
	const { items: out, error } = await create(await connectExpired(), 5);
	expect(error).toBeUndefined();
	expect(out).toHaveLength(5);
	expect(countVideos()).toBe(5);
	const renewals = service.control
		.requests({ path: '/oauth/token' })
		.filter(({ body }) => (body as IDataObject).grant_type === 'refresh_token');
	expect(renewals).toHaveLength(1);
});

test('a session is stopped together with its execution, although its token has expired', async () => {
	const credential = await connectAccount();
	service.control.holdJobs(true);
	const lines = readLog();
	const form = { ...session(waiting({ stopJob: true })), authentication: 'oAuth2' };
	const stopLater = async (stop: () => void) => {
		await waitFor(() => lines.some((line) => line.includes('VideoGen started')));
		service.control.expireTokens();
		stop();
	};
	await withVirtualTime(service, async () => {
		await runNode(service, 'VideoGenAgent', form, {
			credential,
			node: { credentials: { videoGenOAuth2Api: { id: '1', name: 'My account' } } },
			onStart: (stop) => void stopLater(stop),
		});
		await waitFor(() => lines.some((line) => line.includes('has also stopped')));
	});
	expect(service.control.requests({ method: 'POST', path: /\/stop$/ })).not.toEqual([]);
	jest.restoreAllMocks();
});

test('an account whose access was withdrawn must be connected again', async () => {
	const credential = await connectAccount();
	service.control.revokeGrants();
	const { error, run } = await create(credential, 2);
	expect(error?.message).toContain('The account must be reconnected');
	expect(error?.description).toContain('Open the credential "My account", reconnect');
	expect(error?.description).not.toContain('API key');
	expect(error?.context?.details).toMatchObject({ code: 'unauthorized', status: 401 });
	expect(isTransientError(error)).toBe(false);
	expect(countVideos()).toBe(0);
	const { accessTokens, refreshTokens } = service.control.oauth();
	for (const secret of [...accessTokens, ...refreshTokens]) {
		expect(JSON.stringify(run.data.resultData)).not.toContain(secret);
	}
});

test.each<[string, () => IDataObject]>([
	['the refresh token is missing', () => ({ oauthTokenData: { access_token: 'old' } })],
	['the client is unknown', () => ({ clientId: 'nobody' })],
	['the client secret is wrong', () => ({ clientSecret: 'some secret' })],
	[
		'the token URL leads to another page',
		() => ({ accessTokenUrl: `${service.baseUrl}/v3/unheard-of` }),
	],
])('the account must be connected again when %s', async (_, change) => {
	const { error } = await create({ ...(await connectExpired()), ...change() });
	expect(error?.message).toContain('The account must be reconnected');
	expect(error?.description).toMatch(/Reason: \S/);
	expect(JSON.stringify(error)).not.toContain('some secret');
	expect(countVideos()).toBe(0);
});

test.each([
	{ status: 503, body: { message: 'not now' } },
	{ status: 429, body: 'slow down' },
	{ cut: 'before' as const },
])('a create waits while the renewal fails temporarily (%j)', async (fault) => {
	const credential = await connectExpired();
	service.control.fail({ path: '/oauth/token', times: 1, ...fault });
	expect((await create(credential)).error).toBeUndefined();
	expect(countVideos()).toBe(1);
});

test('a token endpoint that cannot be reached is an error about its URL', async () => {
	const accessTokenUrl = 'http://127.0.0.1:1/token';
	const { error } = await create({ ...(await connectExpired()), accessTokenUrl });
	expect(error?.message).toContain('Access to the account cannot be renewed at the moment');
	expect(error?.description).toContain('Access Token URL in the credential "My account"');
	expect(error?.context?.details).toMatchObject({ code: 'econnrefused' });
	expect(isTransientError(error)).toBe(true);
	expect(countVideos()).toBe(0);
});

test('errors of the service itself are not errors of the renewal', async () => {
	const credential = await connectAccount();
	service.control.fail({ path: '/v3/videos', method: 'POST', status: 401, times: 2 });
	service.control.fail({ path: '/v3/videos', method: 'POST', status: 400 });
	const baseUrl = 'http://127.0.0.1:1';
	for (const [one, words] of [
		[credential, 'The service rejected the credential'],
		[await connectAccount(), 'The control API injected this error'],
		[{ ...(await connectAccount()), baseUrl }, 'The service cannot be reached'],
	] as const) {
		expect((await create(one)).error?.message).toContain(words);
	}
});
