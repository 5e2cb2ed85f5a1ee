/** The texts of hints after a run, at the limits of their conditions. */
import {
	createBalanceChangeHint,
	createCapacityHint,
	createCheckOnlySummaryHint,
	createDisplacedFieldsHint,
	createPlayHint,
	createRateLimitHint,
	createRowsHint,
	createSuspensionHint,
} from '../../../nodes/core/collect/outputHints';
import type { RowReport } from '../../../nodes/core/collect/itemResult';
import type { PlannedRequest } from '../../../nodes/core/plan/groupRequests';
import { videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';

const video = { kind: videoJob, id: 'v' };
const batch = { kind: videoBatchJob, id: 'b' };
const again =
	'If you run this node again, everything is created again and you are charged again. To read existing results, use Get or Get Many.';

test.each<[string, number, Array<typeof video | typeof batch>, string | undefined]>([
	['a video after a minute', 60, [video], `This run took 60 seconds for video v. ${again}`],
	['a row, not its batch', 90, [batch, video], `This run took 2 minutes for video v. ${again}`],
	['a batch', 60, [batch], `This run took 60 seconds for video batch b. ${again}`],
	['no job', 60, [], undefined],
	['a job of a short run', 59, [video], undefined],
])('after a run with one row, the hint names %s', (_, seconds, started, expected) => {
	const rows = [{ item: 0, outcome: 'finished' as const, creation: 'created' as const }];
	expect(createRowsHint(rows, { started, seconds, repeats: true })).toBe(expected);
});

describe('after a run with several rows, the hint', () => {
	const row = (item: number, more: Partial<RowReport> = {}): RowReport => ({
		item,
		outcome: 'finished',
		creation: 'created',
		...more,
	});
	const failedRow = (item: number, reason: string): RowReport =>
		row(item, { outcome: 'failed', reason });
	const run = { started: [], seconds: 1, repeats: false };

	test.each<[string, RowReport[], string]>([
		[
			'counts the rows, and what is charged',
			[row(0), row(1)],
			'2 finished. 2 were created by this run, and each is charged.',
		],
		[
			'names a failed row, counted from 1',
			[row(0), failedRow(6, 'Script is empty')],
			'1 finished, 1 failed: row 7, Script is empty. 1 was created by this run, and is charged. 1 was created by this run without a result: the service does not say whether that is charged.',
		],
		[
			'names ten failed rows, and counts the others',
			Array.from({ length: 12 }, (_, i) => failedRow(i, 'No')),
			`12 failed: ${Array.from({ length: 10 }, (_, i) => `row ${i + 1}, No; `).join('')}and 2 more. 12 were created by this run without a result: the service does not say whether that is charged.`,
		],
		[
			'tells apart what was created, continued and replayed',
			[
				row(0),
				row(1, { creation: 'continued' }),
				row(2, { creation: 'replayed' }),
				row(3, { creation: undefined, outcome: 'running' }),
			],
			'3 finished, 1 still running. 1 was created by this run, and is charged. 1 was continued from an earlier attempt, and not charged again. 1 was created by an earlier execution, and not charged again. 1 was created by this run or by an earlier one: the service does not say which.',
		],
		[
			'says what is not started or unknown',
			[
				row(0, { outcome: 'not_started', creation: undefined }),
				row(1, { outcome: 'unknown', creation: undefined }),
			],
			'1 not started, 1 with unknown outcome.',
		],
		[
			'contains no markup of the service',
			[row(0), failedRow(1, '<img src=x>')],
			'1 finished, 1 failed: row 2, &#60;img src=x&#62;. 1 was created by this run, and is charged. 1 was created by this run without a result: the service does not say whether that is charged.',
		],
	])('%s', (_, rows, expected) => {
		expect(createRowsHint(rows, run)).toBe(expected);
	});

	test('says that another run is charged again, if it is', () => {
		expect(createRowsHint([row(0), row(1)], { ...run, repeats: true })).toBe(
			`2 finished. 2 were created by this run, and each is charged. ${again}`,
		);
	});
});

test('after a run with one row that failed, the hint is the same as after several', () => {
	const rows: RowReport[] = [
		{
			item: 0,
			outcome: 'running',
			creation: 'created',
			reason: 'The video did not finish in time',
		},
	];
	expect(createRowsHint(rows, { started: [video], seconds: 1, repeats: false })).toBe(
		'1 still running: row 1, The video did not finish in time. 1 was created by this run, and is charged.',
	);
});

const next =
	'You do not need to do anything: the node checks again at 14:05:10, and the workflow then continues automatically. IDs in the service:';

test.each([
	[[video], 0, 0, `0 of 1 video ended, 1 still running. ${next} video v.`],
	[[video, video], 3, 0, `3 of 5 videos ended, 2 still running. ${next} video v, video v.`],
	[[video], 1, 2, `1 of 4 videos ended, 1 still running, 2 waiting to start. ${next} video v.`],
	[[batch], 1, 0, `1 of 2 video batches ended, 1 still running. ${next} video_batch b.`],
	[[video, batch], 0, 0, `0 of 2 jobs ended, 2 still running. ${next} video v, video_batch b.`],
	[
		[batch],
		0,
		0,
		`100 rows: 0 of 1 video batch ended, 1 still running. ${next} video_batch b.`,
		100,
	],
])('a suspended run with the jobs %j counts them', (jobs, ended, unsent, expected, rows = 1) => {
	const until = new Date('2026-03-01T14:05:10Z');
	const plan = { jobs, ended, unsent, until, wait: { suspensions: 1 } };
	expect(createSuspensionHint(plan, 'UTC', rows)).toBe(expected);
});

test('the hint on fields of the input that moved names at most ten of them', () => {
	const names = (count: number) => new Set(Array.from({ length: count }, (_, i) => `f${i}`));
	const ten = [...names(10)].join(', ');
	expect(createDisplacedFieldsHint(names(0))).toBeUndefined();
	expect(createDisplacedFieldsHint(names(10))).toContain(
		` both the input and the output: ${ten}. `,
	);
	expect(createDisplacedFieldsHint(names(12))).toContain(
		` both the input and the output: ${ten} and 2 more. `,
	);
	expect(createDisplacedFieldsHint(new Set(['<b>']))).toContain('&#60;b&#62;');
});

test('a link may be in upper case, and needs a text', () => {
	expect(createPlayHint([{ video_url: 'HTTP://a.example/' }])).toContain('"HTTP://a.example/"');
	expect(createPlayHint([{ video_url: ['https://a.example/'] }])).toBeUndefined();
	expect(createPlayHint([{ video_url: 'see https://a.example/' }])).toBeUndefined();
});

const usd = (left: number) => ({ left, unit: 'USD' });
const others = 'Concurrent runs on the same account also affect the balance.';
const still = (amount: string) =>
	`The account balance is still ${amount}. This does not mean that the run was free: the service does not document when it charges you.`;
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
	`Rate limited to about ${rate}. The node has slowed down and will speed up again when it can. Nothing is lost.`;

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
	expect(createCapacityHint({ seconds: 1 })).toBe(
		'The account was running its maximum number of jobs. Items waited up to 1 second for their turn. Nothing is lost.',
	);
	expect(createCapacityHint({ seconds: 0.9 })).toBeUndefined();
});

test.each([
	[1, 0, 'One item was checked, and no problems were found'],
	[1, 1, 'One item was checked, and it would fail'],
	[1250, 1240, '1,250 items were checked, and 1,240 of them would fail'],
])('of %i checked items, %i would fail', (items, invalid, words) => {
	expect(createCheckOnlySummaryHint(items, invalid)).toBe(
		`${words}. Nothing was created or charged: Check Only is on.`,
	);
});
