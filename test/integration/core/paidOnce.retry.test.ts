/**
 * n8n's Retry On Fail runs the whole node again, all items included, with its expressions evaluated
 * anew: what was paid for is not paid for again, and what failed for good is not tried again.
 */
import type { IDataObject, INode } from 'n8n-workflow';
import { avatar, batch, items, session } from '../support/calls';
import { nodeOf, runNode, runNodes, signedIn } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const retried: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const continued: Partial<INode> = { ...retried, onError: 'continueRegularOutput' };

/** Differs at every try, as a time of day does. */
const changing = '{{ $now.toMillis() }} {{ Math.random() }}';
const title = { title: `=Video of ${changing}` };
const script = { script: `=Number {{ $json.i }}, it is ${changing} and all is well.` };

const received = (method: string, path: string | RegExp) =>
	service.control.requests({ method, path });
const jobs = (kind: string) => service.control.jobs(kind) as Array<IDataObject & { id: string }>;
const ids = (out: Array<{ json: IDataObject }>, key: string) => out.map(({ json }) => json[key]);

/** The try in which n8n ends when a node fails once and goes well then. */
const refuseOnce = (path: string) =>
	service.control.fail({
		method: 'POST',
		path,
		status: 402,
		code: 'insufficient_credit',
		times: 1,
	});

test('five videos with the time in the title, one of which is refused once, are five', async () => {
	refuseOnce('/v3/videos');
	const { error, items: out } = await runNode(
		service,
		'VideoGenVideo',
		avatar({ options: { ...title, requestsAtOnce: 1 } }),
		{ items: items(5), node: retried },
	);
	expect(error).toBeUndefined();
	expect(jobs('video')).toHaveLength(5);
	expect(new Set(ids(out, 'video_id'))).toEqual(new Set(jobs('video').map(({ id }) => id)));
	const bodies = received('POST', '/v3/videos').map(({ body }) => (body as IDataObject).title);
	expect(new Set(bodies).size).toBe(bodies.length);
});

test('also when the refusal comes after others were made, and when all go at once', async () => {
	for (const requestsAtOnce of [1, 5]) {
		service.control.reset();
		service.control.fail({ method: 'POST', path: '/v3/videos', delayMs: 1, times: 3 });
		refuseOnce('/v3/videos');
		const { error, items: out } = await runNode(
			service,
			'VideoGenVideo',
			avatar({ options: { ...title, requestsAtOnce } }),
			{ items: items(5), node: retried },
		);
		expect(error).toBeUndefined();
		expect(jobs('video')).toHaveLength(5);
		expect(new Set(ids(out, 'video_id')).size).toBe(5);
	}
});

test('five agent sessions, for which there is no key, with the time in the prompt are five', async () => {
	for (const [delayed, requestsAtOnce] of [
		[0, 5],
		[3, 1],
	] as const) {
		service.control.reset();
		if (delayed > 0) {
			const path = '/v3/video-agents';
			service.control.fail({ method: 'POST', path, delayMs: 1, times: delayed });
		}
		refuseOnce('/v3/video-agents');
		const { error, items: out } = await runNode(
			service,
			'VideoGenAgent',
			session({ prompt: `=A welcome at ${changing}`, options: { requestsAtOnce } }),
			{ items: items(5), node: retried },
		);
		expect(error).toBeUndefined();
		expect(jobs('session')).toHaveLength(5);
		expect(new Set(ids(out, 'session_id')).size).toBe(5);
	}
});

const waiting = { waitForCompletion: true, options: { pollInterval: 1, requestsAtOnce: 5 } };

test('of five videos, the one whose render failed is made anew, and only that one', async () => {
	service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
	const { error, items: out } = await runNode(
		service,
		'VideoGenVideo',
		avatar({ ...script, ...waiting }),
		{ items: items(5), node: retried },
	);
	expect(error).toBeUndefined();
	expect(jobs('video')).toHaveLength(6);
	expect(jobs('video').filter(({ willFail }) => willFail)).toHaveLength(1);
	const good = jobs('video').filter(({ willFail }) => !willFail);
	expect(new Set(ids(out, 'video_id'))).toEqual(new Set(good.map(({ id }) => id)));
});

