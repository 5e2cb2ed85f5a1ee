/**
 * The life of an item: read its parameters, plan the requests, check limits, send, wait for the
 * jobs, collect the items.
 *
 * - All items are checked before anything is sent. Without Continue On Fail, one wrong item stops
 *   the run; with it, only the right ones continue.
 * - All requests run at the same time, within the limits of the account.
 * - When an item fails without Continue On Fail, nothing new is sent. Requests in flight are
 *   awaited, so that the error names every job that exists.
 */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { clock } from './clock';
import { awaitJobs } from './collect/awaitJobs';
import { createItemCollector, type ItemCollector, type ItemResult } from './collect/collectItems';
import { finishItems } from './collect/finishItems';
import { adaptErrorOutput } from './collect/n8n1Compat';
import { createCostHint, createRateHint } from './collect/outputHints';
import { describeErrorForModel, truncateForModel } from './collect/truncateForModel';
import { getErrorDetails } from './errors/errorDetails';
import { toNodeError, type NodeError } from './errors/nodeErrors';
import { createClient, type Client } from './http/client';
import type { OperationDependencies, Resource } from './operation';
import { isPaid } from './operationTraits';
import { isTool, repeatsIdenticalCalls } from './plan/agentTool';
import { groupRequests, type ItemPlan, type PlannedRequest } from './plan/groupRequests';
import { planItems } from './plan/planItems';
import { beginAttempt, type Attempt } from './plan/retryState';
import { checkBalance } from './plan/spendingLimits';
import { createFirstPaidRequest } from './send/firstPaidRequest';
import { sendRequest, type RunContext } from './send/sendRequest';
import { createStartedJobs, type StartedJobs } from './send/startedJobs';

/** One attempt to run a node: n8n repeats the whole node under Retry On Fail. */
interface Run {
	n8n: IExecuteFunctions;
	resources: readonly Resource[];
	ports: OperationDependencies;
	attempt: Attempt;
	startedJobs: StartedJobs;
}

/** A request with its results, and what they mean for the rest of the run. */
interface FinishedRequest {
	request: PlannedRequest;
	results: ItemResult[];
	/** The error that ended the request. */
	error?: NodeError;
	/** A later attempt of the node makes again what has failed. */
	isMadeAgain: boolean;
}

/** Executes a node: each item runs the operation that it selects, with the values that it gives. */
export async function executeOperations(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	ports: OperationDependencies,
): Promise<INodeExecutionData[][]> {
	const forModel = isTool(n8n);
	const attempt = beginAttempt(n8n, forModel && repeatsIdenticalCalls(n8n, resources));
	const startedJobs = createStartedJobs(n8n, attempt.state);
	let items: INodeExecutionData[] | undefined;
	try {
		items = await executeItems({ n8n, resources, ports, attempt, startedJobs });
		const output = forModel ? truncateForModel(items, attempt.repeatsEarlierCall) : items;
		return adaptErrorOutput(n8n, [output]);
	} catch (error) {
		throw forModel ? describeErrorForModel(toNodeError(n8n.getNode(), error)) : error;
	} finally {
		startedJobs.close();
		attempt.end(items);
	}
}

async function executeItems(run: Run): Promise<INodeExecutionData[]> {
	const { n8n, resources, ports, attempt, startedJobs } = run;
	const { state } = attempt;
	const collector = createItemCollector(n8n, startedJobs);

	const valid = keepValid(run, collector, planItems(n8n, resources, attempt));
	if (valid.size === 0) return collector.items();
	const halt = new AbortController();
	const client = await createRunClient(n8n, valid, halt.signal);
	const accepted = keepValid(run, collector, await askForRefusals(client, valid));

	const requests = groupRequests(accepted, state.combined);
	state.combined = requests.filter(({ operation }) => operation.combine);
	if (requests.length === 0) return collector.items();
	const refusal = await checkBalance(client, requests, ports);
	const firstPaid = createFirstPaidRequest(requests, refusal);
	const context = { n8n, client, ports, startedJobs, firstPaid, state, identity: attempt.identity };

	const begun = clock.now();
	const finished = await Promise.all(
		requests.map(async (request) => {
			const done = await executeRequest(context, request);
			collector.add(done.results);
			// If n8n retries the node anyway, the other requests may finish: the next attempt knows their jobs.
			const endsRun = done.error !== undefined && !(attempt.mayBeRetried && done.isMadeAgain);
			if (endsRun && !n8n.continueOnFail()) halt.abort();
			firstPaid.answered(request, done.error);
			return done;
		}),
	);
	collector.throwFailure();
	addHints(run, client, finished, (clock.now() - begun) / 1000);
	return collector.items();
}

