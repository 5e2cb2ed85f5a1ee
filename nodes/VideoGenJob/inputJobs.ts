/**
 * Finds the jobs that an input item refers to, or the job whose ID the user has entered in the
 * form.
 */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { readErrorItemDetails } from '../core/errors/n8n1Compat';
import { createOperationError } from '../core/errors/nodeErrors';
import type { Client } from '../core/http/client';
import type { Job, JobKind, JobSnapshot } from '../core/jobs/types';
import { readId, readObject, readObjects, toText } from '../core/json';
import { awaitableJobKinds } from './fields';

/**
 * Reads the snapshot in a job reference, which shows the job's state before the user continued the
 * job. Returns `undefined` if the reference contains no snapshot.
 */
function readJobSnapshot(value: unknown): JobSnapshot | undefined {
	const { digest, follow_up_id } = readObject(value);
	return typeof digest === 'string' ? { digest, follow_up_id: readId(follow_up_id) } : undefined;
}

/**
 * Returns the job that a reference such as `{kind: 'video', id: 'v1'}` identifies. If this package
 * does not know the kind, returns the kind's name as a string. Returns undefined if the value is
 * not a reference.
 */
function findReferencedJob(
	json: IDataObject,
	details: IDataObject | undefined,
	value: unknown,
): Job | string | undefined {
	const reference = readObject(value);
	const id = readId(reference.id);
	if (reference.kind === undefined || id === undefined) return undefined;
	const kind = awaitableJobKinds.find(({ name }) => name === reference.kind);
	if (!kind) return toText(reference.kind);
	// An error item may contain the row number of another batch, from the failed node's input.
	const isOwnRow = details === undefined || readId(readObject(json.job).id) === id;
	const { item_index: row } = isOwnRow ? json : details;
	if (kind.rows && typeof row === 'number') return { kind, id, row };
	const before = readJobSnapshot(reference.before);
	return before ? { kind, id, before } : { kind, id };
}

/**
 * Kinds of job that the node can identify by an ID in an item, such as `video_id`. If an item
 * contains several such IDs, the node uses the first matching kind. Sessions come before videos,
 * because the item of a session also contains the ID of its video.
 */
const kindsById: readonly JobKind[] = [
	'session',
	'translation',
	'proofread',
	'lipsync',
	'video',
	'render',
	'workflow_run',
	'brand_kit',
].flatMap((wanted) => awaitableJobKinds.filter(({ name }) => name === wanted));

/** Returns the job whose ID an item contains under a key such as `video_id`. */
function findJobById(json: IDataObject): Job | undefined {
	const kind = kindsById.find(({ id }) => readId(json[id]) !== undefined);
	const id = kind && readId(json[kind.id]);
	return id === undefined || kind === undefined ? undefined : { kind, id };
}

/**
 * Returns the jobs that an item refers to. A string in the result is the name of a kind of job that
 * this package does not know. For an error item, only jobs in the error's details are returned: n8n
 * copies the failed node's input into the error item, so the item's `job` may come from an earlier
 * node.
 */
export function findReferencedJobs(json: IDataObject): Array<Job | string> {
	const details = readErrorItemDetails(json);
	const several = readObjects(details?.jobs);
	const references = several.length > 0 ? several : [(details ?? json).job];
	const named = references.flatMap(
		(reference) => findReferencedJob(json, details, reference) ?? [],
	);
	if (named.length > 0 || details) return named;
	const job = findJobById(json);
	return job ? [job] : [];
}

/**
 * Returns the jobs that an input item refers to, or the job that the user entered in the form.
 * Throws an error if none of the input items refers to a job. Returns an empty list if only other
 * input items refer to jobs.
 */
export async function findSelectedJobs(
	n8n: IExecuteFunctions,
	client: Client,
	{ jobs, kind: kindName, job_id }: { jobs?: string; kind?: string; job_id?: string },
	{ json }: INodeExecutionData,
): Promise<Job[]> {
	if (jobs === 'id') {
		const kind = awaitableJobKinds.find(({ name }) => name === (kindName ?? 'video'));
		const id = job_id?.trim() ?? '';
		if (kind && id !== '') return [{ kind, id }];
		throw createSelectionError(
			client,
			kind ? '"Job ID" is required' : `The job kind "${toText(kindName)}" is unknown`,
			'Nothing was read.',
		);
	}
	const found = findReferencedJobs(json);
	const unknown = found.find((one) => typeof one === 'string');
	if (unknown !== undefined) {
		const known = awaitableJobKinds.map(({ name }) => name).join(', ');
		throw createSelectionError(
			client,
			`The item refers to a job of an unknown kind: "${unknown}"`,
			`Known kinds are ${known}.`,
		);
	}
	const isOther = client.shareInRun('namedJobs', () => ({
		some: n8n.getInputData().some((item) => findReferencedJobs(item.json).length > 0),
	}));
	if (found.length === 0 && !isOther.some) {
		throw createSelectionError(
			client,
			'No item refers to a job',
			"Connect a node that creates something, such as VideoGen Video. Or choose Jobs → By ID, and enter the job's kind and ID.",
		);
	}
	return found.filter((one) => typeof one !== 'string');
}

const createSelectionError = ({ node }: Client, problem: string, advice: string) =>
	createOperationError(node, problem, advice, { code: 'invalid_value' });
