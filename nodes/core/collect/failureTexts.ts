/** Converts failures to the error that ends the run or, with Continue On Fail, to error items. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { getErrorDetails, type ErrorDetails } from '../errors/errorDetails';
import {
	addErrorText,
	getErrorTextParts,
	joinErrorTextParts,
	type ErrorAdditions,
	type NodeError,
} from '../errors/nodeErrors';
import { describeJob, toJobReference, type Job } from '../jobs/types';
import { readObject } from '../json';
import type { ItemFailure } from './itemResult';

export interface JobsOfItem {
	item: number;
	jobs: readonly Job[];
}

/** How many job IDs an error lists, before it only counts them. */
const maxListedJobs = 100;

function isNamedByError({ job, batch_id }: ErrorDetails, { id }: Job): boolean {
	return readObject(job).id === id || batch_id === id;
}

function describeOwnJobs(error: ErrorDetails, jobs: readonly Job[]): string[] {
	const unnamed = jobs.filter((job) => !isNamedByError(error, job));
	return unnamed.length === 0
		? []
		: [`Already started for this item: ${unnamed.map(describeJob).join(', ')}`];
}

function describeOtherJobs(others: readonly JobsOfItem[]): string[] {
	const all = others.flatMap(({ item, jobs }) => jobs.map((job) => ({ item, job })));
	if (all.length === 0) return [];
	const listed = all.slice(0, maxListedJobs);
	const list = listed.map(({ item, job }) => `row ${item + 1}: ${describeJob(job)}`).join(', ');
	const more = all.length > maxListedJobs ? ` and ${all.length - maxListedJobs} more` : '';
	return [
		`Started for other items, and not lost: ${list}${more}. They continue to run in the service.`,
	];
}

function getJobDetails(jobs: readonly Job[]): ErrorDetails {
	const [first, ...others] = jobs;
	if (!first) return {};
	const job = toJobReference(first);
	return others.length === 0 ? { job } : { job, jobs: jobs.map(toJobReference) };
}

function getStartedDetails(others: readonly JobsOfItem[]): ErrorDetails {
	const started = others.flatMap(({ item, jobs }) =>
		jobs.map((job) => ({ item, ...toJobReference(job) })),
	);
	return started.length === 0 ? {} : { started };
}

/**
 * Returns ` [row 4]`, or an empty string if there is only one item. Rows count from 1, as in a sheet
 * without its header.
 */
export const formatItemSuffix = (item: number, itemCount: number) =>
	itemCount > 1 ? ` [row ${item + 1}]` : '';

/** Lists the jobs of the failed item and, if the error ends the whole run, of the others. */
export function getErrorAdditionsAndDetails(
	{ item, error, jobs, hints = [] }: ItemFailure,
	itemCount: number,
	others: readonly JobsOfItem[] = [],
): { additions: Required<ErrorAdditions>; details: ErrorDetails } {
	const details = getErrorDetails(error);
	return {
		additions: {
			suffix: formatItemSuffix(item, itemCount),
			before: hints,
			after: [...describeOwnJobs(details, jobs), ...describeOtherJobs(others)],
		},
		details: { ...getJobDetails(jobs), ...details, ...getStartedDetails(others) },
	};
}

/**
 * Creates the error item of a failure.
 *
 * @param row.index index of the batch row that failed, if a batch was created
 * @param row.id lets the node recognize the item if it comes back to the node's input
 */
export function createErrorItem(
	failure: ItemFailure,
	itemCount: number,
	row: { node?: string; id?: string; index?: number } = {},
	fields: IDataObject = {},
): INodeExecutionData {
	const { additions, details } = getErrorAdditionsAndDetails(failure, itemCount);
	const { message, description } = joinErrorTextParts(getErrorTextParts(failure.error), additions);
	const { node, id, index } = row;
	const rowDetails = {
		...(index === undefined ? {} : { item_index: index }),
		...(id === undefined ? {} : { row: { node, item: failure.item, id } }),
	};
	return {
		// n8n sends an item to the error output only if its JSON has no other keys.
		json: {
			error: message,
			details: { ...details, ...rowDetails, ...fields, description: description || null },
		},
		pairedItem: { item: failure.item },
	};
}

/** Turns a failure into the error that ends the run: it lists the jobs of all items. */
export function toRunError(
	failure: ItemFailure,
	itemCount: number,
	others: readonly JobsOfItem[],
	moreLines: readonly string[] = [],
): NodeError {
	const { error, item } = failure;
	const { additions, details } = getErrorAdditionsAndDetails(failure, itemCount, others);
	addErrorText(error, { ...additions, after: [...additions.after, ...moreLines] });
	error.context.itemIndex = item;
	error.context.details = details;
	return error;
}
