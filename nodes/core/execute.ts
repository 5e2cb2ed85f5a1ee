/**
 * Executes the operations of a node for all of its input items. Reads the parameters, plans the
 * requests, checks the spending limits, sends the requests, waits for the jobs they start, and
 * collects the output items.
 *
 * - All items are validated before the first request is sent. A single invalid item stops the run.
 *   With Continue On Fail, the valid items are still processed.
 * - The ledger in the execution keeps what was sent. An item whose request is in the ledger is
 *   continued, not sent again (plan/nodeRun.ts).
 * - Requests run in parallel, within the limits of the account. http/retryPolicy.ts decides when a
 *   failed HTTP request is retried. If n8n retries the whole node, send/sendCreateOnce.ts decides
 *   whether a create request is sent again.
 * - When an item fails and Continue On Fail is off, no further request is sent. Requests in flight
 *   may finish, so that the error can list every job that was started.
 */
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { clock } from './clock';
import { areRepeatedLater, awaitJobsOfRequest } from './collect/awaitJobsOfRequest';
import { listCreatedRows } from './collect/batchRows';
import { createCheckOnlyResults } from './collect/checkOnlyResults';
import { createItemCollector, type ItemCollector } from './collect/collectItems';
import { finishItems } from './collect/finishItems';
import { adaptErrorOutput } from './errors/n8n1Compat';
import {
	createBalanceChangeHint,
	createStayHint,
	createSuspensionHint,
	createCapacityHint,
	createCheckOnlySummaryHint,
	createPlayHint,
	createRateLimitHint,
	createRowsHint,
} from './collect/outputHints';
import { addCost, type RowReport } from './collect/rowReports';
import { moveAdviceIntoMessage, truncateForModel } from './collect/truncateForModel';
import { getErrorDetails } from './errors/errorDetails';
import { createOperationError, toNodeError, type NodeError } from './errors/nodeErrors';
import { createClient, createWarningLogger, type Client } from './http/client';
import { createDuplicateJobIdError } from './jobs/jobErrors';
import { loadError, storeError, type NodeRun } from './ledger/ledger';
import type { Balance, InjectedFunctions, Resource } from './operation';
import {
	findSelectedOperation,
	isPaid,
	isRepeatSafe,
	reportsRows,
	waitsForJobs,
} from './operationTraits';
import { isAgentTool, shouldRepeatIdenticalCalls } from './plan/agentTool';
import {
	getItemIndexes,
	getPayOnceScope,
	groupItemsIntoRequests,
	type ItemOperation,
	type PlannedRequest,
} from './plan/groupRequests';
import { openRecord } from './plan/deriveIdempotencyKeys';
import { checkItemsTogether, readOperationsAndValues } from './plan/readOperationsAndValues';
import { selectItemsToCheck, type ItemToCheck } from './plan/checkOnly';
import { beginNodeRun } from './plan/nodeRun';
import { checkBalance } from './plan/spendingLimits';
import { sendPlannedRequest, type RunContext } from './send/sendPlannedRequest';
import type { SentRequest } from './send/sendResult';
import type { RequestFailure } from './send/rejectedRows';
import { createStartedJobTracker, type StartedJobTracker } from './send/startedJobs';
import { isItemFailure, type ItemResult } from './collect/itemResult';
import { findReasonToStay, removeGuard, suspendAndRunAgain } from './suspend/suspendExecution';
import { createSuspension, planNextTry, type SuspensionPlan } from './suspend/suspension';

/**
 * Data for one attempt to execute a node. With Retry On Fail, n8n executes the whole node again
 * after a failure.
 */
interface Run {
	n8n: IExecuteFunctions;
	resources: readonly Resource[];
	ports: InjectedFunctions;
	nodeRun: NodeRun;
	startedJobs: StartedJobTracker;
}

/** Outcome of a request, with the results for its input items. */
interface FinishedRequest {
	request: PlannedRequest;
	results: ItemResult[];
	/** First error that occurred, or undefined if the request succeeded for all items. */
	error?: NodeError;
	/**
	 * Whether the failed part of this request is sent again if n8n retries the node (Retry On
	 * Fail).
	 */
	isRepeatedLater: boolean;
}

/**
 * Executes a node and returns its output items. Runs the operation selected for each input item,
 * with that item's parameter values.
 */
