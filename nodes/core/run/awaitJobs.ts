/** What the items become when the jobs that a task has started are awaited. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { asNodeError } from '../errors/words';
import { jobRef, mayPass, type StartedJob } from '../jobs/job';
import { waitFor, type Ending, type WaitPolicy } from '../jobs/wait';
import { endingError, errorItem, located } from './outcome';
import { finishedRows } from './rows';
import { placeIn, type TaskRun } from './send';
import { defaultWait, isTool, unfinished } from './tool';

/** A job that failed for a reason that may pass is made again by a later try of the node. */
function noteFailure(taskRun: TaskRun, ending: Ending): void {
	if (ending.outcome !== 'failed' || !mayPass(ending, ending.data)) return;
	const { made, failures } = taskRun.known;
	const place = placeIn(taskRun, 1);
	made.delete(place);
	failures.set(place, (failures.get(place) ?? 0) + 1);
	taskRun.willBeMadeAnew();
}

interface Waited {
	job: StartedJob;
	ending: Ending;
}

/** How the jobs end. All of them do before one speaks: once the item has failed, nothing is asked. */
async function endingsOf(
	{ n8n, client, task }: TaskRun,
	jobs: readonly StartedJob[],
): Promise<Waited[]> {
	const { pollInterval, waitTimeout } = task.values;
	const policy: WaitPolicy = {
		timeout: Number(waitTimeout ?? defaultWait(n8n)) * 60,
		interval: pollInterval === undefined ? undefined : Number(pollInterval),
	};
	const waits = await Promise.allSettled(
		jobs.map(async (job) => ({ job, ending: await waitFor(client, job, policy) })),
	);
	return waits.map((wait) => {
		if (wait.status === 'rejected') throw asNodeError(client.node, wait.reason);
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
	return endings.map(({ job, ending }, i) => {
		if ('data' in ending && ending.outcome !== 'failed') {
			return { json: { ...itemOfJob(i), ...ending.data, job: jobRef(job) } };
		}
		if (ending.outcome === 'timeout' && isTool(n8n)) {
			return { json: { ...itemOfJob(i), ...unfinished(job, ending) } };
		}
		const error = endingError(client.node, ending);
		// The other results of the item are kept.
		if (endings.length === 1 || !n8n.continueOnFail()) throw error;
		return errorItem(located(error, itemIndex, [job]), itemIndex);
	});
}

/** The items of jobs that are awaited: a batch gives its rows, others one for each job. */
export async function awaitJobs(
	taskRun: TaskRun,
	jobs: readonly StartedJob[],
	itemOfJob: (i: number) => IDataObject,
): Promise<INodeExecutionData[]> {
	const { n8n, client, task, started } = taskRun;
	const endings = await endingsOf(taskRun, jobs);
	const [only, ...others] = endings;
	// Of several jobs of one request none can be made again alone.
	if (only && others.length === 0) noteFailure(taskRun, only.ending);
	const rowJob = task.operation.gather?.rows;
	if (only && rowJob && only.ending.outcome === 'completed') {
		const context = { client, goesOn: n8n.continueOnFail(), started };
		return await finishedRows(context, task, only.job, rowJob, only.ending.data);
	}
	return itemsOfEndings(taskRun, endings, itemOfJob);
}
