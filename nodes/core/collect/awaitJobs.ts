/** The items of a request whose jobs are awaited. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { toNodeError } from '../errors/nodeErrors';
import { createFinishedItem, type FinishedItem } from '../jobs/finishedItem';
import { createJobError } from '../jobs/jobErrors';
import { isTransientFailure } from '../jobs/state';
import type { Job, JobKind, JobOutcome, WaitPolicy } from '../jobs/types';
import { waitForJob } from '../jobs/waitForJob';
import { getDefaultWait, isTool, createUnfinishedResult } from '../plan/agentTool';
import type { PlannedRequest } from '../plan/groupRequests';
import { createIdempotencyKeys } from '../plan/idempotencyKeys';
import { placeIn, type TaskRun } from '../send/sendRequest';
import { fetchRowItems, planFailedRows } from './batchRows';
import { createErrorItem, addItemAndJobs } from './errorItems';

/** Lets the next attempt of the node create a job again that failed for a transient reason. */
function noteFailure(taskRun: TaskRun, outcome: JobOutcome): void {
	if (outcome.outcome !== 'failed' || !isTransientFailure(outcome, outcome.data)) return;
	const { made, failures } = taskRun.known;
	const place = placeIn(taskRun, 1);
	made.delete(place);
	failures.set(place, (failures.get(place) ?? 0) + 1);
	taskRun.willBeMadeAnew();
}

/** Waits for the jobs of the request. All of them end before one fails the item: nothing is read after. */
async function waitForJobs({ n8n, client, task, jobs }: TaskRun): Promise<JobOutcome[]> {
	const { pollInterval, waitTimeout } = task.values;
	const policy: WaitPolicy = {
		timeout: Number(waitTimeout ?? getDefaultWait(n8n)) * 60,
		interval: pollInterval === undefined ? undefined : Number(pollInterval),
	};
	const waits = await Promise.allSettled(
		jobs.map(async (job) => await waitForJob(client, job, policy)),
	);
	return waits.map((wait) => {
		if (wait.status === 'rejected') throw toNodeError(client.node, wait.reason);
		return wait.value;
	});
}

/**
 * The item of each job.
 *
 * @param getReply the reply that started a job, by number of the job
 */
function createJobItems(
	{ n8n, client, task, jobs }: TaskRun,
	outcomes: readonly JobOutcome[],
	getReply: (i: number) => IDataObject,
): FinishedItem[] {
	const itemIndex = task.items[0] ?? 0;
	const items = n8n.getInputData().length;
	return outcomes.map((outcome, i): FinishedItem => {
		if (outcome.outcome !== 'failed' && outcome.outcome !== 'timeout') {
			return createFinishedItem(getReply(i), outcome);
		}
		const job = jobs[i] ?? outcome.job;
		if (outcome.outcome === 'timeout' && isTool(n8n)) {
			return { item: { json: { ...getReply(i), ...createUnfinishedResult(job, outcome) } } };
		}
		const error = createJobError(client.node, outcome);
		// The other results of the item are kept.
		if (outcomes.length === 1 || !n8n.continueOnFail()) throw error;
		addItemAndJobs(error, { item: itemIndex, items }, [job]);
		return { item: createErrorItem(error, itemIndex) };
	});
}

/**
 * The failed rows of a batch that this attempt creates again. Rows that failed for the first time
 * wait for the next attempt of the node.
 */
function findRowsToRepeat(
	taskRun: TaskRun,
	kind: JobKind,
	data: IDataObject,
): PlannedRequest | undefined {
	const { task, known, place } = taskRun;
	const failed = planFailedRows(task, kind, data);
	if (!failed) return undefined;
	const keys = createIdempotencyKeys(place, failed.items, failed.values, failed.part, known);
	const key = placeIn({ keys, task: failed }, 1);
	if (known.failures.has(key)) return failed;
	known.failures.set(key, failed.again ?? 1);
	taskRun.willBeMadeAnew();
	return undefined;
}

/** Sends a request that came up meanwhile. */
type SendRows = (task: PlannedRequest) => Promise<FinishedItem[]>;

/** The items of a batch. Rows that failed at an earlier attempt are created again, as another batch. */
async function createBatchItems(
	taskRun: TaskRun,
	batch: Job,
	kind: JobKind,
	data: IDataObject,
	sendRows: SendRows,
): Promise<FinishedItem[]> {
	const { n8n, client } = taskRun;
	const repeated = findRowsToRepeat(taskRun, kind, data);
	const rows = await fetchRowItems(taskRun, batch, kind, data, repeated?.items);
	if (!repeated) return rows;
	try {
		return [...rows, ...(await sendRows(repeated))];
	} catch (thrown) {
		const error = toNodeError(client.node, thrown);
		if (!n8n.continueOnFail()) throw error;
		const items = n8n.getInputData().length;
		const failed = repeated.items.map((item): INodeExecutionData =>
			createErrorItem(addItemAndJobs(error, { item, items }, [batch]), item),
		);
		return [...rows, ...failed.map((item) => ({ item }))];
	}
}

/** The items of the jobs that a request has started, once they end: one for each row or job. */
export async function awaitJobs(
	taskRun: TaskRun,
	getReply: (i: number) => IDataObject,
	sendRows: SendRows,
): Promise<FinishedItem[]> {
	const outcomes = await waitForJobs(taskRun);
	const [only, ...others] = outcomes;
	// Of several jobs of one request, none can be created again alone.
	if (only && others.length === 0) noteFailure(taskRun, only);
	const rowKind = taskRun.task.operation.combine?.rows;
	if (only && rowKind && only.outcome === 'completed') {
		return await createBatchItems(taskRun, only.job, rowKind, only.data, sendRows);
	}
	return createJobItems(taskRun, outcomes, getReply);
}
