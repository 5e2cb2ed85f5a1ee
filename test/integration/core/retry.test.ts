/** What every operation inherits: validation, retries, keys, waiting, stopping, errors. */
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { InstanceSettings } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../../simulator';
import { byId, contentOf, runNode } from '../support/engine';

let service: Simulator;

beforeAll(async () => {
	service = await startSimulator({ jobSeconds: 0 });
});
afterAll(async () => {
	await Promise.all([service, ...others].map(async (one) => await one.close()));
});
beforeEach(() => service.control.reset());

/** Services beside the first; closed at the end, also when a test fails. */
const others: Simulator[] = [];

async function another(options: SimulatorOptions = {}) {
	const other = await startSimulator(options);
	others.push(other);
	return other;
}

/** Servers that answer as no simulator would; closed at the end of each test. */
const strange: Server[] = [];
afterEach(async () => {
	jest.restoreAllMocks();
	await Promise.all(
		strange.splice(0).map(async (one) => await new Promise((resolve) => one.close(resolve))),
	);
});

async function listening<S extends Server>(server: S) {
	strange.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const items = (count: number) => Array.from({ length: count }, (_, i) => ({ json: { i } }));

const avatar = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'createAvatar',
	avatar_id: byId('look_001_1'),
	speechFrom: 'text',
	script: '=Hello number {{ $json.i }}, this is a long enough text.',
	voice_id: byId('voice_001'),
	waitForCompletion: false,
	...more,
});

const session = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'create',
	prompt: 'A welcome',
	mode: 'generate',
	waitForCompletion: false,
	...more,
});

const received = (method: string, path: string | RegExp) =>
	service.control.requests({ method, path });

describe('validation before money', () => {
	const wrong: Array<[string, string, INodeParameters, RegExp]> = [
		[
			'a prompt of 10,001 characters',
			'VideoGenAgent',
			session({ prompt: '={{ $json.i === 1 ? "x".repeat(10001) : "fine" }}' }),
			/^"Prompt" must have at most 10,000 characters, but has 10,001 \[item 1\]$/,
		],
		[
			'an edit plan of 51 entries',
			'VideoGenAgent',
			{
				operation: 'editScenes',
				session_id: byId('s'),
				scene_snapshot_video_id: byId('v'),
				editsFrom: 'json',
				edit_plan_json:
					'={{ JSON.stringify(Array.from({ length: $json.i === 1 ? 51 : 50 }, () => ({ scene_id: "a", text: "b" }))) }}',
				waitForCompletion: false,
			},
			/^"Edits \(JSON\)" must have at most 50 entries, but has 51 \[item 1\]$/,
		],
		[
			'a cinematic video of 16 seconds',
			'VideoGenVideo',
			{
				operation: 'createCinematic',
				prompt: 'A walk',
				avatar_id: { look: [{ avatar_id: byId('look_001_1') }] },
				waitForCompletion: false,
				options: { duration: '={{ 15 + $json.i }}' },
			},
			/^"Duration \(Seconds\)" must be at most 15, but is 16 \[item 1\]$/,
		],
		[
			'a wrong choice from an expression',
			'VideoGenVideo',
			avatar({ options: { resolution: '={{ $json.i === 1 ? "8k" : "4k" }}' } }),
			/^"Resolution" must be one of 4k, 1080p, 720p, but is "8k" \[item 1\]$/,
		],
		[
			'a missing value from an expression',
			'VideoGenAgent',
			session({ prompt: '={{ $json.i === 1 ? "" : "fine" }}' }),
			/^"Prompt" is required \[item 1\]$/,
		],
		[
			'a number that is none',
			'VideoGenVideo',
			avatar({ options: { voice_settings: { speed: '={{ $json.i === 1 ? "fast" : "1.2" }}' } } }),
			/^"Voice Settings → Speed" must be a number, but is text: "fast" \[item 1\]$/,
		],
		[
			'values that exclude each other',
			'VideoGenVideo',
			avatar({ options: { engine: 'avatar_v', expressiveness: 'high' } }),
			/^"Expressiveness" cannot be used with the engine Avatar V: remove one of the two \[item 0\]$/,
		],
		[
			'JSON that is none',
			'VideoGenAgent',
			session({ options: { additionalBodyFields: '{"a": ' } }),
			/^"Additional Body Fields" is not valid JSON: .* \[item 0\]$/,
		],
		[
			'a batch with a studio video in it',
			'VideoGenVideo',
			{
				operation: 'createBatch',
				itemIs: 'json',
				payload: '={{ { type: $json.i === 1 ? "studio" : "avatar" } }}',
				waitForCompletion: false,
			},
			/^"Video \(JSON\) → type" must be one of avatar, image, cinematic_avatar, but is "studio"/,
		],
		[
			'a binary field that is not there',
			'VideoGenVideo',
			{
				operation: 'createImage',
				image: { __rl: true, mode: 'binary', value: 'photo' },
				speechFrom: 'text',
				script: 'Hello there, this is a long enough text.',
				voice_id: byId('voice_001'),
				waitForCompletion: false,
			},
			/^The item has no file in a binary field "photo" \[item 0\]$/,
		],
	];

	test.each(wrong)('%s', async (_, kind, parameters, message) => {
		const { error } = await runNode(service, kind, parameters, { items: items(2) });
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Nothing was sent');
		expect(service.control.requests()).toHaveLength(0);
	});

	test('with Continue On Fail the right items go on', async () => {
		const { items: out } = await runNode(
			service,
			'VideoGenAgent',
			session({ prompt: '={{ $json.i === 1 ? "" : "fine" }}' }),
			{ items: items(3), node: { onError: 'continueRegularOutput' } },
		);
		expect(out.map(({ json }) => Boolean(json.session_id))).toEqual([true, false, true]);
		expect(out[1]).toMatchObject({
			pairedItem: { item: 1 },
			json: { error: '"Prompt" is required [item 1]', details: { code: 'invalid_value' } },
		});
		expect(service.control.jobs('session')).toHaveLength(2);
	});

	test('an error output takes the wrong items, with the input beside the error', async () => {
		const { items: out, errors } = await runNode(
			service,
			'VideoGenAgent',
			session({ prompt: '={{ $json.i === 1 ? "" : "fine" }}' }),
			{ items: items(2), node: { onError: 'continueErrorOutput' } },
		);
		expect(out).toHaveLength(1);
		expect(errors).toHaveLength(1);
		expect(errors[0]?.json).toMatchObject({
			i: 1,
			error: '"Prompt" is required [item 1]',
			details: { code: 'invalid_value' },
		});
	});
});

