/**
 * Finds the jobs that the wait node should wait for. Either the input items contain references to
 * the jobs, or the user has entered job IDs in the form.
 */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	createInvalidValueError,
	createOperationError,
	type NodeError,
} from '../core/errors/nodeErrors';
import { readParameters } from '../core/form/readParameters';
import { describeJob, type Job } from '../core/jobs/types';
import { readId, readObject, readText, toText } from '../core/json';
import { awaitableJobKinds, waitFields, waitOptions } from './form';

/**
 * Job that an input item refers to. All items from the same batch refer to one job (the batch), but
 * each item refers to its own row.
 */
export interface AwaitedJob extends Job {
	/**
	 * Zero-based index of the batch row that the item refers to. Undefined if the item refers to the
	 * whole job.
	 */
	row?: number;
}

/** Input item with the job that it refers to, or with an error if it refers to no valid job. */
export interface ItemWithJob {
	item: number;
	input: INodeExecutionData;
	job: AwaitedJob | NodeError;
}

/** Reason why an item has no job to wait for, and advice for the user. */
type JobProblem = { problem: string; advice: string };

/**
 * Returns the jobs without duplicates, keyed by kind and ID. Rows of the same batch count as one
 * job.
 */
export const indexJobsByKindAndId = (jobs: readonly AwaitedJob[]) =>
	new Map(jobs.map((job) => [describeJob(job), job]));

const noJobProblem: JobProblem = {
	problem: 'The item does not refer to a job',
	advice:
		'Connect a create node that has Wait for Completion turned off, because its items have a "job" field. Or choose Jobs → By ID, and enter the job\'s kind and ID.',
};

/** Finds a kind of job by its name. Create operations output this name as `job.kind`. */
export const findJobKindByName = (name: unknown) =>
	awaitableJobKinds.find((kind) => kind.name === name);

/**
 * Returns the job that an item from an earlier node refers to, even if the item reports an error.
 * Returns a problem if the item refers to no job.
 */
export function findJobInItem(json: IDataObject): AwaitedJob | JobProblem {
	const reference = readObject(json.job ?? readObject(json.details).job);
	const id = readId(reference.id);
	if (reference.kind === undefined || id === undefined) {
		const reason = readText(json.error);
		return reason === undefined
			? noJobProblem
			: { ...noJobProblem, problem: `${noJobProblem.problem}, but contains an error: ${reason}` };
	}
	const kind = findJobKindByName(reference.kind);
	if (!kind) {
		return {
			problem: `The item refers to a job of an unknown kind: "${toText(reference.kind)}"`,
			advice: `Known kinds are ${awaitableJobKinds.map(({ name }) => name).join(', ')}.`,
		};
	}
	const row = kind.rows && typeof json.item_index === 'number' ? json.item_index : undefined;
	return row === undefined ? { kind, id } : { kind, id, row };
}

/**
 * Returns the job with the kind and ID entered in the form, or a problem if the kind or the ID is
 * invalid.
 */
export function readJobFromForm(name: unknown, value: unknown): AwaitedJob | JobProblem {
	const kind = findJobKindByName(name);
	const id = readId(value)?.trim();
	if (kind && id !== undefined && id !== '') return { kind, id };
	return {
		problem: kind ? '"Job ID" is required' : `The job kind "${toText(name)}" is unknown`,
		advice: 'The node did not wait for anything.',
	};
}

/** Whether a job was found for an item, rather than a problem. */
export const isJobFound = (job: AwaitedJob | JobProblem): job is AwaitedJob => 'kind' in job;

/** Returns the form values for an input item, or an error if any value is invalid. */
export function readItemParameters(
	n8n: IExecuteFunctions,
	itemIndex: number,
): IDataObject | NodeError {
	const { values, problems } = readParameters(n8n, waitFields, waitOptions, itemIndex);
	return problems.length === 0 ? values : createInvalidValueError(n8n.getNode(), problems, '');
}

/**
 * Returns each input item together with its job, or with an error if the item has no valid job.
 */
export function findItemJobs(
	n8n: IExecuteFunctions,
	values: ReadonlyArray<IDataObject | NodeError>,
): ItemWithJob[] {
	const items = n8n.getInputData();
	return items.map((input, item): ItemWithJob => {
		const itemValues = values[item];
		if (itemValues instanceof Error) return { input, item, job: itemValues };
		const { jobs, kind, job_id } = readObject(itemValues);
		const job = jobs === 'id' ? readJobFromForm(kind, job_id) : findJobInItem(input.json);
		if (isJobFound(job)) return { input, item, job };
		const error = createOperationError(n8n.getNode(), job.problem, job.advice, {
			code: 'invalid_value',
		});
		return { input, item, job: error };
	});
}
