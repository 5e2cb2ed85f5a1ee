/** The options that limit what a run spends: Most Jobs per Run, and Stop Below Balance. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import {
	avatar,
	batch,
	createCalls,
	continueOnFail,
	items,
	retryOnFail,
	session,
} from '../support/calls';
import { url } from '../support/cases';
import { byId, createFileItem, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { createVideos, createBatch, posts, jobs, failPosts } = createCalls(service);

const balanceReads = () => service.control.requests({ method: 'GET', path: '/v3/users/me' });

const translation = (languages: string[], mostJobs: number): INodeParameters => ({
	operation: 'create',
	video: url('https://files.example/a.mp4'),
	output_languages: languages,
	waitForCompletion: false,
	options: { mostJobs },
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
	const limit = (mostJobs: number) => ({ options: { mostJobs } });
	const twoLanguages = ['Spanish', 'German'];

	test.each<[string, INodeParameters, number, string]>([
		['VideoGenVideo', avatar(limit(4)), 5, '5 videos; the limit is 4'],
		['VideoGenVideo', batch(limit(100)), 150, '150 videos; the limit is 100'],
		['VideoGenVideo', avatar(limit(200)), 10_000, '10,000 videos; the limit is 200'],
		['VideoGenAgent', session(limit(1)), 2, '2 sessions; the limit is 1'],
		[
			'VideoGenTranslation',
			translation([...twoLanguages, 'French'], 5),
			2,
			'6 translations; the limit is 5',
		],
		[
			'VideoGenTranslation',
			{ ...translation(twoLanguages, 5), operation: 'createBatch' },
			3,
			'6 translations; the limit is 5',
		],
		[
			'VideoGenTranslation',
			{ ...translation(twoLanguages, 1), resource: 'proofread', title: 'Words' },
			1,
			'2 proofreads; the limit is 1',
		],
		['VideoGenSpeech', { ...speech, ...limit(1) }, 2, '2 speeches; the limit is 1'],
		['VideoGenRealtimeAvatar', { ...stream, ...limit(1) }, 2, '2 streams; the limit'],
	])('%s: a run that would make more is refused before anything is sent', async (...row) => {
		const [type, parameters, count, words] = row;
		const { error } = await runNode(service, type, parameters, { items: items(count) });
		expect(error?.message).toContain(`This run would make ${words}`);
		expect(error?.message).toContain('"Most Jobs per Run"');
		expect(error?.description).toContain('Nothing was sent');
		expect(service.control.requests()).toHaveLength(0);
	});

	test('with Continue On Fail each item has the error', async () => {
		const { items: out } = await createVideos(3, limit(2), { node: continueOnFail });
		expect(out.map(({ json }) => json.error)).toEqual(
			Array(3).fill(expect.stringContaining('would make 3 videos')),
		);
		expect(service.control.requests()).toHaveLength(0);
	});

	test('items that are wrong make no job, and do not count', async () => {
		const script = '={{ $json.i === 0 ? "" : "Hello, this is a long enough text." }}';
		const { items: out } = await createVideos(3, { script, ...limit(2) }, { node: continueOnFail });
		expect(out.map(({ json }) => Boolean(json.error))).toEqual([true, false, false]);
	});

	test('as many as the limit go through, and without the option any number', async () => {
		expect((await createVideos(3, limit(3))).error).toBeUndefined();
		expect((await createBatch(250)).error).toBeUndefined();
	});

	test('where items ask for different limits, the lowest holds', async () => {
		const { error } = await createVideos(2, { options: { mostJobs: '={{ $json.i + 1 }}' } });
		expect(error?.message).toContain('the limit is 1');
	});

	test('an attempt of Retry On Fail counts the same jobs again, and pays for none twice', async () => {
		failPosts('/v3/videos', { status: 402, times: 1 });
		const { error } = await createVideos(3, limit(3), { node: retryOnFail });
		expect(error).toBeUndefined();
		expect(jobs('video')).toHaveLength(3);
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
	const subscription = (data: IDataObject) => ({ ...none, billing_type: 'subscription', ...data });
	const byUse = (usage_based: IDataObject) => ({
		...none,
		billing_type: 'usage_based',
		usage_based,
	});
	const credits = (premium_credits: IDataObject, more: IDataObject = {}) =>
		subscription({ subscription: { plan: 'pro', credits: { premium_credits, ...more } } });
	const stopBelow = (stopBelowBalance: number) => ({ options: { stopBelowBalance } });
	const create = async (least: number, count = 2, node: Partial<INode> = {}) =>
		await createVideos(count, stopBelow(least), { node });

	test.each([
		['a wallet', wallet(19.99), 20, '19.99 USD left, less than the 20'],
		['a wallet of credits', wallet(19, 'credits'), 20, '19 credits left'],
		['an empty wallet', wallet(0), 1, '0 USD left'],
		['a subscription', subscription({ remaining_credits: 5 }), 6, '5 credits left'],
		['a subscription with a balance inside', credits({ remaining: 5 }), 6, '5 credits left'],
		[
			'a subscription with additional credits',
			credits({ remaining: 1 }, { add_on_credits: { remaining: 4 } }),
			6,
			'5 credits left',
		],
		['billing by use, with credits', byUse({ remaining_credits: 5 }), 6, '5 credits left'],
		[
			'billing by use, up to a cap',
			byUse({ spending_current_usd: 95, spending_cap_usd: 100 }),
			6,
			'5 USD left',
		],
	])('%s that has less left: no video is created', async (_, data, least, words) => {
		account(data);
		const { error } = await create(least);
		expect(error?.message).toContain(words);
		expect(posts()).toHaveLength(0);
		expect(balanceReads()).toHaveLength(1);
	});

	test.each([
		['a wallet', wallet(20), 20],
		['a subscription', subscription({ remaining_credits: 5 }), 5],
		['billing by use', byUse({ remaining_credits: 5 }), 5],
	])(
		'%s that has enough left: all are created, after one request for the balance',
		async (_, data, least) => {
			account(data);
			const { error } = await create(least);
			expect(error).toBeUndefined();
			expect(jobs('video')).toHaveLength(2);
			expect(balanceReads()).toHaveLength(1);
		},
	);

	test.each([
		['no balance', none],
		['null', wallet(null)],
		['a text', { ...none, billing_type: 'wallet', wallet: { remaining_balance: 'much' } }],
	])('an account that returns %s: no video is created, and the error says why', async (_, data) => {
		account({ ...data, remaining_credits: null });
		const { error } = await create(1);
		expect(error?.message).toContain('does not return the balance');
		expect(error?.description).toContain('Stop Below Balance');
		expect(posts()).toHaveLength(0);
	});

	test('a key that may not read the account: no video is created', async () => {
		const key = service.control.addKey({ scopes: ['videos:write'] });
		const { error } = await createVideos(1, stopBelow(1), { credential: { apiKey: key } });
		expect(error?.message).toMatch(/scope/i);
		expect(posts()).toHaveLength(0);
	});

	test.each([
		['too little', () => account(wallet(1))],
		['an account without a balance', () => account({ ...none, remaining_credits: null })],
		[
			'an account that cannot be read',
			() => service.control.fail({ path: '/v3/users/me', status: 403, code: 'forbidden' }),
		],
	])('with Continue On Fail, %s makes an error of each item', async (_, arrange) => {
		arrange();
		const { items: out } = await create(5, 3, continueOnFail);
		expect(out).toHaveLength(3);
		expect(out.every(({ json }) => Boolean(json.error) && Boolean(json.details))).toBe(true);
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(posts()).toHaveLength(0);
	});

	test('it holds for batches, speech and streams too', async () => {
		account(wallet(1));
		for (const [type, form] of [
			['VideoGenVideo', batch(stopBelow(5))],
			['VideoGenSpeech', { ...speech, ...stopBelow(5) }],
			['VideoGenRealtimeAvatar', { ...stream, ...stopBelow(5) }],
		] as const) {
			const { error } = await runNode(service, type, form, { items: items(2) });
			expect(error?.message).toContain('1 USD left');
		}
		expect(posts()).toHaveLength(0);
	});

	test('no file is uploaded first', async () => {
		account(wallet(1));
		const file = await createFileItem(Buffer.from('A picture'), 'image/png');
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
				...stopBelow(5),
			},
			{ items: [file] },
		);
		expect(error?.message).toContain('1 USD left');
		expect(posts()).toHaveLength(0);
	});
});
