/**
 * Executes a node for all of its input items, from their parameters to their output.
 *
 * - All items are validated before the first request is sent. A single invalid item stops the run.
 *   With Continue On Fail, the valid items are still processed.
 * - The ledger, which n8n stores with the execution, records what was sent. An item whose request
 *   is in the ledger is continued, not sent again (ledger/ledger.ts).
 * - Requests run in parallel, within the limits of the account. http/retryPolicy.ts decides when a
 *   failed HTTP request is retried. If n8n retries the whole node, send/sendCreateOnce.ts decides
 *   whether a create request is sent again.
 * - When an item fails and Continue On Fail is off, no further request is sent. Requests in flight
 *   may finish, so that the error can list every job that was started.
 * - While jobs are running, the execution may be suspended. n8n then runs the node again.
 */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { clock } from './clock';
import { checkSelectedItems, selectItemsToCheck } from './collect/checkOnly';
import { createItemCollector, type ItemCollector } from './collect/collectItems';
import { finishRequest } from './collect/prepareOutputItems';
import {
	areFailedRequestsRetried,
	createFailedRequest,
	failIfJobIsShared,
	findError,
	type FinishedRequest,
	addCost,
} from './collect/itemResult';
import { createSuspensionHint, showRunHints } from './collect/outputHints';
import { moveAdviceIntoMessage, prepareToolOutput } from './collect/toolOutput';
import { getErrorDetails } from './errors/errorDetails';
import { adaptErrorOutput } from './errors/n8n1Compat';
import { toNodeError } from './errors/nodeErrors';
import { showHints } from './hints';
import { createWarningLogger } from './http/client';
import { type RequestFailure, beginNodeRun } from './ledger/ledger';
import type { InjectedFunctions, Resource } from './operation';
import {
	findSelectedOperation,
	hasOutcomeFields,
	runsAsAgentTool,
	shouldRepeatIdenticalCalls,
} from './operationTraits';
import {
	getItemIndexes,
	groupItemsIntoRequests,
	selectItemsToStop,
	type PlannedRequest,
} from './plan/groupRequests';
import {
	tryCreateRunClient,
	validateWithService,
	checkItemsTogether,
	readOperationsAndValues,
} from './plan/readOperationsAndValues';
import { checkBalance, isNewCharge, readBalanceAfter, isAccountError } from './plan/spendingLimits';
import { sendPlannedRequest, type RunContext } from './send/sendPlannedRequest';
import { createStartedJobTracker } from './send/startedJobs';
import { removeGuardFromStack, suspendAndRunAgain } from './suspend/suspendExecution';
import {
	prepareSuspension,
	planSuspensionAfterError,
	type SuspensionPlan,
} from './suspend/suspension';

/** State of one attempt to execute the node, shared by all of its items. */
interface Run extends Pick<RunContext, 'n8n' | 'ports' | 'nodeRun' | 'startedJobs'> {
	resources: readonly Resource[];
	collector: ItemCollector;
}

