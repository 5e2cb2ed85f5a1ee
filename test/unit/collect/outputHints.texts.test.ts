/** The texts of hints after a run, at the limits of their conditions. */
import {
	createBalanceChangeHint,
	createCapacityHint,
	createCheckOnlySummaryHint,
	createPlayHint,
	createRateLimitHint,
	createRunChargesHint,
} from '../../../nodes/core/collect/outputHints';
import type { PlannedRequest } from '../../../nodes/core/plan/groupRequests';
import { agentSessionJob, videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';

const video = { kind: videoJob, id: 'v' };
const batch = { kind: videoBatchJob, id: 'b' };
const session = { kind: agentSessionJob, id: 's' };
const again =
	'If you run this node again, everything is created and charged again. To read existing results, use Get or Get Many.';
const created = (results: string) =>
	`This run created ${results}, and each is charged. Their IDs are in the output. ${again}`;

test.each<[string, Parameters<typeof createRunChargesHint>, string | undefined]>([
	['jobs of two kinds', [2, [video, session], 1], created('2 results')],
	['more items than jobs', [3, [video, video], 1], created('3 results')],
	['more jobs than items', [1, [video, video], 1], created('2 videos')],
	['a video after a minute', [1, [video], 60], `This run took 60 seconds for video v. ${again}`],
	[
		'a row, not its batch',
		[1, [batch, video], 90],
		`This run took 2 minutes for video v. ${again}`,
	],
	['a batch', [1, [batch], 60], `This run took 60 seconds for video batch b. ${again}`],
	['no job', [1, [], 60], undefined],
	['a batch of a short run', [1, [batch], 59], undefined],
])('a run is charged for %s', (_, run, expected) => {
	expect(createRunChargesHint(...run)).toBe(expected);
});

test('a link may be in upper case, and needs a text', () => {
	expect(createPlayHint([{ video_url: 'HTTP://a.example/' }])).toContain('"HTTP://a.example/"');
	expect(createPlayHint([{ video_url: ['https://a.example/'] }])).toBeUndefined();
	expect(createPlayHint([{ video_url: 'see https://a.example/' }])).toBeUndefined();
});

const usd = (left: number) => ({ left, unit: 'USD' });
const others = 'Concurrent runs on the same account affect it too.';
const still = (amount: string) =>
	`The account balance is still ${amount}. This does not mean that the run was free: the service does not publish when it charges.`;
const unreadable = (time: string) =>
	`The account balance could not be read ${time} this run, so the cost is unknown: No`;

test.each<[...Parameters<typeof createBalanceChangeHint>, string]>([
	[new Error('No'), new Error('Other'), unreadable('before')],
	[usd(1), new Error('No'), unreadable('after')],
	[usd(1234.5), usd(1234.5), still('1,234.5 USD')],
	[{ left: 7, unit: '' }, { left: 7.00009, unit: '' }, still('7')],
	[
		usd(0.3),
		usd(0.1),
		`The account balance fell by 0.2 USD during this run, from 0.3 USD to 0.1 USD. ${others}`,
	],
	[
		usd(0.0001),
		usd(0),
		`The account balance fell by 0.0001 USD during this run, from 0.0001 USD to 0 USD. ${others}`,
	],
	[
		usd(1),
		usd(3000),
		`The account balance rose by 2,999 USD during this run, from 1 USD to 3,000 USD. ${others}`,
	],
])('the balance before %j and after %j is explained', (before, after, expected) => {
	expect(createBalanceChangeHint(before, after)).toBe(expected);
});

const createRequests = (count: number, perMinute?: number) =>
	Array<PlannedRequest>(count).fill({
		operation: perMinute === undefined ? {} : { perMinuteLimit: { name: 'x', perMinute } },
	} as PlannedRequest);
const limited = (count: string, minutes: string) =>
	`The service accepts 30 of these requests per minute, so ${count} items need at least ${minutes}. The node respects that limit, and nothing is lost.`;
const slowed = (rate: string) =>
	`Rate limited to about ${rate}. The node has slowed down, and speeds up again when it can. Nothing is lost.`;

test.each<[string, Parameters<typeof createRateLimitHint>, string | undefined]>([
	['one above the limit', [createRequests(31, 30)], limited('31', '1 minute')],
	['exactly two minutes', [createRequests(60, 30)], limited('60', '1 minute')],
	['thousands', [createRequests(2000, 30)], limited('2,000', '66 minutes')],
	['few limited ones', [[...createRequests(9), ...createRequests(30, 30)]], undefined],
	['a limit that is not reached', [createRequests(30, 30), 1], slowed('1 request per second')],
	['less than one per second', [[], 0.99], slowed('59 requests per minute')],
	['less than ten per minute', [[], 0.125], slowed('7.5 requests per minute')],
	['more than ten per second', [[], 10.4], slowed('10 requests per second')],
])('a hint about the rate of requests: %s', (_, run, expected) => {
	expect(createRateLimitHint(...run)).toBe(expected);
});

test('a full account is explained with the time of the longest wait', () => {
	expect(createCapacityHint({ seconds: 1, running: 3 })).toBe(
		'The account was running its maximum number of jobs, 3 jobs of them from this n8n instance. Items waited up to 1 second for their turn. Nothing is lost.',
	);
});

test.each([
	[1, 0, 'One item was checked, without problems'],
	[1, 1, 'One item was checked, and it would fail'],
	[1250, 1240, '1,250 items were checked, and 1,240 of them would fail'],
])('of %i checked items, %i would fail', (items, invalid, words) => {
	expect(createCheckOnlySummaryHint({ items, invalid })).toBe(
		`${words}. Nothing was created or charged: Check Only is on.`,
	);
});
