/** Creates the hints above the output: a link to the video, charges, and why the run was slow. */
import { tryToParseDateTime, type IDataObject } from 'n8n-workflow';
import { clock } from '../clock';
import type { RowOutcome } from '../errors/errorDetails';
import { formatNumber } from '../form/validation';
import { escapeHtml, showHints } from '../hints';
import { describeOutage } from '../jobs/readJobs';
import { describeJob, describeJobKind, type Job } from '../jobs/types';
import { readText } from '../json';
import type { Balance } from '../operation';
import { isPaid } from '../operationTraits';
import { getPayOnceScope, type PlannedRequest, type CreationSource } from '../plan/groupRequests';
import { toPlural } from '../plan/spendingLimits';
import type { RunContext } from '../send/sendPlannedRequest';
import { findFailedReads, type SuspensionPlan } from '../suspend/suspension';
import { formatDuration } from '../time';
import type { FinishedRequest, RowReport } from './itemResult';

/** Minimum duration, in seconds, for a run with only one row to get hints. */
const longRun = 60;

/**
 * Shows hints about a finished run above its output.
 *
 * @param run.begun when the run began, in Unix milliseconds
 * @param run.reasonNotToSuspend reason why the execution could not be suspended
 * @param run.displaced names of input fields that moved to `input`
 * @param run.after account balance after the run, or the error if it could not be read
 */
export function showRunHints(
	{ n8n, client, startedJobs, nodeRun }: Omit<RunContext, 'releaseOthers'>,
	finished: readonly FinishedRequest[],
	{
		rows,
		begun,
		reasonNotToSuspend,
		displaced,
		after,
	}: {
		rows: readonly RowReport[];
		begun: number;
		reasonNotToSuspend?: string;
		displaced: ReadonlySet<string>;
		after?: Balance | Error;
	},
): void {
	const paid = finished.filter(({ operation }) => isPaid(operation));
	const outputs = finished.flatMap(({ results }) =>
		results.flatMap((result) => ('output' in result ? [result.output.json] : [])),
	);
	const seconds = (clock.now() - begun) / 1000;
	const repeats =
		rows.some(({ creation }) => creation === 'created') &&
		paid.some(({ values }) => getPayOnceScope(values) === 'execution');
	showHints(
		n8n,
		createPlayHint(outputs),
		createWarningHint(outputs),
		createDisplacedFieldsHint(displaced),
		paid.length === 0
			? undefined
			: createRowsHint(rows, { started: startedJobs.all(), seconds, repeats }),
		createRateLimitHint(finished, client.perSecond()),
		createCapacityHint(client.capacityWait),
		createNotSuspendedHint(reasonNotToSuspend, seconds),
		nodeRun.balance && after && createBalanceChangeHint(nodeRun.balance, after),
	);
}

const chargedAgain =
	'If you run this node again, everything is created again and you are charged again. To read existing results, use Get or Get Many.';

/** Maximum number of rows that a hint lists with their errors. */
const maxNamedRows = 10;

const outcomeWords: ReadonlyArray<[RowOutcome, string]> = [
	['finished', 'finished'],
	['running', 'still running'],
	['failed', 'failed'],
	['not_started', 'not started'],
	['unknown', 'with unknown outcome'],
];

function describeOutcomes(rows: readonly RowReport[]): string {
	const counts = outcomeWords.flatMap(([outcome, word]) => {
		const count = rows.filter((row) => row.outcome === outcome).length;
		return count === 0 ? [] : [`${formatNumber(count)} ${word}`];
	});
	const failed = rows.filter(({ reason }) => reason !== undefined);
	const named = failed
		.slice(0, maxNamedRows)
		.map(({ item, reason }) => `row ${item + 1}, ${reason}`);
	const more = failed.length - named.length;
	const reasons = [...named, ...(more > 0 ? [`and ${formatNumber(more)} more`] : [])].join('; ');
	return `${counts.join(', ')}${reasons === '' ? '' : `: ${reasons}`}.`;
}

