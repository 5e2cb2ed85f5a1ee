/**
 * Renders failed items as errors and error items. Failures are data until they are rendered here.
 */
import type { INodeExecutionData } from 'n8n-workflow';
import { getErrorDetails, type ErrorDetails } from '../errors/errorDetails';
import { getErrorParts, type NodeError } from '../errors/nodeErrors';
import { describeJob, toJobReference, type Job } from '../jobs/types';
import { readObject } from '../json';

/** Failure of an input item: its error, and the jobs that exist nevertheless. */
export interface Failure {
	item: number;
	/** Indexes of other items of the same request, which fail with this one. */
	otherItems?: readonly number[];
	error: NodeError;
	/** Jobs that were started for the item although it failed. */
	jobs: readonly Job[];
	/** Sentences about the run, shown before the error's own description. */
	hints?: readonly string[];
}

/** Jobs of another input item. */
export interface JobsOfItem {
	item: number;
	jobs: readonly Job[];
}

/** Message, description and details of a failure, for an error item or the error of the run. */
interface RenderedFailure {
	message: string;
	description: string;
	details: ErrorDetails;
}

/** Maximum number of job IDs in an error. Further jobs are only counted. */
const maxListedJobs = 100;

/** Whether the error is about this job, so that its text already contains the ID. */
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
	const list = listed.map(({ item, job }) => `item ${item}: ${describeJob(job)}`).join(', ');
	const more = all.length > maxListedJobs ? ` and ${all.length - maxListedJobs} more` : '';
	return [
		`Started for other items, and not lost: ${list}${more}. They continue to run in the service.`,
	];
}

/** Returns the jobs of a failed item as data that a workflow can read. */
function getJobDetails(jobs: readonly Job[]): ErrorDetails {
	const [first, ...others] = jobs;
	if (!first) return {};
	const job = toJobReference(first);
	return others.length === 0 ? { job } : { job, jobs: jobs.map(toJobReference) };
}

/** Returns the jobs of other items as data that a workflow can read. */
function getStartedDetails(others: readonly JobsOfItem[]): ErrorDetails {
	const started = others.flatMap(({ item, jobs }) =>
		jobs.map((job) => ({ item, ...toJobReference(job) })),
	);
	return started.length === 0 ? {} : { started };
}

/**
 * Returns the suffix of a message with the index of its item, or an empty text if there is only
 * one.
 */
export const describeItem = (item: number, itemCount: number) =>
	itemCount > 1 ? ` [item ${item}]` : '';

/**
 * Renders the message, the description and the details of a failure.
 *
 * @param others jobs of other items, if the error ends the whole run
 */
export function renderFailure(
	{ item, error, jobs, hints = [] }: Failure,
	itemCount: number,
	others: readonly JobsOfItem[] = [],
): RenderedFailure {
	const parts = getErrorParts(error);
	const details = getErrorDetails(error);
	const lines = [
		...hints,
		...parts.advice,
		...parts.details,
		...describeOwnJobs(details, jobs),
		...describeOtherJobs(others),
	];
	return {
		message: parts.message + describeItem(item, itemCount),
		description: lines.filter(Boolean).join('\n'),
		details: { ...getJobDetails(jobs), ...details, ...getStartedDetails(others) },
	};
}

/** Creates the error item of a failure, for Continue On Fail. */
export function createErrorItem(failure: Failure, itemCount: number): INodeExecutionData {
	const { message, description, details } = renderFailure(failure, itemCount);
	return {
		// n8n sends an item to the error output only if its JSON has no other keys.
		json: { error: message, details: { ...details, description: description || null } },
		pairedItem: { item: failure.item },
	};
}

/** Returns the error that ends a run: that of the failure, with its texts and jobs rendered. */
export function toRunError(
	failure: Failure,
	itemCount: number,
	others: readonly JobsOfItem[],
	moreLines: readonly string[] = [],
): NodeError {
	const { error, item } = failure;
	const { message, description, details } = renderFailure(failure, itemCount, others);
	error.message = message;
	error.description = [description, ...moreLines].filter(Boolean).join('\n');
	error.context.itemIndex = item;
	error.context.details = details;
	return error;
}