test.each(['../x', 'a/b', 'a?b', 'a#b', 'ä b', '%2e%2e'])(
	'the path identifier %j stays one segment',
	async (id) => {
		const { error } = await runNode(service, 'VideoGenVideo', {
			operation: 'get',
			video_id: byId(id),
		});
		expect(error?.httpCode).toBe('404');
		const [request] = service.control.requests();
		expect(request?.path.split('/')).toHaveLength(4);
		expect(decodeURIComponent(request?.path.split('/')[3] ?? '')).toBe(id);
	},
);

test.each(['.', '..', ' '])('the path identifier %j is refused', async (id) => {
	const { error } = await runNode(service, 'VideoGenVideo', {
		operation: 'get',
		video_id: byId(id),
	});
	expect(error?.message).toContain('is not a valid video id');
	expect(service.control.requests()).toHaveLength(0);
});

describe('values that expressions give', () => {
	test('a choice made anew for each item: the fields of the other choice are neither wanted nor sent', async () => {
		const { items: out, error } = await runNode(
			service,
			'VideoGenVideo',
			avatar({
				speechFrom: '={{ $json.kind }}',
				script: '={{ $json.script }}',
				audio: {
					__rl: true,
					mode: 'url',
					value: '={{ $json.url }}',
				},
			}),
			{
				items: [
					{ json: { kind: 'text', script: 'Good morning to you', url: '' } },
					{ json: { kind: 'audio', script: 'Left over', url: 'https://files.example/a.mp3' } },
				],
			},
		);
		expect(error).toBeUndefined();
		expect(out).toHaveLength(2);
		const bodies = received('POST', '/v3/videos').map(({ body }) => body as IDataObject);
		expect(bodies.find(({ script }) => script === 'Good morning to you')).toBeDefined();
		const spoken = bodies.find(({ audio_url }) => audio_url !== undefined);
		expect(spoken).toMatchObject({ audio_url: 'https://files.example/a.mp3' });
		expect(spoken).not.toHaveProperty('script');
		expect(spoken).not.toHaveProperty('voice_id');
	});

	/** n8n itself wants every field that such a choice might show. */
	const chosenBy = (speechFrom: string) =>
		avatar({ speechFrom, audio: { __rl: true, mode: 'url', value: '={{ "" }}' } });

	test.each([['={{ "" }}'], ['={{ null }}'], ['={{ undefined }}']])(
		'a choice that gives nothing is asked for by its name: %s',
		async (speechFrom) => {
			const { error } = await runNode(service, 'VideoGenVideo', chosenBy(speechFrom));
			expect(error?.message).toBe('"Speech From" is required [item 0]');
			expect(error?.description).toBe('Nothing was sent to the service.');
		},
	);

	test('a choice that does not exist is the only complaint', async () => {
		const { error } = await runNode(service, 'VideoGenVideo', chosenBy('={{ "Text" }}'));
		expect(error?.message).toBe('"Speech From" must be one of text, audio, but is "Text" [item 0]');
		expect(error?.description).toBe('Nothing was sent to the service.');
	});

	test.each<[string, string, INodeParameters, string]>([
		['a script', 'VideoGenVideo', avatar({ script: '={{ null }}' }), 'Script'],
		[
			'the variables of a template',
			'VideoGenTemplate',
			{
				operation: 'generate',
				template_id: byId('template_004'),
				variablesFrom: 'json',
				variables_json: '={{ null }}',
				waitForCompletion: false,
			},
			'Variables (JSON)',
		],
		[
			'an edit plan',
			'VideoGenAgent',
			{
				operation: 'editScenes',
				session_id: byId('session_001'),
				scene_snapshot_video_id: byId('video_001'),
				editsFrom: 'json',
				edit_plan_json: '={{ null }}',
				waitForCompletion: false,
			},
			'Edits (JSON)',
		],
	])('%s that is null is missing, not hidden', async (_, kind, parameters, name) => {
		const { error } = await runNode(service, kind, parameters);
		expect(error?.message).toBe(`"${name}" is required [item 0]`);
		expect(service.control.requests()).toHaveLength(0);
	});
});

