/**
 * Handles callbacks from the service. A callback resumes a suspended execution if all of the
 * execution's jobs have ended. Anyone who knows the URL can send a callback, so the node ignores
 * the callback's content and checks the jobs' statuses itself, as it does in executeWait.ts.
 *
 * The check runs while the execution is still suspended, and the resumed execution uses the result.
 * If n8n is killed while an execution is running, n8n marks the execution as crashed, so executions
 * should run as briefly as possible.
 */
import {
	deepCopy,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { createBoundedMap } from '../core/boundedMap';
import { clock } from '../core/clock';
import { isNotFoundError } from '../core/errors/errorDetails';
import { toNodeError, createOperationError } from '../core/errors/nodeErrors';
import { createClient, type Client } from '../core/http/client';
import { readJobStatuses, type JobCheckResult } from '../core/jobs/readJobs';
import { isSampleJob } from '../core/jobs/sampleJobs';
import {
	findJobsInItem,
	indexJobsByKindAndId,
	isJobFound,
	readJobFromForm,
	type AwaitedJob,
} from './inputJobs';
import { hashAwaitedJobs } from './schedule';

/**
 * Delay, in milliseconds, between a callback and the status check that it triggers. Callbacks that
 * arrive during the delay trigger no further checks, so that jobs that end together are checked
 * together.
 */
const callbackGatherTime = 200;

/**
 * Maximum duration, in milliseconds, of the status check that a callback triggers. It is limited
 * because n8n keeps the execution in memory during the check.
 */
const maxCheckTime = 8_000;

/**
 * Maximum age, in milliseconds, of a stored status response. Older responses are fetched again,
 * because the file URLs in them expire.
 */
const maxResultAge = 300_000;

/**
 * Minimum time, in milliseconds, from when an execution resumes until a callback may resume it.
 * Without this limit, n8n 1 could run the rest of the workflow more than once.
 */
const resumeGracePeriod = 60_000;

/** Result of checking the status of a job that has ended. */
export type EndedJobCheckResult = Exclude<JobCheckResult, { outcome: 'pending' | 'unreadable' }>;

/** State that the node keeps between callbacks for one suspended execution. */
interface CallbackState {
	/** Jobs that have ended, keyed by kind and ID. They are not checked again. */
	ended: Map<string, { result: EndedJobCheckResult; readAt: number }>;
	/** Promise of the most recent status check. Resolves to true if all jobs have ended. */
	last?: Promise<boolean>;
	/** When a callback or n8n's timer resumed the execution, in Unix milliseconds. 0 if none has. */
	resumedAt: number;
}

/**
 * Callback states, keyed by execution, node and jobs. Losing an entry only causes additional status
 * requests.
 */
const callbackStates = createBoundedMap<CallbackState>(2_000, 24 * 3600);

/**
 * Wait nodes with a scheduled status check that has not started yet. Each entry identifies the node
 * and its execution.
 */
const scheduledPlaces = new Set<string>();

const getCallbackPlace = (n8n: IWebhookFunctions | IExecuteFunctions) =>
	[n8n.getWorkflow().id, n8n.getExecutionId(), n8n.getNode().id].join(' ');

const getCallbackState = (place: string, hash: string): CallbackState =>
	callbackStates.getOrCreate(`${place} ${hash}`, () => ({ ended: new Map(), resumedAt: 0 }));

/**
 * Records whether the execution is running or suspended, so that a callback does not resume a
 * running execution. Otherwise, on n8n 1, a callback that is still checking the jobs when n8n's
 * timer resumes the execution would resume it a second time.
 *
 * @param hash hash of the kinds and IDs of all jobs that the node waits for
 */
export function recordExecutionState(n8n: IExecuteFunctions, hash: string, isRunning: boolean) {
	getCallbackState(getCallbackPlace(n8n), hash).resumedAt = isRunning ? clock.now() : 0;
}

/**
 * Removes the results that callbacks have stored for ended jobs. Returns the recent ones, so that
 * the resumed execution does not need to fetch them again.
 *
 * @param hash hash of the kinds and IDs of all jobs that the node waits for
 */
export function takeStatusesReadOnCallback(
	n8n: IExecuteFunctions,
	hash: string,
): Map<string, EndedJobCheckResult> {
	const state = callbackStates.get(`${getCallbackPlace(n8n)} ${hash}`);
	const recent = [...(state?.ended ?? [])].filter(
		([, { readAt }]) => clock.now() - readAt < maxResultAge,
	);
	state?.ended.clear();
	return new Map(recent.map(([name, { result }]) => [name, result]));
}

/** Returns the input items of a wait node in a suspended execution. */
function readWaitingItems(n8n: IWebhookFunctions): INodeExecutionData[] {
	try {
		const items = n8n.evaluateExpression('{{ $input.all() }}', 0);
		// Copied, because the expression returns the items that belong to the execution.
		return Array.isArray(items) ? deepCopy(items as unknown as INodeExecutionData[]) : [];
	} catch {
		// n8n throws if there is no input.
		return [];
	}
}

/** Returns the jobs that a suspended execution is waiting for, keyed by kind and ID. */
function findWaitingJobs(
	n8n: IWebhookFunctions,
	items: readonly INodeExecutionData[],
): Map<string, AwaitedJob> {
	const { jobs, kind, job_id } = n8n.getNode().parameters;
	const findJobById = (item: number) => {
		const isExpression = typeof job_id === 'string' && job_id.startsWith('=');
		const id = isExpression ? n8n.evaluateExpression(job_id.slice(1), item) : job_id;
		return readJobFromForm(kind ?? 'video', id);
	};
	const itemJobs = items.flatMap(({ json }, i) => {
		const found = jobs === 'id' ? [findJobById(i)] : findJobsInItem(json);
		return found.filter(isJobFound).filter((job) => !isSampleJob(json, job.id));
	});
	return indexJobsByKindAndId(itemJobs);
}

/**
 * Returns a job's result if the job has ended, otherwise undefined. Throws an error if the job's
 * status could not be read.
 */
function toEndedJobStatus(client: Client, check: JobCheckResult): EndedJobCheckResult | undefined {
	if (check.outcome === 'pending') return undefined;
	if (check.outcome !== 'unreadable') return check;
	// A deleted job counts as pending here: the execution reports it at its next check.
	if (isNotFoundError(check.error)) return undefined;
	throw check.failure !== 'final'
		? createOperationError(client.node, 'The service cannot be reached right now')
		: toNodeError(client.node, check.error);
}

/**
 * Returns whether all jobs have ended. Checks one job, then two, then four and so on, until it
 * finds one that is still running. Each callback therefore causes only about two requests on
 * average, even if many jobs send callbacks.
 */
async function haveAllJobsEnded(
	client: Client,
	jobs: ReadonlyMap<string, AwaitedJob>,
	{ ended }: CallbackState,
): Promise<boolean> {
	const unknown = [...jobs].filter(([name]) => !ended.has(name));
	for (let from = 0, width = 1; from < unknown.length; from += width, width *= 2) {
		const some = unknown.slice(from, from + width);
		const checks = await readJobStatuses(client, new Map(some), { attempt: Infinity });
		for (const [name, check] of checks) {
			const result = toEndedJobStatus(client, check);
			if (result) ended.set(name, { result, readAt: clock.now() });
		}
		if (some.some(([name]) => !ended.has(name))) return false;
	}
	return true;
}

/**
 * Runs a new status check after the current one has ended, because the current one may have checked
 * a job just before the job ended. Waits briefly before the new check, so that further callbacks
 * can share it.
 */
async function runNextCheck(
	state: CallbackState,
	place: string,
	check: () => Promise<boolean>,
): Promise<boolean> {
	await state.last?.catch(() => undefined);
	await clock.sleep(callbackGatherTime);
	scheduledPlaces.delete(place);
	state.last = check();
	return await state.last;
}

/**
 * Checks the status of the jobs that a suspended execution is waiting for. Returns whether all of
 * them have ended.
 */
async function readWaitingJobs(
	n8n: IWebhookFunctions,
	jobs: ReadonlyMap<string, AwaitedJob>,
	state: CallbackState,
): Promise<boolean> {
	const signal = AbortSignal.timeout(maxCheckTime);
	return await haveAllJobsEnded(await createClient(n8n, { signal }), jobs, state);
}

/**
 * Responds to a callback from the service. Resumes the suspended execution if all of its jobs have
 * ended.
 */
export async function handleCallback(n8n: IWebhookFunctions): Promise<IWebhookResponseData> {
	const place = getCallbackPlace(n8n);
	// The scheduled check serves this callback too. Reading the items of the execution would take
	// long if there are hundreds.
	if (scheduledPlaces.has(place)) {
		return { webhookResponse: { message: 'Received together with another call.' } };
	}
	const items = readWaitingItems(n8n);
	const jobs = findWaitingJobs(n8n, items);
	if (jobs.size === 0)
		return { webhookResponse: { message: 'This execution is not waiting for any jobs.' } };
	// The service need not wait for the check. If it fails, n8n resumes the execution as scheduled.
	n8n.getResponseObject().status(200).json({ message: 'Received.' });
	const answered: IWebhookResponseData = { noWebhookResponse: true };
	const state = getCallbackState(place, hashAwaitedJobs([...jobs.keys()]));
	scheduledPlaces.add(place);
	try {
		if (!(await runNextCheck(state, place, async () => await readWaitingJobs(n8n, jobs, state)))) {
			return answered;
		}
	} catch (error) {
		const { message } = error as Error;
		const name = `${n8n.getNode().name} (workflow ${n8n.getWorkflow().id})`;
		n8n.logger.warn(
			`${name} was called back, but could not read its jobs: ${message}. It checks again at the scheduled time.`,
		);
		return answered;
	}
	// In n8n 1, each call before the execution has resumed would run the rest of the workflow again,
	// and so would this call if the timer has resumed the execution during the check.
	if (clock.now() - state.resumedAt < resumeGracePeriod) return answered;
	state.resumedAt = clock.now();
	// n8n 2 rejects this if its timer or another process has already resumed the execution.
	return { ...answered, workflowData: [items] };
}
