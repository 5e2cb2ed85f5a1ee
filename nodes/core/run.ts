/**
 * The one execute loop: items -> operations -> items.
 *
 * 1. The values of all items are read and checked; nothing is sent while one of them is wrong
 *    (unless the node continues on fail: then only the right ones go on).
 * 2. Items are carried out at the same time, with a bounded number of requests on their way.
 * 3. When an item fails and the node does not continue, nothing new is sent, what is on its way
 *    is awaited so that its job ids are known, and the error names every job that exists.
 */
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { adviceFor, factsOf, operationError } from './errors';
import { binaryInputs, uploadBinary, withUploads } from './file';
import { derivedKey, partKey } from './idempotency';
import { waitFor, type Ending, type StartedJob } from './job';
import { formFields, methodOf, optionFields, writes, type Operation } from './operation';
import { once } from './once';
import { createClient, type Call, type Client, type Outcome } from './request';
import { readValues } from './values';

interface Plan {
	operation: Operation;
	values: IDataObject;
}

/** One request to make: for one item, or for several that an operation gathers. */
interface Task extends Plan {
	items: number[];
	/** The values of all items, where several are gathered. */
	all: IDataObject[];
	/** Counts the gathered requests that share an idempotency key of the user's, from 1. */
	part: number;
}

/** Jobs that are listed by id in an error; more are counted. */
const mostNamedJobs = 100;

const jobRef = ({ job, id }: StartedJob): IDataObject => ({ kind: job.kind, id });

/** What an error of a foreign kind becomes: n8n's own kinds stay as they are. */
function asNodeError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error as Error);
}

/** The values that go into the body or the query by themselves, without those of the path. */
function sent(operation: Operation, values: IDataObject, place: 'body' | 'query'): IDataObject {
	const result: IDataObject = {};
	for (const field of [...formFields(operation), ...optionFields(operation)]) {
		const value = values[field.name];
		const target = field.in ?? (writes(operation) ? 'body' : 'query');
		if (value === undefined || target !== place) continue;
		if (operation.request.includes(`{${field.name}}`)) continue;
		result[field.name] = Array.isArray(value) && place === 'query' ? value.join(',') : value;
	}
	return result;
}

const asItem = (operation: Operation, values: IDataObject) => ({
	values,
	plain: sent(operation, values, 'body'),
});