describe('retries', () => {
	test('a create with a key survives 503, 500, 429 and a connection cut before and after', async () => {
		for (const fault of [
			{ status: 503, code: 'service_unavailable' },
			{ status: 500, code: 'internal_error' },
			{ status: 429, code: 'rate_limit_exceeded', retryAfter: 1 },
			{ cut: 'before' as const },
			{ cut: 'after' as const },
		]) {
			service.control.fail({ method: 'POST', path: '/v3/videos', times: 1, ...fault });
		}
		const { items: out, error } = await runNode(service, 'VideoGenVideo', avatar());
		expect(error).toBeUndefined();
		expect(service.control.jobs('video')).toHaveLength(1);
		expect(out[0]?.json.video_id).toBe((service.control.jobs('video')[0] as IDataObject).id);
		const requests = received('POST', '/v3/videos');
		expect(requests).toHaveLength(6);
		expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
	}, 60_000);

	test('Retry-After is obeyed, by all items together', async () => {
		service.control.fail({
			method: 'GET',
			path: /^\/v3\/videos\//,
			status: 429,
			code: 'rate_limit_exceeded',
			retryAfter: 2,
			times: 1,
		});
		await runNode(
			service,
			'VideoGenVideo',
			{ operation: 'get', video_id: byId('video_001'), options: { requestsAtOnce: 1 } },
			{ items: items(3) },
		);
		const at = received('GET', /videos/).map((request) => request.at);
		expect(at).toHaveLength(4);
		// The first was refused; nothing follows for two seconds.
		expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(1.9);
	});

	test('a Retry-After beyond five minutes, and a used-up quota, are errors at once', async () => {
		for (const fault of [
			{ code: 'rate_limit_exceeded', retryAfter: 3600 },
			{ code: 'quota_exceeded' },
			{ code: 'free_tier_quota_exceeded' },
		]) {
			service.control.clearFaults();
			service.control.fail({ path: /videos/, status: 429, ...fault });
			const { error } = await runNode(service, 'VideoGenVideo', avatar());
			expect(error?.httpCode).toBe('429');
			expect(error?.description).toContain(
				fault.retryAfter ? 'The service asks to wait 60 minutes.' : 'Wait until it renews',
			);
		}
		expect(received('POST', '/v3/videos')).toHaveLength(3);
	});

	test('a Retry-After of 0 is asked again with growing pauses all the same', async () => {
		service.control.fail({
			path: '/v3/videos',
			status: 429,
			code: 'rate_limit_exceeded',
			retryAfter: 0,
			times: 4,
		});
		const { error } = await runNode(service, 'VideoGenVideo', avatar());
		expect(error).toBeUndefined();
		const at = received('POST', '/v3/videos').map((request) => request.at);
		const pauses = at.slice(1).map((time, i) => time - (at[i] ?? 0));
		expect(pauses).toHaveLength(4);
		// At least half of 0.5, 1, 2 and 4 seconds.
		for (const [i, least] of [0.25, 0.5, 1, 2].entries()) {
			expect(pauses[i]).toBeGreaterThanOrEqual(least * 0.98);
		}
	}, 30_000);

	test.each([401, 429])('a page with status %i says what it means', async (status) => {
		const page = { status, body: '<html>no</html>', headers: { 'retry-after': '900' } };
		service.control.fail({ path: '/v3/videos', ...page });
		const { error } = await runNode(service, 'VideoGenVideo', avatar());
		expect(error?.message).toBe(
			status === 401
				? 'The service does not accept the credential [item 0]'
				: 'The service gets too many requests [item 0]',
		);
		expect(error?.description).toContain(`HTTP status: ${status}`);
	});

	test('https where http is spoken was never sent: the advice is about the address', async () => {
		const { error } = await runNode(
			{ baseUrl: service.baseUrl.replace('http:', 'https:'), apiKey: service.apiKey },
			'VideoGenAgent',
			session(),
		);
		expect(error?.message).toBe('The request could not be sent [item 0]');
		expect(error?.description).toContain('begin with https:// or http://');
		expect(error?.context?.details).toMatchObject({ uncertain: false });
	});

	test('an answer that cannot be read leaves the same doubt, and no second session', async () => {
		let connections = 0;
		const server = createTcpServer((socket) => {
			connections++;
			socket.on('error', () => undefined);
			socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nNo Header\r\n\r\n'));
		});
		const odd = { baseUrl: await listening(server), apiKey: 'key-of-the-test' };
		const { error } = await runNode(odd, 'VideoGenAgent', session(), {
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
		});
		expect(error?.message).toContain('broke before an answer came');
		expect(error?.description).toContain('session may have been created');
		expect(connections).toBe(1);
	});

	test('what is refused for good is not repeated', async () => {
		for (const [status, code] of [
			[402, 'insufficient_credit'],
			[409, 'voice_training_failed'],
			[422, 'image_processing_failed'],
			[400, 'content_policy_violation'],
		] as const) {
			service.control.clearFaults();
			service.control.fail({ path: '/v3/videos', status, code });
			const { error } = await runNode(service, 'VideoGenVideo', avatar());
			expect(error?.description).toContain(`Code: ${code}`);
		}
		expect(received('POST', '/v3/videos')).toHaveLength(4);
	});

	test('a session whose connection breaks after sending is not repeated, and the error says so', async () => {
		service.control.fail({ method: 'POST', path: '/v3/video-agents', cut: 'after' });
		const { error } = await runNode(service, 'VideoGenAgent', session());
		expect(received('POST', '/v3/video-agents')).toHaveLength(1);
		expect(service.control.jobs('session')).toHaveLength(1);
		expect(error?.message).toContain('broke before an answer came');
		expect(error?.description).toContain('session may have been created');
		expect(error?.description).toContain('Get Many');
	});

	test('Retry On Fail makes no second session: of neither the lost answer nor the item that went well', async () => {
		service.control.fail({ method: 'POST', path: '/v3/video-agents', cut: 'after', times: 1 });
		const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
		const lost = await runNode(service, 'VideoGenAgent', session(), { node: retried });
		expect(lost.error?.description).toContain('session may have been created');
		expect(service.control.jobs('session')).toHaveLength(1);
		expect(received('POST', '/v3/video-agents')).toHaveLength(1);

		// An item that went well before is named in the end, once, however often n8n has tried.
		service.control.reset();
		service.control.fail({ method: 'POST', path: '/v3/video-agents', times: 1, delayMs: 1 });
		service.control.fail({ method: 'POST', path: '/v3/video-agents', cut: 'after', times: 1 });
		const two = await runNode(
			service,
			'VideoGenAgent',
			session({ prompt: '=Welcome {{ $json.i }}', options: { requestsAtOnce: 1 } }),
			{ items: items(2), node: retried },
		);
		expect(service.control.jobs('session')).toHaveLength(2);
		expect(received('POST', '/v3/video-agents')).toHaveLength(2);
		expect(two.error?.description?.split('Started for other items')).toHaveLength(2);

		service.control.reset();
		service.control.fail({
			method: 'POST',
			path: '/v3/video-agents',
			status: 400,
			code: 'voice_unavailable',
			times: 1,
		});
		const { items: out, error } = await runNode(
			service,
			'VideoGenAgent',
			session({ prompt: '=Welcome {{ $json.i }}' }),
			{ items: items(4), node: retried },
		);
		expect(error).toBeUndefined();
		expect(service.control.jobs('session')).toHaveLength(4);
		expect(new Set(out.map(({ json }) => json.session_id)).size).toBe(4);
	});

	test('a session is repeated where the service has certainly not taken it', async () => {
		service.control.fail({
			method: 'POST',
			path: '/v3/video-agents',
			status: 429,
			code: 'rate_limit_exceeded',
			retryAfter: 0,
			times: 2,
		});
		const { error } = await runNode(service, 'VideoGenAgent', session());
		expect(error).toBeUndefined();
		expect(service.control.jobs('session')).toHaveLength(1);
	});

	test('503 and 500 for a session are not repeated; only the 500 leaves a doubt', async () => {
		for (const [status, code, doubt] of [
			[503, 'service_unavailable', false],
			[500, 'internal_error', true],
		] as const) {
			service.control.reset();
			service.control.fail({ method: 'POST', path: '/v3/video-agents', status, code });
			const { error } = await runNode(service, 'VideoGenAgent', session());
			expect(received('POST', '/v3/video-agents')).toHaveLength(1);
			expect(error?.description?.includes('may have been created')).toBe(doubt);
		}
	});

	test('a delete whose answer was lost is done', async () => {
		const { items: out } = await runNode(service, 'VideoGenVideo', avatar());
		const id = String(out[0]?.json.video_id);
		service.control.fail({ method: 'DELETE', cut: 'after', times: 1 });
		const { error } = await runNode(service, 'VideoGenVideo', {
			operation: 'delete',
			video_id: byId(id),
		});
		expect(error).toBeUndefined();
	});

	test('a delete of what does not exist is an error, also after a "not now"', async () => {
		service.control.fail({
			method: 'DELETE',
			status: 429,
			code: 'rate_limit_exceeded',
			retryAfter: 0,
			times: 1,
		});
		const { error } = await runNode(service, 'VideoGenVideo', {
			operation: 'delete',
			video_id: byId('no_such_video'),
		});
		expect(error?.httpCode).toBe('404');
		expect(received('DELETE', /videos/)).toHaveLength(2);
	});

	test('a stop whose answer was lost is repeated: it stops the same', async () => {
		const { items: out } = await runNode(service, 'VideoGenAgent', session());
		const id = String(out[0]?.json.session_id);
		service.control.fail({ method: 'POST', path: /stop$/, cut: 'after', times: 1 });
		const { error } = await runNode(service, 'VideoGenAgent', {
			operation: 'stop',
			session_id: byId(id),
		});
		expect(error).toBeUndefined();
		expect(received('POST', /stop$/)).toHaveLength(2);
	});

	test('a service that cannot be reached is named as such', async () => {
		const { error } = await runNode(
			{ baseUrl: 'http://127.0.0.1:1', apiKey: 'key-of-the-test' },
			'VideoGenVideo',
			{ operation: 'get', video_id: byId('x') },
		);
		expect(error?.message).toContain('cannot be reached');
		expect(error?.description).toContain('Base URL');
	}, 90_000);
});

