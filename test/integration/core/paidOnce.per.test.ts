/** The option "Pay Once Per": per execution, per same request, per key of the user's. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { avatar, batch, items } from '../support/calls';
import { byId, fileItem, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const retried: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const changing = '={{ $now.toMillis() }} {{ Math.random() }} ';

const received = (method: string, path: string | RegExp) =>
	service.control.requests({ method, path });
const jobs = (kind: string) => service.control.jobs(kind) as Array<IDataObject & { id: string }>;
const keysOf = (path: string | RegExp) =>
	received('POST', path).map(({ headers }) => headers['idempotency-key']);

const per = (payOncePer: string, more: INodeParameters = {}) => ({ payOncePer, ...more });
const order = per('ownKey', { idempotencyKey: '=order-{{ $json.i }}' });

describe('a second execution of the workflow', () => {
	const twice = async (options: INodeParameters, change: INodeParameters = {}) => {
		const one = await runNode(service, 'VideoGenVideo', avatar({ options }), { items: items(3) });
		const two = await runNode(service, 'VideoGenVideo', avatar({ ...change, options }), {
			items: items(3),
		});
		expect(one.error ?? two.error).toBeUndefined();
		const ids = (out: typeof one) => out.items.map(({ json }) => json.video_id);
		return { same: JSON.stringify(ids(one)) === JSON.stringify(ids(two)) };
	};

	test('makes anew per execution', async () => {
		expect(await twice(per('execution'))).toEqual({ same: false });
		expect(jobs('video')).toHaveLength(6);
	});

	test('costs nothing per same request, and makes anew what has changed', async () => {
		expect(await twice(per('request'))).toEqual({ same: true });
		expect(jobs('video')).toHaveLength(3);
		const script = '={{ $json.i === 1 ? "Other words" : "Hello number " + $json.i }}, a long text.';
		await twice(per('request'), { script });
		expect(jobs('video')).toHaveLength(6);
	});

	test('costs nothing per own key, whatever has changed', async () => {
		expect(await twice(order, { script: 'Quite another text, long enough too.' })).toEqual({
			same: true,
		});
		expect(jobs('video')).toHaveLength(3);
	});

	test('of another workflow or node shares nothing per same request', async () => {
		const form = avatar({ options: per('request') });
		await runNode(service, 'VideoGenVideo', form, { items: items(1) });
		await runNode(service, 'VideoGenVideo', form, { items: items(1), workflowId: 'another' });
		await runNode(service, 'VideoGenVideo', form, { items: items(1), node: { id: 'another' } });
		expect(jobs('video')).toHaveLength(3);
	});

	test('costs nothing for the same batches', async () => {
		const form = batch({ options: per('request') });
		await runNode(service, 'VideoGenVideo', form, { items: items(150) });
		await runNode(service, 'VideoGenVideo', form, { items: items(150) });
		expect(jobs('video')).toHaveLength(150);
	});
});

test('two items with the same content share one result per same request', async () => {
	const { items: out } = await runNode(
		service,
		'VideoGenVideo',
		avatar({ script: 'Hello there, this is a long enough text.', options: per('request') }),
		{ items: items(2) },
	);
	expect(jobs('video')).toHaveLength(1);
	expect(new Set(out.map(({ json }) => json.video_id)).size).toBe(1);
});

test('two items with the same content are two videos per execution', async () => {
	await runNode(
		service,
		'VideoGenVideo',
		avatar({ script: 'Hello there, this is a long enough text.', options: per('execution') }),
		{ items: items(2) },
	);
	expect(jobs('video')).toHaveLength(2);
});

describe('Retry On Fail, with values that change from try to try', () => {
	const text = 'and this is a long enough text.';

	test.each([
		['execution', per('execution')],
		['request', per('request')],
		['own key', order],
		[
			'own key that changes',
			per('ownKey', { idempotencyKey: '=k{{ $now.toMillis() }}{{ $json.i }}' }),
		],
	])('pays once per %s', async (_, options) => {
		for (const parameters of [avatar, batch]) {
			service.control.reset();
			const path = parameters === batch ? '/v3/videos/batches' : '/v3/videos';
			// Three are made although their answers are lost, and the third of them fails the node.
			service.control.fail({ method: 'POST', path, delayMs: 1, times: 2 });
			service.control.fail({ method: 'POST', path, status: 402, times: 1 });
			const { error } = await runNode(
				service,
				'VideoGenVideo',
				parameters({ script: `${changing}${text}`, options: { ...options, requestsAtOnce: 1 } }),
				{ items: items(5), node: retried },
			);
			expect(error).toBeUndefined();
			expect(jobs('video')).toHaveLength(5);
		}
	});

	test.each([
		['execution', per('execution')],
		['request', per('request')],
		['own key', order],
	])('makes a failed render anew per %s', async (_, options) => {
		service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
		const { error } = await runNode(
			service,
			'VideoGenVideo',
			avatar({
				script: `${changing}${text}`,
				waitForCompletion: true,
				options: { ...options, pollInterval: 1 },
			}),
			{ items: items(3), node: retried },
		);
		expect(error).toBeUndefined();
		expect(jobs('video')).toHaveLength(4);
	});

	test('an own key of the full length is numbered for what is made anew', async () => {
		service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
		const idempotencyKey = 'k'.repeat(255);
		const { error } = await runNode(
			service,
			'VideoGenVideo',
			avatar({
				waitForCompletion: true,
				options: { ...per('ownKey', { idempotencyKey }), pollInterval: 1 },
			}),
			{ items: items(1), node: retried },
		);
		expect(error).toBeUndefined();
		expect(keysOf('/v3/videos')).toEqual([idempotencyKey, expect.stringMatching(/:again:1$/)]);
	});
});

describe('a file that a create needs is uploaded', () => {
	const image = (options: INodeParameters): INodeParameters => ({
		operation: 'createImage',
		image: { __rl: true, mode: 'binary', value: 'data' },
		speechFrom: 'text',
		script: 'Hello there, this is a long enough text.',
		voice_id: byId('voice_001'),
		waitForCompletion: false,
		options: options,
	});
	const picture = async (content = 'A picture') =>
		await fileItem(Buffer.from(content), 'image/png');
	/** No form takes it: it goes straight to storage. */
	const large = async () => await fileItem(Buffer.alloc(33_000_000, 1), 'image/png');
	const run = async (options: INodeParameters, given: unknown[], more: object = {}) =>
		await runNode(service, 'VideoGenVideo', image(options), { items: given as never, ...more });

	test('once, however often n8n tries', async () => {
		for (const options of [per('execution'), per('request'), order]) {
			service.control.reset();
			service.control.fail({ method: 'POST', path: '/v3/videos', status: 402, times: 1 });
			const { error } = await run(options, [{ ...(await picture()), json: { i: 0 } }], {
				node: retried,
			});
			expect(error).toBeUndefined();
			expect(keysOf('/v3/assets')).toHaveLength(2);
			expect(new Set(keysOf('/v3/assets')).size).toBe(1);
			expect(jobs('video')).toHaveLength(1);
			const [body] = received('POST', '/v3/videos').map((one) => one.body as IDataObject);
			expect(body?.image).toMatchObject({ type: 'asset_id' });
		}
	});

	test('again by another execution per execution; not per same request, nor per own key', async () => {
		const made: Record<string, number> = {};
		for (const [name, options] of Object.entries({
			execution: per('execution'),
			request: per('request'),
			ownKey: order,
		})) {
			service.control.reset();
			for (let i = 0; i < 2; i++) {
				const { error } = await run(options, [{ ...(await picture()), json: { i: 0 } }]);
				expect(error).toBeUndefined();
			}
			made[`${name} assets`] = new Set(keysOf('/v3/assets')).size;
			made[`${name} videos`] = jobs('video').length;
		}
		expect(made).toEqual({
			'execution assets': 2,
			'execution videos': 2,
			'request assets': 1,
			'request videos': 1,
			'ownKey assets': 1,
			'ownKey videos': 1,
		});
	});

	test('per same request, another file is another request', async () => {
		await run(per('request'), [{ ...(await picture('one')), json: { i: 0 } }]);
		await run(per('request'), [{ ...(await picture('two')), json: { i: 0 } }]);
		expect(jobs('video')).toHaveLength(2);
	});

	test('per own key, two files of one item are two assets', async () => {
		const { binary } = await picture('one');
		const { binary: other } = await picture('two');
		const { error } = await run(
			{
				...order,
				watermark: {
					mark: { image: { __rl: true, mode: 'binary', value: 'logo' } },
				},
			} as never,
			[{ json: { i: 0 }, binary: { ...binary, logo: other.data } }],
		);
		expect(error).toBeUndefined();
		expect(new Set(keysOf('/v3/assets')).size).toBe(received('POST', '/v3/assets').length);
	});

	test('a large one leads to one video per same request and per own key', async () => {
		for (const options of [per('request'), order]) {
			service.control.reset();
			const file = { ...(await large()), json: { i: 0 } };
			const one = await run(options, [file]);
			const two = await run(options, [file]);
			expect(one.error ?? two.error).toBeUndefined();
			expect(jobs('video')).toHaveLength(1);
			// Whether the service takes a key here is not known: it is sent, and the same one.
			const keys = keysOf('/v3/assets/direct-uploads');
			expect(keys).toEqual([expect.any(String), keys[0]]);
		}
	});
});
