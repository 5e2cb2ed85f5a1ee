import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { request } from 'undici';
import { projectRoot } from '../../../tools/install';
import type { Stage } from '../../../tools/stage';
import type { Flow } from '../flow';
import { errorOf, type Execution, type Reference } from '../n8n';
import { connectAccount, saveAccount, accountType as type } from '../oauth';
import {
	byId,
	chain,
	errorText,
	itemsNode,
	type Link,
	runDraft,
	start,
	succeeded,
	until,
} from '../workflows';

const secret = 'demo-confidential-secret';

/** A node that signs in with an account. */
const signedIn = (
	name: string,
	nodeType: string,
	credential: Reference,
	parameters: INodeParameters,
	more: Link['more'] = {},
): Link => ({
	name,
	type: nodeType,
	parameters: { authentication: 'oAuth2', ...parameters },
	more: { credentials: { [type]: credential }, ...more },
});

const list = (credential: Reference, more?: Link['more']) =>
	chain('List', [
		start,
		signedIn('List', 'video', credential, { operation: 'getMany', limit: 2 }, more),
	]);

const speaking: INodeParameters = {
	speechFrom: 'text',
	script: 'Hello there, this is a long enough text.',
	voice_id: byId('voice_001'),
	waitForCompletion: false,
};

const create = (credential: Reference, count: number, more?: Link['more']) =>
	chain('Create', [
		start,
		...itemsNode(Array.from({ length: count }, (_, i) => ({ name: `Name ${i}` }))),
		signedIn(
			'Create',
			'video',
			credential,
			{
				operation: 'createAvatar',
				avatar_id: byId('look_001_1'),
				...speaking,
				script: '=Hello {{ $json.name }}, this is a long enough text.',
			},
			more,
		),
	]);

/** What the simulator was asked from here on, as `GET /v3/videos 200`. */
function watch({ control }: Stage['simulator']) {
	const from = control.requests().length;
	const asked = () => control.requests().slice(from);
	return {
		lines: () => asked().map(({ method, path, status }) => `${method} ${path} ${status}`),
		bearers: () =>
			asked().flatMap(({ headers: { authorization } }) =>
				String(authorization ?? '').startsWith('Bearer ') ? [String(authorization).slice(7)] : [],
			),
		renewals: () =>
			asked().filter(
				({ path, body }) =>
					path === '/oauth/token' &&
					(body as { grant_type?: string }).grant_type === 'refresh_token',
			),
	};
}

/** Connecting, and the tokens that follow from it. */
async function connects(stage: Stage, account: Reference) {
	const { simulator } = stage;
	const unconnected = await runDraft(stage, list(account));
	assert.equal(unconnected.status, 'error');
	assert.match(errorText(unconnected), /^The account is not connected yet\b/);
	assert.match(errorText(unconnected), /Open the credential "Public account"/);

	await connectAccount(stage, account, 'deny');
	assert.equal((await runDraft(stage, list(account))).status, 'error', 'denied is not connected');

	const seen = watch(simulator);
	const { challenge } = await connectAccount(stage, account);
	const exchange = simulator.control.requests({ method: 'POST', path: '/oauth/token' }).at(-1);
	const { code_verifier, client_secret, client_id, grant_type } = exchange?.body as Record<
		string,
		string
	>;
	assert.equal(grant_type, 'authorization_code');
	assert.equal(client_id, 'demo-public');
	assert.equal(client_secret, undefined, 'a public client shows no secret');
	assert.equal(
		createHash('sha256')
			.update(code_verifier ?? '')
			.digest('base64url'),
		challenge,
	);

	const items = succeeded(await runDraft(stage, list(account)), 'List');
	assert.equal(items.length, 2);
	assert.deepEqual(seen.bearers(), simulator.control.oauth().accessTokens);
}

