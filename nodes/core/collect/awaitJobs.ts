/** What the items become when the jobs that a task has started are awaited. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { toNodeError } from '../errors/nodeErrors';
import { toJobReference, isTransientFailure, type JobKind, type Job } from '../jobs/state';
import { waitForJob, type JobOutcome, type WaitPolicy } from '../jobs/waitForJob';
import { createIdempotencyKeys } from '../plan/idempotencyKeys';
import { createJobError, createErrorItem, addItemAndJobs } from './errorItems';
import type { PlannedRequest } from '../plan/groupRequests';
import { readFinishedRows, planFailedRows } from './batchRows';
import { placeIn, type TaskRun } from '../send/sendRequest';
import { getDefaultWait, isTool, createUnfinishedResult } from '../plan/agentTool';

/** A job that failed for a reason that may pass is made again by a later try of the node. */
function noteFailure(taskRun: TaskRun, ending: JobOutcome): void {
	if (ending.outcome !== 'failed' || !isTransientFailure(ending, ending.data)) return;
	const { made, failures } = taskRun.known;
	const place = placeIn(taskRun, 1);
	made.delete(place);
	failures.set(place, (failures.get(place) ?? 0) + 1);
	taskRun.willBeMadeAnew();
}

interface Waited {
	job: Job;
	ending: JobOutcome;
}

/** How the jobs end. All of them do before one speaks: once the item has failed, nothing is asked. */
async function endingsOf({ n8n, client, task, jobs }: TaskRun): Promise<Waited[]> {
	const { pollInterval, waitTimeout } = task.values;
	const policy: WaitPolicy = {
		timeout: Number(waitTimeout ?? getDefaultWait(n8n)) * 60,
		interval: pollInterval === undefined ? undefined : Number(pollInterval),
	};
	const waits = await Promise.allSettled(
		jobs.map(async (job) => ({ job, ending: await waitForJob(client, job, policy) })),
	);
	return waits.map((wait) => {
		if (wait.status === 'rejected') throw toNodeError(client.node, wait.reason);
		return wait.value;
	});
}

/**
 * The item of each job that has ended.
 *
 * @param itemOfJob what the request has given for a job
 */
function itemsOfEndings(
	{ n8n, client, task }: TaskRun,
	endings: readonly Waited[],
	itemOfJob: (i: number) => IDataObject,
): INodeExecutionData[] {
	const itemIndex = task.items[0] ?? 0;
	const items = n8n.getInputData().length;
	return endings.map(({ job, ending }, i) => {
		if ('data' in ending && ending.outcome !== 'failed') {
			return { json: { ...itemOfJob(i), ...ending.data, job: toJobReference(job) } };
		}
		if (ending.outcome === 'timeout' && isTool(n8n)) {
			return { json: { ...itemOfJob(i), ...createUnfinishedResult(job, ending) } };
		}
		const error = createJobError(client.node, ending);
		// The other results of the item are kept.
		if (endings.length === 1 || !n8n.continueOnFail()) throw error;
		return createErrorItem(addItemAndJobs(error, { item: itemIndex, items }, [job]), itemIndex);
	});
}

/** The rows of a batch that failed at an earlier try, if they are to be made again now. */
function dueAnew(taskRun: TaskRun, job: JobKind, data: IDataObject): PlannedRequest | undefined {
	const { task, known, place } = taskRun;
	const anew = planFailedRows(task, job, data);
	if (!anew) return undefined;
	const keys = createIdempotencyKeys(place, anew.items, anew.values, anew.part, known);
	const own = placeIn({ keys, task: anew }, 1);
	if (known.failures.has(own)) return anew;
	known.failures.set(own, anew.again ?? 1);
	taskRun.willBeMadeAnew();
	return undefined;
}

/** Carries out a task that has come up. */
type CarryOut = (task: PlannedRequest) => Promise<INodeExecutionData[]>;

/** The items of a batch; rows that failed at an earlier try are made again, in a batch of their own. */
async function itemsOfBatch(
	taskRun: TaskRun,
	batch: Job,
	job: JobKind,
	data: IDataObject,
	carryOut: CarryOut,
): Promise<INodeExecutionData[]> {
	const { n8n, client } = taskRun;
	const anew = dueAnew(taskRun, job, data);
	const rows = await readFinishedRows(taskRun, batch, job, data, anew?.items);
	if (!anew) return rows;
	try {
		return [...rows, ...(await carryOut(anew))];
	} catch (error) {
		const failure = toNodeError(client.node, error);
		if (!n8n.continueOnFail()) throw failure;
		const items = n8n.getInputData().length;
		const failed = anew.items.map((item) =>
			createErrorItem(addItemAndJobs(failure, { item, items }, [batch]), item),
		);
		return [...rows, ...failed];
	}
}

/** The items of jobs that are awaited: a batch gives its rows, others one for each job. */
export async function awaitJobs(
	taskRun: TaskRun,
	itemOfJob: (i: number) => IDataObject,
	carryOut: CarryOut,
): Promise<INodeExecutionData[]> {
	const endings = await endingsOf(taskRun);
	const [only, ...others] = endings;
	// Of several jobs of one request none can be made again alone.
	if (only && others.length === 0) noteFailure(taskRun, only.ending);
	const rowJob = taskRun.task.operation.combine?.rows;
	if (only && rowJob && only.ending.outcome === 'completed') {
		return await itemsOfBatch(taskRun, only.job, rowJob, only.ending.data, carryOut);
	}
	return itemsOfEndings(taskRun, endings, itemOfJob);
}