export async function executeOperations(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	ports: InjectedFunctions,
): Promise<INodeExecutionData[][] | null> {
	removeGuard(n8n);
	const forModel = isAgentTool(n8n);
	const repeatsIdenticalCalls = forModel && shouldRepeatIdenticalCalls(n8n, resources);
	const nodeRun = beginNodeRun(n8n, repeatsIdenticalCalls, ports.findJobKind);
	const startedJobs = createStartedJobTracker(n8n, nodeRun);
	const selected = findSelectedOperation(n8n, resources);
	const collector = createItemCollector(n8n, startedJobs, {
		getRowId: nodeRun.getRowId,
		reportsRows: selected !== undefined && reportsRows(selected.operation),
	});
	let output: INodeExecutionData[] | undefined;
	let isSuspended = false;
	try {
		const run = { n8n, resources, ports, nodeRun, startedJobs };
		isSuspended = await executeItems(run, collector);
		if (isSuspended) return [[]];
		const items = collector.items();
		output = forModel ? truncateForModel(items, nodeRun.repeatsEarlierCall) : items;
		if (nodeRun.repeatsAllErrors(collector.failuresByItem())) {
			createWarningLogger(n8n)(
				`${items.length} items came back from the error output, failed again and again for the same reason, and end here`,
			);
			output = [];
			return null;
		}
		return adaptErrorOutput(n8n, [output]);
	} catch (error) {
		throw forModel ? moveAdviceIntoMessage(toNodeError(n8n.getNode(), error)) : error;
	} finally {
		await startedJobs.close();
		if (!isSuspended) {
			nodeRun.end(output, output?.length === 0 ? new Map() : collector.failuresByItem());
		}
	}
}

/** Creates the error for a credential that n8n cannot read any more, for example because it was deleted. */
const createCredentialError = (node: INode, thrown: unknown): NodeError =>
	createOperationError(
		node,
		"This node's credential cannot be used",
		`Select a credential in the node, save the workflow, and retry this execution with n8n's "Retry with currently saved workflow". The jobs continue to run in the service: do not create them again. Reason: ${(thrown as Error).message}`,
		{ code: 'credential_unusable' },
	);

/** Suspends the execution, and says what it waits for: n8n outputs nothing until it resumes. */
async function suspend(
	{ n8n, nodeRun }: Run,
	plan: SuspensionPlan,
	rejected: readonly RequestFailure[],
): Promise<void> {
	const message = createSuspensionHint(plan, n8n.getTimezone());
	n8n.addExecutionHints({ message, location: 'outputPane' });
	if (plan.wait.suspensions === 1) n8n.logger.info(`VideoGen suspends the execution. ${message}`);
	const stored = rejected.map((failure) => ({ ...failure, error: storeError(failure.error) }));
	nodeRun.suspend(plan.wait, stored);
	await suspendAndRunAgain(n8n, plan.until);
}

/**
 * Executes the operations of all input items, and adds their results to the collector. Returns `true`
 * if it has suspended the execution instead, because jobs are still running.
 */
