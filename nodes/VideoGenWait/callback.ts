/**
 * Calls of the service to a suspended execution. What a call says is not believed: the jobs are read,
 * and the execution goes on when all of them have ended.
 */
import {
	deepCopy,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { clock } from '../core/clock';
import { isNotFound } from '../core/errors/errorDetails';
import { toNodeError, createOperationError } from '../core/errors/nodeErrors';
import { createClient, type Client } from '../core/http/client';
import { checkJob } from '../core/jobs/waitForJob';
import { callbackStates, type CallbackState } from '../core/memory';
import { groupByName, isNamedJob, findJobInItem, parseJobId, type NamedJob } from './jobReference';
import { hashJobNames } from './schedule';

/** How long calls are gathered before they are looked after as one (milliseconds). */
const callbackGatherTime = 200;

/** How long the looks after a call may take (milliseconds): the service waits for 10 seconds. */
const maxCheckTime = 8_000;

/** How long no other call wakes an execution that one has woken (milliseconds). */
const resumeGracePeriod = 60_000;

/** The items that the node waits with. */
function readWaitingItems(n8n: IWebhookFunctions): INodeExecutionData[] {
	try {
		const items = n8n.evaluateExpression('{{ $input.all() }}', 0);
		return Array.isArray(items) ? deepCopy(items as unknown as INodeExecutionData[]) : [];
	} catch {
		// n8n refuses the expression where there is no input.
		return [];
	}
}

/** The jobs that the items name, each once. */
function findWaitingJobs(
	n8n: IWebhookFunctions,
	items: readonly INodeExecutionData[],
): Map<string, NamedJob> {
	const { jobs, kind, job_id } = n8n.getNode().parameters;
	const byHand = (item: number) => {
		const isExpression = typeof job_id === 'string' && job_id.startsWith('=');
		const id = isExpression ? n8n.evaluateExpression(job_id.slice(1), item) : job_id;
		return parseJobId(kind ?? 'video', id);
	};
	const named = items.map(({ json }, i) => (jobs === 'id' ? byHand(i) : findJobInItem(json)));
	return groupByName(named.filter(isNamedJob));
}

/** What is known of these jobs of this execution. */
function getCallbackState(
	n8n: IWebhookFunctions,
	jobs: ReadonlyMap<string, NamedJob>,
): CallbackState {
	const place = [n8n.getWorkflow().id, n8n.getExecutionId(), n8n.getNode().id].join(' ');
	const mark = hashJobNames([...jobs.keys()]);
	return callbackStates.getOrCreate(`${place} ${mark}`, () => ({ ended: new Set() }));
}

async function hasJobEnded(client: Client, { kind, id }: NamedJob): Promise<boolean> {
	try {
		const { outcome } = await checkJob(client, { kind: kind.job, id }, Infinity);
		if (outcome === 'unread')
			throw createOperationError(client.node, 'The service is out of order');
		return outcome !== 'pending';
	} catch (error) {
		// What becomes of a job that was deleted is told at the next look of the execution itself.
		if (isNotFound(error)) return false;
		throw toNodeError(client.node, error);
	}
}

/**
 * Whether all jobs have ended. It reads twice as many each time, until one is found that has not: a
 * call for each of many jobs costs about two reads.
 */
async function haveAllEnded(
	client: Client,
	jobs: ReadonlyMap<string, NamedJob>,
	{ ended }: CallbackState,
): Promise<boolean> {
	const unknown = [...jobs].filter(([name]) => !ended.has(name));
	for (let from = 0, width = 1; from < unknown.length; from += width, width *= 2) {
		const found = await Promise.all(
			unknown.slice(from, from + width).map(async ([name, job]) => {
				const isOver = await hasJobEnded(client, job);
				if (isOver) ended.add(name);
				return isOver;
			}),
		);
		if (found.includes(false)) return false;
	}
	return true;
}

/**
 * The look that begins next, or nothing where another call has asked for it already: calls that come
 * before it begins share it, in a burst all of them.
 */
function scheduleCheck(
	known: CallbackState,
	look: () => Promise<boolean>,
): Promise<boolean> | undefined {
	if (known.next) return undefined;
	known.next = (async () => {
		// The look that is under way may have read a job before it ended.
		await known.last?.catch(() => undefined);
		await clock.sleep(callbackGatherTime);
		known.last = known.next;
		known.next = undefined;
		return await look();
	})();
	return known.next;
}

/** Answers a call, and lets the execution go on with its items when all of their jobs have ended. */
export async function answerCallback(n8n: IWebhookFunctions): Promise<IWebhookResponseData> {
	const response = n8n.getResponseObject();
	const items = readWaitingItems(n8n);
	const jobs = findWaitingJobs(n8n, items);
	if (jobs.size === 0) return { webhookResponse: { message: 'No job is waited for here.' } };
	const signal = AbortSignal.timeout(maxCheckTime);
	const known = getCallbackState(n8n, jobs);
	const look = scheduleCheck(known, async () => {
		const client = await createClient(n8n, { signal });
		return await haveAllEnded(client, jobs, known);
	});
	if (!look) return { webhookResponse: { message: 'Received, with another call.' } };
	try {
		if (!(await look)) {
			return { webhookResponse: { message: 'Received. Not all jobs have ended yet.' } };
		}
	} catch (error) {
		const { message } = error as Error;
		const place = `${n8n.getNode().name} (workflow ${n8n.getWorkflow().id})`;
		n8n.logger.warn(`${place} was called, but could not read its jobs: ${message}`);
		response.status(503).json({ message: 'The jobs cannot be read now. Call again later.' });
		return { noWebhookResponse: true };
	}
	// n8n 1 lets every call that was there before the first one woke it run the rest once more.
	if (known.woken !== undefined && clock.now() - known.woken < resumeGracePeriod) {
		return { webhookResponse: { message: 'Received. The execution goes on already.' } };
	}
	known.woken = clock.now();
	// Should n8n be going on already, by its own clock or in another process, it fails at this call.
	response.status(200).json({ message: 'Received.' });
	return { noWebhookResponse: true, workflowData: [items] };
}
