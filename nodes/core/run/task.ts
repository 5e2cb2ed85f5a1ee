/** One task: its requests, the jobs that they start, the wait, and its items. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { operationError } from '../errors/words';
import type { Client } from '../http/client';
import { jobRef, type StartedJob } from '../jobs/job';
import { objectOf, textOf } from '../json';
import { methodOf, type ExecuteContext, type Item, type Operation } from '../operation';
import { awaitJobs } from './awaitJobs';
import { keyRing } from './keys';
import { listItems } from './list';
import { asItems, idKeyOf, withId } from './outcome';
import type { Task } from './plan';
import { callOf, itemOf, pathOf } from './request';
import { pendingRows } from './rows';
import { sendRequest, type TaskContext, type TaskRun } from './send';

/** The jobs that a reply names. */
function jobsOf(
	client: Client,
	{ starts }: Operation,
	data: IDataObject,
	values: IDataObject,
	before: IDataObject,
): StartedJob[] {
	if (starts === undefined) return [];
	const job = typeof starts === 'function' ? starts(data, values, before) : starts;
	if (Array.isArray(job)) return job;
	const reply = objectOf(data);
	const id = textOf(reply[job.id] ?? reply.id);
	if (id !== undefined) return [{ job, id }];
	throw operationError(
		client.node,
		`The service accepted the request but named no ${job.id}`,
		'Something may have been created. Look for it in the list of the service before you run again.',
	);
}

/** What the requests of a task have given. */
interface Answered {
	items: INodeExecutionData[];
	/** Jobs that were started, in order. */
	jobs: StartedJob[];
}

/** How an operation sends its own request, and names the jobs that it starts. */
function sendersOf(taskRun: TaskRun, jobs: StartedJob[]) {
	const { client, task } = taskRun;
	const { operation, values } = task;
	let requests = 0;
	const started = (more: StartedJob[]) => {
		jobs.push(...more);
		taskRun.started(more);
	};
	const send = async (body?: IDataObject): Promise<IDataObject> => {
		const before = operation.readFirst
			? await client.data({ line: operation.readFirst, path: pathOf(task) })
			: {};
		const whole = await sendRequest(taskRun, body, ++requests, async (call) => client.reply(call));
		// A list, where the service answers so.
		const data = (operation.unwrap?.(whole) ?? whole.data ?? whole) as IDataObject;
		started(jobsOf(client, operation, data, values, before));
		return data;
	};
	const stream: ExecuteContext['stream'] = async (read, headers) =>
		await sendRequest(taskRun, undefined, ++requests, async (call) =>
			read(await client.stream({ ...call, headers })),
		);
	return { send, stream, started };
}

/** Replies to these say little or nothing: the item says what is gone. */
const deletes = (operation: Operation) => methodOf(operation) === 'DELETE';

/** Row in, row out: also where the service answers with a list that is empty. */
function oneAtLeast(data: unknown): INodeExecutionData[] {
	const items = asItems(data);
	return items.length > 0 ? items : [{ json: { value: [] } }];
}

/** Sends what a task asks for. */
async function answersTo(taskRun: TaskRun): Promise<Answered> {
	const { n8n, client, task, keys, items } = taskRun;
	const { operation, values } = task;
	const jobs: StartedJob[] = [];
	const senders = sendersOf(taskRun, jobs);
	if (!operation.execute) {
		const data = await senders.send();
		return { items: oneAtLeast(deletes(operation) ? { ...data, deleted: true } : data), jobs };
	}
	const itemIndex = task.items[0] ?? 0;
	const [own = itemOf(operation, values, { json: {} })] = items;
	const gathered = task.items.map((item, i) => ({ item, values: task.gathered[i] ?? {} }));
	const context = { ...own, n8n, client, itemIndex, keys, gathered, ...senders };
	return { items: await operation.execute(context), jobs };
}

/** The items of jobs that were started: as they end, or with the ids by which to find them. */
async function itemsOfJobs(
	taskRun: TaskRun,
	{ items, jobs }: Answered,
): Promise<INodeExecutionData[]> {
	const { task } = taskRun;
	const itemOfJob = (i: number) => (items[i] ?? items[0])?.json ?? {};
	if (task.values.waitForCompletion === true) {
		const carryOutRows = async (rows: Task) => await itemsOf(taskRun, rows);
		return await awaitJobs(taskRun, jobs, itemOfJob, carryOutRows);
	}
	const [batch] = jobs;
	if (batch && task.operation.gather?.rows) return pendingRows(task, batch, itemOfJob(0));
	return jobs.map((job, i) => ({ json: { ...itemOfJob(i), job: jobRef(job) } }));
}

/** The items of a task as its operation sees them. */
const itemsIn = ({ n8n }: TaskContext, { operation, items, gathered }: Task) => {
	const input = n8n.getInputData();
	return items.map((item, i): Item<IDataObject> =>
		itemOf(operation, gathered[i] ?? {}, input[item] ?? { json: {} }),
	);
};

/** What a task gives out before it is named and paired. */
async function itemsOf(context: TaskContext, task: Task): Promise<INodeExecutionData[]> {
	const items = itemsIn(context, task);
	const { client, place, known } = context;
	if (task.operation.list !== undefined) {
		return await listItems(client, await callOf(task, client, items), task);
	}
	const keys = keyRing(place, task.items, task.values, task.part, known);
	const taskRun: TaskRun = { ...context, task, items, keys };
	const answered = await answersTo(taskRun);
	return answered.jobs.length === 0 ? answered.items : await itemsOfJobs(taskRun, answered);
}

/** Carries out a task. Its items carry their ids and come from the items that went in. */
export async function carryOut(context: TaskContext, task: Task): Promise<INodeExecutionData[]> {
	const { operation, values } = task;
	const given = (await itemsOf(context, task)).map((item) => withId(item, idKeyOf(task), task));
	const shaped = operation.reshapeItems?.(given, values) ?? given;
	const from = task.items.map((item) => ({ item }));
	const pairedItem = from.length === 1 ? from[0] : from;
	return shaped.map((item) => ({ ...item, pairedItem: item.pairedItem ?? pairedItem }));
}
