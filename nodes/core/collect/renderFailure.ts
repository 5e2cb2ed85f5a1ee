/** What users read about an item that failed. Failures travel as data and are rendered here, once. */
import type { INodeExecutionData } from 'n8n-workflow';
import { getErrorDetails, type ErrorDetails } from '../errors/errorDetails';
import { getErrorParts, type NodeError } from '../errors/nodeErrors';
import { describeJob, toJobReference, type Job } from '../jobs/types';
import { readObject } from '../json';

/** Why an input item has no output item. */
export interface Failure {
	item: number;
	/** Other items of the same request, which fail with it. */
	otherItems?: readonly number[];
	error: NodeError;
	/** Jobs that exist for the item although it failed. */
	jobs: readonly Job[];
	/** Sentences about the run that go before the error's own description. */
	hints?: readonly string[];
}

/** Jobs of another item. */
export interface JobsOfItem {
	item: number;
	jobs: readonly Job[];
}

/** The texts and details of a failure, as an error item or an error shows them. */
interface RenderedFailure {
	message: string;
	description: string;
	details: ErrorDetails;
}

/** Jobs that an error lists by ID. It only counts the rest. */
const maxListedJobs = 100;

/** Whether the error itself is about the job, so that its own text names it. */
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

/** The jobs of the item as data, so that a workflow can read them. */
function getJobDetails(jobs: readonly Job[]): ErrorDetails {
	const [first, ...others] = jobs;
	if (!first) return {};
	const job = toJobReference(first);
	return others.length === 0 ? { job } : { job, jobs: jobs.map(toJobReference) };
}

/** The jobs of other items as data. */
function getStartedDetails(others: readonly JobsOfItem[]): ErrorDetails {
	const started = others.flatMap(({ item, jobs }) =>
		jobs.map((job) => ({ item, ...toJobReference(job) })),
	);
	return started.length === 0 ? {} : { started };
}

/** The end of a message that says which item it is about; empty if there is only one. */
export const describeItem = (item: number, itemCount: number) =>
	itemCount > 1 ? ` [item ${item}]` : '';

/** @param others jobs of other items, for an error that ends the whole run */
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

/** The error item of a failure, for Continue On Fail. */
export function createErrorItem(failure: Failure, itemCount: number): INodeExecutionData {
	const { message, description, details } = renderFailure(failure, itemCount);
	return {
		// n8n sends an item to the error output only if its json has no other keys.
		json: { error: message, details: { ...details, description: description || null } },
		pairedItem: { item: failure.item },
	};
}

/** The error of a run that ends because of a failure: the error itself, with the rendered texts. */
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
