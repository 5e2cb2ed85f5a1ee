/**
 * Handles callbacks from the service, which resume a suspended execution when its jobs have ended.
 * Anyone who knows the URL can send a callback, so the node ignores the body and checks the status
 * of the jobs itself.
 */
import {
	deepCopy,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { createBoundedMap } from '../core/boundedMap';
import { clock } from '../core/clock';
import { isNotFound } from '../core/errors/errorDetails';
import { toNodeError, createOperationError } from '../core/errors/nodeErrors';
import { createClient, type Client } from '../core/http/client';
import { readJobs, type JobCheckResult } from '../core/jobs/readJobs';
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
 * Maximum duration of a status check in milliseconds. The service waits only 10 seconds for the
 * response to its callback.
 */
const maxCheckTime = 8_000;

/**
 * Milliseconds after an execution resumes during which further callbacks do not resume it again.
 */
const resumeGracePeriod = 60_000;

/** State shared by all callbacks that belong to the same suspended execution. */
interface CallbackState {
	/** Names of the jobs that are known to have ended. They are not checked again. */
	ended: Set<string>;
	/**
	 * Promise of the most recent status check that has started. Resolves to true if all jobs have
	 * ended.
	 */
	last?: Promise<boolean>;
	/**
	 * Promise of the scheduled status check that has not started yet. Callbacks that arrive in the
	 * meantime do not schedule another one.
	 */
	next?: Promise<boolean>;
	/** Unix time in milliseconds at which a callback resumed the execution. */
	resumedAt?: number;
}

/**
 * Callback states, keyed by execution, node and jobs. Removing a state only costs extra status
 * requests.
 */
const callbackStates = createBoundedMap<CallbackState>(5_000, 24 * 3600);

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

function getCallbackState(
	n8n: IWebhookFunctions,
	jobs: ReadonlyMap<string, AwaitedJob>,
): CallbackState {
	const place = [n8n.getWorkflow().id, n8n.getExecutionId(), n8n.getNode().id].join(' ');
	const hash = hashAwaitedJobs([...jobs.keys()]);
	return callbackStates.getOrCreate(`${place} ${hash}`, () => ({ ended: new Set() }));
}

/**
 * Returns whether a status check found that a job has ended. Throws if the status could not be
 * read.
 */
function hasEnded(client: Client, check: JobCheckResult): boolean {
	if (check.outcome !== 'unreadable') return check.outcome !== 'pending';
	// A deleted job counts as pending here: the execution reports it at its next check.
	if (isNotFound(check.error)) return false;
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
		const checks = await readJobs(
			client,
			some.map(([, job]) => job),
			{ attempt: Infinity },
		);
		for (const [i, check] of checks.entries()) {
			if (hasEnded(client, check)) ended.add(some[i]?.[0] ?? '');
		}
		if (some.some(([name]) => !ended.has(name))) return false;
	}
	return true;
}

/**
 * Schedules a status check and returns its result. Returns undefined if another callback has
 * already scheduled a check, which then serves both.
 */
function scheduleCheck(
	state: CallbackState,
	check: () => Promise<boolean>,
): Promise<boolean> | undefined {
	if (state.next) return undefined;
	state.next = (async () => {
		// The check in progress may have read a job before the job ended.
		await state.last?.catch(() => undefined);
		await clock.sleep(callbackGatherTime);
		state.last = state.next;
		state.next = undefined;
		return await check();
	})();
	return state.next;
}

/**
 * Responds to a callback from the service. Resumes the execution with its items once all of its
 * jobs have ended.
 */
export async function handleCallback(n8n: IWebhookFunctions): Promise<IWebhookResponseData> {
	const response = n8n.getResponseObject();
	const items = readWaitingItems(n8n);
	const jobs = findWaitingJobs(n8n, items);
	if (jobs.size === 0) return { webhookResponse: { message: 'This execution waits for no job.' } };
	const signal = AbortSignal.timeout(maxCheckTime);
	const state = getCallbackState(n8n, jobs);
	const check = scheduleCheck(state, async () => {
		const client = await createClient(n8n, { signal });
		return await haveAllJobsEnded(client, jobs, state);
	});
	if (!check) return { webhookResponse: { message: 'Received, with another call.' } };
	try {
		if (!(await check)) {
			return { webhookResponse: { message: 'Received. Not all jobs have ended yet.' } };
		}
	} catch (error) {
		const { message } = error as Error;
		const place = `${n8n.getNode().name} (workflow ${n8n.getWorkflow().id})`;
		n8n.logger.warn(`${place} was called, but could not read its jobs: ${message}`);
		response.status(503).json({ message: 'The jobs cannot be read now. Call again later.' });
		return { noWebhookResponse: true };
	}
	// In n8n 1, each call before the execution has resumed would run the rest of the workflow again.
	if (state.resumedAt !== undefined && clock.now() - state.resumedAt < resumeGracePeriod) {
		return { webhookResponse: { message: 'Received. The execution has already resumed.' } };
	}
	state.resumedAt = clock.now();
	// n8n rejects this if its timer or another process has already resumed the execution.
	response.status(200).json({ message: 'Received.' });
	return { noWebhookResponse: true, workflowData: [items] };
}