describe('200 creates with 30 % of the answers turned into failures', () => {
	test.each([false, true])(
		'exactly 200 jobs (Retry On Fail: %s)',
		async (retryOnFail) => {
			const third = { path: '/v3/videos', method: 'POST' };
			service.control.fail({
				...third,
				probability: 0.1,
				status: 429,
				code: 'rate_limit_exceeded',
				retryAfter: 0,
			});
			service.control.fail({
				...third,
				probability: 0.1,
				status: 503,
				code: 'service_unavailable',
			});
			service.control.fail({ ...third, probability: 0.05, cut: 'before' });
			service.control.fail({ ...third, probability: 0.05, cut: 'after' });
			if (retryOnFail) {
				// The node fails once as a whole, and n8n runs it again.
				service.control.fail({ ...third, times: 1, status: 400, code: 'voice_unavailable' });
			}
			const { items: out, error } = await runNode(
				service,
				'VideoGenVideo',
				avatar({ options: { requestsAtOnce: 20 } }),
				{
					items: items(200),
					node: retryOnFail ? { retryOnFail, maxTries: 3, waitBetweenTries: 10 } : {},
				},
			);
			expect(error).toBeUndefined();
			const jobs = service.control.jobs('video') as IDataObject[];
			expect(jobs).toHaveLength(200);
			expect(out).toHaveLength(200);
			expect(new Set(out.map(({ json }) => json.video_id)).size).toBe(200);
			expect(out.map(({ pairedItem }) => pairedItem)).toEqual(
				items(200).map((_, item) => ({ item })),
			);
			expect(received('POST', '/v3/videos').length).toBeGreaterThan(240);
		},
		180_000,
	);
});

