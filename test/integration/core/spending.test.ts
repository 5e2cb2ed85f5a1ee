/** The options that bound what a run spends: Most Jobs per Run, and Stop Below Balance. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { avatar, batch, items, session } from '../support/calls';
import { byId, fileItem, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const continued: Partial<INode> = { onError: 'continueRegularOutput' };
const writes = () => service.control.requests({ method: 'POST' });
const reads = () => service.control.requests({ method: 'GET', path: '/v3/users/me' });

const translation = (languages: unknown, options: INodeParameters): INodeParameters => ({
	operation: 'create',
	video: { __rl: true, mode: 'url', value: 'https://files.example/a.mp4' },
	output_languages: languages as never,
	waitForCompletion: false,
	options,
});

const speech: INodeParameters = {
	operation: 'speak',
	voice_id: byId('voice_001'),
	text: 'Hello there',
};

const stream: INodeParameters = {
	operation: 'create',
	avatar_id: byId('look_001_1'),
	type: 'tts',
	text: 'Hello',
	voice_id: byId('voice_001'),
	waitUntil: 'accepted',
};

describe('Most Jobs per Run', () => {
	test.each([
		['VideoGenVideo', avatar({ options: { mostJobs: 4 } }), 5, '5 videos; the limit is 4'],
		['VideoGenVideo', batch({ options: { mostJobs: 100 } }), 150, '150 videos; the limit is 100'],
		[
			'VideoGenVideo',
			avatar({ options: { mostJobs: 200 } }),
			10_000,
			'10,000 videos; the limit is 200',
		],
		['VideoGenAgent', session({ options: { mostJobs: 1 } }), 2, '2 sessions; the limit is 1'],
		[
			'VideoGenTranslation',
			translation(['Spanish', 'German', 'French'], { mostJobs: 5 }),
			2,
			'6 translations; the limit is 5',
		],
		[
			'VideoGenTranslation',
			{ ...translation(['Spanish', 'German'], { mostJobs: 5 }), operation: 'createBatch' },
			3,
			'6 translations; the limit is 5',
		],
		[
			'VideoGenTranslation',
			{
				...translation(['Spanish', 'German'], { mostJobs: 1 }),
				resource: 'proofread',
				title: 'Words',
			},
			1,
			'2 proofreads; the limit is 1',
		],
		['VideoGenSpeech', { ...speech, options: { mostJobs: 1 } }, 2, '2 speeches; the limit is 1'],
		['VideoGenRealtimeAvatar', { ...stream, options: { mostJobs: 1 } }, 2, '2 streams; the limit'],
	])('%s: a run that would make more is refused before anything is sent', async (...row) => {
		const [type, parameters, count, words] = row;
		const { error } = await runNode(service, type, parameters as INodeParameters, {
			items: items(count),
		});
		expect(error?.message).toContain(`This run would make ${words}`);
		expect(error?.message).toContain('"Most Jobs per Run"');
		expect(error?.description).toContain('Nothing was sent');
		expect(service.control.requests()).toHaveLength(0);
	});

	test('with Continue On Fail too: each item says so', async () => {
		const { items: out } = await runNode(
			service,
			'VideoGenVideo',
			avatar({ options: { mostJobs: 2 } }),
			{ items: items(3), node: continued },
		);
		expect(out.map(({ json }) => String(json.error).includes('would make 3 videos'))).toEqual([
			true,
			true,
			true,
		]);
		expect(service.control.requests()).toHaveLength(0);
	});

	test('items that are wrong make nothing, and do not count', async () => {
		const { items: out } = await runNode(
			service,
			'VideoGenVideo',
			avatar({
				script: '={{ $json.i === 0 ? "" : "Hello, this is a long enough text." }}',
				options: { mostJobs: 2 },
			}),
			{ items: items(3), node: continued },
		);
		expect(out.map(({ json }) => Boolean(json.error))).toEqual([true, false, false]);
	});

	test('as many as the limit go through, and without the option any number', async () => {
		const at = avatar({ options: { mostJobs: 3 } });
		expect(
			(await runNode(service, 'VideoGenVideo', at, { items: items(3) })).error,
		).toBeUndefined();
		const { error } = await runNode(service, 'VideoGenVideo', batch(), { items: items(250) });
		expect(error).toBeUndefined();
	});

	test('where items ask for different limits, the lowest holds', async () => {
		const parameters = avatar({ options: { mostJobs: '={{ $json.i + 1 }}' } });
		const { error } = await runNode(service, 'VideoGenVideo', parameters, { items: items(2) });
		expect(error?.message).toContain('the limit is 1');
	});

	test('retried by n8n, the same number is judged again, and nothing is paid for twice', async () => {
		service.control.fail({ method: 'POST', path: '/v3/videos', status: 402, times: 1 });
		const { error } = await runNode(
			service,
			'VideoGenVideo',
			avatar({ options: { mostJobs: 3 } }),
			{ items: items(3), node: { retryOnFail: true, waitBetweenTries: 1 } },
		);
		expect(error).toBeUndefined();
		expect(service.control.jobs('video')).toHaveLength(3);
	});
});

describe('Stop Below Balance', () => {
	const account = (data: IDataObject) =>
		service.control.fail({
			method: 'GET',
			path: '/v3/users/me',
			status: 200,
			body: { data: { username: 'demo', ...data } },
		});
	const none = { wallet: null, subscription: null, usage_based: null };
	const wallet = (left: unknown, currency = 'usd') => ({
		...none,
		billing_type: 'wallet',
		wallet: { currency, remaining_balance: left },
		remaining_credits: 0,
		included_credits: 0,
	});
	const guarded = (least: unknown, more: INodeParameters = {}) =>
		avatar({ options: { stopBelowBalance: least as number, ...more } });
	const run = async (form: INodeParameters, count = 2, node: Partial<INode> = {}) =>
		await runNode(service, 'VideoGenVideo', form, { items: items(count), node });

	test.each([
		['a wallet', wallet(19.99), 20, '19.99 USD left, less than the 20'],
		['a wallet of credits', wallet(19, 'credits'), 20, '19 credits left'],
		['an empty wallet', wallet(0), 1, '0 USD left'],
		[
			'a subscription',
			{ ...none, billing_type: 'subscription', remaining_credits: 5 },
			6,
			'5 credits left',
		],
		[
			'a subscription that tells inside',
			{
				...none,
				billing_type: 'subscription',
				subscription: { plan: 'pro', credits: { premium_credits: { remaining: 5 } } },
			},
			6,
			'5 credits left',
		],
		[
			'credits added to a subscription',
			{
				...none,
				billing_type: 'subscription',
				subscription: {
					plan: 'pro',
					credits: { premium_credits: { remaining: 1 }, add_on_credits: { remaining: 4 } },
				},
			},
			6,
			'5 credits left',
		],
		[
			'billing by use, with credits',
			{ ...none, billing_type: 'usage_based', usage_based: { remaining_credits: 5 } },
			6,
			'5 credits left',
		],
		[
			'billing by use, up to a cap',
			{
				...none,
				billing_type: 'usage_based',
				usage_based: { spending_current_usd: 95, spending_cap_usd: 100 },
			},
			6,
			'5 USD left',
		],
	])('%s that has less left: nothing is made', async (_, data, least, words) => {
		account(data);
		const { error } = await run(guarded(least));
		expect(error?.message).toContain(words);
		expect(writes()).toHaveLength(0);
		expect(reads()).toHaveLength(1);
	});

	test.each([
		['a wallet', wallet(20), 20],
		['a subscription', { ...none, billing_type: 'subscription', remaining_credits: 5 }, 5],
		[
			'billing by use',
			{ ...none, billing_type: 'usage_based', usage_based: { remaining_credits: 5 } },
			5,
		],
	])('%s that has as much left: all is made, after one look', async (_, data, least) => {
		account(data);
		const { error } = await run(guarded(least));
		expect(error).toBeUndefined();
		expect(service.control.jobs('video')).toHaveLength(2);
		expect(reads()).toHaveLength(1);
	});

	test.each([
		['nothing', none],
		['null', wallet(null)],
		['a text', { ...none, billing_type: 'wallet', wallet: { remaining_balance: 'much' } }],
	])('an account that tells %s: nothing is made, and the error says why', async (_, data) => {
		account({ ...data, remaining_credits: null });
		const { error } = await run(guarded(1));
		expect(error?.message).toContain('does not return the balance');
		expect(error?.description).toContain('Stop Below Balance');
		expect(writes()).toHaveLength(0);
	});

	test('a key that may not read the account: nothing is made', async () => {
		const key = service.control.addKey({ scopes: ['videos:write'] });
		const { error } = await runNode(service, 'VideoGenVideo', guarded(1), {
			items: items(1),
			credential: { apiKey: key },
		});
		expect(error?.message).toMatch(/scope/i);
		expect(writes()).toHaveLength(0);
	});

	test.each([
		['too little', () => account(wallet(1))],
		['an account that does not tell', () => account({ ...none, remaining_credits: null })],
		[
			'an account that cannot be read',
			() => service.control.fail({ path: '/v3/users/me', status: 403, code: 'forbidden' }),
		],
	])('with Continue On Fail, %s makes an error of each item', async (_, arrange) => {
		arrange();
		const { items: out } = await run(guarded(5), 3, continued);
		expect(out).toHaveLength(3);
		expect(out.every(({ json }) => Boolean(json.error) && Boolean(json.details))).toBe(true);
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(writes()).toHaveLength(0);
	});

	test('batches, speech and streams are guarded too', async () => {
		account(wallet(1));
		for (const [type, form] of [
			['VideoGenVideo', batch({ options: { stopBelowBalance: 5 } })],
			['VideoGenSpeech', { ...speech, options: { stopBelowBalance: 5 } }],
			['VideoGenRealtimeAvatar', { ...stream, options: { stopBelowBalance: 5 } }],
		] as const) {
			const { error } = await runNode(service, type, form, { items: items(2) });
			expect(error?.message).toContain('1 USD left');
		}
		expect(writes()).toHaveLength(0);
	});

	test('files are not uploaded first', async () => {
		account(wallet(1));
		const file = await fileItem(Buffer.from('A picture'), 'image/png');
		const { error } = await runNode(
			service,
			'VideoGenVideo',
			{
				operation: 'createImage',
				image: { __rl: true, mode: 'binary', value: 'data' },
				speechFrom: 'text',
				script: 'Hello there, this is a long enough text.',
				voice_id: byId('voice_001'),
				waitForCompletion: false,
				options: { stopBelowBalance: 5 },
			},
			{ items: [file] },
		);
		expect(error?.message).toContain('1 USD left');
		expect(writes()).toHaveLength(0);
	});
});
