import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../clock';
import type { RowOutcome } from '../errors/errorDetails';
import { toNodeError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import {
	createFinishedJobItem,
	fetchBatchRowItem,
	type FinishedJobItem,
} from '../jobs/finishedItem';
import { createJobError } from '../jobs/jobErrors';
import { decideJobState, isTransientFailure } from '../jobs/jobState';
import { matchEntriesToRows } from '../jobs/matchBatchEntries';
import { fetchJobStatus, readJobOutcome } from '../jobs/readJobs';
import {
	describeJob,
	toJobReference,
	type Job,
	type JobKind,
	type JobWaitOutcome,
	type SuccessfulOutcome,
	type WaitPolicy,
} from '../jobs/types';
import { waitForJob } from '../jobs/waitForJob';
import type { RequestFailure } from '../ledger/ledger';
import type { RequestItem } from '../operation';
import { waitsForJobs, runsAsAgentTool } from '../operationTraits';
import { getItemOrigin, findOrCreateRecord } from '../plan/deriveIdempotencyKeys';
import {
	getItemIndexes,
	getPayOnceScope,
	listBatchRows,
	type PlannedRequest,
	type CreationSource,
	type SentRequest,
	listCreatedRows,
} from '../plan/groupRequests';
import { sendPlannedRequest, type RunContext } from '../send/sendPlannedRequest';
import {
	fetchRowResults,
	hasUnknownRows,
	matchRows,
	selectRetryableItems,
	type MatchedRow,
} from './batchRows';
import {
	areFailedRequestsRetried,
	type FinishedRequest,
	outcomeOfState,
	getInputItemIndex,
	isItemFailure,
	type ItemResult,
} from './itemResult';
import { createSampleJobOutcome, isSampleJob } from './sampleResults';
import { createStillRunningResult } from './toolOutput';

/** Default minutes to wait for jobs. Fewer for a tool, because a language model is waiting. */
const defaultWait = { tool: 30, node: 1440 };

/**
 * Waits for a request's jobs if Wait for Completion is on. If a job fails, its input item fails.
 * Throws if a job's status cannot be read.
 */
export async function awaitJobsOfRequest(
	context: RunContext,
	sent: SentRequest,
): Promise<FinishedRequest> {
	const { jobs, replies, operation, values } = sent;
	const [job] = jobs;
	const { rows } = operation.combine ?? {};
	if (!job) return withOutputs(context, sent, replies, decideCreation(context, sent));
	const replyOf = (i: number) => (replies[i] ?? replies[0])?.json ?? {};
	// If a wait is recorded, the jobs were already polled before the execution was suspended.
	const isAwaited = findOrCreateRecord(context.nodeRun, sent).wait !== undefined;
	const current = isAwaited
		? undefined
		: await context.suspension.whileBusy(async () => await readReplayedStatus(context, sent));
	const creation = decideCreation(context, sent, current?.response);
	const replayed = creation === 'created' ? undefined : current?.outcome;
	const replacement = replayed && forgetFailedJob(context, sent, replayed);
	if (replacement) return await sendAgain(context, sent, replacement, []);
	if (!waitsForJobs(operation, values)) {
		if (rows) {
			const batchItems = listBatchRows(sent).rows.map(({ item, index }) => ({
				json: { ...replyOf(0), item_index: index, job: toJobReference(job) },
				pairedItem: { item },
			}));
			return withOutputs(context, sent, batchItems, creation, 'running');
		}
		const pending = jobs.map((one, i) => ({ json: { ...replyOf(i), job: toJobReference(one) } }));
		const state = decideJobState(job.kind, { ...replyOf(0), ...current?.response });
		return withOutputs(context, sent, pending, creation, outcomeOfState[state]);
	}
	const outcomes = await waitForAll(context, sent);
	// If a request starts several jobs, a single one of them cannot be created again.
	const [only] = outcomes.length === 1 ? outcomes : [];
	if (rows && only?.outcome === 'completed') {
		return await finishBatch(context, { ...sent, creation }, rows, only.data);
	}
	const again = only && forgetFailedJob(context, sent, only);
	// n8n is retrying the node, so the failed job is created again.
	if (again && sent.creation === 'continued') return await sendAgain(context, sent, again, []);
	const hints = only && !again ? describeEarlierFailures(context, sent.items[0].item) : [];
	const results = await createResults(context, sent, outcomes, replyOf, hints);
	return { ...sent, results, isRepeatedLater: again !== undefined };
}

function withOutputs(
	{ n8n }: RunContext,
	sent: SentRequest,
	outputs: readonly INodeExecutionData[],
	creation?: CreationSource,
	outcome?: RowOutcome,
): FinishedRequest {
	const [{ item }] = sent.items;
	const input = n8n.getInputData();
	const results = outputs.map((output) => ({
		item: getInputItemIndex(output, item) ?? item,
		output,
		outcome,
		creation,
		isPassedOn: input[item] === output,
	}));
	return { ...sent, results, isRepeatedLater: false };
}

/**
 * Waits until every job of a request has ended or the wait has timed out. Then also waits for the
 * jobs of other requests, because a suspension for those jobs would discard this request's results.
 * Skips this second wait if a failed job ends the run or must be created again now.
 */
async function waitForAll(context: RunContext, sent: SentRequest): Promise<JobWaitOutcome[]> {
	const { n8n, client, startedJobs, suspension, nodeRun } = context;
	const { jobs, values, operation } = sent;
	const { tool, node } = defaultWait;
	const { pollInterval, waitTimeout = runsAsAgentTool(n8n) ? tool : node } = values;
	const record = findOrCreateRecord(nodeRun, sent);
	// The wait for these jobs ended before the execution was suspended.
	if (record.wait?.isOver) await suspension.untilAllEnded(client.signal);
	record.wait ??= { since: clock.now() };
	const { hasEnded = false } = record.wait;
	const policy: WaitPolicy = {
		timeout: Number(waitTimeout) * 60,
		// An ended job's result may still be read after the wait has timed out.
		since: hasEnded ? clock.now() : record.wait.since,
		interval: pollInterval === undefined ? undefined : Number(pollInterval),
		// An existing job may have ended long ago, and is probably old enough for polls to find it.
		...((operation.awaits || hasEnded) && { immediately: true, earlierPolls: 1 }),
	};
	const waits = jobs.map(async (job) => {
		const { json = {} } = sent.replies[0] ?? {};
		// This is a sample job, which an earlier node has output because of Check Only.
		if (isSampleJob(json, job.id)) return createSampleJobOutcome(job, sent.items[0].item);
		const outcome = await suspension.awaitJob(client, job, policy);
		if (outcome.outcome !== 'timeout') startedJobs.end(job);
		return outcome;
	});
	// If a status cannot be read, the request fails, but only after all of its jobs have ended.
	await Promise.allSettled(waits);
	const outcomes = await Promise.all(waits);
	record.wait.isOver = true;
	record.wait.hasEnded = outcomes.every(({ outcome }) => outcome !== 'timeout');
	const isFailed = outcomes.some(({ outcome }) => outcome === 'failed' || outcome === 'timeout');
	const endsRun = isFailed && !n8n.continueOnFail();
	const mayBeSentAgain = isFailed && sent.creation === 'continued';
	if (!endsRun && !mayBeSentAgain) await suspension.untilAllEnded(client.signal);
	return outcomes;
}

async function createResults(
	context: RunContext,
	sent: SentRequest,
	outcomes: readonly JobWaitOutcome[],
	replyOf: (i: number) => IDataObject,
	hints: readonly string[],
): Promise<ItemResult[]> {
	const { n8n, client } = context;
	const { jobs, replies, operation } = sent;
	const [item, ...otherItems] = getItemIndexes(sent);
	// An operation that waits for existing jobs keeps the files of its input items.
	const { binary } = operation.awaits ? (replies[0] ?? {}) : {};
	const toResult = async (outcome: JobWaitOutcome, i: number): Promise<ItemResult> => {
		const job = jobs[i] as Job;
		const failure = { item, jobs: [job], rows: listRowsOfJob(sent, job) };
		try {
			const data = 'data' in outcome ? outcome.data : undefined;
			const creation = decideCreation(context, sent, data);
			if (outcome.outcome !== 'failed' && outcome.outcome !== 'timeout') {
				const isAwaited = operation.awaits === true;
				const finished = await readFinishedJob(client, job, outcome, replyOf(i), isAwaited);
				const output = { ...finished.output, ...(binary && { binary }) };
				return { ...finished, item, creation, outcome: outcomeOfState[outcome.outcome], output };
			}
			// An error would make the language model start the same job again.
			if (outcome.outcome === 'timeout' && runsAsAgentTool(n8n)) {
				const json = { ...replyOf(i), ...createStillRunningResult(job, outcome, sent.values) };
				return { item, creation, outcome: 'running', output: { json } };
			}
			const error = createJobError(client.node, outcome);
			const others = jobs.length === 1 ? { otherItems } : {};
			return { ...failure, creation, error, hints, ...others };
		} catch (thrown) {
			return { ...failure, error: toNodeError(client.node, thrown) };
		}
	};
	return await Promise.all(outcomes.map(toResult));
}

const listRowsOfJob = (sent: SentRequest, job: Job) =>
	job.row === undefined
		? listCreatedRows(sent, sent.jobs)
		: [{ item: sent.items[0].item, index: job.row }];

async function readFinishedJob(
	client: Client,
	{ row, ...job }: Job,
	outcome: SuccessfulOutcome,
	base: IDataObject,
	isAwaited: boolean,
): Promise<FinishedJobItem> {
	const { kind, id } = outcome.job;
	if (row === undefined || kind.name !== job.kind.name || !job.kind.rows) {
		return createFinishedJobItem({ ...base, ...(isAwaited && { [kind.id]: id }) }, outcome);
	}
	const entry = matchEntriesToRows(job.kind.rows, outcome.data)[row];
	const finished = await fetchBatchRowItem(client, job, job.kind.rows, { index: row, entry });
	return { ...finished, output: { json: { ...base, ...finished.output.json } } };
}

/** Maximum difference in seconds between n8n's and the service's clocks, including rounding. */
const maxClockDifference = 2;

/** Whether only this execution can have created a request's jobs. */
const isOwnCreation = ({ creation, values }: SentRequest) =>
	creation === 'continued' || getPayOnceScope(values) === 'execution';

/** Returns the attempt or execution that created a request's jobs, or `undefined` if unknown. */
function decideCreation(
	{ nodeRun }: RunContext,
	sent: SentRequest,
	data?: IDataObject,
): CreationSource | undefined {
	const { creation, replies, jobs } = sent;
	if (isOwnCreation(sent)) return creation;
	const createdAt = data?.created_at ?? replies[0]?.json.created_at;
	if (jobs.length !== 1 || typeof createdAt !== 'number') return undefined;
	return createdAt < nodeRun.begun / 1000 - maxClockDifference ? 'replayed' : 'created';
}

/** Reads a job's status. Returns undefined if no earlier execution can have created the job. */
async function readReplayedStatus({ client }: RunContext, sent: SentRequest) {
	const [job, ...others] = sent.jobs;
	if (!job || others.length > 0 || isOwnCreation(sent) || sent.operation.combine) return undefined;
	try {
		// A lookup of several jobs does not show when they were created.
		return await readJobOutcome(client, job, await fetchJobStatus(client, job));
	} catch (thrown) {
		client.warn(
			`The status of ${describeJob(job)} cannot be read: ${toNodeError(client.node, thrown).message}. The job is left unchanged`,
		);
		return undefined;
	}
}

/** Maximum number of times that an item's job is created again after temporary failures. */
const maxRepeats = 2;

const getFailureCount = ({ nodeRun }: RunContext, item: number) =>
	nodeRun.failures[getItemOrigin(nodeRun, item)] ?? 0;

function describeEarlierFailures(context: RunContext, item: number): string[] {
	const failures = getFailureCount(context, item);
	const hint = `The job was created ${failures + 1} times and failed each time. The node will not create the job again.`;
	return failures < maxRepeats ? [] : [hint];
}

/**
 * Removes failed items from the record of their request, so that their jobs are created again with
 * a new key. Returns the request that creates them, or undefined after too many failures.
 */
function forgetFailedItems(
	context: RunContext,
	sent: SentRequest,
	failed: readonly RequestItem[],
): PlannedRequest | undefined {
	const { nodeRun } = context;
	const [first, ...others] = failed.filter(
		({ item }) => getFailureCount(context, item) < maxRepeats,
	);
	if (!first) return undefined;
	const record = findOrCreateRecord(nodeRun, sent);
	for (const { item } of [first, ...others]) {
		const origin = getItemOrigin(nodeRun, item);
		nodeRun.failures[origin] = getFailureCount(context, item) + 1;
		record.sent = record.sent.filter((one) => one !== origin);
	}
	delete record.wait;
	if (record.sent.length === 0) delete record.outcome;
	return { ...sent, values: first.values, items: [first, ...others], sentGroup: undefined };
}

const forgetFailedJob = (context: RunContext, sent: SentRequest, outcome: JobWaitOutcome) =>
	outcome.outcome === 'failed' && !outcome.running && isTransientFailure(outcome, outcome.data)
		? forgetFailedItems(context, sent, sent.items)
		: undefined;

/** Total time and interval for re-reading a completed batch that lacks rows, in milliseconds. */
const missingRowsTimeout = { total: 30_000, pause: 5_000 };

async function readBatchRows(
	{ client }: RunContext,
	sent: SentRequest,
	kind: JobKind,
	completed: IDataObject,
): Promise<MatchedRow[]> {
	const { total, pause } = missingRowsTimeout;
	const [batch] = sent.jobs as [Job];
	const deadline = clock.elapsed() + total;
	let rows = matchRows(sent, kind, completed);
	while (hasUnknownRows(kind, rows) && clock.elapsed() < deadline) {
		await clock.sleep(pause, client.signal);
		const policy = { timeout: pause / 1000, immediately: true };
		const outcome = await waitForJob(client, batch, policy);
		if (outcome.outcome === 'completed') rows = matchRows(sent, kind, outcome.data);
	}
	return rows;
}

/**
 * Returns a batch's results. If n8n is retrying the node, first creates a new batch of the rows
 * that failed with a temporary error.
 */
async function finishBatch(
	context: RunContext,
	sent: SentRequest,
	kind: JobKind,
	completed: IDataObject,
): Promise<FinishedRequest> {
	const rows = await readBatchRows(context, sent, kind, completed);
	const again = forgetFailedItems(context, sent, selectRetryableItems(sent, kind, rows));
	const due = sent.creation === 'continued' ? again : undefined;
	const leftOut = due ? getItemIndexes(due) : [];
	const fetched = await fetchRowResults(context, sent, kind, rows, leftOut);
	const results = fetched.map((result) =>
		isItemFailure(result) && !again?.items.some(({ item }) => item === result.item)
			? { ...result, hints: describeEarlierFailures(context, result.item) }
			: result,
	);
	// A row that failed permanently ends the run, so no further request is sent.
	const endsRun = !context.n8n.continueOnFail() && results.some(isItemFailure);
	if (due && !endsRun) return await sendAgain(context, sent, due, results);
	return { ...sent, results, isRepeatedLater: again !== undefined && !due };
}

/** Sends a request again after its jobs failed temporarily, and waits for the new jobs. */
async function sendAgain(
	context: RunContext,
	sent: SentRequest,
	again: PlannedRequest,
	results: readonly ItemResult[],
): Promise<FinishedRequest> {
	const toItemFailure = (failure: RequestFailure): ItemResult => ({
		...failure,
		jobs: sent.jobs,
		outcome: 'failed',
	});
	try {
		const { sent: parts, failures } = await context.suspension.whileBusy(
			async () => await sendPlannedRequest(context, again),
		);
		const awaited = await Promise.all(
			parts.map(async (part) => await awaitJobsOfRequest(context, part)),
		);
		const newResults = awaited.flatMap((part) => part.results);
		return {
			...sent,
			results: [...results, ...failures.map(toItemFailure), ...newResults],
			isRepeatedLater: areFailedRequestsRetried(failures, awaited),
		};
	} catch (thrown) {
		const [item, ...otherItems] = getItemIndexes(again);
		const error = toNodeError(context.client.node, thrown);
		const failure = toItemFailure({ item, otherItems, error });
		return { ...sent, results: [...results, failure], isRepeatedLater: false };
	}
}
