/** Report Cost: the hint after a run shows how the balance of the account has changed. */
import type { INodeParameters } from 'n8n-workflow';
import { avatar, batch, createCalls, retryOnFail, speech, stream } from '../support/calls';
import { runNode, type RunOptions } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { createVideos, posts, jobs, failPosts } = createCalls(service);

const path = '/v3/users/me';
const balanceReads = () => service.control.requests({ method: 'GET', path });

/** Lets the service return these balances, one after the other; the last one again and again. */
function returnBalances(...amounts: Array<number | null | 'error'>): void {
	amounts.forEach((amount, i) => {
		const wallet = { currency: 'usd', remaining_balance: amount };
		service.control.fail({
			path,
			...(i < amounts.length - 1 ? { times: 1 } : {}),
			...(amount === 'error'
				? { status: 403, code: 'forbidden' }
				: {
						status: 200,
						body: { data: { billing_type: 'wallet', wallet, remaining_credits: null } },
					}),
		});
	});
}

const reportCost: INodeParameters = { options: { reportCost: true } };

type Run = Awaited<ReturnType<typeof runNode>>['run'];
const readBalanceHints = (run: Run) =>
	(run.data.resultData.runData.Node?.[0]?.hints ?? [])
		.map(({ message }) => message)
		.filter((message) => message.includes('balance'));

const create = async (options: RunOptions = {}) => await createVideos(2, reportCost, options);

test.each<[string, number, string]>([
	['fell', 18.5, 'fell by 1.5 USD during this run, from 20 USD to 18.5 USD. Concurrent runs'],
	['rose, because credit was added', 25, 'rose by 5 USD during this run'],
	['did not change', 20, 'is still 20 USD. This does not mean that the run was free'],
])('after a run, the hint shows that the balance %s', async (_, after, words) => {
	returnBalances(20, after);
	const { error, run } = await create();
	expect(error).toBeUndefined();
	expect(readBalanceHints(run)).toEqual([expect.stringContaining(words)]);
	expect(balanceReads()).toHaveLength(2);
});

test.each([
	[
		'a video that is not awaited',
		'VideoGenVideo',
		avatar({ waitForCompletion: false, ...reportCost }),
	],
	['a batch', 'VideoGenVideo', batch(reportCost)],
	['speech', 'VideoGenSpeech', speech(reportCost)],
	['a stream', 'VideoGenRealtimeAvatar', stream(reportCost)],
	['Min Account Balance', 'VideoGenVideo', avatar({ options: { stopBelowBalance: 5 } })],
])('the hint also appears for %s', async (_, type, form) => {
	returnBalances(20, 19.9);
	const { run } = await runNode(service, type, form);
	expect(readBalanceHints(run)).toEqual([expect.stringContaining('fell by 0.1 USD')]);
});

test('without the option, the balance is not read', async () => {
	const { run } = await createVideos(2, {});
	expect(readBalanceHints(run)).toEqual([]);
	expect(balanceReads()).toHaveLength(0);
});

test('a balance that cannot be read before the run stops nothing, and is not read again', async () => {
	returnBalances(null);
	const { error, run } = await create();
	expect(error).toBeUndefined();
	expect(jobs('video')).toHaveLength(2);
	expect(readBalanceHints(run)).toEqual([
		expect.stringMatching(/could not be read before this run, so the cost is unknown: .*balance/),
	]);
	expect(balanceReads()).toHaveLength(1);
});

test('a balance that cannot be read after the run does not fail it', async () => {
	returnBalances(20, 'error');
	const { error, items, run } = await create();
	expect(error).toBeUndefined();
	expect(items).toHaveLength(2);
	expect(readBalanceHints(run)).toEqual([expect.stringContaining('could not be read after')]);
	expect(posts('/v3/videos')).toHaveLength(2);
});

test('with Retry On Fail, the difference includes the earlier attempts', async () => {
	returnBalances(20, 15, 12);
	failPosts('/v3/videos', { status: 402, times: 1 });
	const { run } = await create({ node: retryOnFail });
	expect(readBalanceHints(run)).toEqual([expect.stringContaining('fell by 8 USD')]);
});