/** Tokens that have expired are renewed without anybody noticing. */
async function renews(stage: Stage, account: Reference) {
	const { n8n, simulator } = stage;
	const { control } = simulator;
	const videos = () => control.jobs('video').length;

	control.expireTokens();
	let seen = watch(simulator);
	succeeded(await runDraft(stage, list(account)), 'List');
	assert.deepEqual(seen.lines(), [
		...Array<string>(n8n.line.rejectionsBeforeTokenRenewal).fill('GET /v3/videos 401'),
		'POST /oauth/token 200',
		'GET /v3/videos 200',
	]);
	const [before, after] = [seen.bearers().at(0), seen.bearers().at(-1)];
	assert.notEqual(before, after, 'repeated with the new token');

	// Several requests at once that all need a new token, each of them costs money.
	control.expireTokens();
	seen = watch(simulator);
	let made = videos();
	assert.equal(succeeded(await runDraft(stage, create(account, 5)), 'Create').length, 5);
	assert.equal(seen.renewals().length, 1, 'one renewal for all');
	assert.equal(videos(), made + 5, 'no job twice');

	// A file of an item is sent again as a whole.
	control.expireTokens();
	seen = watch(simulator);
	made = videos();
	const download: Link = {
		name: 'Download',
		type: 'video',
		parameters: {
			operation: 'download',
			video_id: byId('video_001'),
			files: ['thumbnail'],
			binaryPropertyName: 'data',
		},
	};
	const picture = { __rl: true as const, mode: 'binary', value: 'data' };
	const fromPicture = chain('Picture', [
		start,
		download,
		signedIn('Create', 'video', account, {
			operation: 'createImage',
			image: picture,
			...speaking,
		}),
	]);
	succeeded(await runDraft(stage, fromPicture), 'Create');
	assert.equal(seen.renewals().length, 1);
	assert.equal(videos(), made + 1);
	const { body } = control.requests({ method: 'POST', path: '/v3/videos' }).at(-1) ?? {};
	const { asset_id } = (body as { image: { asset_id: string } }).image;
	const stored = await request(
		String(
			(
				(await (
					await request(`${simulator.baseUrl}/v3/assets/${asset_id}`, {
						headers: { 'x-api-key': simulator.apiKey },
					})
				).body.json()) as { data: { url: string } }
			).data.url,
		),
	);
	const thumbnail = readFileSync(join(projectRoot, 'simulator', 'media', 'thumbnail.jpg'));
	assert.ok(thumbnail.equals(Buffer.from(await stored.body.arrayBuffer())), 'every byte of it');

	// A list in the editor.
	control.expireTokens();
	const { results } = await n8n.listSearch({
		type: 'n8n-nodes-videogen.videoGenVideo',
		path: 'voice_id',
		method: 'searchVoices',
		parameters: { authentication: 'oAuth2', operation: 'createAvatar' },
		credentials: { [type]: account },
	});
	assert.ok(results.length > 0);

	// A trigger, when it is switched on and off.
	const endpoints = () => control.endpoints().length;
	control.expireTokens();
	const { id } = await n8n.createWorkflow(
		chain('Trigger', [
			signedIn(
				'Trigger',
				'trigger',
				account,
				{ events: ['avatar_video.success'], options: {} },
				{ webhookId: crypto.randomUUID() },
			),
		]),
	);
	await n8n.activate(id);
	assert.equal(endpoints(), 1);
	control.expireTokens();
	await n8n.deactivate(id);
	assert.equal(endpoints(), 0, 'the endpoint is removed with a new token');
}

/** The place that renews tokens is out of order for a moment, or for longer. */
async function survivesAnOutage(stage: Stage, account: Reference) {
	const { control } = stage.simulator;
	const made = control.jobs('video').length;
	for (const trouble of [{ status: 503 }, { status: 429 }, { cut: 'before' as const }]) {
		control.expireTokens();
		control.fail({ path: '/oauth/token', times: 1, body: { message: 'not now' }, ...trouble });
		succeeded(await runDraft(stage, create(account, 1)), 'Create');
	}
	assert.equal(control.jobs('video').length, made + 3, 'no job twice');

	control.expireTokens();
	control.fail({ path: '/oauth/token', status: 500, body: { message: 'out of order' } });
	const failed = await runDraft(stage, create(account, 1));
	control.clearFaults();
	assert.equal(failed.status, 'error');
	assert.match(errorText(failed), /^Access to the account cannot be renewed at the moment/);
	assert.match(errorText(failed), /check the Access Token URL in the credential "Public account"/);
	assert.equal(control.jobs('video').length, made + 3, 'nothing was created');
	return failed;
}

/** The stop button, pressed while n8n renews a token. */
async function stops({ n8n, simulator: { control } }: Stage, account: Reference) {
	control.expireTokens();
	control.fail({ path: '/oauth/token', times: 1, delayMs: 2000 });
	const made = control.jobs('video').length;
	const { id } = await n8n.createWorkflow(create(account, 1));
	const renewals = () => control.requests({ path: '/oauth/token' });
	const before = renewals().length;
	const executionId = await n8n.start(id);
	await until('the renewal', () => renewals().length > before);
	await n8n.stopExecution(executionId);
	const stopped = await n8n.waitForExecution({ id: executionId }, { until: ['canceled'] });
	await until('the end of the renewal', () => renewals().at(-1)?.status === 200);
	await new Promise((resolve) => setTimeout(resolve, 1000));
	assert.equal(control.jobs('video').length, made, 'nothing is created after the stop');
	return stopped;
}

