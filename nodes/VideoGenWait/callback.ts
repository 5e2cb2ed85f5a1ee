/**
 * Handles callbacks from the service, which resume a suspended execution when its jobs have ended.
 * Anyone who knows the URL can send a callback, so the node ignores the body and checks the status
 * of the jobs itself.
 *
 * The jobs are read while the execution is still suspended, and the resumed execution uses what was
 * read. n8n marks an execution as crashed if it is killed while the execution runs, so it should
 * run for as short as possible.
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
import {
	findJobInItem,
	groupJobsByName,
	isAwaitedJob,
	parseJobId,
	type AwaitedJob,
} from './inputJobs';
import { hashAwaitedJobs } from './schedule';

/**
 * Milliseconds between a callback and the status check that it triggers. Callbacks that arrive in
 * between share that check.
 */
const callbackGatherTime = 200;

/**
 * Maximum duration of a status check in milliseconds. Meanwhile, n8n keeps the execution in memory.
 */
const maxCheckTime = 8_000;

/**
 * Age in milliseconds after which a job is read again when the execution has resumed, because the
 * URLs of its files expire.
 */
const maxResultAge = 300_000;

/**
 * Milliseconds after an execution resumes during which further callbacks do not resume it again.
 */
const resumeGracePeriod = 60_000;

/** Result of a status check that found that a job has ended. */
export type EndedJob = Exclude<JobCheckResult, { outcome: 'pending' | 'unreadable' }>;

/** State shared by all callbacks that belong to the same suspended execution. */
interface CallbackState {
	/** Jobs that are known to have ended, by name. They are not checked again. */
	ended: Map<string, { result: EndedJob; readAt: number }>;
	/**
	 * Promise of the most recent status check that has started. Resolves to true if all jobs have
	 * ended.
	 */
	last?: Promise<boolean>;
	/** Unix time in milliseconds at which a callback resumed the execution. */
	resumedAt?: number;
}

/**
 * Callback states, keyed by execution, node and jobs. Removing a state only costs extra status
 * requests.
 */
const callbackStates = createBoundedMap<CallbackState>(2_000, 24 * 3600);

/** Executions and nodes for which a callback has scheduled a status check that has not begun. */
const scheduledPlaces = new Set<string>();

const getCallbackPlace = (n8n: IWebhookFunctions | IExecuteFunctions) =>
	[n8n.getWorkflow().id, n8n.getExecutionId(), n8n.getNode().id].join(' ');

/**
 * Returns the jobs that a callback has just found ended, by name, so that the resumed execution
 * need not read them again. They are returned only once.
 *
 * @param hash hash of the job names
 */
export function takeEndedJobs(n8n: IExecuteFunctions, hash: string): Map<string, EndedJob> {
	const state = callbackStates.get(`${getCallbackPlace(n8n)} ${hash}`);
	const recent = [...(state?.ended ?? [])].filter(
		([, { readAt }]) => clock.now() - readAt < maxResultAge,
	);
	state?.ended.clear();
	return new Map(recent.map(([name, { result }]) => [name, result]));
}

/** Returns the input items of the wait node whose execution is suspended. */
function readWaitingItems(n8n: IWebhookFunctions): INodeExecutionData[] {
	try {
		const items = n8n.evaluateExpression('{{ $input.all() }}', 0);
		return Array.isArray(items) ? deepCopy(items as unknown as INodeExecutionData[]) : [];
	} catch {
		// n8n throws if there is no input.
		return [];
	}
}

/** Returns the jobs that the suspended execution waits for, keyed by job name. */
function findWaitingJobs(
	n8n: IWebhookFunctions,
	items: readonly INodeExecutionData[],
): Map<string, AwaitedJob> {
	const { jobs, kind, job_id } = n8n.getNode().parameters;
	const findJobById = (item: number) => {
		const isExpression = typeof job_id === 'string' && job_id.startsWith('=');
		const id = isExpression ? n8n.evaluateExpression(job_id.slice(1), item) : job_id;
		return parseJobId(kind ?? 'video', id);
	};
	const found = items.map(({ json }, i) => (jobs === 'id' ? findJobById(i) : findJobInItem(json)));
	return groupJobsByName(found.filter(isAwaitedJob));
}