function describeCharges(rows: readonly RowReport[]): string[] {
	const existing = rows.filter(({ outcome }) => ['finished', 'running'].includes(outcome));
	const count = (creation?: CreationSource) =>
		existing.filter((row) => row.creation === creation).length;
	const texts: Array<[number, string]> = [
		[
			count('created'),
			`created by this run, and ${count('created') === 1 ? 'is' : 'each is'} charged`,
		],
		[count('continued'), 'continued from an earlier attempt, and not charged again'],
		[count('replayed'), 'created by an earlier execution, and not charged again'],
		[count(), 'created by this run or by an earlier one: the service does not say which'],
		[
			rows.filter((row) => row.creation === 'created' && !existing.includes(row)).length,
			'created by this run without a result: the service does not say whether that is charged',
		],
	];
	return texts.flatMap(([number, text]) =>
		number === 0 ? [] : [`${formatNumber(number)} ${number === 1 ? 'was' : 'were'} ${text}.`],
	);
}

/** Summarizes the outcomes and charges of rows. Undefined for a single row without a problem. */
const summarizeRows = (rows: readonly RowReport[]): string | undefined =>
	rows.length > 1 || rows.some(({ reason }) => reason !== undefined)
		? [describeOutcomes(rows), ...describeCharges(rows)].join(' ')
		: undefined;

/** Creates the hint about rows' outcomes and charges, and about charges if the node runs again. */
export function createRowsHint(
	rows: readonly RowReport[],
	{ started, seconds, repeats }: { started: readonly Job[]; seconds: number; repeats: boolean },
): string | undefined {
	const job = started.find(({ kind }) => !kind.name.endsWith('_batch')) ?? started[0];
	const summary =
		summarizeRows(rows) ??
		(job && seconds >= longRun
			? `This run took ${formatDuration(seconds)} for ${describeJobKind(job.kind)} ${job.id}.`
			: undefined);
	return summary && [escapeHtml(summary), ...(repeats ? [chargedAgain] : [])].join(' ');
}

export const createNotSuspendedHint = (
	reason: string | undefined,
	seconds: number,
): string | undefined =>
	reason === undefined || seconds < longRun
		? undefined
		: `The execution was not suspended while the node waited, because ${reason}.`;

/** Maximum number of jobs that a hint lists. Every job is also written to n8n's log. */
const maxNamedJobs = 10;

/**
 * Creates the hint about what a suspended execution waits for, which n8n itself does not show.
 *
 * @param rows number of input items. Shown if a job has several rows, as a batch does
 */
export function createSuspensionHint(
	{ jobs, ended, unsent, until, wait }: SuspensionPlan,
	zone: string,
	rows: number,
): string {
	const failedReads = findFailedReads(wait);
	const named = jobs.slice(0, maxNamedJobs).map(describeJob).join(', ');
	const others = jobs.length > maxNamedJobs ? ` and ${jobs.length - maxNamedJobs} others` : '';
	const kinds = new Set(jobs.map(({ kind }) => describeJobKind(kind)));
	const [noun = 'job'] = kinds.size === 1 ? kinds : [];
	const total = jobs.length + ended + unsent;
	const subject = rows > total ? `${formatNumber(rows)} rows: ` : '';
	const progress = [
		`${formatNumber(ended)} of ${formatNumber(total)} ${total === 1 ? noun : toPlural(noun)} ended`,
		`${formatNumber(jobs.length)} still running`,
		...(unsent > 0 ? [`${formatNumber(unsent)} waiting to start`] : []),
	].join(', ');
	const outage = failedReads ? `${describeOutage(failedReads, zone, clock.now())}. ` : '';
	const time = tryToParseDateTime(until).setZone(zone).toFormat('HH:mm:ss');
	// Without jobs, the node waits because it could not read its credential or the balance.
	if (jobs.length === 0) {
		return `The node could not continue (${failedReads?.cause ?? 'unknown'}), and will try again at ${time}. Its jobs keep running in the service.`;
	}
	return `${outage}${subject}${progress}. You do not need to do anything: the node checks again at ${time}, and the workflow then continues automatically. IDs in the service: ${named}${others}.`;
}