async function executeItems(run: Run, collector: ItemCollector): Promise<boolean> {
	const { n8n, resources, ports, nodeRun, startedJobs } = run;

	const planned = readOperationsAndValues(n8n, resources, nodeRun);
	const rejected = nodeRun.rejected.map(({ error, ...failure }): RequestFailure => ({
		...failure,
		error: loadError(n8n.getNode(), error),
	}));
	collector.add(rejected.map((failure) => ({ ...failure, jobs: startedJobs.of(failure.item) })));
	const checked = selectItemsToCheck(n8n, resources, planned);
	const toSend = checkItemsTogether(
		n8n.getNode(),
		new Map([...planned].filter(([item]) => !checked.has(item))),
	);
	for (const { item, otherItems = [] } of rejected) {
		for (const failed of [item, ...otherItems]) toSend.delete(failed);
	}
	const valid = selectValidPlans(run, collector, toSend);
	await checkSelectedItems(run, collector, checked);
	if (valid.size === 0) return false;
	const halt = new AbortController();
	const signal = halt.signal;
	const client = await createRunClient(n8n, valid, { signal }).catch((thrown) =>
		nodeRun.wait
			? createCredentialError(n8n.getNode(), thrown)
			: toNodeError(n8n.getNode(), thrown),
	);
	if (client instanceof Error) {
		if (!nodeRun.wait) throw client;
		// The cause may be temporary, such as a busy database of n8n.
		const plan = planNextTry(nodeRun.wait, client);
		if (plan) {
			await suspend(run, plan, rejected);
			return true;
		}
		collector.add(
			[...valid.keys()].map((item) => ({ item, error: client, jobs: startedJobs.of(item) })),
		);
		collector.throwFailure();
		return false;
	}
	const accepted = selectValidPlans(
		run,
		collector,
		await validateWithService(client, valid, nodeRun),
	);

	startedJobs.stopWithExecution(selectItemsToStop(accepted));
	const requests = groupItemsIntoRequests(accepted, nodeRun);
	if (requests.length === 0) return false;
	const isUnpaid = (request: PlannedRequest) =>
		isPaid(request.operation) && !openRecord(nodeRun, request).outcome;
	const toCheck = nodeRun.wait ? requests.filter(isUnpaid) : requests;
	const { rejection, before = nodeRun.balance } = await checkBalance(client, toCheck, ports);
	// After a suspension, a balance that cannot be read must not end the rows that wait to start.
	const isUnread = rejection && getErrorDetails(rejection).code !== 'balance_too_low';
	const nextTry = nodeRun.wait && isUnread ? planNextTry(nodeRun.wait, rejection) : undefined;
	if (nextTry) {
		await suspend(run, nextTry, rejected);
		return true;
	}
	// The cost includes that of earlier attempts.
	nodeRun.balance ??= before;
	// The first paid request goes alone. It renews an expired access token, which parallel requests
	// cannot on n8n 1, and shows whether the account may pay.
	const first = requests.length > 1 ? requests.find(isUnpaid) : undefined;
	let releaseOthers = () => {};
	const othersMayFollow = new Promise<void>((resolve) => (releaseOthers = resolve));
	const payment = new AbortController();
	if (rejection) payment.abort(rejection);
	const mayRunAgain = waitsAndMayRunAgain(requests);
	const reasonToStay = mayRunAgain ? findReasonToStay(n8n) : undefined;
	const suspension = createSuspension({
		isPossible: mayRunAgain && reasonToStay === undefined && !nodeRun.hasUsedTries,
		earlier: nodeRun.wait,
		requests: requests.length,
	});
	const context = {
		n8n,
		client,
		ports,
		startedJobs,
		suspension,
		rejected,
		payment,
		releaseOthers,
		nodeRun,
	};
	const begun = nodeRun.wait?.begun ?? clock.now();

	const finished: FinishedRequest[] = [];
	const finishing = Promise.all(
		requests.map(async (request) => {
			if (first && request !== first && isUnpaid(request)) await othersMayFollow;
			const done = await executeRequest(context, request);
			finished.push(done);
			// If n8n retries the node anyway, the other requests may finish: the next attempt knows their jobs.
			const endsRun = done.error !== undefined && !(nodeRun.canBeRetried && done.isRepeatedLater);
			if (endsRun && !n8n.continueOnFail()) halt.abort();
			if (done.error && rejectsAccount(done.error)) payment.abort(done.error);
			if (request === first) releaseOthers();
		}),
	);
	const plan = await Promise.race([suspension.decided, finishing.then(() => undefined)]);
	// Nothing but waits is stopped: all jobs are in the ledger.
	if (plan) halt.abort();
	await finishing;
	suspension.close();
	if (plan) {
		await suspend(run, plan, rejected);
		return true;
	}
	const outcomes = finished.map((done) => failIfJobIsShared(context, done));
	const isFailed = !n8n.continueOnFail() && outcomes.some(({ error }) => error);
	const isCounted = before && !rejection && !isFailed;
	const after = isCounted ? await readBalanceAfter(run, client) : undefined;
	addCost(
		outcomes.flatMap(({ results }) => results),
		nodeRun.balance,
		after,
	);
	for (const { results } of outcomes) collector.add(results);
	collector.throwFailure();
	addHints(run, client, { finished: outcomes, rows: collector.rows(), begun, reasonToStay });
	if (nodeRun.balance && after) {
		const message = createBalanceChangeHint(nodeRun.balance, after);
		n8n.addExecutionHints({ message, location: 'outputPane' });
	}
	return false;
}

/**
 * Whether the run waits for jobs, and may run again when its execution resumes: everything that it
 * sends must be in the ledger.
 */
const waitsAndMayRunAgain = (requests: readonly PlannedRequest[]) =>
	requests.every(({ operation }) => operation.starts !== undefined || operation.awaits) &&
	requests.some(({ operation, values }) => waitsForJobs(operation, values));

/**
 * Whether an error concerns the whole account rather than a single request. This is the case if the
 * account has no credit or no access, or if the API key lacks a required scope.
 */
function rejectsAccount(error: NodeError): boolean {
	const { status, code } = getErrorDetails(error);
	return [401, 402].includes(Number(status)) || code === 'insufficient_api_key_scope';
}