/** Runs the operation selected for each input item, with that item's parameter values. */
export async function executeOperations(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	ports: InjectedFunctions,
): Promise<INodeExecutionData[][] | null> {
	removeGuardFromStack(n8n);
	const forModel = runsAsAgentTool(n8n);
	const repeatsCalls = forModel && shouldRepeatIdenticalCalls(n8n, resources);
	const nodeRun = beginNodeRun(n8n, repeatsCalls, ports.findJobKind);
	const startedJobs = createStartedJobTracker(n8n, nodeRun);
	const { operation } = findSelectedOperation(n8n, resources) ?? {};
	const areRowsReported = operation !== undefined && hasOutcomeFields(operation);
	const collector = createItemCollector(n8n, startedJobs, nodeRun.getRowId, areRowsReported);
	const run = { n8n, resources, ports, nodeRun, startedJobs, collector };
	let output: INodeExecutionData[] | undefined;
	let isSuspended = false;
	try {
		const plan = await executeItems(run);
		if (plan) {
			await suspend(run, plan);
			isSuspended = true;
			return [[]];
		}
		const items = collector.items();
		output = forModel ? prepareToolOutput(n8n, items, nodeRun.repeatsEarlierCall) : items;
		if (nodeRun.repeatsAllErrors(collector.failuresByItem())) {
			createWarningLogger(n8n)(
				`${items.length} items came back from the error output, failed repeatedly for the same reason, and are not output again`,
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

/** Suspends the execution. Shows and logs what the execution is waiting for. */
async function suspend({ n8n, nodeRun }: Run, plan: SuspensionPlan): Promise<void> {
	const message = createSuspensionHint(plan, n8n.getTimezone(), n8n.getInputData().length);
	showHints(n8n, message);
	if (plan.wait.suspensions === 1)
		n8n.logger.info(`VideoGen is suspending the execution. ${message}`);
	nodeRun.suspend(plan.wait);
	await suspendAndRunAgain(n8n, plan.until);
}

/** Executes all items and collects results. Returns a plan if the execution must be suspended. */
async function executeItems(run: Run): Promise<SuspensionPlan | undefined> {
	const { n8n, resources, ports, nodeRun, startedJobs, collector } = run;

	const planned = readOperationsAndValues(n8n, resources, nodeRun);
	collector.add(nodeRun.rejected.map((one) => ({ ...one, jobs: startedJobs.of(one.item) })));
	const checked = selectItemsToCheck(n8n, resources, planned);
	for (const item of checked.keys()) planned.delete(item);
	const toSend = checkItemsTogether(n8n.getNode(), planned);
	for (const { item, otherItems = [] } of nodeRun.rejected) {
		for (const failed of [item, ...otherItems]) toSend.delete(failed);
	}
	const valid = collector.takeValid(toSend);
	await checkSelectedItems(run, checked);
	if (valid.size === 0) return undefined;

	const halt = new AbortController();
	const client = await tryCreateRunClient(n8n, nodeRun, valid, halt.signal);
	if (client instanceof Error) {
		const nextTry = planSuspensionAfterError(nodeRun.wait, client);
		if (!nextTry) collector.failAll(valid.keys(), client);
		return nextTry;
	}
	const accepted = collector.takeValid(await validateWithService(client, valid, nodeRun));
	startedJobs.stopWithExecution(selectItemsToStop(accepted));
	const requests = groupItemsIntoRequests(accepted, nodeRun);
	if (requests.length === 0) return undefined;

	const toCheck = nodeRun.wait ? requests.filter((one) => isNewCharge(nodeRun, one)) : requests;
	const { rejection, before } = await checkBalance(client, toCheck, ports);
	// After a suspension, an unreadable balance must not fail the rows that are waiting to start.
	const isUnread = rejection && getErrorDetails(rejection).code !== 'balance_too_low';
	const nextTry = isUnread && planSuspensionAfterError(nodeRun.wait, rejection);
	if (nextTry) return nextTry;
	// Keeps the balance from before the first attempt, so that the cost includes all attempts.
	nodeRun.balance ??= before;

	const { suspension, reasonNotToSuspend } = prepareSuspension(n8n, nodeRun, requests);
	const begun = nodeRun.wait?.begun ?? clock.now();
	const payment = new AbortController();
	if (rejection) payment.abort(rejection);
	const context = { ...run, client, suspension, payment };
	const { plan, finished } = await executeRequests(context, requests, halt);
	if (plan) return plan;

	const outcomes = finished.map((done) => failIfJobIsShared(context, done));
	const isFailed = !n8n.continueOnFail() && outcomes.some(findError);
	const after =
		rejection || isFailed ? undefined : await readBalanceAfter(n8n, client, ports, nodeRun);
	const results = outcomes.flatMap((done) => done.results);
	addCost(results, nodeRun.balance, after);
	for (const done of outcomes) collector.add(done.results);
	collector.throwFailure();
	const displaced = collector.displaced();
	const rows = collector.rows();
	showRunHints(context, outcomes, { rows, begun, reasonNotToSuspend, displaced, after });
	return undefined;
}

/** Executes a run's requests in parallel. Returns a plan if the execution must be suspended. */
async function executeRequests(
	run: Omit<RunContext, 'releaseOthers'>,
	requests: readonly PlannedRequest[],
	halt: AbortController,
): Promise<{ plan?: SuspensionPlan; finished: FinishedRequest[] }> {
	const { n8n, nodeRun, suspension, payment } = run;
	const isCharged = (request: PlannedRequest) => isNewCharge(nodeRun, request);
	// The first paid request is sent alone. It shows whether the account can pay. It also renews an
	// expired access token, which parallel requests cannot do on n8n 1.
	const first = requests.length > 1 ? requests.find(isCharged) : undefined;
	let releaseOthers = () => {};
	const othersMayFollow = new Promise<void>((resolve) => (releaseOthers = resolve));
	// In the order in which they finished, because the run fails with the first error.
	const finished: FinishedRequest[] = [];
	const finishing = Promise.all(
		requests.map(async (request) => {
			if (first && request !== first && isCharged(request)) await othersMayFollow;
			const done = await executeRequest({ ...run, releaseOthers }, request);
			finished.push(done);
			const error = findError(done);
			// If n8n retries the node, other requests may finish: the next attempt continues their jobs.
			const endsRun = error !== undefined && !(nodeRun.canBeRetried && done.isRepeatedLater);
			if (endsRun && !n8n.continueOnFail()) halt.abort();
			if (error && isAccountError(error)) payment.abort(error);
			if (request === first) releaseOthers();
		}),
	);
	const plan = await Promise.race([suspension.decided, finishing.then(() => undefined)]);
	// This ends only the waits. No job is lost, because the ledger contains all jobs.
	if (plan) halt.abort();
	await finishing;
	suspension.close();
	return { plan, finished };
}

/** Sends a request, waits for its jobs and completes its output items. Never throws. */
async function executeRequest(
	context: RunContext,
	request: PlannedRequest,
): Promise<FinishedRequest> {
	const { client, nodeRun, startedJobs, suspension } = context;
	try {
		const { sent, failures } = await sendPlannedRequest(context, request).finally(
			suspension.endSend,
		);
		// Requests that the suspension has stopped are sent when the execution resumes.
		const isFinal = ({ error }: RequestFailure) => getErrorDetails(error).code !== 'stopped';
		nodeRun.rejected.push(...failures.filter(isFinal));
		const rejected = failures.map((one) => ({ ...one, jobs: startedJobs.of(one.item) }));
		const parts = await Promise.all(sent.map(async (part) => await finishRequest(context, part)));
		const results = [...rejected, ...parts.flatMap((part) => part.results)];
		return { ...request, results, isRepeatedLater: areFailedRequestsRetried(failures, parts) };
	} catch (thrown) {
		const error = toNodeError(client.node, thrown);
		const [item, ...otherItems] = getItemIndexes(request);
		if (!client.signal.aborted) nodeRun.rejected.push({ item, otherItems, error });
		return createFailedRequest(context, request, error);
	}
}
