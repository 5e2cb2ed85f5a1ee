/**
 * Executes the wait node: checks the status of all jobs, then outputs the finished items or
 * suspends the execution until the next check.
 */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../core/clock';
import { toRunError } from '../core/collect/renderFailure';
import { createOperationError, type NodeError } from '../core/errors/nodeErrors';
import { createClient, type Client } from '../core/http/client';
import { readJobs, type JobCheckResult } from '../core/jobs/readJobs';
import { waitForJob } from '../core/jobs/waitForJob';
import { readObject, readText } from '../core/json';
import {
	findItemJobs,
	groupJobsByName,
	readItemParameters,
	type ItemWithJob,
	type AwaitedJob,
} from './inputJobs';
import { isLoopConnected } from './stillRunningConnection';
import {
	createFinishedItems,
	createStillRunningItems,
	toItemJobs,
	type WaitResult,
} from './outputItems';
import {
	clearWaitState,
	saveWaitState,
	hashAwaitedJobs,
	calculateNextSuspension,
	minSuspension,
	readWaitState,
	type WaitState,
} from './schedule';

type NamedJobs = ReadonlyMap<string, AwaitedJob>;

/**
 * Returns whether a job needs no further status check: it has ended, or its status cannot be read
 * and a retry would not help.
 */
const isFinal = (check: JobCheckResult): check is Exclude<JobCheckResult, { outcome: 'pending' }> =>
	check.outcome !== 'pending' && !(check.outcome === 'unreadable' && check.isTransient);

/**
 * Checks the status of all jobs once. Returns their results by job name, or undefined if any job
 * needs another check.
 */
async function checkJobs(
	client: Client,
	jobs: NamedJobs,
	attempt: number,
): Promise<Map<string, WaitResult> | undefined> {
	const checks = await readJobs(client, [...jobs.values()], { attempt });
	const names = [...jobs.keys()];
	return checks.every(isFinal)
		? new Map(checks.map((check, i) => [names[i] ?? '', check]))
		: undefined;
}

/**
 * Waits for all jobs without suspending the execution, because the time left is shorter than the
 * shortest suspension. Returns the results by job name.
 *
 * @param left milliseconds until the wait times out
 */
async function waitInPlace(
	client: Client,
	jobs: NamedJobs,
	left: number,
	{ since }: WaitState,
): Promise<Map<string, WaitResult>> {
	const policy = { timeout: Math.max(left / 1000, 1), immediately: true };
	const wait = async (job: AwaitedJob): Promise<WaitResult> => {
		try {
			const outcome = await waitForJob(client, job, policy);
			if (outcome.outcome !== 'timeout') return outcome;
			return { ...outcome, waited: (clock.now() - since) / 1000 };
		} catch (error) {
			return { outcome: 'unreadable', job, error, isTransient: false };
		}
	};
	const results = await Promise.all(
		[...jobs].map(async ([name, job]) => [name, await wait(job)] as const),
	);
	return new Map(results);
}

function createNotConnectedBackError(
	n8n: IExecuteFunctions,
	itemJobs: readonly ItemWithJob[],
): NodeError {
	const error = createOperationError(
		n8n.getNode(),
		'The output "Still Running" is not connected back to the input of this node',
		'Connect Still Running to the input of this node, and Finished to the next node. Without that, n8n would end the execution at the first check, without any items.',
		{ code: 'no_loop' },
	);
	const [first, ...others] = itemJobs.map(toItemJobs);
	const failure = { item: 0, error, jobs: first?.jobs ?? [] };
	return toRunError(failure, itemJobs.length, others);
}

/** Executes the wait node. Returns the items for its two outputs, Still Running and Finished. */
export async function executeWait(n8n: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = n8n.getInputData();
	const values = items.map((_, i) => readItemParameters(n8n, i));
	const itemJobs = findItemJobs(n8n, values);
	for (const { item, job } of itemJobs) {
		if (!(job instanceof Error) || n8n.continueOnFail()) continue;
		throw toRunError({ item, error: job, jobs: [] }, items.length, []);
	}

	// Timeout and download come from the first item with valid values, file names from each item.
	const form: IDataObject = values.find((one): one is IDataObject => !(one instanceof Error)) ?? {};
	const jobs = groupJobsByName(itemJobs.flatMap(({ job }) => (job instanceof Error ? [] : [job])));
	const context = n8n.getContext('node');
	const hash = hashAwaitedJobs([...jobs.keys()]);
	const state = readWaitState(context, hash, clock.now());
	const client = await createClient(n8n, { signal: n8n.getExecutionCancelSignal() });
	const countTimeLeft = () => state.since + Number(form.waitTimeout ?? 1440) * 60_000 - clock.now();

	const results =
		countTimeLeft() < minSuspension
			? await waitInPlace(client, jobs, countTimeLeft(), state)
			: await checkJobs(client, jobs, state.checks);
	if (results === undefined) {
		if (!isLoopConnected(n8n)) throw createNotConnectedBackError(n8n, itemJobs);
		saveWaitState(context, hash, { ...state, checks: state.checks + 1 });
		const pause = Math.min(
			calculateNextSuspension(clock.now() - state.since),
			Math.max(countTimeLeft(), 1000),
		);
		const until = new Date(clock.now() + pause);
		await n8n.putExecutionToWait(until);
		return [createStillRunningItems(items, until), []];
	}
	clearWaitState(context);
	const getDownload = (item: number) => ({
		selected: Array.isArray(form.download) ? form.download.map(String) : [],
		field: String(form.binaryPropertyName ?? 'data'),
		fileName: readText(readObject(values[item]).fileName),
	});
	return [[], await createFinishedItems(n8n, client, itemJobs, results, getDownload)];
}