/** Names of the path identifiers of a request line. */
const pathNames = ({ request }: Operation) =>
	[...request.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');

/** The line of a request with its path identifiers. */
const lineOf = ({ operation, values }: Plan) =>
	[operation.request, ...pathNames(operation).map((name) => String(values[name]))].join(' ');

/** The derived key of a request: its line with the path identifiers, and its body. */
const keyOf = (n8n: IExecuteFunctions, plan: Plan, itemIndex: number, body: unknown) =>
	derivedKey(n8n, itemIndex, lineOf(plan), body);

/** The call of an operation for one item. `body` replaces the one made from the values. */
function callOf(
	n8n: IExecuteFunctions,
	{ operation, values, all, part }: Task,
	itemIndex: number,
	body?: IDataObject,
): Call {
	const names = pathNames(operation);
	const call: Call = {
		line: operation.request,
		path: Object.fromEntries(names.map((name) => [name, String(values[name] ?? '')])),
		query: operation.query?.(values) ?? sent(operation, values, 'query'),
		mayExist: operation.mayExist,
	};
	if (writes(operation)) {
		const made =
			body ??
			operation.gather?.body?.(all.map((one) => asItem(operation, one))) ??
			operation.body?.(asItem(operation, values)) ??
			sent(operation, values, 'body');
		call.body = { ...made, ...(values.additionalBodyFields as IDataObject | undefined) };
	}
	if (operation.starts !== undefined || operation.finishes) call.finishes = true;
	if (operation.timeout !== undefined) call.timeout = operation.timeout;
	if (operation.repeatable) call.repeatable = true;
	if (operation.perMinute !== undefined) {
		call.rate = { name: operation.request, perMinute: operation.perMinute };
	}
	if (operation.idempotent !== false) {
		const own = values.idempotencyKey as string | undefined;
		const key =
			own === undefined
				? keyOf(n8n, { operation, values }, itemIndex, call.body)
				: partKey(own, part);
		if (typeof operation.idempotent === 'string') {
			call.body = { ...(call.body as IDataObject), [operation.idempotent]: key };
			call.repeatable = true;
		} else call.idempotencyKey = key;
	}
	return call;
}

const asItems = (data: unknown): INodeExecutionData[] =>
	(Array.isArray(data) ? data : [data]).map((json) => ({
		json: (json !== null && typeof json === 'object' ? json : { value: json }) as IDataObject,
	}));

/** Pages through a list up to the limit. */
async function list(client: Client, call: Call, most: number, values: IDataObject) {
	const limit = values.returnAll === true ? Infinity : Number(values.limit ?? 50);
	const rows: IDataObject[] = [];
	for await (const page of client.pages(call, Math.min(most, limit))) {
		rows.push(...page.rows);
		if (rows.length >= limit) break;
	}
	return rows.slice(0, limit).map((json) => ({ json }));
}

/** The error of a wait that did not end well. It always names the job. */
function endingError(node: INode, ending: Extract<Ending, { outcome: 'failed' | 'timeout' }>) {
	const { job, id } = ending.job;
	const name = job.kind.replace(/_/g, ' ');
	if (ending.outcome === 'failed') {
		const cancelled = /^cancell?ed$/i.test(String(ending.data.status));
		const then =
			adviceFor(ending.code) ??
			(cancelled ? 'Run again if it is still wanted.' : 'Change the input and run again.');
		return operationError(
			node,
			`The ${name} ${cancelled ? 'was cancelled' : 'failed'}: ${ending.reason}`,
			`The service made no result for ${name} ${id} (code: ${ending.code}). ${then}`,
			{ code: ending.code, job: jobRef(ending.job), status: String(ending.data.status) },
		);
	}
	const minutes = Math.round((ending.waited / 60) * 10) / 10;
	return operationError(
		node,
		`The ${name} was not finished after ${minutes} minutes`,
		`${name} ${id} has the status "${ending.status}" and goes on at the service: do not create it again. Read it later with its ID${
			ending.job.job.untold
				? ', or raise Wait Timeout in the options.'
				: ', raise Wait Timeout in the options, or let a VideoGen Trigger start another workflow when it is done.'
		}`,
		{ code: 'wait_timeout', job: jobRef(ending.job), status: ending.status },
	);
}

/** Carries out one item. Jobs that it starts are told to `started` as soon as they exist. */
async function perform(
	n8n: IExecuteFunctions,
	client: Client,
	task: Task,
	started: (jobs: StartedJob[]) => void,
): Promise<INodeExecutionData[]> {
	const { operation, values } = task;
	const itemIndex = task.items[0] ?? 0;
	if (operation.list !== undefined) {
		return await list(client, callOf(n8n, task, itemIndex), operation.list, values);
	}

	let jobs: StartedJob[] = [];
	const note = (more: StartedJob[]) => {
		jobs = [...jobs, ...more];
		started(more);
	};
	const sendOnce = async (call: Call): Promise<Outcome> => {
		call.body = await withUploads(call.body, async ({ field, item = itemIndex }) => {
			const asset = await uploadBinary(n8n, client, item, field);
			return String(asset.asset_id);
		});
		return await client.attempt(call);
	};
	const send = async (body?: IDataObject): Promise<IDataObject> => {
		// Keys are made of a binary field's name: an upload has a new id at every try.
		const call = callOf(n8n, task, itemIndex, body);
		const unkeyed =
			methodOf(operation) === 'POST' && operation.idempotent === false && !operation.repeatable;
		const outcome = unkeyed
			? await once(keyOf(n8n, task, itemIndex, call.body), async () => await sendOnce(call))
			: await sendOnce(call);
		if (!outcome.ok) throw outcome.error;
		const whole = outcome.reply;
		const data = (operation.unwrap?.(whole) ?? whole.data ?? whole) as IDataObject;
		if (typeof operation.starts === 'function') note(operation.starts(data));
		else if (operation.starts) {
			const id = data[operation.starts.id] ?? data.id;
			if (typeof id !== 'string' || id === '') {
				throw operationError(
					client.node,
					`The service accepted the request but named no ${operation.starts.id}`,
					'Something may have been created. Look for it in the list of the service before you run again.',
				);
			}
			note([{ job: operation.starts, id }]);
		}
		return data;
	};

	const gathered = task.items.map((item, i) => ({ item, values: task.all[i] ?? {} }));
	const items = operation.execute
		? await operation.execute({ n8n, client, itemIndex, gathered, send, started: note }, values)
		: asItems(await send());
	if (jobs.length === 0) return items;

	// Several jobs have an item each, or share one.
	const itemOf = (i: number) => (items[i] ?? items[0])?.json ?? {};
	if (values.waitForCompletion !== true) {
		return jobs.map((one, i) => ({ json: { ...itemOf(i), job: jobRef(one) } }));
	}
	const policy = {
		timeout: Number(values.waitTimeout ?? 30) * 60,
		interval: Number(values.pollInterval ?? 5),
	};
	// All of them end before one speaks: nothing is asked any more once the item has failed.
	const waits = await Promise.allSettled(
		jobs.map(async (one) => ({ one, ending: await waitFor(client, one, policy) })),
	);
	const endings = waits.map((wait) => {
		if (wait.status === 'rejected') throw asNodeError(client.node, wait.reason);
		return wait.value;
	});
	return endings.map(({ one, ending }, i) => {
		if (ending.outcome === 'failed' || ending.outcome === 'timeout') {
			const error = endingError(client.node, ending);
			// The other results of the item are kept.
			if (endings.length > 1 && n8n.continueOnFail()) {
				return errorItem(located(error, itemIndex, [one], []), itemIndex);
			}
			throw error;
		}
		return { json: { ...itemOf(i), ...ending.data, job: jobRef(one) } };
	});
}

/**
 * The requests to make: one per item, or one per chunk of items that an operation gathers. What
 * stands for a whole request is the same for all items in it.
 */
function tasksOf(plans: ReadonlyArray<Plan | Error>): Task[] {
	const tasks: Task[] = [];
	const open = new Map<string, Task>();
	const parts = new Map<string, number>();
	plans.forEach((plan, i) => {
		if (plan instanceof Error) return;
		const { operation, values } = plan;
		const { gather } = operation;
		if (!gather) {
			tasks.push({ ...plan, items: [i], all: [values], part: 1 });
			return;
		}
		const whole = [...(gather.whole ?? []), 'additionalBodyFields', 'idempotencyKey'];
		const kind = JSON.stringify([operation.value, ...whole.map((name) => values[name] ?? null)]);
		const task = open.get(kind);
		const { most, size = () => 1 } = gather;
		const taken = [...(task?.all ?? []), values].reduce((sum, one) => sum + size(one), 0);
		if (task && taken <= most) {
			task.items.push(i);
			task.all.push(values);
			return;
		}
		const key = `${operation.value} ${String(values.idempotencyKey)}`;
		const part = (parts.get(key) ?? 0) + 1;
		parts.set(key, part);
		const next = { ...plan, items: [i], all: [values], part };
		open.set(kind, next);
		tasks.push(next);
	});
	return tasks;
}

/**
 * Two requests with one key would get one result: the service replays its answer by endpoint, path
 * identifier and key alone. Requests of gathered items number their keys instead.
 */
function sameKey(plans: ReadonlyArray<Plan | Error>): Map<number, string> {
	const first = new Map<string, number>();
	const wrong = new Map<number, string>();
	for (const [item, plan] of plans.entries()) {
		if (plan instanceof Error || plan.operation.gather) continue;
		const { values } = plan;
		if (values.idempotencyKey === undefined) continue;
		const key = `${lineOf(plan)} ${String(values.idempotencyKey)}`;
		const other = first.get(key);
		if (other === undefined) first.set(key, item);
		else {
			wrong.set(
				item,
				`"Idempotency Key" is "${String(values.idempotencyKey)}" for item ${other} too: the service would give both items the same result. Use an expression that differs for every item`,
			);
		}
	}
	return wrong;
}

function wrongValue(node: INode, complaints: readonly string[]): NodeOperationError {
	return operationError(
		node,
		complaints[0] ?? 'A value is wrong',
		[...complaints.slice(1), 'Nothing was sent to the service.'].join('\n'),
		{ code: 'invalid_value', complaints: [...complaints] },
	);
}

/** Puts the item and the jobs into an error, so that every outcome names what was paid for. */
function located<E extends NodeApiError | NodeOperationError>(
	error: E,
	itemIndex: number,
	own: readonly StartedJob[],
	others: ReadonlyArray<{ item: number; jobs: readonly StartedJob[] }>,
): E {
	const lines: string[] = [];
	const facts = factsOf(error);
	if (own.length > 0) {
		facts.job ??= jobRef(own[0] as StartedJob);
		if (own.length > 1) facts.jobs = own.map(jobRef);
		const missing = own.filter(({ id }) => !error.description?.includes(id));
		if (missing.length > 0) {
			lines.push(
				`Already started for this item: ${missing.map(({ job, id }) => `${job.kind} ${id}`).join(', ')}`,
			);
		}
	}
	const rest = others.flatMap(({ item, jobs }) => jobs.map((one) => ({ item, ...one })));
	if (rest.length > 0) {
		facts.started = rest.map(({ item, job, id }) => ({ item, kind: job.kind, id }));
		const named = rest
			.slice(0, mostNamedJobs)
			.map(({ item, job, id }) => `item ${item}: ${job.kind} ${id}`);
		const more = rest.length > mostNamedJobs ? ` and ${rest.length - mostNamedJobs} more` : '';
		lines.push(
			`Started for other items, and not lost: ${named.join(', ')}${more}. They go on at the service.`,
		);
	}
	error.context.itemIndex = itemIndex;
	error.context.details = facts;
	// The error of a batch is told for each of its items.
	error.message = `${error.message.replace(/ \[item \d+\]$/, '')} [item ${itemIndex}]`;
	// A remembered error may come here again, when n8n repeats the node.
	const fresh = lines.filter((line) => !error.description?.includes(line));
	if (fresh.length > 0) {
		error.description = [error.description, ...fresh].filter(Boolean).join('\n');
	}
	return error;
}

/**
 * Names the jobs of an execution that is being stopped, in n8n's log: n8n keeps nothing that a
 * stopped node gives out.
 */
function stoppedWith(n8n: IExecuteFunctions, jobs: readonly StartedJob[]): void {
	if (jobs.length === 0) return;
	const names = jobs.map(({ job, id }) => `${job.kind} ${id}`).join(', ');
	n8n.logger.warn(`Stopped while these jobs exist at the service, where they go on: ${names}`);
}

/** The item of a failure, for Continue On Fail. */
function errorItem(
	error: NodeApiError | NodeOperationError,
	itemIndex: number,
): INodeExecutionData {
	// n8n sends an item to the error output when its json has no keys but these.
	return {
		json: {
			error: error.message,
			details: { ...factsOf(error), description: error.description ?? null },
		},
		pairedItem: { item: itemIndex },
	};
}

/** Executes a node: the operation that each item chooses, with the values that it gives. */
export async function run(
	n8n: IExecuteFunctions,
	operations: readonly Operation[],
): Promise<INodeExecutionData[][]> {
	const node = n8n.getNode();
	const items = n8n.getInputData();
	const goesOn = n8n.continueOnFail();

	const plans = items.map((_, i): Plan | NodeApiError | NodeOperationError => {
		try {
			const chosen = n8n.getNodeParameter('operation', i) as string;
			const operation = operations.find(({ value }) => value === chosen);
			if (!operation) return operationError(node, `The operation "${chosen}" is not known`);
			const { values, complaints } = readValues(
				n8n,
				formFields(operation),
				optionFields(operation),
				i,
			);
			if (complaints.length === 0) {
				complaints.push(...(operation.check?.(values) ?? []).filter((one) => one !== false));
			}
			for (const input of binaryInputs(values)) {
				input.item = i;
				if (items[i]?.binary?.[input.field] === undefined) {
					complaints.push(`The item has no file in a binary field "${input.field}"`);
				}
			}
			return complaints.length > 0 ? wrongValue(node, complaints) : { operation, values };
		} catch (error) {
			return asNodeError(node, error);
		}
	});
	for (const [i, complaint] of sameKey(plans)) plans[i] = wrongValue(node, [complaint]);
	const tasks = tasksOf(plans);

	if (!goesOn) {
		const wrong = plans.findIndex((plan) => plan instanceof Error);
		if (wrong >= 0) throw located(plans[wrong] as NodeOperationError, wrong, [], []);
	}
	const results: INodeExecutionData[][] = plans.map((plan, i) =>
		plan instanceof Error ? [errorItem(located(plan, i, [], []), i)] : [],
	);
	const [firstTask] = tasks;
	if (!firstTask) return [results.flat()];

	const halt = new AbortController();
	const cancelled = n8n.getExecutionCancelSignal();
	const client = await createClient(n8n, {
		atOnce: Number(firstTask.values.requestsAtOnce ?? 5),
		signal: cancelled ? AbortSignal.any([cancelled, halt.signal]) : halt.signal,
	});

	const jobs: StartedJob[][] = items.map(() => []);
	const tellStopped = () => stoppedWith(n8n, jobs.flat());
	cancelled?.addEventListener('abort', tellStopped, { once: true });
	const started = (item: number, more: readonly StartedJob[]) => {
		jobs[item]?.push(...more);
		// A request that was on its way when the stop came.
		if (cancelled?.aborted) stoppedWith(n8n, more);
	};
	const failures: Array<{ item: number; error: NodeApiError | NodeOperationError }> = [];
	await Promise.all(
		tasks.map(async (task) => {
			const item = task.items[0] ?? 0;
			try {
				const given = await perform(n8n, client, task, (more) => started(item, more));
				const made = task.operation.after?.(given, task.values) ?? given;
				const from = task.items.map((index) => ({ item: index }));
				const pairedItem = from.length === 1 ? from[0] : from;
				results[item] = made.map((one) => ({ ...one, pairedItem: one.pairedItem ?? pairedItem }));
			} catch (error) {
				const failure = asNodeError(node, error);
				if (goesOn) {
					const own = jobs[item] ?? [];
					for (const index of task.items) {
						results[index] = [errorItem(located(failure, index, own, []), index)];
					}
					return;
				}
				failures.push({ item, error: failure });
				halt.abort();
			}
		}),
	);

	cancelled?.removeEventListener('abort', tellStopped);
	const [first, ...more] = failures;
	if (first) {
		const error = located(
			first.error,
			first.item,
			jobs[first.item] ?? [],
			jobs.map((own, item) => ({ item, jobs: own })).filter(({ item }) => item !== first.item),
		);
		for (const { item, error: other } of more) {
			if (factsOf(other).uncertain !== true) continue;
			const line = `Item ${item}: ${other.message}. ${other.description?.split('\n')[0] ?? ''}`;
			if (!error.description?.includes(line)) error.description += `\n${line}`;
		}
		throw error;
	}
	return [results.flat()];
}