test('so is a session that failed, for which there is no key', async () => {
	service.control.failNext('session', { code: 'generation_failed', message: 'Lost it' });
	const { error, items: out } = await runNode(
		service,
		'VideoGenAgent',
		session({ prompt: `=A welcome at ${changing}`, ...waiting }),
		{ items: items(3), node: retried },
	);
	expect(error).toBeUndefined();
	expect(jobs('session')).toHaveLength(4);
	expect(out.every(({ json }) => json.status === 'completed')).toBe(true);
});

test('so is each of several failed renders, in one further try', async () => {
	for (let i = 0; i < 4; i++) {
		service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
	}
	const { error, items: out } = await runNode(
		service,
		'VideoGenVideo',
		avatar({ ...script, ...waiting }),
		{ items: items(5), node: retried },
	);
	expect(error).toBeUndefined();
	expect(jobs('video')).toHaveLength(9);
	expect(out).toHaveLength(5);
});

test.each([
	['content_policy_violation', 'The script is not allowed'],
	['avatar_consent_required', 'The avatar has no consent'],
	['invalid_parameter', 'The sound is broken'],
])('a video that failed for good (%s) is not made again', async (code, message) => {
	service.control.failNext('video', { code, message });
	const { error } = await runNode(service, 'VideoGenVideo', avatar({ ...script, ...waiting }), {
		items: items(3),
		node: retried,
	});
	expect(error?.message).toContain(message);
	expect(jobs('video')).toHaveLength(3);
	for (const { id } of jobs('video')) {
		expect(`${error?.description} ${JSON.stringify(error?.context)}`).toContain(id);
	}
});

test('a render that fails every time is paid for at most once per try', async () => {
	for (let i = 0; i < 5; i++) {
		service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
	}
	const { error } = await runNode(service, 'VideoGenVideo', avatar({ ...script, ...waiting }), {
		items: items(1),
		node: retried,
	});
	expect(error?.message).toContain('The face was lost');
	expect(jobs('video')).toHaveLength(3);
	for (const { id } of jobs('video')) {
		expect(`${error?.description} ${JSON.stringify(error?.context)}`).toContain(id);
	}
});

describe('rows of a batch', () => {
	const fail = (code: string, times = 1) => {
		for (let i = 0; i < times; i++) {
			service.control.failNext('video', { code, message: 'Not this time' });
		}
	};
	const made = async (count: number, more: IDataObject = {}, node = retried) =>
		await runNode(
			service,
			'VideoGenVideo',
			batch({ ...script, ...waiting, options: { ...waiting.options, ...more } as never }),
			{ items: items(count), node },
		);

	test.each([
		['the place', {}],
		['the content', { payOncePer: 'request' }],
		['an own key', { payOncePer: 'ownKey', idempotencyKey: 'sheet-7' }],
	])('that failed are made anew in one batch of their own, with keys of %s', async (_, per) => {
		// Two batches, and two rows of the first fail.
		fail('render_failed', 2);
		const { error, items: out } = await made(130, per);
		expect(error).toBeUndefined();
		expect(jobs('video')).toHaveLength(132);
		expect(jobs('batch')).toHaveLength(3);
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual(
			items(130).map((_, item) => ({ item })),
		);
		const good = jobs('video').filter(({ willFail }) => !willFail);
		expect(new Set(ids(out, 'video_id'))).toEqual(new Set(good.map(({ id }) => id)));
	});

	test('are made anew in each batch that lost some, though all have one key of the user', async () => {
		fail('render_failed', 101);
		const { error, items: out } = await made(130, { payOncePer: 'ownKey', idempotencyKey: 'one' });
		expect(error).toBeUndefined();
		expect(jobs('video')).toHaveLength(231);
		expect(new Set(ids(out, 'video_id')).size).toBe(130);
	});

	test('that failed for good are not made anew; those beside them are, where the run goes on', async () => {
		const failing = () => {
			fail('content_policy_violation');
			fail('render_failed');
		};
		failing();
		const { error } = await made(4);
		expect(error?.message).toContain('Not this time [item 0]');
		expect(jobs('video')).toHaveLength(4);
		service.control.reset();
		failing();
		const { items: out } = await made(4, {}, continued);
		expect(out.map(({ json }) => json.status ?? 'error').join(' ')).toBe(
			'error completed completed completed',
		);
		expect(jobs('video')).toHaveLength(5);
	});

	test('of several batches are all repeated by the next attempt, so that two attempts are enough', async () => {
		fail('render_failed', 101);
		const { error, items: out } = await made(130, {}, { ...retried, maxTries: 2 });
		expect(error).toBeUndefined();
		expect(new Set(ids(out, 'video_id')).size).toBe(130);
	});

	test('that fail every time are paid for at most once per try', async () => {
		fail('render_failed', 10);
		const { error } = await made(2);
		expect(error?.message).toContain('Not this time');
		expect(jobs('video')).toHaveLength(6);
	});

	test('stay good rows where the batch of the failed ones is refused', async () => {
		fail('render_failed');
		const path = '/v3/videos/batches';
		service.control.fail({ method: 'POST', path, delayMs: 1, times: 2 });
		service.control.fail({ method: 'POST', path, status: 400, code: 'bad', times: 1 });
		const { items: out } = await made(3, {}, { ...continued, maxTries: 2 });
		expect(out.map(({ json }) => json.status ?? 'error').join(' ')).toBe(
			'error completed completed',
		);
		expect(jobs('video')).toHaveLength(3);
	});
});

