/**
 * The one execute loop: items -> operations -> items.
 *
 * 1. The values of all items are read and checked; nothing is sent while one of them is wrong
 *    (unless the node continues on fail: then only the right ones go on).
 * 2. Items are carried out at the same time, with a bounded number of requests on their way.
 * 3. When an item fails and the node does not continue, nothing new is sent, what is on its way
 *    is awaited so that its job ids are known, and the error names every job that exists.
 */
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../clock';
import { factsOf } from '../errors/facts';
import { asNodeError, operationError, type NodeError } from '../errors/words';
import { binaryInputs } from '../files/inputs';
import { readValues } from '../form/values';
import { createClient, type Client } from '../http/client';
import { formFields, isPaid, optionFields, type Ports, type Resource } from '../operation';
import { balanceRefusal, tooManyJobs } from './guard';
import { hintsAfter } from './hints';
import { jobLedger, type JobLedger } from './ledger';
import { errorItem, located } from './outcome';
import { perform } from './perform';
import { sameKeys, tasksOf, type Plan, type Task } from './plan';
import { beginTry, type Try } from './tries';

function wrongValue(node: INode, complaints: readonly string[]): NodeError {
	return operationError(
		node,
		complaints[0] ?? 'A value is wrong',
		[...complaints.slice(1), 'Nothing was sent to the service.'].join('\n'),
		{ code: 'invalid_value', complaints: [...complaints] },
	);
}

/** What an item asks for, or what is wrong with it. */
function planOf(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	itemIndex: number,
	item: INodeExecutionData,
): Plan | NodeError {
	const node = n8n.getNode();
	const resource = resources.find(
		({ value }) => value === n8n.getNodeParameter('resource', itemIndex),
	);
	const chosen = String(n8n.getNodeParameter('operation', itemIndex));
	const operation = resource?.operations.find(({ value }) => value === chosen);
	if (!resource || !operation) {
		return operationError(node, `The operation "${chosen}" is not known`);
	}
	const { values, complaints } = readValues(
		n8n,
		formFields(operation),
		optionFields(operation),
		itemIndex,
	);
	if (complaints.length === 0) {
		complaints.push(...(operation.check?.(values) ?? []).filter((one) => one !== false));
	}
	if (values.payOncePer === 'ownKey' && values.idempotencyKey === undefined) {
		complaints.push('"Own Key" is required: "Pay Once Per" is set to it');
	}
	for (const input of binaryInputs(values)) {
		input.item = itemIndex;
		if (item.binary?.[input.field] === undefined) {
			complaints.push(`The item has no file in a binary field "${input.field}"`);
		}
	}
	return complaints.length > 0 ? wrongValue(node, complaints) : { resource, operation, values };
}

/**
 * The plans of all items; an error stands where an item cannot be carried out. What was right at an
 * earlier try, and may have been sent then, stays what it was where it is wrong now.
 */
function plansOf(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	{ known }: Try,
): Array<Plan | NodeError> {
	const node = n8n.getNode();
	const plans = n8n.getInputData().map((item, i) => {
		try {
			const plan = planOf(n8n, resources, i, item);
			if (plan instanceof Error) return known.plans[i] ?? plan;
			return (known.plans[i] = plan);
		} catch (error) {
			return known.plans[i] ?? asNodeError(node, error);
		}
	});
	for (const wrong of [sameKeys(plans), tooManyJobs(plans)]) {
		for (const [i, complaint] of wrong) plans[i] = wrongValue(node, [complaint]);
	}
	return plans;
}

interface Failure {
	item: number;
	error: NodeError;
}

/** The error of a run: that of the first item that failed, with what else may exist. */
function runError(
	[first, ...more]: readonly [Failure, ...Failure[]],
	ledger: JobLedger,
	items: number,
): NodeError {
	const { item: of } = first;
	const error = located(first.error, { item: of, items }, ledger.of(of), ledger.others(of));
	for (const { item, error: other } of more) {
		if (factsOf(other).uncertain !== true) continue;
		const line = `Item ${item}: ${other.message}. ${other.description?.split('\n')[0] ?? ''}`;
		if (!error.description?.includes(line)) error.description += `\n${line}`;
	}
	return error;
}

/** The number that the user fixed; none lets the limit find its own width. */
function requestsAtOnceOf(tasks: readonly Task[]): number | undefined {
	const [fixed] = tasks.map(({ values }) => values.requestsAtOnce);
	return typeof fixed === 'number' && fixed > 0 ? fixed : undefined;
}

/** The row that an item came from, where it is one: items are given out in the order of the rows. */
function rowOf({ pairedItem }: INodeExecutionData, otherwise: number): number {
	if (pairedItem === undefined || typeof pairedItem === 'number') return otherwise;
	return Array.isArray(pairedItem) ? otherwise : pairedItem.item;
}

