/** One task: its request, the job that it starts, the wait, and its items. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { asNodeError, operationError } from '../errors/words';
import type { Client } from '../http/client';
import { jobRef, mayPass, type StartedJob } from '../jobs/job';
import { waitFor, type Ending, type WaitPolicy } from '../jobs/wait';
import { objectOf, textOf } from '../json';
import { methodOf, type ExecuteContext, type Operation } from '../operation';
import { callOf, itemOf, pathOf } from './call';
import { keyRing } from './keys';
import { listRows, simplified } from './list';
import { asItems, endingError, errorItem, idKeyOf, located, withId } from './outcome';
import type { Task } from './plan';
import { rowsOf, rowsToCome } from './rows';
import { placeIn, sendOnce, type Sending, type TaskContext } from './send';

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

/** A job that failed for a reason that may pass is made again by a later try of the node. */
function noteFailure(sending: Sending, ending: Ending): void {
	if (ending.outcome !== 'failed' || !mayPass(ending, ending.data)) return;
	const { made, failures } = sending.known;
	const place = placeIn(sending, 1);
	made.delete(place);
	failures.set(place, (failures.get(place) ?? 0) + 1);
	sending.willBeMadeAnew();
}

/** The items of jobs that are awaited: each has its own, or all share one. */
async function waitForAll(
	sending: Sending,
	jobs: readonly StartedJob[],
	itemOfJob: (i: number) => IDataObject,
): Promise<INodeExecutionData[]> {
	const { n8n, client, task } = sending;
	const itemIndex = task.items[0] ?? 0;
	const items = n8n.getInputData().length;
	const policy: WaitPolicy = {
		timeout: Number(task.values.waitTimeout ?? 30) * 60,
		interval: Number(task.values.pollInterval ?? 5),
	};
	// All of them end before one speaks: nothing is asked any more once the item has failed.
	const waits = await Promise.allSettled(
		jobs.map(async (job) => ({ job, ending: await waitFor(client, job, policy) })),
	);
	const endings = waits.map((wait) => {
		if (wait.status === 'rejected') throw asNodeError(client.node, wait.reason);
		return wait.value;
	});
	const [only] = endings;
	// Of several jobs of one request none can be made again alone.
	if (only && endings.length === 1) noteFailure(sending, only.ending);
	const rowJob = task.operation.gather?.rows;
	if (only && rowJob && only.ending.outcome === 'completed') {
		const context = { client, items, goesOn: n8n.continueOnFail(), started: sending.started };
		return await rowsOf(context, task, only.job, rowJob, only.ending.data);
	}
	return endings.map(({ job, ending }, i) => {
		if ('data' in ending && ending.outcome !== 'failed') {
			return { json: { ...itemOfJob(i), ...ending.data, job: jobRef(job) } };
		}
		const error = endingError(client.node, ending);
		// The other results of the item are kept.
		if (endings.length === 1 || !n8n.continueOnFail()) throw error;
		return errorItem(located(error, { item: itemIndex, items }, [job]), itemIndex);
	});
}

/** Replies to these say little or nothing: the item says what is gone. */
const deletes = (operation: Operation) => methodOf(operation) === 'DELETE';

/** What a task gives out before it is named and paired. */
async function itemsOf(context: TaskContext, task: Task): Promise<INodeExecutionData[]> {
	const { n8n, client } = context;
	const { operation, values } = task;
	const itemIndex = task.items[0] ?? 0;
	const input = n8n.getInputData();
	const items = task.items.map((item, i) =>
		itemOf(operation, task.gathered[i] ?? {}, input[item] ?? { json: {} }),
	);
	if (operation.list !== undefined) {
		return asItems(await listRows(n8n, client, await callOf(task, client, items), task));
	}
	const keys = keyRing(context.place, task.items, values, task.part, context.known);
	const sending: Sending = { ...context, task, items, keys };
	let requests = 0;

	const jobs: StartedJob[] = [];
	const started = (more: StartedJob[]) => {
		jobs.push(...more);
		context.started(more);
	};
	const send = async (body?: IDataObject): Promise<IDataObject> => {
		const before = operation.readFirst
			? await client.data({ line: operation.readFirst, path: pathOf(task) })
			: {};
		const whole = await sendOnce(sending, body, ++requests, async (call) => client.reply(call));
		// A list, where the service answers so.
		const data = (operation.unwrap?.(whole) ?? whole.data ?? whole) as IDataObject;
		started(jobsOf(client, operation, data, values, before));
		return data;
	};
	const stream: ExecuteContext['stream'] = async (read, headers) =>
		await sendOnce(sending, undefined, ++requests, async (call) =>
			read(await client.stream({ ...call, headers })),
		);
	const [own = itemOf(operation, values, { json: {} })] = items;
	const gathered = task.items.map((item, i) => ({ item, values: task.gathered[i] ?? {} }));
	const given = operation.execute
		? await operation.execute({
				...own,
				...{ n8n, client, itemIndex, keys, gathered, send, stream, started },
			})
		: asItems(deletes(operation) ? { ...(await send()), deleted: true } : await send());
	if (jobs.length === 0) return given;
	const [batch] = jobs;
	if (batch && operation.gather?.rows && values.waitForCompletion !== true) {
		return rowsToCome(task, batch, given[0]?.json ?? {});
	}
	const itemOfJob = (i: number) => (given[i] ?? given[0])?.json ?? {};
	return values.waitForCompletion === true
		? await waitForAll(sending, jobs, itemOfJob)
		: jobs.map((job, i) => ({ json: { ...itemOfJob(i), job: jobRef(job) } }));
}

/** Carries out a task. Its items carry their ids and come from the items that went in. */
export async function perform(context: TaskContext, task: Task): Promise<INodeExecutionData[]> {
	const { operation, values } = task;
	const given = (await itemsOf(context, task)).map((item) => withId(item, idKeyOf(task), task));
	const shaped = operation.reshapeItems?.(given, values) ?? given;
	const from = task.items.map((item) => ({ item }));
	const pairedItem = from.length === 1 ? from[0] : from;
	const simple = values.simple === false ? undefined : operation.simple;
	return shaped.map(({ json, ...item }) => ({
		...item,
		json: simple ? simplified(json, [idKeyOf(task) ?? [], ...simple].flat()) : json,
		pairedItem: item.pairedItem ?? pairedItem,
	}));
}
