/**
 * The one execute loop: items -> operations -> items.
 *
 * 1. The values of all items are read and checked; nothing is sent while one of them is wrong
 *    (unless the node continues on fail: then only the right ones go on).
 * 2. Items are carried out at the same time, with a bounded number of requests on their way.
 * 3. When an item fails and the node does not continue, nothing new is sent, what is on its way
 *    is awaited so that its job ids are known, and the error names every job that exists.
 */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { clock } from './clock';
import { getErrorDetails } from './errors/errorDetails';
import { toNodeError, type NodeError } from './errors/nodeErrors';
import { createClient, type Client } from './http/client';
import { isPaid, type Ports, type Resource } from './operation';
import { planItems } from './plan/planItems';
import { createFirstPaidRequest, type FirstPaidRequest } from './send/firstPaidRequest';
import { checkBalance } from './plan/spendingLimits';
import { createCostHint } from './collect/outputHints';
import { adaptErrorOutput } from './collect/n8n1Compat';
import { createStartedJobs, type StartedJobs } from './send/startedJobs';
import { createErrorItem, addItemAndJobs } from './collect/errorItems';
import { createRateHint } from './collect/rateHint';
import { groupRequests, type ItemPlan, type PlannedRequest } from './plan/groupRequests';
import { carryOut } from './send/carryOut';
import { truncateForModel } from './collect/truncateForModel';
import { repeatsIdenticalCalls, isTool, describeErrorForModel } from './plan/agentTool';
import { beginAttempt, type Attempt } from './plan/retryState';

type Plans = ReadonlyArray<ItemPlan | NodeError>;

interface Failure {
	item: number;
	error: NodeError;
}

/** The error of a run: that of the first item that failed, with what else may exist. */
function runError(
	[first, ...more]: readonly [Failure, ...Failure[]],
	ledger: StartedJobs,
	items: number,
): NodeError {
	const { item: of } = first;
	const error = addItemAndJobs(first.error, { item: of, items }, ledger.of(of), ledger.others(of));
	for (const { item, error: other } of more) {
		if (getErrorDetails(other).uncertain !== true) continue;
		const line = `Item ${item}: ${other.message}. ${other.description?.split('\n')[0] ?? ''}`;
		if (!error.description?.includes(line)) error.description += `\n${line}`;
	}
	return error;
}

/** The plans, of which those that an operation refuses after a question to the service are errors. */
async function acceptedPlans(client: Client, plans: Plans): Promise<Plans> {
	return await Promise.all(
		plans.map(async (plan) => {
			if (plan instanceof Error) return plan;
			const refusal = plan.operation.refuse?.(plan.values, client);
			return (await refusal?.catch((error: unknown) => toNodeError(client.node, error))) ?? plan;
		}),
	);
}

/** The number that the user fixed; none lets the limit find its own width. */
function requestsAtOnceOf(plans: Plans): number | undefined {
	const [fixed] = plans.flatMap((plan) =>
		plan instanceof Error ? [] : [plan.values.requestsAtOnce],
	);
	return typeof fixed === 'number' && fixed > 0 ? fixed : undefined;
}

/** The row that an item came from, where it is one: items are given out in the order of the rows. */
function rowOf({ pairedItem }: INodeExecutionData, otherwise: number): number {
	if (pairedItem === undefined || typeof pairedItem === 'number') return otherwise;
	return Array.isArray(pairedItem) ? otherwise : pairedItem.item;
}

/** What all tasks of a try share. */
interface Shared {
	n8n: IExecuteFunctions;
	client: Client;
	ports: Ports;
	attempt: Attempt;
	ledger: StartedJobs;
	gate: FirstPaidRequest;
}

/** What comes of one task: its items, or its error and whether a later try can mend it. */
type TaskOutcome = { items: INodeExecutionData[] } | { error: NodeError; willBeMadeAnew: boolean };

async function outcomeOf(
	{ n8n, client, ports, attempt, ledger, gate }: Shared,
	task: PlannedRequest,
): Promise<TaskOutcome> {
	const item = task.items[0] ?? 0;
	let willBeMadeAnew = false;
	try {
		// What earlier tries have made costs nothing any more.
		await gate.pass(task, ledger.of(item).length > 0);
		const items = await carryOut(
			{
				...{ n8n, client, ports, place: attempt.place, known: attempt.known },
				answered: () => gate.answered(task),
				asks: (line, key) => ledger.asks(item, line, key),
				started: (more, of = item) => ledger.add(of, more),
				willBeMadeAnew: () => (willBeMadeAnew = true),
			},
			task,
		);
		return { items };
	} catch (error) {
		return { error: toNodeError(client.node, error), willBeMadeAnew };
	}
}

