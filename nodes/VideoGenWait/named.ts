/** Which job an item names. Pure. */
import type { IDataObject } from 'n8n-workflow';
import { jobName } from '../core/jobs/job';
import { objectOf, textOf } from '../core/json';
import { kindOf, kinds, type Kind } from '../kinds';

/** A job that an item names. */
export interface Named {
	kind: Kind;
	id: string;
	/** Which entry of a batch the item stands for, from 0; nothing where it is no batch, or all of it. */
	row?: number;
}

/** A sentence about what is wrong with an item. */
type Problem = { problem: string; advice: string };

/** Stands for the job, of which several items may speak. */
export const nameOf = ({ kind, id }: Pick<Named, 'kind' | 'id'>) => jobName({ job: kind.job, id });

/** Each job once: rows of a batch share theirs. */
export const byName = (jobs: readonly Named[]) => new Map(jobs.map((one) => [nameOf(one), one]));

const noJob: Problem = {
	problem: 'The item names no job',
	advice:
		'Connect a node that creates something with Wait for Completion off: its items carry the field "job". Or choose the kind of job and its ID under Jobs → By ID.',
};

/** The job of an item: of one that was created, or of an error item that tells which job exists. */
export function namedBy(json: IDataObject): Named | Problem {
	const own = objectOf(json.job ?? objectOf(json.details).job);
	const id = textOf(own.id);
	if (own.kind === undefined || id === undefined) {
		const reason = textOf(json.error);
		return reason === undefined
			? noJob
			: { ...noJob, problem: `${noJob.problem}, but an error: ${reason}` };
	}
	const kind = kindOf(own.kind);
	if (!kind) {
		return {
			problem: `The item names a job of the kind "${String(own.kind)}", which is not known`,
			advice: `Known are ${kinds.map(({ job }) => job.kind).join(', ')}.`,
		};
	}
	const row = kind.rows && typeof json.item_index === 'number' ? json.item_index : undefined;
	return row === undefined ? { kind, id } : { kind, id, row };
}

/** The job that the user names by hand. */
export function namedByHand(kind: unknown, id: unknown): Named | Problem {
	const known = kindOf(kind);
	const text = textOf(typeof id === 'number' ? String(id) : id)?.trim();
	if (known && text !== undefined && text !== '') return { kind: known, id: text };
	return {
		problem: known ? '"Job ID" is required' : `The kind of job "${String(kind)}" is not known`,
		advice: 'Nothing was waited for.',
	};
}

export const isNamed = (one: Named | Problem): one is Named => 'kind' in one;
