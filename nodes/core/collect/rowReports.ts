/** Reports what has happened to each row: in its item, and in a hint above the output. */
import type { IDataObject } from 'n8n-workflow';
import { getErrorDetails, type RowOutcome } from '../errors/errorDetails';
import { getErrorTextParts } from '../errors/nodeErrors';
import { formatNumber } from '../form/validation';
import type { JobState } from '../jobs/types';
import { readText } from '../json';
import type { Balance } from '../operation';
import type { Creation } from '../send/sendResult';
import {
	getInputItemIndex,
	isItemFailure,
	listFailedRows,
	type ItemFailure,
	type ItemResult,
} from './itemResult';

/** What has happened to a row: the part of an item that became a request or a batch row. */
export interface RowReport {
	/** Index of the input item. */
	item: number;
	outcome: RowOutcome;
	creation?: Creation;
	/** Error message, if there is one. */
	reason?: string;
}

/** Maximum number of rows whose errors the hint names. */
const maxNamedRows = 10;

function decideFailureOutcome({ error, jobs, outcome }: ItemFailure): RowOutcome {
	const details = getErrorDetails(error);
	if (details.outcome) return details.outcome;
	if (details.uncertain === true) return 'unknown';
	return outcome ?? (jobs.length === 0 ? 'not_started' : 'unknown');
}

/** Returns what has happened to a row according to its item. */
function readItemOutcome({ error, status }: IDataObject): RowOutcome {
	// Part of the result arrived, such as the beginning of an audio stream.
	if (readText(error) !== undefined) return 'unknown';
	return status === 'failed' || status === 'unknown' ? status : 'finished';
}

/** What has happened to the row of a job in each state. */
export const outcomeOfState: Record<JobState, RowOutcome> = {
	completed: 'finished',
	failed: 'failed',
	pending: 'running',
	resting: 'running',
};

/** Returns the fields that say in an item what has happened to its row. */
export function toRowFields(result: ItemResult): IDataObject {
	const { creation } = result;
	const outcome = isItemFailure(result)
		? decideFailureOutcome(result)
		: (result.outcome ?? readItemOutcome(result.output.json));
	return { outcome, ...(creation && { creation }) };
}

/** Whether an earlier part of the same result, such as a clip, already stands for the row. */
const isFurtherPart = ({ item, part }: ItemResult, itemOfPart: number) =>
	part !== undefined && part.number > 0 && itemOfPart === item;

/** Returns a report for each row that a result belongs to. */
export function reportRows(result: ItemResult): RowReport[] {
	const { outcome, creation } = toRowFields(result) as Pick<RowReport, 'outcome' | 'creation'>;
	if (isItemFailure(result)) {
		const reason = getErrorTextParts(result.error).message.replace(/\.$/, '');
		return isFurtherPart(result, result.item)
			? []
			: listFailedRows(result).map(({ item }) => ({ item, outcome, creation, reason }));
	}
	const item = getInputItemIndex(result.output, result.item) ?? result.item;
	return isFurtherPart(result, item) ? [] : [{ item, outcome, creation }];
}

/**
 * Adds the cost of the only row of a run to its items. The service reports no cost, so it is known
 * only if a run has created a single row and the account balance has fallen meanwhile.
 */
export function addCost(
	results: readonly ItemResult[],
	before: Balance | Error | undefined,
	after: Balance | Error | undefined,
): void {
	const [row, ...others] = results.flatMap(reportRows);
	if (others.length > 0 || row?.creation !== 'created') return;
	if (!before || !after || before instanceof Error || after instanceof Error) return;
	const amount = Math.round((before.left - after.left) * 10_000) / 10_000;
	if (before.unit !== after.unit || amount <= 0) return;
	for (const result of results) {
		if ('output' in result) result.output.json.cost = { amount, unit: before.unit };
	}
}

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
	const count = (creation?: Creation) => existing.filter((row) => row.creation === creation).length;
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

/** Summarizes what has happened to the rows of a run. Undefined if there is only one row. */
export const summarizeRows = (rows: readonly RowReport[]): string | undefined =>
	rows.length < 2 ? undefined : [describeOutcomes(rows), ...describeCharges(rows)].join(' ');