/** The item of which the refusal of a batch speaks: `videos[3].avatar_id`. */
function itemAtFault({ items, operation }: PlannedRequest, error: NodeError): number | undefined {
	if (operation.combine?.rows === undefined) return undefined;
	const [, row] = /^\w+(?:\[|\.)(\d+)/.exec(getErrorDetails(error).param ?? '') ?? [];
	return items.length > 1 && row !== undefined ? items[Number(row)] : undefined;
}

/** Tells each item of a request why all of them are refused. */
function tellFault(error: NodeError, task: PlannedRequest, item: number): void {
	const why = `All ${task.items.length} items went out in one request, and item ${item} is why it is refused.`;
	if (error.description?.includes(why)) return;
	error.description = [why, error.description].filter(Boolean).join('\n');
}

/**
 * Carries out all tasks; what each gives is put into `results`, at the rows that it came from.
 *
 * @returns the tasks that failed, where the node continues on fail
 */
async function carryOutAll(
	shared: Shared,
	tasks: readonly PlannedRequest[],
	results: INodeExecutionData[][],
	halt: () => void,
): Promise<ReadonlySet<PlannedRequest>> {
	const { n8n, attempt, ledger } = shared;
	const count = n8n.getInputData().length;
	const failures: Failure[] = [];
	const failed = new Set<PlannedRequest>();
	const settle = (task: PlannedRequest, outcome: TaskOutcome) => {
		const item = task.items[0] ?? 0;
		if ('items' in outcome) {
			for (const one of outcome.items) results[rowOf(one, item)]?.push(one);
			return;
		}
		const { error, willBeMadeAnew } = outcome;
		failed.add(task);
		const fault = itemAtFault(task, error);
		if (fault !== undefined) tellFault(error, task, fault);
		if (n8n.continueOnFail()) {
			for (const index of task.items) {
				results[index]?.push(
					createErrorItem(
						addItemAndJobs(error, { item: index, items: count }, ledger.of(item)),
						index,
					),
				);
			}
			return;
		}
		// A row of a batch names its own item.
		const { itemIndex } = error.context;
		failures.push({ item: typeof itemIndex === 'number' ? itemIndex : (fault ?? item), error });
		// The next try would wait for the others all the same, and then know of more failures.
		if (!attempt.mayFollow || !willBeMadeAnew) halt();
	};
	await Promise.all(
		tasks.map(async (task) => {
			const outcome = await outcomeOf(shared, task);
			settle(task, outcome);
			shared.gate.answered(task, 'error' in outcome ? outcome.error : undefined);
		}),
	);
	const [first, ...more] = failures;
	if (first) throw runError([first, ...more], ledger, count);
	return failed;
}

/** What the output pane says beside the items: what was paid, and how fast the service lets go. */
function tellHints(
	{ n8n, client, ledger }: Shared,
	tasks: readonly PlannedRequest[],
	failed: ReadonlySet<PlannedRequest>,
	seconds: number,
) {
	const paid = tasks.filter(({ operation }) => isPaid(operation));
	// What failed has cost something only where a job stands in the ledger.
	const items = paid.reduce((sum, task) => sum + (failed.has(task) ? 0 : task.items.length), 0);
	const hints = [
		createCostHint(items, paid.length > 0 ? ledger.all() : [], seconds),
		createRateHint(tasks, client.perSecond()),
	].filter((hint) => hint !== undefined);
	n8n.addExecutionHints(...hints.map((message) => ({ message, location: 'outputPane' }) as const));
}

/** The error items of those that are wrong, each in its place; without Continue On Fail, the first error. */
function errorItemsOf(
	n8n: IExecuteFunctions,
	plans: Plans,
	ledger: StartedJobs,
): INodeExecutionData[][] {
	return plans.map((plan, i) => {
		if (!(plan instanceof Error)) return [];
		const at = { item: i, items: plans.length };
		if (!n8n.continueOnFail()) throw addItemAndJobs(plan, at, ledger.of(i), ledger.others(i));
		return [createErrorItem(addItemAndJobs(plan, at, ledger.of(i)), i)];
	});
}

/** One try: what its items came to, by item. */
async function runTry(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	ports: Ports,
	attempt: Attempt,
	ledger: StartedJobs,
): Promise<INodeExecutionData[]> {
	const asked = planItems(n8n, resources, attempt);
	const refused = errorItemsOf(n8n, asked, ledger);
	if (asked.every((plan) => plan instanceof Error)) return refused.flat();
	const halt = new AbortController();
	const cancelled = n8n.getExecutionCancelSignal();
	const client = await createClient(n8n, {
		requestsAtOnce: requestsAtOnceOf(asked),
		signal: cancelled ? AbortSignal.any([cancelled, halt.signal]) : halt.signal,
	});
	const plans = await acceptedPlans(client, asked);
	const results = errorItemsOf(n8n, plans, ledger);
	const { known } = attempt;
	const tasks = groupRequests(plans, known.gathered);
	known.gathered = tasks.filter(({ operation }) => operation.combine);
	if (tasks.length === 0) return results.flat();
	const gate = createFirstPaidRequest(tasks, await checkBalance(client, tasks, ports));
	const shared: Shared = { n8n, client, ports, attempt, ledger, gate };
	const begun = clock.now();
	const failed = await carryOutAll(shared, tasks, results, () => halt.abort());
	tellHints(shared, tasks, failed, (clock.now() - begun) / 1000);
	return results.flat();
}

/**
 * Executes a node: the operation that each item chooses, with the values that it gives.
 *
 * @param ports what the core cannot do without knowing a resource
 */
export async function executeOperations(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	ports: Ports,
): Promise<INodeExecutionData[][]> {
	const forTool = isTool(n8n);
	const attempt = beginAttempt(n8n, forTool && repeatsIdenticalCalls(n8n, resources));
	const ledger = createStartedJobs(n8n, attempt.known);
	let items: INodeExecutionData[] | undefined;
	try {
		items = await runTry(n8n, resources, ports, attempt, ledger);
		return adaptErrorOutput(n8n, [forTool ? truncateForModel(items, attempt.repeats) : items]);
	} catch (error) {
		throw forTool && error instanceof Error ? describeErrorForModel(error) : error;
	} finally {
		ledger.close();
		attempt.end(items);
	}
}