/** The plans that may be carried out, by item. The other items are failures from now on. */
function keepValid(
	{ startedJobs }: Run,
	collector: ItemCollector,
	plans: ReadonlyMap<number, ItemPlan | NodeError>,
): ReadonlyMap<number, ItemPlan> {
	const valid = new Map<number, ItemPlan>();
	for (const [item, plan] of plans) {
		if (plan instanceof Error) {
			collector.add([{ item, error: plan, jobs: startedJobs.of(item) }]);
		} else valid.set(item, plan);
	}
	collector.throwFailure();
	return valid;
}

/** The client of the run, cut by the Stop button and by `halt`. */
async function createRunClient(
	n8n: IExecuteFunctions,
	plans: ReadonlyMap<number, ItemPlan>,
	halt: AbortSignal,
): Promise<Client> {
	const stopped = n8n.getExecutionCancelSignal();
	const [first] = plans.values();
	const fixed = first?.values.requestsAtOnce;
	return await createClient(n8n, {
		requestsAtOnce: typeof fixed === 'number' && fixed > 0 ? fixed : undefined,
		signal: stopped ? AbortSignal.any([stopped, halt]) : halt,
	});
}

/** The same plans, with an error for each item that its operation refuses after asking the service. */
async function askForRefusals(
	client: Client,
	plans: ReadonlyMap<number, ItemPlan>,
): Promise<Map<number, ItemPlan | NodeError>> {
	const asked = [...plans].map(async ([item, plan]): Promise<[number, ItemPlan | NodeError]> => {
		try {
			await plan.operation.refuse?.(plan.values, client);
			return [item, plan];
		} catch (error) {
			return [item, toNodeError(client.node, error)];
		}
	});
	return new Map(await Promise.all(asked));
}

/** Sends a request, waits for its jobs and finishes its items. Never throws. */
async function executeRequest(
	context: RunContext,
	request: PlannedRequest,
): Promise<FinishedRequest> {
	const { client, firstPaid, startedJobs } = context;
	const [item = 0] = request.itemIndexes;
	try {
		// What earlier attempts have made costs nothing now.
		await firstPaid.waitForTurn(request, startedJobs.of(item).length > 0);
		const sent = await sendRequest(context, request);
		const awaited = await awaitJobs(context, sent);
		const results = await finishItems(context, awaited);
		const error = results.find((result) => 'error' in result)?.error;
		return { request, results, error, isMadeAgain: awaited.isMadeAgain };
	} catch (thrown) {
		const error = toNodeError(client.node, thrown);
		return { request, results: [failAll(context, request, error)], error, isMadeAgain: false };
	}
}

/** One failure for all items of a request. A refused batch may name the row at fault. */
function failAll(
	{ startedJobs }: RunContext,
	request: PlannedRequest,
	error: NodeError,
): ItemResult {
	const { itemIndexes } = request;
	const [first = 0] = itemIndexes;
	const atFault = findItemAtFault(request, error);
	const item = atFault ?? first;
	return {
		item,
		error,
		jobs: startedJobs.of(first),
		otherItems: itemIndexes.filter((other) => other !== item),
		hints:
			atFault === undefined
				? []
				: [
						`All ${itemIndexes.length} items went out in one request, and item ${item} is why it is refused.`,
					],
	};
}

/** The item that the refusal of a batch names, as in `videos[3].avatar_id`; undefined for none. */
function findItemAtFault(
	{ itemIndexes, operation }: PlannedRequest,
	error: NodeError,
): number | undefined {
	if (operation.combine?.rows === undefined || itemIndexes.length < 2) return undefined;
	const [, row] = /^\w+(?:\[|\.)(\d+)/.exec(getErrorDetails(error).param ?? '') ?? [];
	return row === undefined ? undefined : itemIndexes[Number(row)];
}

/** Says in the output pane what was charged, and whether the service slowed the run down. */
function addHints(
	{ n8n, startedJobs }: Run,
	client: Client,
	finished: readonly FinishedRequest[],
	seconds: number,
): void {
	const paid = finished.filter(({ request }) => isPaid(request.operation));
	// A failed request has cost something only if it started a job.
	const items = paid.reduce(
		(sum, { request, error }) => sum + (error ? 0 : request.itemIndexes.length),
		0,
	);
	const requests = finished.map(({ request }) => request);
	const messages = [
		createCostHint(items, paid.length > 0 ? startedJobs.all() : [], seconds),
		createRateHint(requests, client.perSecond()),
	].filter((message) => message !== undefined);
	n8n.addExecutionHints(
		...messages.map((message) => ({ message, location: 'outputPane' }) as const),
	);
}