describe('idempotency', () => {
	const key = (index = 0) =>
		received('POST', '/v3/videos')[index]?.headers['idempotency-key'] as string;

	test("the user's own key is sent, and gives the same video in another execution", async () => {
		const parameters = avatar({ options: { idempotencyKey: 'order-1042' } });
		const one = await runNode(service, 'VideoGenVideo', parameters);
		const two = await runNode(service, 'VideoGenVideo', parameters);
		expect(key()).toBe('order-1042');
		expect(two.items[0]?.json.video_id).toBe(one.items[0]?.json.video_id);
		expect(service.control.jobs('video')).toHaveLength(1);
	});

	test('the derived key differs by execution, item and body, and not by try', async () => {
		await runNode(service, 'VideoGenVideo', avatar(), { items: items(2), executionId: 'a' });
		await runNode(service, 'VideoGenVideo', avatar(), { items: items(1), executionId: 'b' });
		await runNode(service, 'VideoGenVideo', avatar(), { items: items(1), executionId: 'a' });
		expect(new Set([key(0), key(1), key(2)]).size).toBe(3);
		expect(key(3)).toBe(key(0));
	});

	test('the derived key differs by installation and workflow too: all count their executions from 1', async () => {
		const run = async (more: object = {}) =>
			await runNode(service, 'VideoGenVideo', avatar(), { executionId: 'c', ...more });
		await run();
		await run();
		await run({ workflowId: 'another' });
		const settings = Container.get(InstanceSettings);
		jest.replaceProperty(settings, 'instanceId', 'another n8n');
		await run();
		expect(key(1)).toBe(key(0));
		expect(new Set([key(0), key(2), key(3)]).size).toBe(3);
	});

	test('one key for two items is refused before anything is sent', async () => {
		const { error } = await runNode(
			service,
			'VideoGenVideo',
			avatar({ options: { idempotencyKey: 'order-1042' } }),
			{ items: items(2) },
		);
		expect(error?.message).toMatch(/"Idempotency Key" is "order-1042" for item 0 too.*\[item 1\]/);
		expect(service.control.requests()).toHaveLength(0);
	});

	test('one key for two paths is fine: the service tells them apart', async () => {
		const { error } = await runNode(
			service,
			'VideoGenTemplate',
			{
				operation: 'generate',
				template_id: byId('={{ "template_00" + ($json.i + 1) }}'),
				variablesFrom: 'json',
				variables_json: '={{ {} }}',
				waitForCompletion: false,
				options: { idempotencyKey: 'order-1042' },
			},
			{ items: items(2) },
		);
		// The simulator may want variables; what counts is that both were sent.
		expect(error?.message ?? '').not.toContain('Idempotency Key');
		const keys = received('POST', /^\/v3\/templates\//).map((r) => r.headers['idempotency-key']);
		expect(keys).toEqual(['order-1042', 'order-1042']);
	});

	test('one key for 250 items of batches is numbered: each batch has its own, the same at every run', async () => {
		const parameters = {
			...avatar({ operation: 'createBatch', options: { idempotencyKey: 'order-1' } }),
			itemIs: 'avatar',
		};
		const keys = () =>
			received('POST', '/v3/videos/batches').map(({ headers, body }) => [
				headers['idempotency-key'],
				(body as { videos: unknown[] }).videos.length,
			]);
		const once = await runNode(service, 'VideoGenVideo', parameters, { items: items(250) });
		expect(once.items).toHaveLength(3);
		const expected = [
			['order-1', 100],
			['order-1:part:2', 100],
			['order-1:part:3', 50],
		];
		expect(keys().sort()).toEqual(expected);
		const again = await runNode(service, 'VideoGenVideo', parameters, { items: items(250) });
		expect(again.items.map(({ json }) => json.batch_id)).toEqual(
			once.items.map(({ json }) => json.batch_id),
		);
		expect(service.control.jobs('video')).toHaveLength(250);
	});

	test('the longest key is one for several batches too, and two such keys do not meet', async () => {
		const { error } = await runNode(
			service,
			'VideoGenVideo',
			{
				...avatar({
					operation: 'createBatch',
					options: { idempotencyKey: '={{ "k".repeat(254) + ($json.i < 120 ? "a" : "b") }}' },
				}),
				itemIs: 'avatar',
			},
			{ items: items(240) },
		);
		expect(error).toBeUndefined();
		const keys = received('POST', '/v3/videos/batches').map(({ headers }) =>
			String(headers['idempotency-key']),
		);
		expect(new Set(keys).size).toBe(4);
		expect(Math.max(...keys.map(({ length }) => length))).toBe(255);
		expect(service.control.jobs('video')).toHaveLength(240);
	});

	test('items of a batch that differ in key or folder go into batches of their own', async () => {
		const { items: out } = await runNode(
			service,
			'VideoGenVideo',
			{
				...avatar({
					operation: 'createBatch',
					options: {
						idempotencyKey: '=order-{{ $json.i % 2 }}',
						folder_id: byId('={{ $json.i < 4 ? "folder_001" : "folder_002" }}'),
					},
				}),
				itemIs: 'avatar',
			},
			{ items: items(6) },
		);
		const sent = received('POST', '/v3/videos/batches').map(({ headers, body }) => [
			headers['idempotency-key'],
			(body as IDataObject).folder_id,
			(body as { videos: Array<{ script: string }> }).videos.map(({ script }) => script[13]),
		]);
		expect(sent.sort()).toEqual([
			['order-0', 'folder_001', ['0', '2']],
			['order-0:part:2', 'folder_002', ['4']],
			['order-1', 'folder_001', ['1', '3']],
			['order-1:part:2', 'folder_002', ['5']],
		]);
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 2 }],
			[{ item: 1 }, { item: 3 }],
			{ item: 4 },
			{ item: 5 },
		]);
	});

	test('a request that is still in progress is asked again until its result is there', async () => {
		service.control.fail({
			method: 'POST',
			path: '/v3/videos',
			status: 409,
			code: 'request_in_progress',
			times: 2,
		});
		const { error } = await runNode(service, 'VideoGenVideo', avatar());
		expect(error).toBeUndefined();
		expect(service.control.jobs('video')).toHaveLength(1);
	});
});

