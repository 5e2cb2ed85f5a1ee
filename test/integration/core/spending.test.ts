/** The options that limit what a run spends: Max Jobs per Run and Min Account Balance. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	avatar,
	batch,
	createCalls,
	continueOnFail,
	expectOnePerItem,
	items,
	retryOnFail,
	session,
	speakingImage,
	speech,
	stream,
	waiting,
} from '../support/calls';
import { url } from '../support/cases';
import { createFileItem, runNode, type RunOptions } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { createVideos, posts, jobs, failPosts, failRenders } = createCalls(service);

describe('Max Jobs per Run', () => {
	const limit = (mostJobs: number) => ({ options: { mostJobs } });
	const translation = (more: INodeParameters): INodeParameters => ({
		operation: 'create',
		video: url('https://files.example/a.mp4'),
		output_languages: ['Spanish', 'German'],
		waitForCompletion: false,
		...more,
	});

	test.each<[string, INodeParameters, number, string]>([
		['VideoGenVideo', avatar(limit(4)), 5, '5 videos; the limit is 4'],
		['VideoGenVideo', batch(limit(100)), 150, '150 videos; the limit is 100'],
		['VideoGenVideo', avatar(limit(200)), 10_000, '10,000 videos; the limit is 200'],
		['VideoGenAgent', session(limit(1)), 2, '2 videos; the limit is 1'],
		['VideoGenTranslation', translation(limit(3)), 2, '4 translations; the limit is 3'],
		[
			'VideoGenTranslation',
			translation({ operation: 'createBatch', ...limit(5) }),
			3,
			'6 translations; the limit is 5',
		],
		[
			'VideoGenTranslation',
			translation({ resource: 'proofread', title: 'Words', ...limit(1) }),
			1,
			'2 proofreads; the limit is 1',
		],
		['VideoGenSpeech', speech(limit(1)), 2, '2 speeches; the limit is 1'],
		['VideoGenRealtimeAvatar', stream(limit(1)), 2, '2 streams; the limit'],
	])('%s: a run that would make more is rejected before anything is sent', async (...row) => {
		const [type, parameters, count, words] = row;
		const { error } = await runNode(service, type, parameters, { items: items(count) });
		expect(error?.message).toContain(`This run would create ${words}`);
		expect(error?.message).toContain('"Max Jobs per Run"');
		expect(error?.description).toContain('Nothing was sent');
		expect(service.control.requests()).toHaveLength(0);
	});

	test('with Continue On Fail each item has the error', async () => {
		const { items: out } = await createVideos(3, limit(2), { node: continueOnFail });
		const rejected = expect.stringContaining('would create 3 videos');
		expect(out.map(({ json }) => json.error)).toEqual([rejected, rejected, rejected]);
		expect(service.control.requests()).toHaveLength(0);
	});

	test('items that are wrong make no job, and do not count', async () => {
		const script = '={{ $json.i === 0 ? "" : "Hello, this is a long enough text." }}';
		const { items: out } = await createVideos(3, { script, ...limit(2) }, { node: continueOnFail });
		expect(out.map(({ json }) => Boolean(json.error))).toEqual([true, false, false]);
	});

	test('an attempt of Retry On Fail counts the same jobs again, and pays for none twice', async () => {
		failPosts('/v3/videos', { status: 402, times: 1 });
		const { error } = await createVideos(3, limit(3), { node: retryOnFail });
		expect(error).toBeUndefined();
		expect(jobs('video')).toHaveLength(3);
	});
});

describe('Min Account Balance', () => {
	const path = '/v3/users/me';
	const none = { wallet: null, subscription: null, usage_based: null };
	/** Lets the service return this account. */
	const account = (data: IDataObject) =>
		service.control.fail({ path, status: 200, body: { data: { ...none, ...data } } });
	const balanceReads = () => service.control.requests({ method: 'GET', path });

	const wallet = (remaining_balance: unknown, currency = 'usd') => ({
		billing_type: 'wallet',
		wallet: { currency, remaining_balance },
		remaining_credits: 0,
		included_credits: 0,
	});
	const subscription = (data: IDataObject) => ({ billing_type: 'subscription', ...data });
	const byUse = (usage_based: IDataObject) => ({ billing_type: 'usage_based', usage_based });
	const credits = (premium_credits: IDataObject, more: IDataObject = {}) =>
		subscription({ subscription: { plan: 'pro', credits: { premium_credits, ...more } } });
	const unknown = { remaining_credits: null };

	const stopBelow = (stopBelowBalance: number) => ({ options: { stopBelowBalance } });
	const create = async (least: number, options: RunOptions = {}) =>
		await createVideos(2, stopBelow(least), options);

	test.each<[string, IDataObject, number, string]>([
		['a wallet', wallet(19.99), 20, '19.99 USD left, less than the minimum of 20'],
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
		[
			'billing by use, after the credits',
			{
				...byUse({ spending_current_usd: 95, spending_cap_usd: 100 }),
				...{ included_credits: 10, remaining_credits: 0 },
			},
			6,
			'5 USD left',
		],
		[
			'a subscription next to a number without meaning',
			{ ...credits({ remaining: 5 }), remaining_credits: 0 },
			6,
			'5 credits left',
		],
		['no balance', unknown, 1, "does not return this account's balance"],
		[
			'a wallet with null',
			{ ...wallet(null), ...unknown },
			1,
			"does not return this account's balance",
		],
		[
			'a wallet with a text',
			{ ...wallet('much'), ...unknown },
			1,
			"does not return this account's balance",
		],
	])('%s that is too little or unknown: no video is created', async (_, data, least, words) => {
		account(data);
		const { error } = await create(least);
		expect(error?.message).toContain(words);
		expect(error?.description).toContain('Min Account Balance');
		expect(posts()).toHaveLength(0);
		expect(balanceReads()).toHaveLength(1);
	});

	test.each<[string, IDataObject]>([
		['wallet', wallet(1)],
		['subscription', credits({ remaining: 1 })],
		['remaining credits', subscription({ remaining_credits: 1 })],
		['spending cap', byUse({ spending_current_usd: 9, spending_cap_usd: 10 })],
	])('the error names the balance that was read: %s', async (source, data) => {
		account(data);
		const { error } = await create(20);
		expect(error?.description).toContain(`The balance of the ${source} was read.`);
		expect(error?.context?.details).toMatchObject({ code: 'balance_too_low', source });
	});

	test.each<[string, IDataObject, number]>([
		['a wallet', wallet(20), 20],
		['a subscription', subscription({ remaining_credits: 5 }), 5],
		['billing by use', byUse({ remaining_credits: 5 }), 5],
	])(
		'%s with enough left: all are created, between two requests for the balance',
		async (...row) => {
			const [, data, least] = row;
			account(data);
			expect((await create(least)).error).toBeUndefined();
			expect(jobs('video')).toHaveLength(2);
			expect(balanceReads()).toHaveLength(2);
		},
	);

	test.each([
		['VideoGenVideo', avatar],
		['VideoGenVideo', batch],
	])('%s: what failed is not created again once there is too little', async (type, form) => {
		service.control.fail({
			path,
			times: 1,
			status: 200,
			body: { data: { ...none, ...wallet(5) } },
		});
		account(wallet(1));
		failRenders();
		const parameters = form(waiting({ stopBelowBalance: 5 }));
		const { error } = await runNode(service, type, parameters, {
			items: items(2),
			node: retryOnFail,
		});
		expect(error?.message).toContain('1 USD left');
		expect(jobs('video')).toHaveLength(2);
		for (const { id } of jobs('video')) {
			expect(`${error?.description} ${JSON.stringify(error?.context)}`).toContain(id);
		}
	});

	test('a key that may not read the account: no video is created', async () => {
		const apiKey = service.control.addKey({ scopes: ['videos:write'] });
		const { error } = await create(1, { credential: { apiKey } });
		expect(error?.message).toMatch(/scope/i);
		expect(posts()).toHaveLength(0);
	});

	test.each([
		['too little', () => account(wallet(1))],
		['an account without a balance', () => account(unknown)],
		[
			'an account that cannot be read',
			() => service.control.fail({ path, status: 403, code: 'forbidden' }),
		],
	])('with Continue On Fail, %s makes an error of each item', async (_, arrange) => {
		arrange();
		const { items: out } = await create(5, { node: continueOnFail });
		expectOnePerItem(out, 2);
		expect(out.every(({ json }) => Boolean(json.error) && Boolean(json.details))).toBe(true);
		expect(posts()).toHaveLength(0);
	});

	test.each([
		['a batch', 'VideoGenVideo', batch(stopBelow(5))],
		['speech', 'VideoGenSpeech', speech(stopBelow(5))],
		['a stream', 'VideoGenRealtimeAvatar', stream(stopBelow(5))],
		['a create that uploads a file first', 'VideoGenVideo', speakingImage(stopBelow(5))],
	])('it holds for %s', async (_, type, form) => {
		account(wallet(1));
		const file = await createFileItem(Buffer.from('A picture'), 'image/png');
		const { error } = await runNode(service, type, form, { items: [file] });
		expect(error?.message).toContain('1 USD left');
		expect(posts()).toHaveLength(0);
	});
});
