/** Matches batch rows with their input items, and fetches their results. */
import type { IDataObject } from 'n8n-workflow';
import { toNodeError } from '../errors/nodeErrors';
import { fetchBatchRowItem } from '../jobs/finishedItem';
import { readFailureWithDefaults, isTransientFailure, decideJobState } from '../jobs/jobState';
import { matchEntriesToRows, readJobOfBatchEntry } from '../jobs/matchBatchEntries';
import type { Job, JobKind } from '../jobs/types';
import type { RequestItem } from '../operation';
import { listBatchRows, type BatchRow, type SentRequest } from '../plan/groupRequests';
import type { RunContext } from '../send/sendPlannedRequest';
import type { ItemResult } from './itemResult';

/** Row of a batch. `entry` is the row's entry in the status response, if there is one. */
export interface MatchedRow extends BatchRow {
	entry?: IDataObject;
}

export function matchRows(request: SentRequest, kind: JobKind, data: IDataObject): MatchedRow[] {
	const { rows, size } = listBatchRows(request);
	const entries = matchEntriesToRows(kind, data, size);
	return rows.map((row) => ({ ...row, entry: entries[row.index] }));
}

export const hasUnknownRows = (kind: JobKind, rows: readonly MatchedRow[]) =>
	rows.some(
		({ entry }) =>
			!entry || (!readJobOfBatchEntry(kind, entry) && decideJobState(kind, entry) !== 'failed'),
	);

const hasFailedTransiently = (kind: JobKind, { entry }: MatchedRow) =>
	entry !== undefined &&
	decideJobState(kind, entry) === 'failed' &&
	isTransientFailure(readFailureWithDefaults(entry), entry);

/**
 * Selects the items to create again: those whose rows have all failed with a temporary error.
 * Leaves out items with a successful row, for which the user would pay twice.
 */
export const selectRetryableItems = (
	{ items }: SentRequest,
	kind: JobKind,
	rows: readonly MatchedRow[],
): RequestItem[] =>
	items.filter(({ item }) =>
		rows.filter((row) => row.item === item).every((row) => hasFailedTransiently(kind, row)),
	);

/** Fetches the results of a batch, except those of items that a retry creates again. */
export async function fetchRowResults(
	{ client, startedJobs }: RunContext,
	{ jobs, creation }: SentRequest,
	kind: JobKind,
	rows: readonly MatchedRow[],
	leftOut: readonly number[],
): Promise<ItemResult[]> {
	const [batch] = jobs as [Job];
	const fetched = rows.filter(({ item }) => !leftOut.includes(item));
	const findJobs = ({ entry }: MatchedRow): Job[] => {
		const job = entry && readJobOfBatchEntry(kind, entry);
		return job ? [job] : [];
	};
	for (const row of fetched) startedJobs.add(row.item, findJobs(row));
	return await Promise.all(
		fetched.map(async (row): Promise<ItemResult> => {
			const { item, index } = row;
			try {
				const { output, result } = await fetchBatchRowItem(client, batch, kind, row);
				return { item, creation, result, output: { ...output, pairedItem: { item } } };
			} catch (thrown) {
				const error = toNodeError(client.node, thrown);
				return { item, creation, error, jobs: findJobs(row), rows: [{ item, index }] };
			}
		}),
	);
}
