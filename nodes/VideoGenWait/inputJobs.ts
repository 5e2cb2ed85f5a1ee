/**
 * Finds the jobs that the wait node should wait for. Either the input items contain references to
 * the jobs, or the user has entered job IDs in the form.
 */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { parseDetailsText } from '../core/errors/n8n1Compat';
import {
	createInvalidValuesError,
	createOperationError,
	type NodeError,
} from '../core/errors/nodeErrors';
import { readParameters } from '../core/form/readParameters';
import { describeJob, type Job, type JobSnapshot } from '../core/jobs/types';
import { isObject, readId, readObject, readObjects, readText, toText } from '../core/json';
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
export const findAwaitableJobKind = (name: unknown) =>
	awaitableJobKinds.find((kind) => kind.name === name);

/**
 * Returns the details of an item that one of these nodes has output because of an error. Returns
 * undefined for other items.
 */
function readErrorItemDetails({ error, details, message }: IDataObject): IDataObject | undefined {
	if (readText(error) === undefined) return undefined;
	return isObject(details) ? details : parseDetailsText(readText(message) ?? '');
}

/** Returns the snapshot in a job reference, or `undefined` if there is none. */
function readJobSnapshot(value: unknown): JobSnapshot | undefined {
	const { digest, follow_up_id } = readObject(value);
	return typeof digest === 'string' ? { digest, follow_up_id: readId(follow_up_id) } : undefined;
}

/** Returns the job that a reference such as `{kind: 'video', id: 'v1'}` names, or a problem. */
function findReferencedJob(
	json: IDataObject,
	details: IDataObject | undefined,
	value: unknown,
): AwaitedJob | JobProblem {
	const reference = readObject(value);
	const id = readId(reference.id);
	if (reference.kind === undefined || id === undefined) {
		const reason = readText(json.error);
		return reason === undefined
			? noJobProblem
			: { ...noJobProblem, problem: `${noJobProblem.problem}, but contains an error: ${reason}` };
	}
	const kind = findAwaitableJobKind(reference.kind);
	if (!kind) {
		return {
			problem: `The item refers to a job of an unknown kind: "${toText(reference.kind)}"`,
			advice: `Known kinds are ${awaitableJobKinds.map(({ name }) => name).join(', ')}.`,
		};
	}
	// An error item may contain the row of another batch, from the input of the node that failed.
	const isOwnRow = details === undefined || readId(readObject(json.job).id) === id;
	const { item_index: row } = isOwnRow ? json : details;
	if (kind.rows && typeof row === 'number') return { kind, id, row };
	const before = readJobSnapshot(reference.before);
	return before ? { kind, id, before } : { kind, id };
}

/**
 * Returns the jobs that an item from an earlier node refers to. An item that reports an error refers
 * to the jobs in the error's details: n8n adds the input of the node that failed to such an item,
 * and its `job` may be an earlier one. Each job that cannot be awaited is replaced by a problem. An
 * item that refers to no job has a single problem.
 */
export function findJobsInItem(json: IDataObject): Array<AwaitedJob | JobProblem> {
	const details = readErrorItemDetails(json);
	const several = readObjects(details?.jobs);
	const references = several.length > 0 ? several : [(details ?? json).job];
	return references.map((reference) => findReferencedJob(json, details, reference));
}

/**
 * Returns the job with the kind and ID entered in the form, or a problem if the kind or the ID is
 * invalid.
 */
export function readJobFromForm(name: unknown, value: unknown): AwaitedJob | JobProblem {
	const kind = findAwaitableJobKind(name);
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
	return problems.length === 0 ? values : createInvalidValuesError(n8n.getNode(), problems, '');
}

/**
 * Returns each input item together with its job, or with an error if the job is not valid. An item
 * that refers to several jobs is returned once for each.
 */
export function findItemJobs(
	n8n: IExecuteFunctions,
	values: ReadonlyArray<IDataObject | NodeError>,
): ItemWithJob[] {
	const items = n8n.getInputData();
	return items.flatMap((input, item): ItemWithJob[] => {
		const itemValues = values[item];
		if (itemValues instanceof Error) return [{ input, item, job: itemValues }];
		const { jobs, kind, job_id } = readObject(itemValues);
		const found = jobs === 'id' ? [readJobFromForm(kind, job_id)] : findJobsInItem(input.json);
		return found.map((job) => {
			if (isJobFound(job)) return { input, item, job };
			const details = { code: 'invalid_value' };
			const error = createOperationError(n8n.getNode(), job.problem, job.advice, details);
			return { input, item, job: error };
		});
	});
}