test('without Retry On Fail nothing is made again', async () => {
	service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
	await runNode(service, 'VideoGenVideo', avatar({ ...script, ...waiting }), { items: items(2) });
	expect(jobs('video')).toHaveLength(2);
});

describe('with Continue On Fail, where n8n tries again when the first item is an error', () => {
	test('five of which the first is refused once are five', async () => {
		refuseOnce('/v3/videos');
		const { items: out } = await runNode(
			service,
			'VideoGenVideo',
			avatar({ options: { ...title, requestsAtOnce: 1 } }),
			{ items: items(5), node: continued },
		);
		expect(jobs('video')).toHaveLength(5);
		expect(new Set(ids(out, 'video_id')).size).toBe(5);
		expect(out.some(({ json }) => json.error)).toBe(false);
	});

	test('sessions too', async () => {
		refuseOnce('/v3/video-agents');
		const { items: out } = await runNode(
			service,
			'VideoGenAgent',
			session({ prompt: `=A welcome at ${changing}`, options: { requestsAtOnce: 1 } }),
			{ items: items(5), node: continued },
		);
		expect(jobs('session')).toHaveLength(5);
		expect(new Set(ids(out, 'session_id')).size).toBe(5);
	});

	test('the first render that failed is made anew, the others are given out as they are', async () => {
		service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
		const { items: out } = await runNode(
			service,
			'VideoGenVideo',
			avatar({ ...script, ...waiting, options: { pollInterval: 1, requestsAtOnce: 1 } }),
			{ items: items(3), node: continued },
		);
		expect(jobs('video')).toHaveLength(4);
		expect(out.map(({ json }) => json.status)).toEqual(['completed', 'completed', 'completed']);
	});
});

describe('batches, of which an item is wrong in one try alone', () => {
	const path = '/v3/videos/batches';
	const sizes = () =>
		received('POST', path).map(({ body }) => (body as { videos: unknown[] }).videos.length);
	/** The items know which of them is wrong, by what the service has received. */
	const wrongAt = (wrong: () => number) =>
		items(150).map(({ json }) => ({ json: { ...json, isWrong: () => json.i === wrong() } }));
	const parameters = (options: IDataObject = {}) =>
		batch({
			script: '={{ $json.isWrong() ? "" : "Hello, it is " + $now.toMillis() + " o clock." }}',
			options: { requestsAtOnce: 1, ...options } as never,
		});
	const keys = () => received('POST', path).map(({ headers }) => headers['idempotency-key']);

	test('are not put together anew: what was sent stays together', async () => {
		// The first item is wrong in the first try, so that n8n tries again; then another one is.
		const wrong = () => (received('POST', path).length === 0 ? 0 : 120);
		const { items: out } = await runNode(service, 'VideoGenVideo', parameters(), {
			items: wrongAt(wrong) as never,
			node: continued,
		});
		expect(jobs('video')).toHaveLength(150);
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual(
			items(150).map((_, item) => ({ item })),
		);
		expect(out.some(({ json }) => json.error)).toBe(false);
		expect(sizes().sort()).toEqual([1, 100, 100, 49, 49]);
		expect(new Set(keys()).size).toBe(3);
	});

	test('keep the numbers of their parts under an own key, also where there are two keys', async () => {
		const wrong = () => (received('POST', path).length === 0 ? 0 : -1);
		const own = '=order-{{ $json.i < 120 ? "a" : "b" }}';
		await runNode(service, 'VideoGenVideo', parameters({ idempotencyKey: own }), {
			items: wrongAt(wrong) as never,
			node: continued,
		});
		expect(jobs('video')).toHaveLength(150);
		expect([...new Set(keys())].sort()).toEqual([
			'order-a',
			'order-a:part:2',
			'order-a:part:3',
			'order-b',
		]);
	});
});

