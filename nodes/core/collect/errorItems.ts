/** What comes of the items: their ids, error items, and the jobs that every outcome names. */
import type { GenericValue, INodeExecutionData } from 'n8n-workflow';
import { getErrorDetails, type ErrorDetails } from '../errors/errorDetails';
import type { NodeError } from '../errors/nodeErrors';
import { isObject } from '../json';
import { describeJob, toJobReference, type Job } from '../jobs/types';
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