/**
 * Returns the planned operations of all valid items, keyed by item index. If an item is invalid,
 * throws an error or, if Continue On Fail is on, reports the item as failed.
 */
function selectValidPlans(
	{ startedJobs }: Run,
	collector: ItemCollector,
	plans: ReadonlyMap<number, ItemOperation | NodeError>,
): ReadonlyMap<number, ItemOperation> {
	const valid = new Map<number, ItemOperation>();
	for (const [item, plan] of plans) {
		if (plan instanceof Error) {
			collector.add([{ item, error: plan, jobs: startedJobs.of(item) }]);
		} else valid.set(item, plan);
	}
	collector.throwFailure();
	return valid;
}

/**
 * Validates the items for which the Check Only option is on, and outputs the results. Only reads
 * from the service.
 */
async function checkSelectedItems(
	{ n8n, ports }: Run,
	collector: ItemCollector,
	checked: ReadonlyMap<number, ItemToCheck>,
): Promise<void> {
	if (checked.size === 0) return;
	const plans = new Map(
		[...checked].flatMap(([item, { plan }]) =>
			plan instanceof Error ? [] : [[item, plan] as const],
		),
	);
	const client = await createRunClient(n8n, plans, { isReadOnly: true });
	const results = await createCheckOnlyResults({ n8n, client, ports }, checked);
	collector.add(results, false);
	collector.throwFailure();
	const invalid = results.filter((one) => !('output' in one) || one.output.json.valid === false);
	const message = createCheckOnlySummaryHint({ items: checked.size, invalid: invalid.length });
	n8n.addExecutionHints({ message, location: 'outputPane' });
}

/**
 * Returns the indexes of the items whose jobs should be stopped in the service when the user stops
 * the execution.
 */
const selectItemsToStop = (plans: ReadonlyMap<number, ItemOperation>) =>
	new Set(
		[...plans].flatMap(([item, { operation, values }]) =>
			operation.stoppable === true && values.stopJob === true ? [item] : [],
		),
	);

/**
 * Creates the client that sends all requests of a node run. Requests are aborted when the user
 * stops the execution or the given signal aborts.
 */
async function createRunClient(
	n8n: IExecuteFunctions,
	plans: ReadonlyMap<number, ItemOperation>,
	{ signal: halt, isReadOnly }: { signal?: AbortSignal; isReadOnly?: boolean },
): Promise<Client> {
	const signals = [n8n.getExecutionCancelSignal(), halt].filter((signal) => signal !== undefined);
	const [first] = plans.values();
	const fixed = first?.values.requestsAtOnce;
	return await createClient(n8n, {
		requestsAtOnce: typeof fixed === 'number' && fixed > 0 ? fixed : undefined,
		signal: AbortSignal.any(signals),
		isReadOnly,
	});
}

/**
 * Checks the planned operations for problems that only the service can detect. Returns the
 * operations keyed by item index, with an error in place of each invalid operation.
 */
async function validateWithService(
	client: Client,
	plans: ReadonlyMap<number, ItemOperation>,
	{ sentItems }: NodeRun,
): Promise<Map<number, ItemOperation | NodeError>> {
	const validations = [...plans].map(
		async ([item, plan]): Promise<[number, ItemOperation | NodeError]> => {
			try {
				// An item that was sent may be paid for.
				if (!sentItems.has(item)) await plan.operation.reject?.(plan.values, client);
				return [item, plan];
			} catch (error) {
				return [item, toNodeError(client.node, error)];
			}
		},
	);
	return new Map(await Promise.all(validations));
}

/**
 * Sends a request, waits for its jobs and completes its output items. Never throws: the result
 * contains any error.
 */
async function executeRequest(
	context: RunContext,
	request: PlannedRequest,
): Promise<FinishedRequest> {
	const { client, startedJobs } = context;
	try {
		const { sent, failures } = await sendPlannedRequest(context, request).finally(
			context.suspension.endSend,
		);
		// What the suspension has stopped is sent when the execution resumes.
		const isFinal = ({ error }: RequestFailure) => getErrorDetails(error).code !== 'stopped';
		context.rejected.push(...failures.filter(isFinal));
		const rejected = failures.map((one) => ({ ...one, jobs: startedJobs.of(one.item) }));
		const parts = await Promise.all(sent.map(async (part) => await completeRequest(context, part)));
		const results = [...rejected, ...parts.flatMap((part) => part.results)];
		const error = results.find(isItemFailure)?.error;
		return { request, results, error, isRepeatedLater: areRepeatedLater(failures, parts) };
	} catch (thrown) {
		const error = toNodeError(client.node, thrown);
		const [item, ...otherItems] = getItemIndexes(request);
		if (!client.signal.aborted) context.rejected.push({ item, otherItems, error });
		return createFailedRequest(context, request, error);
	}
}