/** The user withdraws the access: the error says what to do, and doing it helps. */
async function reconnects(stage: Stage, account: Reference) {
	const { control } = stage.simulator;
	const made = control.jobs('video').length;
	control.revokeGrants();
	const failed = await runDraft(stage, create(account, 2));
	assert.equal(failed.status, 'error');
	assert.match(errorText(failed), /^The account must be reconnected\b/);
	assert.match(errorText(failed), /Open the credential "Public account", reconnect/);
	assert.doesNotMatch(errorText(failed), /API key|Base URL/);

	const continued = await runDraft(
		stage,
		list(account, { onError: 'continueRegularOutput', retryOnFail: true, waitBetweenTries: 10 }),
	);
	const [item] = succeeded(continued, 'List');
	assert.match(JSON.stringify(item?.json), /unauthorized/);
	assert.match(JSON.stringify(item?.json), /must be reconnected/);
	assert.equal(control.jobs('video').length, made, 'nothing was created');

	await connectAccount(stage, account);
	succeeded(await runDraft(stage, list(account)), 'List');
	return failed;
}

/** A client with a secret shows it, for the first tokens and for the next. */
async function usesASecret(stage: Stage) {
	const { control } = stage.simulator;
	const account = await saveAccount(stage, 'Confidential account', {
		clientId: 'demo-confidential',
		clientSecret: secret,
	});
	const seen = watch(stage.simulator);
	await connectAccount(stage, account);
	control.expireTokens();
	succeeded(await runDraft(stage, list(account)), 'List');
	const exchanges = control.requests({ path: '/oauth/token' }).slice(-2);
	/** In the body, or before it as HTTP knows it: n8n 1 does that at the first exchange. */
	const shown = ({ body, headers }: (typeof exchanges)[number]) =>
		(body as { client_secret?: string }).client_secret ??
		Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64')
			.toString()
			.split(':')[1];
	assert.deepEqual(
		exchanges.map((one) => [shown(one), one.status]),
		[
			[secret, 200],
			[secret, 200],
		],
	);
	assert.equal(seen.renewals().length, 1);
	control.revokeGrants();
	const failed = await runDraft(stage, list(account));
	assert.match(errorText(failed), /^The account must be reconnected\b/);
	return failed;
}

/** No secret is in what n8n logs and keeps, whatever went wrong with the secrets in play. */
async function keepsSecrets(stage: Stage, failures: Execution[]) {
	const { n8n, simulator } = stage;
	const { accessTokens, refreshTokens } = simulator.control.oauth();
	const secrets = [...accessTokens, ...refreshTokens, simulator.apiKey, secret];
	assert.ok(accessTokens.length > 10 && refreshTokens.length > 10);
	for (const failure of failures) assert.ok(errorOf(failure), 'a failing run is among them');

	const executions = await n8n.executions({});
	assert.ok(executions.length > 15);
	const kept = new Map<string, string>();
	for (const { id } of executions) {
		const { data } = await n8n.api<{ data: string }>('GET', `/executions/${id}`);
		kept.set(`execution ${id}`, data);
	}
	kept.set('log', n8n.logs());
	assert.match(n8n.logs(), /OAuth2 token for .+ expired/, 'the log contains everything');
	assert.match([...kept.values()].join(''), /must be reconnected/);
	for (const [place, text] of kept) {
		for (const one of secrets) assert.ok(!text.includes(one), `${place} holds ${one}`);
	}
}

export const flow: Flow = {
	name: 'OAuth: an account is connected, its tokens are renewed silently, and the end of its access is reported clearly',
	older: 'main',
	run: async (context) => {
		const stage = await context.startOwn({
			simulator: { jobSeconds: 0, rotateRefreshTokens: true },
			env: { N8N_LOG_LEVEL: 'debug' },
		});
		const { control } = stage.simulator;
		const account = await saveAccount(stage, 'Public account', {
			clientId: 'demo-public',
			clientSecret: '',
		});
		await connects(stage, account);
		await renews(stage, account);
		const failures = [await survivesAnOutage(stage, account)];
		const stopped = await stops(stage, account);
		assert.equal(stopped.status, 'canceled');
		// What was renewed in the meantime was kept.
		succeeded(await runDraft(stage, list(account)), 'List');
		failures.push(await reconnects(stage, account), await usesASecret(stage));

		// With an API key, too: an error of the service, and no answer at all.
		const withKey = chain('List', [
			start,
			{ name: 'List', type: 'video', parameters: { operation: 'getMany', limit: 2 } },
		]);
		for (const trouble of [{ status: 400 }, { status: 401 }, { cut: 'midway' as const }]) {
			control.fail({ path: '/v3/videos', ...trouble });
			failures.push(await runDraft(stage, withKey));
			failures.push(await runDraft(stage, list(account)));
			control.clearFaults();
		}
		await keepsSecrets(stage, failures);
	},
};
