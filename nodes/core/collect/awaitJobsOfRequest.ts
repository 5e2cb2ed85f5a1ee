/** Waits for the jobs that a request has started, and assigns their outcomes to the input items. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { toNodeError } from '../errors/nodeErrors';
import { createFinishedJobItem } from '../jobs/finishedItem';
import { createJobError } from '../jobs/jobErrors';
import { isTransientFailure } from '../jobs/jobState';
import {
	toJobReference,
	type Job,
	type JobKind,
	type JobWaitOutcome,
	type WaitPolicy,
} from '../jobs/types';
import { waitForJob } from '../jobs/waitForJob';
import { isAgentTool } from '../plan/agentTool';
import { getItemIndexes } from '../plan/groupRequests';
import { getCreateRequestId } from '../plan/deriveIdempotencyKeys';
import { sendPlannedRequest, type RunContext } from '../send/sendPlannedRequest';
import type { SentRequest } from '../send/sendResult';
import {
	createUnawaitedBatchItems,
	fetchRowResults,
	listCreatedRows,
	planRetryOfFailedRows,
} from './batchRows';
import { getInputItemIndex, isItemFailure, type ItemResult } from './collectItems';
import { createStillRunningResult } from './truncateForModel';

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
	if (!job) return withOutputs(sent, replies);
	const replyOf = (i: number) => (replies[i] ?? replies[0])?.json ?? {};
	if (values.waitForCompletion !== true) {
		const pending = operation.combine?.rows
			? createUnawaitedBatchItems(sent, job, replyOf(0))
			: jobs.map((one, i) => ({ json: { ...replyOf(i), job: toJobReference(one) } }));
		return withOutputs(sent, pending);
	}
	const outcomes = await waitForAll(context, sent);
	const [outcome] = outcomes;
	if (outcome && outcomes.length === 1) {
		const { rows } = operation.combine ?? {};
		if (rows && outcome.outcome === 'completed') {
			return await finishBatch(context, sent, rows, outcome.data);
		}
		const isRepeatedLater = forgetFailedJob(context, sent, outcome);
		return { ...sent, results: createResults(context, sent, outcomes, replyOf), isRepeatedLater };
	}
	// If a request starts several jobs, a single one cannot be repeated.
	const results = createResults(context, sent, outcomes, replyOf);
	return { ...sent, results, isRepeatedLater: false };
}

function withOutputs(
	sent: SentRequest,
	outputs: readonly INodeExecutionData[],
): RequestWithResults {
	const [{ item }] = sent.items;
	const results = outputs.map((output) => ({
		item: getInputItemIndex(output, item) ?? item,
		output,
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
	{ n8n, client }: RunContext,
	sent: SentRequest,
	outcomes: readonly JobWaitOutcome[],
	replyOf: (i: number) => IDataObject,
): ItemResult[] {
	const { jobs } = sent;
	const [item, ...otherItems] = getItemIndexes(sent);
	return outcomes.map((outcome, i): ItemResult => {
		if (outcome.outcome !== 'failed' && outcome.outcome !== 'timeout') {
			return { item, ...createFinishedJobItem(replyOf(i), outcome) };
		}
		const job = jobs[i] as Job;
		// An error would make the language model start the same job again.
		if (outcome.outcome === 'timeout' && isAgentTool(n8n)) {
			return {
				item,
				output: { json: { ...replyOf(i), ...createStillRunningResult(job, outcome) } },
			};
		}
		const error = createJobError(client.node, outcome);
		const rows = listCreatedRows(sent, jobs);
		return { item, error, jobs: [job], rows, ...(jobs.length === 1 ? { otherItems } : {}) };
	});
}

/**
 * Clears the record of a job that failed for a temporary reason, so that the next attempt to run
 * the node creates the job again with a new idempotency key.
 *
 * @returns whether the record was cleared
 */
function forgetFailedJob(
	{ identity, state }: RunContext,
	sent: SentRequest,
	outcome: JobWaitOutcome,
): boolean {
	if (outcome.outcome !== 'failed' || !isTransientFailure(outcome, outcome.data)) return false;
	const requestId = getCreateRequestId(identity, sent, 1);
	state.unkeyedCreates.delete(requestId);
	state.failures.set(requestId, (state.failures.get(requestId) ?? 0) + 1);
	return true;
}

/**
 * Returns the results of a finished batch. If some rows failed for a temporary reason and n8n has
 * retried the node, sends these rows again in a new batch.
 */
async function finishBatch(
	context: RunContext,
	sent: SentRequest,
	rows: JobKind,
	data: IDataObject,
): Promise<RequestWithResults> {
	const { identity, state } = context;
	const [batch] = sent.jobs as [Job];
	const failedRows = planRetryOfFailedRows(sent, rows, data);
	if (!failedRows) {
		const results = await fetchRowResults(context, sent, batch, rows, data, []);
		return { ...sent, results, isRepeatedLater: false };
	}
	const requestId = getCreateRequestId(identity, failedRows, 1);
	const isDue = state.failures.has(requestId);
	const leftOut = isDue ? getItemIndexes(failedRows) : [];
	const results = await fetchRowResults(context, sent, batch, rows, data, leftOut);
	if (!isDue) {
		state.failures.set(requestId, failedRows.retry);
		return { ...sent, results, isRepeatedLater: true };
	}
	// A row that failed for good ends the run, so no further request is sent.
	if (!context.n8n.continueOnFail() && results.some(isItemFailure)) {
		return { ...sent, results, isRepeatedLater: false };
	}
	try {
		context.firstPaidRequestGate.assertMayPay(failedRows);
		const { sent: parts, failures } = await sendPlannedRequest(context, failedRows);
		const again = await Promise.all(
			parts.map(async (part) => await awaitJobsOfRequest(context, part)),
		);
		return {
			...sent,
			jobs: [...sent.jobs, ...again.flatMap(({ jobs }) => jobs)],
			results: [
				...results,
				...failures.map((failure) => ({ ...failure, jobs: [batch] })),
				...again.flatMap((part) => part.results),
			],
			isRepeatedLater:
				failures.length === 0 && again.some(({ isRepeatedLater }) => isRepeatedLater),
		};
	} catch (thrown) {
		const error = toNodeError(context.client.node, thrown);
		const [item, ...otherItems] = getItemIndexes(failedRows);
		const failure = { item, otherItems, error, jobs: [batch] };
		return { ...sent, results: [...results, failure], isRepeatedLater: false };
	}
}