/**
 * Waits for the jobs of a request and completes its output items. Never throws: the result contains
 * any error.
 */
async function completeRequest(context: RunContext, sent: SentRequest): Promise<FinishedRequest> {
	try {
		const awaited = await awaitJobsOfRequest(context, sent);
		const results = await finishItems(context, awaited);
		const error = results.find(isItemFailure)?.error;
		return { request: sent, results, error, isRepeatedLater: awaited.isRepeatedLater };
	} catch (thrown) {
		return createFailedRequest(context, sent, toNodeError(context.client.node, thrown));
	}
}

/**
 * Marks a finished request as failed if the service returned the same job for another item too.
 * Otherwise, returns the request unchanged. Called after all requests have finished, because the
 * other item's response may arrive later.
 */
function failIfJobIsShared(context: RunContext, done: FinishedRequest): FinishedRequest {
	const { request, isRepeatedLater } = done;
	const { nodeRun, startedJobs, client } = context;
	const shared = startedJobs.takeShared(getItemIndexes(request));
	if (!shared) return done;
	// The next attempt asks the service again, with the item's own key, or keeps the error.
	const record = openRecord(nodeRun, request);
	const error = createDuplicateJobIdError(client.node, shared);
	if (isRepeatSafe(request.operation)) delete record.outcome;
	else record.outcome = { error: storeError(error) };
	return { ...createFailedRequest(context, request, error), isRepeatedLater };
}

/** Creates the result of a request that failed for all of its items. */
function createFailedRequest(
	{ startedJobs }: RunContext,
	request: PlannedRequest & Pick<SentRequest, 'creation'>,
	error: NodeError,
): FinishedRequest {
	const [item, ...otherItems] = getItemIndexes(request);
	const jobs = startedJobs.of(item);
	const rows = listCreatedRows(request, jobs);
	// With a key that outlives the execution, the service may have repeated an earlier response.
	const isOwn = getPayOnceScope(request.values) === 'execution';
	const creation = isOwn ? request.creation : undefined;
	const failure = { item, otherItems, error, jobs, rows, creation };
	return { request, results: [failure], error, isRepeatedLater: false };
}

/**
 * Reads the account balance after a run. Never throws, because an error would make the node fail
 * after its jobs have been paid for. Undefined for tools, because n8n shows no hints for them.
 */
async function readBalanceAfter(
	{ n8n, ports, nodeRun }: Run,
	client: Client,
): Promise<Balance | Error | undefined> {
	if (isAgentTool(n8n)) return undefined;
	if (nodeRun.balance instanceof Error) return nodeRun.balance;
	return await ports.balance(client, true).catch((thrown) => toNodeError(client.node, thrown));
}

/**
 * Shows hints above the output: a link to the video if the output is a single video, how much was
 * charged and, if the service limited the node's requests, why the run was slow.
 */
function addHints(
	{ n8n, startedJobs }: Run,
	client: Client,
	{
		finished,
		rows,
		begun,
		reasonToStay,
	}: {
		finished: readonly FinishedRequest[];
		rows: readonly RowReport[];
		begun: number;
		reasonToStay?: string;
	},
): void {
	const requests = finished.map(({ request }) => request);
	const paid = requests.filter(({ operation }) => isPaid(operation));
	const outputs = finished.flatMap(({ results }) =>
		results.flatMap((result) => ('output' in result ? [result.output.json] : [])),
	);
	const messages = [
		createPlayHint(outputs),
		paid.length === 0
			? undefined
			: createRowsHint(rows, {
					started: startedJobs.all(),
					seconds: (clock.now() - begun) / 1000,
					repeats:
						rows.some(({ creation }) => creation === 'created') &&
						paid.some(({ values }) => getPayOnceScope(values) === 'execution'),
				}),
		createRateLimitHint(requests, client.perSecond()),
		createCapacityHint(client.capacityWait),
		createStayHint(reasonToStay, (clock.now() - begun) / 1000),
	].filter((message) => message !== undefined);
	n8n.addExecutionHints(
		...messages.map((message) => ({ message, location: 'outputPane' }) as const),
	);
}