describe('several items', () => {
	test('order is kept, and no more requests are on their way than allowed', async () => {
		service.control.fail({ method: 'GET', path: /videos/, delayMs: 60 });
		const ids = ['video_003', 'video_001', 'video_002', 'video_001', 'video_003', 'video_002'];
		const { items: out } = await runNode(
			service,
			'VideoGenVideo',
			{ operation: 'get', video_id: byId('={{ $json.id }}'), options: { requestsAtOnce: 2 } },
			{ items: ids.map((id) => ({ json: { id } })) },
		);
		expect(out.map(({ json }) => json.id)).toEqual(ids);
		const at = received('GET', /videos/).map((request) => request.at);
		// Six of 60 ms, two at a time: three rounds.
		expect(Math.max(...at) - Math.min(...at)).toBeGreaterThan(0.1);
	});

	test('when one fails, nothing new is sent and the error names every job that exists', async () => {
		const { error } = await runNode(
			service,
			'VideoGenVideo',
			avatar({
				voice_id: byId('={{ $json.i === 2 ? "no-such-voice" : "voice_001" }}'),
				options: { requestsAtOnce: 1 },
			}),
			{ items: items(6) },
		);
		const jobs = service.control.jobs('video') as IDataObject[];
		expect(jobs).toHaveLength(2);
		expect(error?.message).toContain('[item 2]');
		for (const [item, job] of jobs.entries()) {
			expect(error?.description).toContain(`item ${item}: video ${String(job.id)}`);
		}
		expect((error?.context?.details as IDataObject).started).toEqual(
			jobs.map(({ id }, item) => ({ item, kind: 'video', id })),
		);
	});

	test('when one fails, what another may have made is told too', async () => {
		const path = '/v3/video-agents';
		service.control.fail({ method: 'POST', path, cut: 'after', delayMs: 600, times: 1 });
		service.control.fail({ method: 'POST', path, status: 402, code: 'insufficient_credit' });
		const { error } = await runNode(
			service,
			'VideoGenAgent',
			session({ prompt: '=Welcome {{ $json.i }}' }),
			{ items: items(2) },
		);
		expect(error?.message).toContain('not enough credit');
		expect(error?.description).toMatch(
			/\nItem \d: The connection to the service broke before an answer came\. The session may have been created/,
		);
	});

	test('20 items become one batch, 150 become two', async () => {
		const parameters = {
			...avatar({ operation: 'createBatch' }),
			itemIs: 'avatar',
		};
		const twenty = await runNode(service, 'VideoGenVideo', parameters, { items: items(20) });
		expect(twenty.items).toHaveLength(1);
		expect(twenty.items[0]?.pairedItem).toEqual(items(20).map((_, item) => ({ item })));
		expect(service.control.jobs('video')).toHaveLength(20);
		const many = await runNode(service, 'VideoGenVideo', parameters, { items: items(150) });
		expect(many.items).toHaveLength(2);
		const sizes = received('POST', '/v3/videos/batches').map(
			({ body }) => (body as { videos: unknown[] }).videos.length,
		);
		expect(sizes).toEqual([20, 100, 50]);
	});

	test('the failure of a batch is told for each of its items, by its own number', async () => {
		service.control.fail({ path: /videos/, status: 402, code: 'insufficient_credit' });
		const { items: out } = await runNode(
			service,
			'VideoGenVideo',
			{ ...avatar({ operation: 'createBatch' }), itemIs: 'avatar' },
			{ items: items(3), node: { onError: 'continueRegularOutput' } },
		);
		expect(out.map(({ json }) => /\[item \d\].*$/.exec(String(json.error))?.[0])).toEqual([
			'[item 0]',
			'[item 1]',
			'[item 2]',
		]);
	});

	test('a job whose answer comes after the stop is named in the log', async () => {
		const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => undefined);
		service.control.fail({ method: 'POST', path: '/v3/videos', delayMs: 1500, times: 1 });
		await runNode(service, 'VideoGenVideo', avatar({ waitForCompletion: true }), {
			onStart: (stop) => setTimeout(stop, 500),
		});
		for (let i = 0; i < 100 && warn.mock.calls.length === 0; i++) {
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		const [job] = service.control.jobs('video') as IDataObject[];
		expect(warn.mock.calls.map(([text]) => text)).toEqual([
			`Stopped while these jobs exist at the service, where they go on: video ${String(job?.id)}`,
		]);
	});

	test('so is a stream, which no list would show', async () => {
		const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => undefined);
		service.control.fail({ method: 'POST', path: '/v3/avatar-realtime', delayMs: 1500, times: 1 });
		await runNode(
			service,
			'VideoGenRealtimeAvatar',
			{
				operation: 'create',
				avatar_id: byId('look_001_1'),
				type: 'tts',
				text: 'Hello',
				voice_id: byId('voice_001'),
				waitUntil: 'accepted',
			},
			{ onStart: (stop) => setTimeout(stop, 500) },
		);
		const [stream] = service.control.jobs('stream') as IDataObject[];
		expect(warn.mock.calls.map(([text]) => text)).toEqual([
			`Stopped while these jobs exist at the service, where they go on: realtime_stream ${String(stream?.id)}`,
		]);
	});

	test('what a request that the stop button cuts may have made is told in the log', async () => {
		const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => undefined);
		service.control.fail({ method: 'POST', path: /speech$/, delayMs: 3000, times: 1 });
		await runNode(
			service,
			'VideoGenSpeech',
			{ operation: 'speak', voice_id: byId('voice_001'), text: 'Hello' },
			{ onStart: (stop) => setTimeout(stop, 500) },
		);
		expect(warn.mock.calls.map(([text]) => text)).toEqual([
			expect.stringMatching(/^Stopped while POST \/v3\/voices\/speech was on its way\. .*may/),
		]);
	});

	test('the stop button stops the waits, and nothing new is sent', async () => {
		service.control.holdJobs(true);
		const begun = Date.now();
		await runNode(
			service,
			'VideoGenVideo',
			avatar({ waitForCompletion: true, options: { pollInterval: 30 } }),
			{
				items: items(3),
				onStart: (stop) => setTimeout(stop, 700),
			},
		);
		expect(Date.now() - begun).toBeLessThan(5000);
		const count = service.control.requests().length;
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(service.control.requests()).toHaveLength(count);
	});
});