const getCallbackState = (place: string, jobs: ReadonlyMap<string, AwaitedJob>): CallbackState =>
	callbackStates.getOrCreate(`${place} ${hashAwaitedJobs([...jobs.keys()])}`, () => ({
		ended: new Map(),
	}));

/** Returns the result of a job that has ended. Throws if the status could not be read. */
function readEndedJob(client: Client, check: JobCheckResult): EndedJob | undefined {
	if (check.outcome === 'pending') return undefined;
	if (check.outcome !== 'unreadable') return check;
	// A deleted job counts as pending here: the execution reports it at its next check.
	if (isNotFoundError(check.error)) return undefined;
	throw check.failure !== 'final'
		? createOperationError(client.node, 'The service cannot be read now')
		: toNodeError(client.node, check.error);
}

/**
 * Returns whether all jobs have ended. Checks one job, then two, then four and so on, and stops
 * when one is still pending. Even with many callbacks, each of them costs only about two requests.
 */
async function haveAllJobsEnded(
	client: Client,
	jobs: ReadonlyMap<string, AwaitedJob>,
	{ ended }: CallbackState,
): Promise<boolean> {
	const unknown = [...jobs].filter(([name]) => !ended.has(name));
	for (let from = 0, width = 1; from < unknown.length; from += width, width *= 2) {
		const some = unknown.slice(from, from + width);
		const checks = await readJobStatuses(
			client,
			some.map(([, job]) => job),
			{ attempt: Infinity },
		);
		for (const [i, check] of checks.entries()) {
			const result = readEndedJob(client, check);
			if (result) ended.set(some[i]?.[0] ?? '', { result, readAt: clock.now() });
		}
		if (some.some(([name]) => !ended.has(name))) return false;
	}
	return true;
}

/**
 * Runs a status check after a moment in which further callbacks can join, and after the check in
 * progress, which may have read a job before the job ended.
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

/** Reads the jobs of a suspended execution. Returns whether all have ended. */
async function readWaitingJobs(
	n8n: IWebhookFunctions,
	jobs: ReadonlyMap<string, AwaitedJob>,
	state: CallbackState,
): Promise<boolean> {
	const signal = AbortSignal.timeout(maxCheckTime);
	return await haveAllJobsEnded(await createClient(n8n, { signal }), jobs, state);
}

/**
 * Responds to a callback from the service. Resumes the execution with its items once all of its
 * jobs have ended.
 */
export async function handleCallback(n8n: IWebhookFunctions): Promise<IWebhookResponseData> {
	const place = getCallbackPlace(n8n);
	// The scheduled check serves this callback too. Reading the items of the execution would take
	// long if there are hundreds.
	if (scheduledPlaces.has(place)) {
		return { webhookResponse: { message: 'Received, with another call.' } };
	}
	const items = readWaitingItems(n8n);
	const jobs = findWaitingJobs(n8n, items);
	if (jobs.size === 0) return { webhookResponse: { message: 'This execution waits for no job.' } };
	// The service must not wait for the check. If it fails, n8n resumes the execution in time.
	n8n.getResponseObject().status(200).json({ message: 'Received.' });
	const answered: IWebhookResponseData = { noWebhookResponse: true };
	const state = getCallbackState(place, jobs);
	scheduledPlaces.add(place);
	try {
		if (!(await runNextCheck(state, place, async () => await readWaitingJobs(n8n, jobs, state)))) {
			return answered;
		}
	} catch (error) {
		const { message } = error as Error;
		const name = `${n8n.getNode().name} (workflow ${n8n.getWorkflow().id})`;
		n8n.logger.warn(
			`${name} was called, but could not read its jobs: ${message}. It checks again when its time has come.`,
		);
		return answered;
	}
	// In n8n 1, each call before the execution has resumed would run the rest of the workflow again.
	if (state.resumedAt !== undefined && clock.now() - state.resumedAt < resumeGracePeriod) {
		return answered;
	}
	state.resumedAt = clock.now();
	// n8n rejects this if its timer or another process has already resumed the execution.
	return { ...answered, workflowData: [items] };
}
