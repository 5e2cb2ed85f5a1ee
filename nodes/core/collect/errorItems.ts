/** What comes of the items: their ids, error items, and the jobs that every outcome names. */
import type { GenericValue, INode, INodeExecutionData } from 'n8n-workflow';
import { adviceForJobCode } from '../errors/advice';
import { getErrorDetails, type ErrorDetails } from '../errors/errorDetails';
import { createOperationError, type NodeError } from '../errors/nodeErrors';
import { isObject } from '../json';
import { describeJob, toJobReference, describeKind, unknownCode, type Job } from '../jobs/state';
import type { JobOutcome } from '../jobs/waitForJob';
import { getItemIdKey } from '../operation';
import type { ItemPlan } from '../plan/groupRequests';

/** The items of a reply: one for each entry of a list, else one. */
export const toItems = (data: unknown): INodeExecutionData[] =>
	(Array.isArray(data) ? data : [data]).map((json: unknown) => ({
		json: isObject(json) ? json : { value: json as GenericValue },
	}));

/** The key under which the items of a plan carry their id. */
export const getIdKey = ({ resource, operation }: ItemPlan) => getItemIdKey(resource, operation);

/**
 * The item with its id under the one key by which every node knows it, whatever the service calls
 * it in this reply: its own `id`, that of the job it started, or the one that was asked for.
 */
export function addId(
	item: INodeExecutionData,
	key: string | undefined,
	{ values }: Pick<ItemPlan, 'values'>,
): INodeExecutionData {
	const { json } = item;
	if (key === undefined || json[key] !== undefined || typeof json.error === 'string') return item;
	const job = isObject(json.job) ? json.job.id : undefined;
	const id = json.id ?? job ?? values[key];
	return typeof id === 'string' ? { ...item, json: { [key]: id, ...json } } : item;
}

/** Jobs of other items, as an error names them. */
interface OtherJobs {
	item: number;
	jobs: readonly Job[];
}

/** Jobs that are listed by id in an error; more are counted. */
const maxNamedJobs = 100;

/** What an error says about the jobs that exist: lines for the user, and the same as facts. */
export function describeStartedJobs(
	own: readonly Job[],
	others: readonly OtherJobs[],
	description = '',
): { lines: string[]; facts: ErrorDetails } {
	const lines: string[] = [];
	const facts: ErrorDetails = {};
	const [first, ...more] = own;
	if (first) facts.job = toJobReference(first);
	if (more.length > 0) facts.jobs = own.map(toJobReference);
	const missing = own.filter(({ id }) => !description.includes(id));
	if (missing.length > 0) {
		lines.push(`Already started for this item: ${missing.map(describeJob).join(', ')}`);
	}
	const rest = others.flatMap(({ item, jobs }) => jobs.map((one) => ({ item, one })));
	if (rest.length > 0) {
		facts.started = rest.map(({ item, one }) => ({ item, ...toJobReference(one) }));
		const list = rest
			.slice(0, maxNamedJobs)
			.map(({ item, one }) => `item ${item}: ${describeJob(one)}`);
		const beyond = rest.length > maxNamedJobs ? ` and ${rest.length - maxNamedJobs} more` : '';
		lines.push(
			`Started for other items, and not lost: ${list.join(', ')}${beyond}. They go on at the service.`,
		);
	}
	return { lines, facts };
}

/** The end of a message that tells of which item it speaks; nothing where there is only one. */
export const describeItem = (item: number, items: number) => (items > 1 ? ` [item ${item}]` : '');

/**
 * Puts the item and the jobs into an error, so that every outcome names what was paid for.
 *
 * @param items how many there are in the run
 */
export function addItemAndJobs<E extends NodeError>(
	error: E,
	{ item, items }: { item: number; items: number },
	own: readonly Job[] = [],
	others: readonly OtherJobs[] = [],
): E {
	const before = error.description ?? '';
	const { lines, facts } = describeStartedJobs(own, others, before);
	error.context.itemIndex = item;
	error.context.details = { ...facts, ...getErrorDetails(error) };
	// The error of a batch is told for each of its items.
	error.message = error.message.replace(/ \[item \d+\]$/, '') + describeItem(item, items);
	// A remembered error may come here again, when n8n repeats the node.
	const fresh = lines.filter((line) => !before.includes(line));
	if (fresh.length > 0) error.description = [before, ...fresh].filter(Boolean).join('\n');
	return error;
}

/** The item of a failure, for Continue On Fail. */
export const createErrorItem = (error: NodeError, itemIndex: number): INodeExecutionData => ({
	// n8n sends an item to the error output when its json has no keys but these.
	json: {
		error: error.message,
		details: { ...getErrorDetails(error), description: error.description ?? null },
	},
	pairedItem: { item: itemIndex },
});

type UnsuccessfulOutcome = Extract<JobOutcome, { outcome: 'failed' | 'timeout' }>;

/**
 * The error of a wait that did not end well. It always names the job.
 *
 * @param otherWay what else can be done about a job that takes long
 */
export const createJobError = (node: INode, ending: UnsuccessfulOutcome, otherWay?: string) =>
	ending.outcome === 'failed'
		? createFailedJobError(node, ending)
		: createTimeoutError(node, ending, otherWay);

function createFailedJobError(
	node: INode,
	ending: Extract<UnsuccessfulOutcome, { outcome: 'failed' }>,
) {
	const { code, data, job: started, reason } = ending;
	const name = describeKind(started.kind);
	const cancelled = /^cancell?ed$/i.test(String(data.status));
	const then =
		adviceForJobCode(code) ??
		(cancelled ? 'Run again if it is still wanted.' : 'Change the input and run again.');
	return createOperationError(
		node,
		`The ${name} ${cancelled ? 'was cancelled' : 'failed'}: ${reason}`,
		`The service made no result for ${name} ${started.id}${code === unknownCode ? '' : ` (code: ${code})`}. ${then}`,
		{ code, job: toJobReference(started), status: String(data.status) },
	);
}

/** What else can be done about a job that takes long, by what tells its end. */
const timeoutAlternatives = {
	event:
		'raise Wait Timeout in the options, or let a VideoGen Trigger start another workflow when it is done',
	callback:
		'raise Wait Timeout in the options, or set a Callback URL there for the next one, which the service calls when it is done',
	nothing: 'or raise Wait Timeout in the options',
} as const;

function createTimeoutError(
	node: INode,
	ending: Extract<UnsuccessfulOutcome, { outcome: 'timeout' }>,
	otherWay?: string,
) {
	const { job: started, known, status, waited } = ending;
	const name = describeKind(started.kind);
	const minutes = Math.round((waited / 60) * 10) / 10;
	const state =
		status === undefined
			? 'tells no status'
			: `has the status "${status}"${known ? '' : ', a word that this node does not know,'}`;
	return createOperationError(
		node,
		`The ${name} was not finished after ${minutes} minutes`,
		`${name} ${started.id} ${state} and goes on at the service: do not create it again. Read it later with its ID, ${otherWay ?? timeoutAlternatives[started.kind.notifiedBy ?? 'event']}.`,
		{ code: 'wait_timeout', job: toJobReference(started), status: status ?? 'unknown' },
	);
}