describe('waiting', () => {
	const wait = (more: IDataObject = {}) => ({
		waitForCompletion: true,
		options: { pollInterval: 1, ...more } as INodeParameters,
	});

	test('a session ends with its video', async () => {
		const { items: out } = await runNode(service, 'VideoGenAgent', session(wait()));
		const json = out[0]?.json ?? {};
		expect(json).toMatchObject({
			status: 'completed',
			job: { kind: 'session', id: json.session_id },
			video: { id: json.video_id, status: 'completed', video_url: expect.any(String) },
		});
	});

	test('a failed job is an error with reason, code and id', async () => {
		service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
		const { error } = await runNode(service, 'VideoGenVideo', avatar(wait()));
		const [job] = service.control.jobs('video') as IDataObject[];
		expect(error?.message).toBe('The video failed: The face was lost [item 0]');
		expect(error?.description).toContain(String(job?.id));
		expect(error?.description).toContain('render_failed');
	});

	test.each([
		['free_tier_quota_exceeded', 'Wait until it renews, or move to a larger plan.'],
		['insufficient_credit', 'Buy credit'],
		['render_failed', 'Change the input and run again.'],
		['invalid_parameter', 'Change the input and run again.'],
	])('a job that failed for %s comes with what helps', async (code, advice) => {
		service.control.failNext('video', { code, message: 'No' });
		const { error } = await runNode(service, 'VideoGenVideo', avatar(wait()));
		expect(error?.description).toContain(advice);
	});

	test('with Continue On Fail the failed job is named on the item', async () => {
		service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
		const { items: out } = await runNode(service, 'VideoGenVideo', avatar(wait()), {
			node: { onError: 'continueRegularOutput' },
		});
		const [job] = service.control.jobs('video') as IDataObject[];
		expect(out[0]?.json).toMatchObject({
			details: { code: 'render_failed', job: { kind: 'video', id: job?.id } },
		});
	});

	test('when the time is over the error names the job and says that it goes on', async () => {
		service.control.holdJobs(true);
		const { error } = await runNode(service, 'VideoGenVideo', avatar(wait({ waitTimeout: 0.03 })));
		const [job] = service.control.jobs('video') as IDataObject[];
		expect(error?.message).toContain('was not finished after');
		expect(error?.description).toContain(String(job?.id));
		expect(error?.description).toContain('do not create it again');
	});

	test('failing looks do not end a wait; an unknown status is pending', async () => {
		service.control.fail({ method: 'GET', path: /videos/, times: 1, cut: 'before' });
		service.control.fail({
			method: 'GET',
			path: /videos/,
			times: 1,
			status: 200,
			body: { data: { id: 'x', status: 'polishing' } },
		});
		const { items: out, error } = await runNode(service, 'VideoGenVideo', avatar(wait()));
		expect(error).toBeUndefined();
		expect(out[0]?.json.status).toBe('completed');
	});

	test('a wait that cannot go on names the job', async () => {
		service.control.fail({ method: 'GET', path: /videos/, status: 401, code: 'unauthorized' });
		const { error } = await runNode(service, 'VideoGenVideo', avatar(wait()));
		const [job] = service.control.jobs('video') as IDataObject[];
		expect(error?.description).toContain(`Already started for this item: video ${String(job?.id)}`);
	});

	test('a chat that asks back rests there, without a failure', async () => {
		const { items: out, error } = await runNode(
			service,
			'VideoGenAgent',
			session({ prompt: 'Shall it be long or short?', mode: 'chat', ...wait() }),
		);
		expect(error).toBeUndefined();
		expect(out[0]?.json).toMatchObject({ status: 'waiting_for_input' });
	});
});