/** Creates the hint with a link to the video. Undefined unless the output is a single video. */
export function createPlayHint(results: readonly IDataObject[]): string | undefined {
	const [{ video_url: url } = {}, ...others] = results;
	if (others.length > 0 || typeof url !== 'string' || !/^https?:\/\//i.test(url)) return undefined;
	return `The video is ready. <a href="${escapeHtml(url)}" target="_blank">Play the video</a>`;
}

/** Maximum number of warnings in a hint. The items themselves contain all warnings. */
const maxWarnings = 3;

/** Creates the hint with the warnings of items whose results are incomplete. */
export function createWarningHint(results: readonly IDataObject[]): string | undefined {
	const warnings = new Set(results.flatMap(({ warning }) => readText(warning) ?? []));
	return warnings.size === 0
		? undefined
		: escapeHtml([...warnings].slice(0, maxWarnings).join(' '));
}

/** Maximum number of input fields that a hint names. */
const maxNamedFields = 10;

/** Creates the hint about input fields that have the same name as an output field. */
export function createDisplacedFieldsHint(names: ReadonlySet<string>): string | undefined {
	if (names.size === 0) return undefined;
	const named = [...names].slice(0, maxNamedFields).join(', ');
	const more = names.size > maxNamedFields ? ` and ${names.size - maxNamedFields} more` : '';
	return escapeHtml(
		`These fields are in both the input and the output: ${named}${more}. The output keeps this node's values, and the input's values are in "input".`,
	);
}

/** Rounds an amount to four decimal places, which hides floating-point errors. */
const formatAmount = (amount: number, unit: string) =>
	`${amount.toLocaleString('en-US', { maximumFractionDigits: 4 })} ${unit}`.trim();

/** Creates the hint about the change in the balance, or about the error if it could not be read. */
export function createBalanceChangeHint(before: Balance | Error, after: Balance | Error): string {
	for (const [balance, time] of [[before, 'before'] as const, [after, 'after'] as const]) {
		if (balance instanceof Error) {
			return `The account balance could not be read ${time} this run, so the cost is unknown: ${balance.message}`;
		}
	}
	const [{ left, unit }, now] = [before, after] as [Balance, Balance];
	if (unit !== now.unit) {
		return `The account balance was ${formatAmount(left, unit)} before this run, and is ${formatAmount(now.left, now.unit)} now. The units differ, so the cost is unknown.`;
	}
	const fell = left - now.left;
	const others = 'Concurrent runs on the same account also affect the balance.';
	if (Math.abs(fell) < 0.0001) {
		return `The account balance is still ${formatAmount(left, unit)}. This does not mean that the run was free: the service does not document when it charges you.`;
	}
	const change = `${fell > 0 ? 'fell' : 'rose'} by ${formatAmount(Math.abs(fell), unit)}`;
	return `The account balance ${change} during this run, from ${formatAmount(left, unit)} to ${formatAmount(now.left, unit)}. ${others}`;
}

/** Formats a number with a noun, such as `1 minute` or `2,000 items`. */
function formatCount(n: number, noun: string): string {
	const count = n.toLocaleString('en-US', { maximumFractionDigits: n < 10 ? 1 : 0 });
	return `${count} ${noun}${count === '1' ? '' : 's'}`;
}

/** Creates the hint that a rate limit, such as N requests per second, has slowed the run down. */
export function createRateLimitHint(
	requests: readonly PlannedRequest[],
	perSecond?: number,
): string | undefined {
	const limits = requests.flatMap(({ operation }) => operation.perMinuteLimit ?? []);
	const [limit] = limits;
	if (limit && limits.length > limit.perMinute) {
		const minutes = Math.floor((limits.length - 1) / limit.perMinute);
		return `The service accepts ${limit.perMinute} of these requests per minute, so ${formatCount(limits.length, 'item')} need at least ${formatCount(minutes, 'minute')}. The node respects that limit, and nothing is lost.`;
	}
	if (perSecond === undefined) return undefined;
	const rate =
		perSecond < 1
			? `${formatCount(perSecond * 60, 'request')} per minute`
			: `${formatCount(perSecond, 'request')} per second`;
	return `Rate limited to about ${rate}. The node has slowed down and will speed up again when it can. Nothing is lost.`;
}

/** Explains that items waited because the account was running its maximum number of jobs. */
export const createCapacityHint = ({ seconds }: { seconds: number }): string | undefined =>
	seconds < 1
		? undefined
		: `The account was running its maximum number of jobs. Items waited up to ${formatDuration(seconds)} for their turn. Nothing is lost.`;

export function createCheckOnlySummaryHint(items: number, invalid: number): string {
	const subject =
		items === 1 ? 'One item was checked' : `${formatNumber(items)} items were checked`;
	const failing = items === 1 ? 'it' : `${formatNumber(invalid)} of them`;
	const outcome = invalid === 0 ? 'and no problems were found' : `and ${failing} would fail`;
	return `${subject}, ${outcome}. Nothing was created or charged: Check Only is on.`;
}
