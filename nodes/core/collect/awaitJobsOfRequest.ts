/** Waits for the jobs that a request has started, and assigns their outcomes to the input items. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../clock';
import type { RowOutcome } from '../errors/errorDetails';
import { toNodeError } from '../errors/nodeErrors';
import { createFinishedJobItem } from '../jobs/finishedItem';
import { createJobError } from '../jobs/jobErrors';
import { fetchJobStatus } from '../jobs/readJobs';
import { decideJobState, isTransientFailure, readOutcome } from '../jobs/jobState';
import {
	describeJob,
	toJobReference,
	type FailedOutcome,
	type Job,
	type JobKind,
	type JobWaitOutcome,
	type WaitPolicy,
} from '../jobs/types';
import { waitForJob } from '../jobs/waitForJob';
import type { RequestItem } from '../operation';
import { isAgentTool } from '../plan/agentTool';
import { getItemIndexes, getPayOnceScope, type PlannedRequest } from '../plan/groupRequests';
import { getOrigin, openRecord } from '../plan/deriveIdempotencyKeys';
import { sendPlannedRequest, type RunContext } from '../send/sendPlannedRequest';
import type { Creation, SentRequest } from '../send/sendResult';
import {
	createUnawaitedBatchItems,
	fetchRowResults,
	hasUnknownRows,
	listCreatedRows,
	selectFailedItems,
} from './batchRows';
import { outcomeOfState } from './rowReports';
import { createStillRunningResult } from './truncateForModel';
import { getInputItemIndex, isItemFailure, type ItemResult } from './itemResult';

/**
 * A request that has been sent, with a result for each of its input items. If the user chose to
 * wait, the results are those of the finished jobs.
 */
export interface RequestWithResults extends SentRequest {
	results: ItemResult[];
	/**
	 * Whether the failed part of this request is sent again if n8n retries the node (Retry On
	 * Fail).
	 */
	isRepeatedLater: boolean;
}

/**
 * Default time to wait for a request's jobs, in minutes. It is shorter when an AI agent calls the
 * node as a tool, because the language model is waiting for the result.
 */
const defaultWait = { tool: 5, node: 30 };

/**
 * Waits for the jobs of a request if Wait for Completion is on, and returns the results for the
 * request's input items. If a job fails, its items count as failed. Throws if a job's status cannot
 * be read.
 */
export async function awaitJobsOfRequest(
	context: RunContext,
	sent: SentRequest,
): Promise<RequestWithResults> {
	const { jobs, replies, operation, values } = sent;
	const [job] = jobs;
	if (!job) return withOutputs(sent, replies, decideCreation(context, sent));
	const replyOf = (i: number) => (replies[i] ?? replies[0])?.json ?? {};
	const current = await readReplayedStatus(context, sent);
	const creation = decideCreation(context, sent, current?.response);
	const replayed = creation === 'created' ? undefined : current?.outcome;
	const replacement = replayed && forgetFailedJob(context, sent, replayed);
	if (replacement) return await sendAgain(context, sent, replacement, []);
	if (values.waitForCompletion !== true) {
		if (operation.combine?.rows) {
			const rows = createUnawaitedBatchItems(sent, job, replyOf(0));
			return withOutputs(sent, rows, creation, 'running');
		}
		const pending = jobs.map((one, i) => ({ json: { ...replyOf(i), job: toJobReference(one) } }));
		const state = decideJobState(job.kind, { ...replyOf(0), ...current?.response });
		return withOutputs(sent, pending, creation, outcomeOfState[state]);
	}
	const outcomes = await waitForAll(context, sent);
	const [outcome] = outcomes;
	if (outcome && outcomes.length === 1) {
		const { rows } = operation.combine ?? {};
		if (rows && outcome.outcome === 'completed') {
			return await finishBatch(context, { ...sent, creation }, rows, outcome.data);
		}
		const again = forgetFailedJob(context, sent, outcome);
		// The node runs again in order to create what is missing.
		if (again && sent.creation === 'continued') return await sendAgain(context, sent, again, []);
		const hints = again ? [] : describeEarlierFailures(context, sent.items[0].item);
		const results = createResults(context, sent, outcomes, replyOf, hints);
		return { ...sent, results, isRepeatedLater: again !== undefined };
	}
	// If a request starts several jobs, a single one cannot be repeated.
	const results = createResults(context, sent, outcomes, replyOf);
	return { ...sent, results, isRepeatedLater: false };
}

function withOutputs(
	sent: SentRequest,
	outputs: readonly INodeExecutionData[],
	creation?: Creation,
	outcome?: RowOutcome,
): RequestWithResults {
	const [{ item }] = sent.items;
	const results = outputs.map((output) => ({
		item: getInputItemIndex(output, item) ?? item,
		output,
		outcome,
		creation,
	}));
	return { ...sent, results, isRepeatedLater: false };
}

