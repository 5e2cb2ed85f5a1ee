/** Which job an item names. Pure. */
import type { IDataObject } from 'n8n-workflow';
import { describeJob } from '../core/jobs/state';
import { readObject, readText } from '../core/json';
import { findJobKind, jobCatalog, type JobCatalogEntry } from '../jobs/kinds';

/** A job that an item names. */
export interface NamedJob {
	kind: JobCatalogEntry;
	id: string;
	/** Which entry of a batch the item stands for, from 0; nothing where it is no batch, or all of it. */
	row?: number;
}

/** A sentence about what is wrong with an item. */
type JobProblem = { problem: string; advice: string };

/** Stands for the job, of which several items may speak. */
export const getJobName = ({ kind, id }: Pick<NamedJob, 'kind' | 'id'>) =>
	describeJob({ kind: kind.job, id });

/** Each job once: rows of a batch share theirs. */
export const groupByName = (jobs: readonly NamedJob[]) =>
	new Map(jobs.map((one) => [getJobName(one), one]));

const noJobProblem: JobProblem = {
	problem: 'The item names no job',
	advice:
		'Connect a node that creates something with Wait for Completion off: its items carry the field "job". Or choose the kind of job and its ID under Jobs → By ID.',
};

/** The job of an item: of one that was created, or of an error item that tells which job exists. */
export function findJobInItem(json: IDataObject): NamedJob | JobProblem {
	const own = readObject(json.job ?? readObject(json.details).job);
	const id = readText(own.id);
	if (own.kind === undefined || id === undefined) {
		const reason = readText(json.error);
		return reason === undefined
			? noJobProblem
			: { ...noJobProblem, problem: `${noJobProblem.problem}, but an error: ${reason}` };
	}
	const kind = findJobKind(own.kind);
	if (!kind) {
		return {
			problem: `The item names a job of the kind "${String(own.kind)}", which is not known`,
			advice: `Known are ${jobCatalog.map(({ job }) => job.name).join(', ')}.`,
		};
	}
	const row = kind.rows && typeof json.item_index === 'number' ? json.item_index : undefined;
	return row === undefined ? { kind, id } : { kind, id, row };
}

/** The job that the user names by hand. */
export function parseJobId(kind: unknown, id: unknown): NamedJob | JobProblem {
	const known = findJobKind(kind);
	const text = readText(typeof id === 'number' ? String(id) : id)?.trim();
	if (known && text !== undefined && text !== '') return { kind: known, id: text };
	return {
		problem: known ? '"Job ID" is required' : `The kind of job "${String(kind)}" is not known`,
		advice: 'Nothing was waited for.',
	};
}

export const isNamedJob = (one: NamedJob | JobProblem): one is NamedJob => 'kind' in one;
