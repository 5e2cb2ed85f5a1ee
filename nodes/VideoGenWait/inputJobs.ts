/** The jobs that the incoming items name, or that the form names by ID. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { createOperationError, type NodeError } from '../core/errors/nodeErrors';
import { readParameters } from '../core/form/readParameters';
import { describeJob, type Job } from '../core/jobs/types';
import { readObject, readText } from '../core/json';
import { awaitableJobs, waitFields, waitOptions } from './form';

/** A job that an item names. */
export interface NamedJob extends Job {
	/** The entry of a batch that belongs to the item, from 0; undefined for a whole job. */
	row?: number;
}

/** An incoming item with its job, or with the error of an item that names none. */
export interface ItemJob {
	item: number;
	input: INodeExecutionData;
	job: NamedJob | NodeError;
}

/** Why an item names no job, and what to do about it. */
type JobProblem = { problem: string; advice: string };

/** Jobs by name. Rows of one batch share theirs. */
export const groupJobsByName = (jobs: readonly NamedJob[]) =>
	new Map(jobs.map((job) => [describeJob(job), job]));

const noJobProblem: JobProblem = {
	problem: 'The item names no job',
	advice:
		'Connect a node that creates something with Wait for Completion off: its items have the field "job". Or choose the kind of job and its ID under Jobs → By ID.',
};

/** The kind of job with the name that items carry as `job.kind`. */
export const findJobKind = (name: unknown) => awaitableJobs.find((kind) => kind.name === name);

/** The job in the item of a create, or in an error item that names an existing job. */
export function findJobInItem(json: IDataObject): NamedJob | JobProblem {
	const reference = readObject(json.job ?? readObject(json.details).job);
	const id = readText(reference.id);
	if (reference.kind === undefined || id === undefined) {
		const reason = readText(json.error);
		return reason === undefined
			? noJobProblem
			: { ...noJobProblem, problem: `${noJobProblem.problem}, but an error: ${reason}` };
	}
	const kind = findJobKind(reference.kind);
	if (!kind) {
		return {
			problem: `The item names a job of an unknown kind: "${String(reference.kind)}"`,
			advice: `Known kinds are ${awaitableJobs.map(({ name }) => name).join(', ')}.`,
		};
	}
	const row = kind.rows && typeof json.item_index === 'number' ? json.item_index : undefined;
	return row === undefined ? { kind, id } : { kind, id, row };
}

/** The job with the kind and the ID of the form. */
export function parseJobId(name: unknown, value: unknown): NamedJob | JobProblem {
	const kind = findJobKind(name);
	const id = readText(typeof value === 'number' ? String(value) : value)?.trim();
	if (kind && id !== undefined && id !== '') return { kind, id };
	return {
		problem: kind ? '"Job ID" is required' : `The kind of job "${String(name)}" is not known`,
		advice: 'The node has not waited for anything.',
	};
}

export const isNamedJob = (job: NamedJob | JobProblem): job is NamedJob => 'kind' in job;

/** The values of the form for an item, or the error of a wrong value. */
export function readItemParameters(
	n8n: IExecuteFunctions,
	itemIndex: number,
): IDataObject | NodeError {
	const { values, problems } = readParameters(n8n, waitFields, waitOptions, itemIndex);
	const [first, ...others] = problems;
	if (first === undefined) return values;
	return createOperationError(n8n.getNode(), first, others.join('\n'), {
		code: 'invalid_value',
		complaints: problems,
	});
}

/** The items with their jobs. */
export function findItemJobs(
	n8n: IExecuteFunctions,
	values: ReadonlyArray<IDataObject | NodeError>,
): ItemJob[] {
	const items = n8n.getInputData();
	return items.map((input, item): ItemJob => {
		const own = values[item];
		if (own instanceof Error) return { input, item, job: own };
		const { jobs, kind, job_id } = readObject(own);
		const job = jobs === 'id' ? parseJobId(kind, job_id) : findJobInItem(input.json);
		if (isNamedJob(job)) return { input, item, job };
		const error = createOperationError(n8n.getNode(), job.problem, job.advice, {
			code: 'invalid_value',
		});
		return { input, item, job: error };
	});
}