/**
 * Waits until every job of a request has ended or the wait has timed out. Keeps waiting after one
 * job fails, because the results must contain the outcome of every job.
 */
async function waitForAll(
	{ n8n, client, startedJobs }: RunContext,
	{ jobs, values }: SentRequest,
): Promise<JobWaitOutcome[]> {
	const { pollInterval, waitTimeout = isAgentTool(n8n) ? defaultWait.tool : defaultWait.node } =
		values;
	const policy: WaitPolicy = {
		timeout: Number(waitTimeout) * 60,
		interval: pollInterval === undefined ? undefined : Number(pollInterval),
	};
	const waits = await Promise.allSettled(
		jobs.map(async (job) => {
			const outcome = await waitForJob(client, job, policy);
			if (outcome.outcome !== 'timeout') startedJobs.end(job);
			return outcome;
		}),
	);
	return waits.map((wait) => {
		if (wait.status === 'rejected') throw toNodeError(client.node, wait.reason);
		return wait.value;
	});
}

function createResults(
	context: RunContext,
	sent: SentRequest,
	outcomes: readonly JobWaitOutcome[],
	replyOf: (i: number) => IDataObject,
	hints: readonly string[] = [],
): ItemResult[] {
	const { n8n, client } = context;
	const { jobs } = sent;
	const [item, ...otherItems] = getItemIndexes(sent);
	return outcomes.map((outcome, i): ItemResult => {
		const data = 'data' in outcome ? outcome.data : undefined;
		const creation = decideCreation(context, sent, data);
		if (outcome.outcome !== 'failed' && outcome.outcome !== 'timeout') {
			const finished = createFinishedJobItem(replyOf(i), outcome);
			return { item, outcome: outcomeOfState[outcome.outcome], creation, ...finished };
		}
		const job = jobs[i] as Job;
		// An error would make the language model start the same job again.
		if (outcome.outcome === 'timeout' && isAgentTool(n8n)) {
			return {
				item,
				outcome: 'running',
				creation,
				output: { json: { ...replyOf(i), ...createStillRunningResult(job, outcome) } },
			};
		}
		const error = createJobError(client.node, outcome);
		const rows = listCreatedRows(sent, jobs);
		const others = jobs.length === 1 ? { otherItems } : {};
		return { item, error, jobs: [job], rows, hints, creation, ...others };
	});
}

/** Difference that the clock of the service may have, in seconds. It also rounds `created_at`. */
const maxClockDifference = 2;

/**
 * Decides who has created the jobs of a request. Undefined if the service may have repeated an
 * earlier response, but the creation time does not show it.
 *
 * @param data status of the job, if it was read
 */
function decideCreation(
	{ nodeRun }: RunContext,
	{ creation, values, replies, jobs }: SentRequest,
	data?: IDataObject,
): Creation | undefined {
	if (creation === 'continued' || getPayOnceScope(values) === 'execution') return creation;
	const createdAt = data?.created_at ?? replies[0]?.json.created_at;
	if (jobs.length !== 1 || typeof createdAt !== 'number') return undefined;
	return createdAt < nodeRun.begun / 1000 - maxClockDifference ? 'replayed' : 'created';
}

/**
 * Reads the status of a job that an earlier execution may have created, because the service repeats
 * its response to the same key. Undefined for any other job.
 */
async function readReplayedStatus(
	{ client }: RunContext,
	{ creation, values, jobs, operation }: SentRequest,
): Promise<{ response: IDataObject; outcome?: FailedOutcome } | undefined> {
	const [job, ...others] = jobs;
	const isOwn = creation === 'continued' || getPayOnceScope(values) === 'execution';
	if (!job || others.length > 0 || isOwn || operation.combine) return undefined;
	try {
		// A lookup of several jobs does not show when they were created.
		const response = await fetchJobStatus(client, job);
		const outcome = readOutcome(job, response, client.removeSecrets);
		return { response, outcome: outcome?.outcome === 'failed' ? outcome : undefined };
	} catch (thrown) {
		client.warn(
			`The status of ${describeJob(job)} cannot be read: ${toNodeError(client.node, thrown).message}. The job is kept as it is`,
		);
		return undefined;
	}
}

/** How often a job that fails for a temporary reason is created again for the same item. */
const maxRepeats = 2;

/** Returns a sentence about the earlier jobs of an item that have failed, if there were any. */
function describeEarlierFailures({ nodeRun }: RunContext, item: number): string[] {
	const failures = nodeRun.failures[getOrigin(nodeRun, item)] ?? 0;
	return failures < maxRepeats
		? []
		: [
				`It was created ${failures + 1} times, and failed each time. The node does not create it again.`,
			];
}

/**
 * Removes items whose jobs have failed for a temporary reason from the record of their request, so
 * that they are created again with a new idempotency key.
 *
 * @returns the request that creates them again. Undefined if none of them may be created again
 */