describe('answers that are none of the service', () => {
	test('a page instead of JSON says to check the address', async () => {
		service.control.fail({ path: /videos/, status: 200, body: '<html>Welcome</html>' });
		const { error } = await runNode(service, 'VideoGenVideo', {
			operation: 'get',
			video_id: byId('x'),
		});
		expect(error?.message).toContain('not one of the Video Generation Service');
		expect(error?.description).toContain('Base URL');
	});

	test('a redirect is not followed, so that the key goes nowhere else', async () => {
		const other = await another();
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

	test('a key that the service repeats does not reach the error', async () => {
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
});

describe('lists', () => {
	test('Return All reads all pages; a limit reads no more than needed', async () => {
		const all = await runNode(service, 'VideoGenAgent', {
			operation: 'getStyles',
			returnAll: true,
		});
		expect(all.items.length).toBeGreaterThan(20);
		service.control.reset();
		const paged = await another({ pageSize: 4 });
		const everything = await runNode(paged, 'VideoGenAgent', {
			operation: 'getStyles',
			returnAll: true,
		});
		expect(everything.items.map(({ json }) => json.style_id)).toEqual(
			all.items.map(({ json }) => json.style_id),
		);
		expect(paged.control.requests()).toHaveLength(Math.ceil(all.items.length / 4));
		paged.control.reset();
		const six = await runNode(paged, 'VideoGenAgent', {
			operation: 'getStyles',
			returnAll: false,
			limit: 6,
		});
		expect(six.items).toHaveLength(6);
		expect(paged.control.requests()).toHaveLength(2);
	});
});

describe('files that are elsewhere', () => {
	/** A service with one video, whose files are where `urls` says. */
	const withFiles = async (urls: (own: string) => IDataObject, file?: Buffer) => {
		const server = createServer((request, response) => {
			if (request.url?.startsWith('/v3/videos')) {
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify({ data: { id: 'v', status: 'completed', ...urls(own) } }));
				return;
			}
			// Packed whatever was asked for, as some storages do.
			const packed = gzipSync(file ?? '');
			response.writeHead(200, {
				'content-type': 'application/x-subrip',
				'content-encoding': 'gzip',
				'content-length': packed.length,
				'x-asked': request.headers['accept-encoding'],
			});
			response.end(packed);
		});
		const own = await listening(server);
		return { baseUrl: own, apiKey: 'key-of-the-test' };
	};
	const download: INodeParameters = {
		operation: 'download',
		video_id: byId('v'),
		binaryPropertyName: 'data',
	};

	test('a file that arrives packed is the whole file', async () => {
		const text = Buffer.from('1\n00:00:00,000 --> 00:00:01,000\nHello\n\n'.repeat(200));
		const odd = await withFiles((own) => ({ subtitle_url: `${own}/words.srt` }), text);
		const { items: out, error } = await runNode(odd, 'VideoGenVideo', {
			...download,
			file: 'subtitle',
		});
		expect(error).toBeUndefined();
		expect((await contentOf(out[0])).equals(text)).toBe(true);
	});

	test('a place that is out of reach is not blamed on the Base URL', async () => {
		const odd = await withFiles(() => ({ video_url: 'http://127.0.0.1:1/v.mp4?signed=secret' }));
		const { error } = await runNode(odd, 'VideoGenVideo', download);
		expect(error?.message).toBe('The place of the file cannot be reached [item 0]');
		expect(error?.description).toContain('127.0.0.1:1 cannot be reached from this n8n');
		expect(error?.description).not.toMatch(/Base URL|signed=/);
	}, 60_000);
});