/** Whether an error says no to the account as a whole: no credit, no access, no scope. */
const refusesAccount = (error: NodeError) =>
	[401, 402].includes(Number(factsOf(error).status)) ||
	factsOf(error).code === 'insufficient_api_key_scope';

/** Carries out all tasks; what each gives is put into `results`, at the rows that it came from. */
async function carryOut(
	n8n: IExecuteFunctions,
	tasks: readonly Task[],
	results: INodeExecutionData[][],
	{ ports, attempt, ledger }: { ports: Ports; attempt: Try; ledger: JobLedger },
): Promise<void> {
	const node = n8n.getNode();
	const items = n8n.getInputData().length;
	const halt = new AbortController();
	const cancelled = n8n.getExecutionCancelSignal();
	const client: Client = await createClient(n8n, {
		requestsAtOnce: requestsAtOnceOf(tasks),
		signal: cancelled ? AbortSignal.any([cancelled, halt.signal]) : halt.signal,
	});
	const failures: Failure[] = [];
	const madeAnew = new Set<number>();
	let refusal = await balanceRefusal(client, tasks, ports);
	// The first create goes alone: what refuses it may refuse all.
	const scout = tasks.length > 1 ? tasks.find(({ operation }) => isPaid(operation)) : undefined;
	let open = () => {};
	const opened = scout ? new Promise<void>((resolve) => (open = resolve)) : Promise.resolve();
	await Promise.all(
		tasks.map(async (task) => {
			const item = task.items[0] ?? 0;
			const isScout = task === scout;
			try {
				if (!isScout) await opened;
				// What earlier tries have made costs nothing any more.
				if (refusal && isPaid(task.operation) && ledger.of(item).length === 0) throw refusal;
				const made = await perform(
					{
						...{ n8n, client, ports, place: attempt.place, known: attempt.known },
						answered: isScout ? open : () => {},
						asks: (line, key) => ledger.asks(item, line, key),
						started: (more, of = item) => ledger.add(of, more),
						willBeMadeAnew: () => madeAnew.add(item),
					},
					task,
				);
				for (const one of made) results[rowOf(one, item)]?.push(one);
			} catch (error) {
				const failure = asNodeError(node, error);
				if (isScout && refusesAccount(failure)) refusal = failure;
				if (n8n.continueOnFail()) {
					for (const index of task.items) {
						results[index]?.push(
							errorItem(located(failure, { item: index, items }, ledger.of(item)), index),
						);
					}
					return;
				}
				// A row of a batch names its own item.
				const { itemIndex } = failure.context;
				failures.push({ item: typeof itemIndex === 'number' ? itemIndex : item, error: failure });
				// The next try would wait for the others all the same, and then know of more failures.
				if (!attempt.mayFollow || !madeAnew.has(item)) halt.abort();
			} finally {
				if (isScout) open();
			}
		}),
	);
	const [first, ...more] = failures;
	if (first) throw runError([first, ...more], ledger, items);
}

/** One try: what its items came to, by item. */
async function tried(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	ports: Ports,
	attempt: Try,
): Promise<INodeExecutionData[]> {
	const { known } = attempt;
	const plans = plansOf(n8n, resources, attempt);
	const ledger = jobLedger(n8n, known);
	try {
		const results = plans.map((plan, i): INodeExecutionData[] => {
			if (!(plan instanceof Error)) return [];
			const at = { item: i, items: plans.length };
			if (!n8n.continueOnFail()) throw located(plan, at, ledger.of(i), ledger.others(i));
			return [errorItem(located(plan, at, ledger.of(i)), i)];
		});
		const tasks = tasksOf(plans, known.gathered);
		known.gathered = tasks.filter(({ operation }) => operation.gather);
		const begun = clock.now();
		if (tasks.length > 0) await carryOut(n8n, tasks, results, { ports, attempt, ledger });
		const paid = tasks.filter(({ operation }) => isPaid(operation));
		const items = paid.reduce((sum, task) => sum + task.items.length, 0);
		const seconds = (clock.now() - begun) / 1000;
		n8n.addExecutionHints(...hintsAfter(items, items > 0 ? ledger.all() : [], seconds));
		return results.flat();
	} finally {
		ledger.close();
	}
}

/**
 * Executes a node: the operation that each item chooses, with the values that it gives.
 *
 * @param ports what the core cannot do without knowing a resource
 */
export async function run(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	ports: Ports,
): Promise<INodeExecutionData[][]> {
	const attempt = beginTry(n8n);
	let items: INodeExecutionData[] | undefined;
	try {
		items = await tried(n8n, resources, ports, attempt);
		return [items];
	} finally {
		attempt.end(items);
	}
}