describe('a later try knows what earlier ones have made', () => {
	test.each([
		['/v3/videos', 'video', 'VideoGenVideo', avatar({ options: { ...title, requestsAtOnce: 1 } })],
		[
			'/v3/video-agents',
			'session',
			'VideoGenAgent',
			session({ prompt: `=A welcome at ${changing}`, options: { requestsAtOnce: 1 } }),
		],
	])(
		'eight were made on %s, then all is refused: eight are named',
		async (path, kind, type, form) => {
			service.control.fail({ method: 'POST', path, delayMs: 1, times: 8 });
			service.control.fail({ method: 'POST', path, status: 402, code: 'insufficient_credit' });
			const { error } = await runNode(service, type, form, { items: items(10), node: retried });
			expect(error?.message).toContain('not enough credit');
			expect(jobs(kind)).toHaveLength(8);
			for (const { id } of jobs(kind)) expect(error?.description).toContain(id);
			const { job, started } = error?.context?.details as {
				job?: IDataObject;
				started: IDataObject[];
			};
			const facts = [job, ...started].filter(Boolean).map((one) => one?.id);
			expect(new Set(facts)).toEqual(new Set(jobs(kind).map(({ id }) => id)));
		},
	);

	test('a refusal of the next try, before anything is sent, names them too', async () => {
		service.control.fail({ method: 'POST', path: '/v3/videos', delayMs: 1, times: 1 });
		refuseOnce('/v3/videos');
		const { error } = await runNode(
			service,
			'VideoGenVideo',
			avatar({
				options: {
					idempotencyKey: '={{ $json.made() ? "same" : "order-" + $json.i }}',
					requestsAtOnce: 1,
				},
			}),
			{
				items: items(2).map(({ json }) => ({
					json: { ...json, made: () => jobs('video').length > 0 },
				})) as never,
				node: retried,
			},
		);
		expect(error?.message).toContain('for item 0 too');
		expect(jobs('video')).toHaveLength(1);
		expect(error?.description).toContain(jobs('video')[0]?.id);
	});

	test('a refusal of the account leaves out what is paid for already', async () => {
		// In the first try the first item is wrong, in the second there is no credit left.
		service.control.fail({ method: 'POST', path: '/v3/videos', status: 400, times: 1 });
		service.control.fail({ method: 'POST', path: '/v3/videos', delayMs: 1, times: 3 });
		service.control.fail({ method: 'POST', path: '/v3/videos', status: 402, times: 1 });
		const { items: out } = await runNode(
			service,
			'VideoGenVideo',
			avatar({ options: { ...title, requestsAtOnce: 1 } }),
			{ items: items(4), node: { ...continued, maxTries: 2 } },
		);
		expect(jobs('video')).toHaveLength(3);
		expect(out.map(({ json }) => Boolean(json.error))).toEqual([true, false, false, false]);
	});

	test('an item that is wrong at the next try gives out what it has made', async () => {
		service.control.fail({ method: 'POST', path: '/v3/videos', delayMs: 1, times: 2 });
		refuseOnce('/v3/videos');
		const { items: out, error } = await runNode(
			service,
			'VideoGenVideo',
			avatar({
				script: '={{ $json.i === 0 && $json.made() ? "" : "Hello there, this is a long text." }}',
				options: { requestsAtOnce: 1 },
			}),
			{
				items: items(3).map(({ json }) => ({
					json: { ...json, made: () => jobs('video').length > 0 },
				})) as never,
				node: retried,
			},
		);
		expect(error).toBeUndefined();
		expect(jobs('video')).toHaveLength(3);
		expect(new Set(ids(out, 'video_id')).size).toBe(3);
	});
});

test.each([
	['VideoGenVideo', 'video', avatar()],
	['VideoGenAgent', 'session', session()],
])('%s: further runs of a node in an execution are no tries', async (type, kind, form) => {
	const twice = [0, 1].map(() => ({ node: 'Node', type: 'main' as const, index: 0 }));
	const run = await runNodes(service, [nodeOf('Node', type, form, { ...signedIn, ...retried })], {
		Items: { main: [twice] },
	});
	expect(run.data.resultData.runData.Node).toHaveLength(2);
	expect(jobs(kind)).toHaveLength(2);
});
