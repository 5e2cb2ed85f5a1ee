/** One look of a wait: gives out what is finished, or puts the execution aside until the next look. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../core/clock';
import { createOperationError, type NodeError } from '../core/errors/nodeErrors';
import { createClient, type Client } from '../core/http/client';
import { checkJob, waitForJob, type UnfinishedJob } from '../core/jobs/waitForJob';
import { toRunError } from '../core/collect/renderFailure';
import { findItemJobs, readItemParameters } from './inputJobs';
import { isLoopConnected } from './loop';
import { groupByName, type NamedJob } from './jobReference';
import { createFinishedItems, toItemJobs, type ItemJob, type JobResult } from './finishedItems';
import {
	clearWaitState,
	saveWaitState,
	hashJobNames,
	nextSuspension,
	minSuspension,
	readWaitState,
	type WaitState,
} from './schedule';

type UnreadableJob = Extract<JobResult, { outcome: 'unreadable' }>;

/** Does something for all jobs at the same time; what went wrong with one is its own ending. */
async function forEachJob<T>(
	jobs: ReadonlyMap<string, NamedJob>,
	act: (job: NamedJob) => Promise<T>,
): Promise<Map<string, T | UnreadableJob>> {
	const found = new Map<string, T | UnreadableJob>();
	await Promise.all(
		[...jobs].map(async ([name, job]) => {
			try {
				found.set(name, await act(job));
			} catch (error) {
				found.set(name, { outcome: 'unreadable', error });
			}
		}),
	);
	return found;
}

const isFinal = (found: JobResult | UnfinishedJob): found is JobResult =>
	found.outcome !== 'pending' && found.outcome !== 'unread';

/** How all jobs have ended, by one look; nothing while one of them has not. */
async function checkJobs(
	client: Client,
	jobs: ReadonlyMap<string, NamedJob>,
	looks: number,
): Promise<Map<string, JobResult> | undefined> {
	const found = await forEachJob(jobs, async ({ kind, id }) =>
		checkJob(client, { kind: kind.job, id }, looks),
	);
	const ended = new Map<string, JobResult>();
	for (const [name, one] of found) if (isFinal(one)) ended.set(name, one);
	return ended.size === found.size ? ended : undefined;
}

/** How all jobs end within a time that is too short for a suspension (milliseconds). */
async function waitInPlace(
	client: Client,
	jobs: ReadonlyMap<string, NamedJob>,
	left: number,
	{ since }: WaitState,
): Promise<Map<string, JobResult>> {
	return await forEachJob(jobs, async ({ kind, id }): Promise<JobResult> => {
		const policy = { timeout: Math.max(left / 1000, 1), atOnce: true };
		const ending = await waitForJob(client, { kind: kind.job, id }, policy);
		if (ending.outcome !== 'timeout') return ending;
		return { ...ending, waited: (clock.now() - since) / 1000 };
	});
}

/** The error of a node that would never look again. */
function createNotConnectedBackError(n8n: IExecuteFunctions, asked: readonly ItemJob[]): NodeError {
	const error = createOperationError(
		n8n.getNode(),
		'The output "Still Running" is not connected back to the input of this node',
		'Draw a line from Still Running to the input of this node, and one from Finished to what comes next. Without it, n8n would end the execution at the first look, with nothing.',
		{ code: 'no_loop' },
	);
	const [first, ...others] = asked.map(toItemJobs);
	return toRunError({ item: 0, error, jobs: first?.jobs ?? [] }, asked.length, others);
}

/** The items as they are seen while the execution is put aside. A copy: n8n empties what it is given. */
const createStillRunningItems = (
	items: readonly INodeExecutionData[],
	until: Date,
): INodeExecutionData[] =>
	items.map((item, i) => ({
		...item,
		json: {
			...item.json,
			still_running: `Not finished yet. The node looks again at ${until.toISOString()}, or when the service calls.`,
		},
		pairedItem: { item: i },
	}));

/** Executes the node. */
export async function executeWait(n8n: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = n8n.getInputData();
	const values = items.map((_, i) => readItemParameters(n8n, i));
	const asked = findItemJobs(n8n, values);
	for (const { item, job } of asked) {
		if (!(job instanceof Error) || n8n.continueOnFail()) continue;
		throw toRunError({ item, error: job, jobs: [] }, asked.length, []);
	}

	// What stands for all items is taken from the first that is right.
	const form: IDataObject = values.find((one): one is IDataObject => !(one instanceof Error)) ?? {};
	const jobs = groupByName(
		asked.flatMap(({ job: named }) => (named instanceof Error ? [] : [named])),
	);
	const context = n8n.getContext('node');
	const mark = hashJobNames([...jobs.keys()]);
	const started = readWaitState(context, mark, clock.now());
	const client = await createClient(n8n, { signal: n8n.getExecutionCancelSignal() });
	const left = () => started.since + Number(form.waitTimeout ?? 1440) * 60_000 - clock.now();

	const endings =
		left() < minSuspension
			? await waitInPlace(client, jobs, left(), started)
			: await checkJobs(client, jobs, started.looks);
	if (endings === undefined) {
		if (!isLoopConnected(n8n)) throw createNotConnectedBackError(n8n, asked);
		saveWaitState(context, mark, { ...started, looks: started.looks + 1 });
		const pause = Math.min(nextSuspension(clock.now() - started.since), Math.max(left(), 1000));
		const until = new Date(clock.now() + pause);
		await n8n.putExecutionToWait(until);
		return [createStillRunningItems(items, until), []];
	}
	clearWaitState(context);
	const wishes = {
		chosen: Array.isArray(form.download) ? form.download.map(String) : [],
		field: String(form.binaryPropertyName ?? 'data'),
	};
	return [[], await createFinishedItems(n8n, client, asked, endings, wishes)];
}
