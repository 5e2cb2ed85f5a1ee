/**
 * Executes the wait node: checks the status of all jobs, then outputs the finished items or
 * suspends the execution until the next check.
 */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../core/clock';
import { createErrorItem, toRunError } from '../core/collect/renderFailure';
import { createOperationError, type NodeError } from '../core/errors/nodeErrors';
import { createClient, type Client } from '../core/http/client';
import {
	addFailedRead,
	describeFailedReads,
	hasLostAccess,
	isOutageError,
	warnAboutOutage,
	type FailedReads,
} from '../core/jobs/failedReads';
import { readJobs, type JobCheckResult, type UnreadableJob } from '../core/jobs/readJobs';
import { waitForJob } from '../core/jobs/waitForJob';
import { isSampleJob } from '../core/jobs/sampleJobs';
import { readObject, readText } from '../core/json';
import { takeEndedJobs, type EndedJob } from './callback';
import {
	findItemJobs,
	groupJobsByName,
	readItemParameters,
	type ItemWithJob,
	type AwaitedJob,
} from './inputJobs';
import { shareStoredItems } from './storedChecks';
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
	calculateOutageSuspension,
	minSuspension,
	readWaitState,
	type WaitState,
} from './schedule';

type NamedJobs = ReadonlyMap<string, AwaitedJob>;

/**
 * Result of a check of all jobs: their results by name, or the state of a wait that continues and the
 * number of jobs that have ended.
 */
type WaitCheck = { results: Map<string, WaitResult> } | { state: WaitState; ended: number };

/** Returns the failed reads of the wait after a check, or undefined if the service was readable. */
function countFailedReads(
	checks: readonly JobCheckResult[],
	before: FailedReads | undefined,
): FailedReads | undefined {
	const failures = checks.filter(
		(check): check is UnreadableJob =>
			check.outcome === 'unreadable' && isOutageError(check.error, check.failure),
	);
	const worst = failures.find(({ failure }) => failure === 'doubtful') ?? failures[0];
	return worst && addFailedRead(before, worst.error, worst.failure, clock.now());
}

/**
 * Checks the status of all jobs once. The wait continues if any job needs another check.
 *
 * @param ended jobs that a callback has read already
 */
async function checkJobs(
	client: Client,
	jobs: NamedJobs,
	state: WaitState,
	ended: ReadonlyMap<string, EndedJob>,
): Promise<WaitCheck> {
	const unknown = [...jobs].filter(([name]) => !ended.has(name));
	const read = await readJobs(
		client,
		unknown.map(([, job]) => job),
		{ attempt: state.checks },
	);
	const checks: JobCheckResult[] = [...ended.values(), ...read];
	const failed = countFailedReads(checks, state.failed);
	const isLost = failed !== undefined && hasLostAccess(failed, clock.now());
	const names = [...ended.keys(), ...unknown.map(([name]) => name)];
	const results = new Map<string, WaitResult>();
	for (const [i, check] of checks.entries()) {
		const isLater =
			check.outcome === 'unreadable' &&
			(check.failure === 'temporary' || (check.failure === 'doubtful' && !isLost));
		if (check.outcome !== 'pending' && !isLater) results.set(names[i] ?? '', check);
	}
	if (results.size === checks.length) return { results };
	return { state: { ...state, checks: state.checks + 1, failed }, ended: results.size };
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
			return { outcome: 'unreadable', job, error, failure: 'final' };
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

/**
 * Returns error items for a credential that cannot be used, for example because it was deleted while
 * the execution was suspended. Throws the error unless Continue On Fail is on.
 */
function createCredentialErrorItems(
	n8n: IExecuteFunctions,
	thrown: unknown,
	itemJobs: readonly ItemWithJob[],
): INodeExecutionData[] {
	const createError = () =>
		createOperationError(
			n8n.getNode(),
			'The credential of this node cannot be used',
			`Choose a credential in the node, save the workflow and choose n8n's "Retry with currently saved workflow" for this execution. The jobs continue to run in the service: do not create them again. Reason: ${(thrown as Error).message}`,
			{ code: 'credential_unusable' },
		);
	const all = itemJobs.map(toItemJobs);
	const [first, ...others] = all;
	if (!n8n.continueOnFail()) {
		const failure = { item: 0, error: createError(), jobs: first?.jobs ?? [] };
		throw toRunError(failure, all.length, others);
	}
	return all.map(({ item, jobs }) =>
		createErrorItem({ item, error: createError(), jobs }, all.length),
	);
}

const describeProgress = (ended: number, all: number) =>
	all === 1 ? 'Not finished yet' : `Not finished yet: ${ended} of ${all} jobs have ended`;

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
	const jobs = groupJobsByName(
		itemJobs.flatMap(({ job, input }) =>
			job instanceof Error || isSampleJob(input.json, job.id) ? [] : [job],
		),
	);
	const context = n8n.getContext('node');
	const hash = hashAwaitedJobs([...jobs.keys()]);
	const state = readWaitState(context, hash, clock.now());
	let client: Client;
	try {
		client = await createClient(n8n, { signal: n8n.getExecutionCancelSignal() });
	} catch (thrown) {
		return [[], createCredentialErrorItems(n8n, thrown, itemJobs)];
	}
	const countTimeLeft = () => state.since + Number(form.waitTimeout ?? 1440) * 60_000 - clock.now();

	const check: WaitCheck =
		countTimeLeft() < minSuspension
			? { results: await waitInPlace(client, jobs, countTimeLeft(), state) }
			: await checkJobs(client, jobs, state, takeEndedJobs(n8n, hash));
	if ('state' in check) {
		if (!isLoopConnected(n8n)) throw createNotConnectedBackError(n8n, itemJobs);
		const awaited = jobs.size === 1 ? [...jobs.keys()].join() : `${jobs.size} jobs`;
		const failed = check.state.failed && warnAboutOutage(client, check.state.failed, awaited);
		saveWaitState(context, hash, { ...check.state, failed });
		const waited = clock.now() - state.since;
		const pause = failed
			? calculateOutageSuspension(waited, Math.random())
			: calculateNextSuspension(waited);
		shareStoredItems(n8n);
		const until = new Date(clock.now() + Math.min(pause, Math.max(countTimeLeft(), 1000)));
		await n8n.putExecutionToWait(until);
		const outage = failed && describeFailedReads(failed, client.zone, clock.now());
		const progress = outage ?? describeProgress(check.ended, jobs.size);
		const message = `${progress}. The node checks again at ${until.toISOString()}, or when the service calls.`;
		n8n.addExecutionHints({ message, location: 'outputPane' });
		return [createStillRunningItems(items, message), []];
	}
	const { results } = check;
	clearWaitState(context);
	const getDownload = (item: number) => ({
		selected: Array.isArray(form.download) ? form.download.map(String) : [],
		field: String(form.binaryPropertyName ?? 'data'),
		fileName: readText(readObject(values[item]).fileName),
	});
	return [[], await createFinishedItems(n8n, client, itemJobs, results, getDownload)];
}
