/** One task: its requests, the jobs that they start, the wait, and its items. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { createOperationError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import type { FinishedItem } from '../jobs/finishedItem';
import { toJobReference, type Job } from '../jobs/types';
import { readObject, readText } from '../json';
import { getMethod, type ExecuteContext, type OperationItem, type Operation } from '../operation';
import { awaitJobs } from '../collect/awaitJobs';
import { withDownloads } from '../collect/downloads';
import { createIdempotencyKeys } from '../plan/idempotencyKeys';
import { readListRows, simplifyRow } from '../collect/listRows';
import { toItems, getIdKey, addId } from '../collect/errorItems';
import type { PlannedRequest } from '../plan/groupRequests';
import { buildRequest, toOperationItem, getPathValues } from './buildRequest';
import { createPendingItems } from '../collect/batchRows';
import { sendRequest, type TaskContext, type TaskRun } from './sendRequest';

/** The jobs that a reply names. */
function jobsOf(
	client: Client,
	{ starts }: Operation,
	data: IDataObject,
	values: IDataObject,
	before: IDataObject,
): Job[] {
	if (starts === undefined) return [];
	const job = typeof starts === 'function' ? starts(data, values, before) : starts;
	if (Array.isArray(job)) return job;
	const reply = readObject(data);
	const id = readText(reply[job.id] ?? reply.id);
	if (id !== undefined) return [{ kind: job, id }];
	throw createOperationError(
		client.node,
		`The service accepted the request but named no ${job.id}`,
		'Something may have been created. Look for it in the list of the service before you run again.',
	);
}

/** How an operation sends its own request, and names the jobs that it starts. */
function sendersOf(taskRun: TaskRun) {
	const { client, task, jobs } = taskRun;
	const { operation, values } = task;
	let requests = 0;
	const started = (more: Job[]) => {
		jobs.push(...more);
		taskRun.started(more);
	};
	const send = async (body?: IDataObject): Promise<IDataObject> => {
		const before = operation.readFirst
			? await client.fetchData({ line: operation.readFirst, path: getPathValues(task) })
			: {};
		const whole = await sendRequest(taskRun, body, ++requests, async (call) =>
			client.fetchReply(call),
		);
		// A list, where the service answers so.
		const data = (operation.unwrap?.(whole) ?? whole.data ?? whole) as IDataObject;
		started(jobsOf(client, operation, data, values, before));
		return data;
	};
	const stream: ExecuteContext['stream'] = async (read, headers) =>
		await sendRequest(taskRun, undefined, ++requests, async (call) =>
			read(await client.openStream({ ...call, headers })),
		);
	return { send, stream, started };
}

/** Replies to these say little or nothing: the item says what is gone. */
const deletes = (operation: Operation) => getMethod(operation) === 'DELETE';

/** Row in, row out: also where the service answers with a list that is empty. */
function oneAtLeast(data: unknown): INodeExecutionData[] {
	const items = toItems(data);
	return items.length > 0 ? items : [{ json: { value: [] } }];
}

/** Sends what a task asks for; the items of the answers. */
async function answersTo(taskRun: TaskRun): Promise<INodeExecutionData[]> {
	const { n8n, client, task, keys, items } = taskRun;
	const { operation, values } = task;
	const senders = sendersOf(taskRun);
	if (!operation.execute) {
		const data = await senders.send();
		return oneAtLeast(deletes(operation) ? { ...data, deleted: true } : data);
	}
	const itemIndex = task.items[0] ?? 0;
	const [own = toOperationItem(operation, values, { json: {} })] = items;
	const gathered = task.items.map((item, i) => ({ item, values: task.gathered[i] ?? {} }));
	return await operation.execute({
		...own,
		...{ n8n, client, itemIndex, keys, combinedItems: gathered, ...senders },
	});
}

/** The items of jobs that were started: as they end, or with the ids by which to find them. */
async function itemsOfJobs(
	taskRun: TaskRun,
	answers: readonly INodeExecutionData[],
): Promise<FinishedItem[]> {
	const { task, jobs } = taskRun;
	const itemOfJob = (i: number) => (answers[i] ?? answers[0])?.json ?? {};
	if (task.values.waitForCompletion === true) {
		const carryOutRows = async (rows: PlannedRequest) => await resultsOf(taskRunOf(taskRun, rows));
		return await awaitJobs(taskRun, itemOfJob, carryOutRows);
	}
	const [batch] = jobs;
	if (batch && task.operation.combine?.rows) {
		return createPendingItems(task, batch, itemOfJob(0)).map((item) => ({ item }));
	}
	return jobs.map((job, i) => ({ item: { json: { ...itemOfJob(i), job: toJobReference(job) } } }));
}

/** The items of a task as its operation sees them. */
const itemsIn = ({ n8n }: TaskContext, { operation, items, gathered }: PlannedRequest) => {
	const input = n8n.getInputData();
	return items.map((item, i): OperationItem<IDataObject> =>
		toOperationItem(operation, gathered[i] ?? {}, input[item] ?? { json: {} }),
	);
};

function taskRunOf(context: TaskContext, task: PlannedRequest): TaskRun {
	const { place, known } = context;
	const keys = createIdempotencyKeys(place, task.items, task.values, task.part, known);
	return { ...context, task, items: itemsIn(context, task), keys, jobs: [] };
}

/** What becomes of a task that lists nothing. */
async function resultsOf(taskRun: TaskRun): Promise<FinishedItem[]> {
	const answers = await answersTo(taskRun);
	if (taskRun.jobs.length > 0) return await itemsOfJobs(taskRun, answers);
	return answers.map((item) => ({ item }));
}

/** The items with their ids and their origin, in the shape that the operation gives them. */
function finished(
	task: PlannedRequest,
	items: readonly INodeExecutionData[],
): INodeExecutionData[] {
	const { operation, values } = task;
	const given = items.map((item) => addId(item, getIdKey(task), task));
	const shaped = operation.reshapeItems?.(given, values) ?? given;
	const from = task.items.map((item) => ({ item }));
	const pairedItem = from.length === 1 ? from[0] : from;
	const simple = values.simple === false ? undefined : operation.simple;
	return shaped.map(({ json, ...item }) => ({
		...item,
		json: simple ? simplifyRow(json, [getIdKey(task) ?? [], ...simple].flat()) : json,
		pairedItem: item.pairedItem ?? pairedItem,
	}));
}

/** Carries out a task. Its items carry their ids and come from the items that went in. */
export async function carryOut(
	context: TaskContext,
	task: PlannedRequest,
): Promise<INodeExecutionData[]> {
	const { client } = context;
	if (task.operation.list !== undefined) {
		const call = await buildRequest(task, client, itemsIn(context, task));
		return finished(task, toItems(await readListRows(context.n8n, client, call, task)));
	}
	const taskRun = taskRunOf(context, task);
	const results = await resultsOf(taskRun);
	const parts = results.flatMap(({ item, result }) =>
		finished(task, [item]).map((part, number, { length: count }) => ({
			item: part,
			result,
			part: { number, count },
		})),
	);
	return await withDownloads(taskRun, parts);
}