function forgetFailedItems(
	{ nodeRun }: RunContext,
	sent: SentRequest,
	failed: readonly RequestItem[],
): PlannedRequest | undefined {
	const { failures } = nodeRun;
	const [first, ...others] = failed.filter(
		({ item }) => (failures[getOrigin(nodeRun, item)] ?? 0) < maxRepeats,
	);
	if (!first) return undefined;
	const record = openRecord(nodeRun, sent);
	for (const { item } of [first, ...others]) {
		const origin = getOrigin(nodeRun, item);
		failures[origin] = (failures[origin] ?? 0) + 1;
		record.sent = record.sent.filter((one) => one !== origin);
	}
	if (record.sent.length === 0) delete record.outcome;
	return { ...sent, values: first.values, items: [first, ...others], sentGroup: undefined };
}

const forgetFailedJob = (context: RunContext, sent: SentRequest, outcome: JobWaitOutcome) =>
	outcome.outcome === 'failed' && isTransientFailure(outcome, outcome.data)
		? forgetFailedItems(context, sent, sent.items)
		: undefined;

/** How long a completed batch is read again if rows are missing in its response, in milliseconds. */
const missingRowsTimeout = { total: 30_000, pause: 5_000 };

/**
 * Returns the status response of a completed batch. If the response does not show the outcome of
 * some rows, reads it again for half a minute.
 */
async function readMissingRows(
	{ client }: RunContext,
	sent: SentRequest,
	rows: JobKind,
	data: IDataObject,
): Promise<IDataObject> {
	const { total, pause } = missingRowsTimeout;
	const [batch] = sent.jobs as [Job];
	const deadline = clock.now() + total;
	let latest = data;
	while (hasUnknownRows(sent, rows, latest) && clock.now() < deadline) {
		await clock.sleep(pause, client.signal);
		const policy = { timeout: pause / 1000, immediately: true };
		const outcome = await waitForJob(client, batch, policy);
		if (outcome.outcome === 'completed') latest = outcome.data;
	}
	return latest;
}

/**
 * Returns the results of a finished batch. If some rows failed for a temporary reason and n8n has
 * run the node again, sends these rows again in a new batch.
 */
async function finishBatch(
	context: RunContext,
	sent: SentRequest,
	rows: JobKind,
	completed: IDataObject,
): Promise<RequestWithResults> {
	const [batch] = sent.jobs as [Job];
	const data = await readMissingRows(context, sent, rows, completed);
	const again = forgetFailedItems(context, sent, selectFailedItems(sent, rows, data));
	const due = sent.creation === 'continued' ? again : undefined;
	const leftOut = due ? getItemIndexes(due) : [];
	const fetched = await fetchRowResults(context, sent, batch, rows, data, leftOut);
	const results = fetched.map((result) =>
		isItemFailure(result) && !again?.items.some(({ item }) => item === result.item)
			? { ...result, hints: describeEarlierFailures(context, result.item) }
			: result,
	);
	// A row that failed for good ends the run, so no further request is sent.
	const endsRun = !context.n8n.continueOnFail() && results.some(isItemFailure);
	if (due && !endsRun) return await sendAgain(context, sent, due, results);
	return { ...sent, results, isRepeatedLater: again !== undefined && !due };
}

/**
 * Sends a request again whose jobs have failed for a temporary reason, and waits for the new jobs.
 *
 * @param sent request whose jobs have failed
 * @param again what to send: the same request, or the failed rows of a batch
 * @param results results of the items that are not sent again
 */
async function sendAgain(
	context: RunContext,
	sent: SentRequest,
	again: PlannedRequest,
	results: readonly ItemResult[],
): Promise<RequestWithResults> {
	try {
		const { sent: parts, failures } = await sendPlannedRequest(context, again);
		const awaited = await Promise.all(
			parts.map(async (part) => await awaitJobsOfRequest(context, part)),
		);
		const failed = awaited.filter((part) => part.results.some(isItemFailure));
		return {
			...sent,
			jobs: [...sent.jobs, ...awaited.flatMap(({ jobs }) => jobs)],
			results: [
				...results,
				...failures.map((failure) => ({ ...failure, jobs: sent.jobs, outcome: 'failed' as const })),
				...awaited.flatMap((part) => part.results),
			],
			isRepeatedLater:
				failures.length === 0 &&
				failed.length > 0 &&
				failed.every(({ isRepeatedLater }) => isRepeatedLater),
		};
	} catch (thrown) {
		const error = toNodeError(context.client.node, thrown);
		const [item, ...otherItems] = getItemIndexes(again);
		const failure: ItemResult = { item, otherItems, error, jobs: sent.jobs, outcome: 'failed' };
		return { ...sent, results: [...results, failure], isRepeatedLater: false };
	}
}
