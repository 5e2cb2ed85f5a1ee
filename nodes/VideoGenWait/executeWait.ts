/**
 * Executes the wait node: checks the status of all jobs, and then either outputs the finished items
 * or suspends the execution until the next check. core/jobs/jobState.ts decides from a status
 * response whether a job has failed.
 */
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../core/clock';
import { createErrorItem, toRunError } from '../core/collect/failureTexts';
import { createOperationError } from '../core/errors/nodeErrors';
import { createClient, createWarningLogger, type Client } from '../core/http/client';
import {
	extendFailedReadStreak,
	describeOutage,
	hasTooManyDoubtfulReads,
	isOutageError,
	warnAboutOutage,
	type FailedReadStreak,
} from '../core/jobs/statusReadErrors';
import { readJobStatuses, type JobCheckResult, type UnreadableJob } from '../core/jobs/readJobs';
import { waitForJob } from '../core/jobs/waitForJob';
import { isSampleJob } from '../core/jobs/sampleJobs';
import { readObject, readText } from '../core/json';
import {
	recordExecutionState,
	takeStatusesReadOnCallback,
	type EndedJobCheckResult,
} from './resumeOnCallback';
import {
	findItemJobs,
	indexJobsByKindAndId,
	readItemParameters,
	type ItemWithJob,
	type AwaitedJob,
} from './inputJobs';
import { deduplicateStoredOutput } from './storedOutput';
import {
	createFinishedJobItems,
	createSuspensionItems,
	getBatchRow,
	groupJobsByItem,
	markSuspendedErrorItems,
	type AwaitedJobResult,
} from './outputItems';
import {
	clearWaitState,
	saveErrorItemsHash,
	saveFinishedItemsHash,
	saveWaitState,
	detectReturnedErrors,
	detectReturnedItems,
	hashAwaitedJobs,
	calculateNextSuspension,
	calculateOutageSuspension,
	maxWaitBeforeSuspension,
	minSuspension,
	readWaitState,
	type WaitState,
} from './schedule';
import { readWiring, copyItemsToOutputs, type OutputWiring } from './wiring';

type NamedJobs = ReadonlyMap<string, AwaitedJob>;

/**
 * Result of checking all jobs once: the jobs' results if the wait is over, otherwise the wait's
 * progress and the number of jobs that have ended.
 */
type WaitCheck = { results: Map<string, AwaitedJobResult> } | { state: WaitState; ended: number };

/**
 * Returns the updated record of failed status checks if the service could not be reached, otherwise
 * undefined.
 */
function countFailedReads(
	checks: readonly JobCheckResult[],
	before: FailedReadStreak | undefined,
): FailedReadStreak | undefined {
	const failures = checks.filter(
		(check): check is UnreadableJob =>
			check.outcome === 'unreadable' && isOutageError(check.error, check.failure),
	);
	const worst = failures.find(({ failure }) => failure === 'doubtful') ?? failures[0];
	return worst && extendFailedReadStreak(before, worst.error, worst.failure, clock.now());
}

/**
 * Checks the status of all jobs once. The wait continues if any job has not ended.
 *
 * @param ended results that callbacks have stored for ended jobs
 */
async function checkJobs(
	client: Client,
	jobs: NamedJobs,
	state: WaitState,
	ended: ReadonlyMap<string, EndedJobCheckResult>,
): Promise<WaitCheck> {
	const unknown = new Map([...jobs].filter(([name]) => !ended.has(name)));
	const read = await readJobStatuses(client, unknown, { attempt: state.checks });
	const checks = new Map<string, JobCheckResult>([...ended, ...read]);
	const failedReads = countFailedReads([...checks.values()], state.failedReads);
	const isLost = failedReads !== undefined && hasTooManyDoubtfulReads(failedReads, clock.now());
	const results = new Map<string, AwaitedJobResult>();
	for (const [name, check] of checks) {
		const isLater =
			check.outcome === 'unreadable' &&
			(check.failure === 'temporary' || (check.failure === 'doubtful' && !isLost));
		if (check.outcome !== 'pending' && !isLater) results.set(name, check);
	}
	if (results.size === checks.size) return { results };
	return { state: { ...state, checks: state.checks + 1, failedReads }, ended: results.size };
}

/**
 * Waits for all jobs without suspending the execution. Returns the result of each job.
 *
 * @param left maximum time to wait, in milliseconds
 * @param immediately whether to check the status without pausing first
 */
async function waitInPlace(
	client: Client,
	jobs: NamedJobs,
	{ left, immediately }: { left: number; immediately: boolean },
	{ since }: WaitState,
): Promise<Map<string, AwaitedJobResult>> {
	const policy = { timeout: Math.max(left / 1000, 1), immediately };
	const wait = async (job: AwaitedJob): Promise<AwaitedJobResult> => {
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

/** Creates the error for a credential that n8n cannot read, for example because it was deleted. */
const createCredentialError = (node: INode, thrown: unknown) =>
	createOperationError(
		node,
		"This node's credential cannot be used",
		`Select a credential in the node, save the workflow, and retry this execution with n8n's "Retry with currently saved workflow". The jobs continue to run in the service: do not create them again. Reason: ${(thrown as Error).message}`,
		{ code: 'credential_unusable' },
	);

/**
 * Reports that n8n cannot read the credential. Returns an error item for each input item or, if the
 * node is not set to continue on errors, throws an error.
 */
function createCredentialErrorItems(
	n8n: IExecuteFunctions,
	thrown: unknown,
	itemJobs: readonly ItemWithJob[],
): INodeExecutionData[] {
	const createError = () => createCredentialError(n8n.getNode(), thrown);
	const jobsByItem = groupJobsByItem(itemJobs);
	const [first, ...others] = jobsByItem;
	if (!n8n.continueOnFail()) {
		const failure = { item: 0, error: createError(), jobs: first?.jobs ?? [] };
		throw toRunError(failure, jobsByItem.length, others);
	}
	const rows = new Map(itemJobs.map((itemJob) => [itemJob.item, getBatchRow(itemJob)]));
	return jobsByItem.map(({ item, jobs }) =>
		createErrorItem({ item, error: createError(), jobs }, jobsByItem.length, {
			index: rows.get(item),
		}),
	);
}

const describeProgress = (ended: number, total: number) =>
	total === 1 ? 'Not finished yet' : `Not finished yet: ${ended} of ${total} jobs have ended`;

/** Shows the user a hint that explains why the execution is not suspended while the jobs run. */
function addNotSuspendedHint(n8n: IExecuteFunctions, { isLooped }: OutputWiring): void {
	const message = isLooped
		? 'The execution was not suspended: n8n would continue the calling workflow without all of its items. To call this sub-workflow with several items, use n8n 2 and the "Run once with all items" mode.'
		: 'The execution was not suspended. To suspend it while jobs run, connect Still Running to the input of this node, and Finished to the next node.';
	n8n.addExecutionHints({ message, location: 'outputPane' });
}

/** Jobs that the node waits for, and the progress of the wait. */
interface JobWait {
	jobs: NamedJobs;
	/** Hash of the jobs' kinds and IDs. */
	hash: string;
	state: WaitState;
	/** Returns the number of milliseconds until the wait times out. */
	countTimeLeft(): number;
}

/**
 * Checks the status of all jobs. If the execution cannot be suspended, or too little time remains
 * for a suspension, waits until all jobs have ended or the wait times out. Otherwise, waits only
 * briefly, after the first check, so that short jobs do not require a suspension.
 */
async function awaitJobs(
	n8n: IExecuteFunctions,
	client: Client,
	wiring: OutputWiring,
	{ jobs, hash, state, countTimeLeft }: JobWait,
): Promise<WaitCheck> {
	const wait = async (left: number, immediately = false) =>
		await waitInPlace(client, jobs, { left, immediately }, state);
	const left = countTimeLeft();
	if (left < minSuspension) return { results: await wait(left, true) };
	const check = await checkJobs(client, jobs, state, takeStatusesReadOnCallback(n8n, hash));
	if ('results' in check) return check;
	if (!wiring.canSuspend) {
		addNotSuspendedHint(n8n, wiring);
		return { results: await wait(countTimeLeft()) };
	}
	if (state.checks > 0 || check.state.failedReads) return check;
	const results = await wait(maxWaitBeforeSuspension);
	const ended = [...results.values()].filter(({ outcome }) => outcome !== 'timeout').length;
	return ended === jobs.size ? { results } : { ...check, ended };
}

/**
 * Executes the wait node. Returns the items for its outputs Still Running and Finished. Returns
 * null if the input consists of the node's own finished items or errors, which a loop in the
 * workflow has sent back.
 */
export async function executeWait(n8n: IExecuteFunctions): Promise<INodeExecutionData[][] | null> {
	// With Always Output Data, n8n would put an empty item into Still Running at the end, which has no
	// job and leads back to the node. The node never ends without items.
	n8n.getExecuteData().node.alwaysOutputData = false;
	const items = n8n.getInputData();
	const context = n8n.getContext('node');
	if (detectReturnedItems(context, items)) return null;
	if (detectReturnedErrors(context, items, clock.now())) {
		createWarningLogger(n8n)(
			`${items.length} items came back from the error output and end here: only jobs that were still running after Wait Timeout can be awaited again`,
		);
		return null;
	}
	const values = items.map((_, i) => readItemParameters(n8n, i));
	const itemJobs = findItemJobs(n8n, values);
	for (const { item, job } of itemJobs) {
		if (!(job instanceof Error) || n8n.continueOnFail()) continue;
		const jobsByItem = groupJobsByItem(itemJobs);
		const others = jobsByItem.filter((other) => other.item !== item);
		const failure = { item, error: job, jobs: jobsByItem[item]?.jobs ?? [] };
		throw toRunError(failure, items.length, others);
	}

	// Timeout and download come from the first item with valid values, file names from each item.
	const form: IDataObject = values.find((one): one is IDataObject => !(one instanceof Error)) ?? {};
	const jobs = indexJobsByKindAndId(
		itemJobs.flatMap(({ job, input }) =>
			job instanceof Error || isSampleJob(input.json, job.id) ? [] : [job],
		),
	);
	const hash = hashAwaitedJobs([...jobs.keys()]);
	const state = readWaitState(context, hash, n8n.getExecutionId(), clock.now());
	recordExecutionState(n8n, hash, true);
	const wiring = readWiring(n8n);
	const output = (finished: INodeExecutionData[]) => {
		if (wiring.returnsToNode) saveFinishedItemsHash(context, finished);
		const hasErrorOutput = n8n.getNode().onError === 'continueErrorOutput';
		if (hasErrorOutput) saveErrorItemsHash(context, finished, clock.now());
		return copyItemsToOutputs(finished, wiring.outputs, hasErrorOutput);
	};
	const countTimeLeft = () => state.since + Number(form.waitTimeout ?? 1440) * 60_000 - clock.now();
	/** Suspends the execution until the next check. `ended` is the number of jobs that have ended. */
	const suspend = async (next: WaitState, ended = 0) => {
		const awaited = jobs.size === 1 ? [...jobs.keys()].join() : `${jobs.size} jobs`;
		const zone = n8n.getTimezone();
		const failedReads =
			next.failedReads &&
			warnAboutOutage({ zone, warn: createWarningLogger(n8n) }, next.failedReads, awaited);
		saveWaitState(context, hash, { ...next, failedReads });
		const waited = clock.now() - state.since;
		const pause = failedReads
			? calculateOutageSuspension(waited, Math.random())
			: calculateNextSuspension(waited);
		deduplicateStoredOutput(n8n);
		markSuspendedErrorItems(items);
		const until = new Date(clock.now() + Math.min(pause, Math.max(countTimeLeft(), 1000)));
		await n8n.putExecutionToWait(until);
		recordExecutionState(n8n, hash, false);
		const outage = failedReads && describeOutage(failedReads, zone, clock.now());
		const message = `${outage ?? describeProgress(ended, jobs.size)}. The node checks again at ${until.toISOString()}, or as soon as the service calls back.`;
		n8n.addExecutionHints({ message, location: 'outputPane' });
		return [createSuspensionItems(items, message), []];
	};

	let client: Client;
	try {
		client = await createClient(n8n, { signal: n8n.getExecutionCancelSignal() });
	} catch (thrown) {
		const error = createCredentialError(n8n.getNode(), thrown);
		const failedReads = extendFailedReadStreak(state.failedReads, error, 'doubtful', clock.now());
		// After a suspension, the cause may be temporary, such as a busy database of n8n.
		const canTryAgain = state.checks > 0 && wiring.canSuspend && countTimeLeft() >= minSuspension;
		if (!canTryAgain || hasTooManyDoubtfulReads(failedReads, clock.now())) {
			return output(createCredentialErrorItems(n8n, thrown, itemJobs));
		}
		return await suspend({ ...state, checks: state.checks + 1, failedReads });
	}

	const check = await awaitJobs(n8n, client, wiring, { jobs, hash, state, countTimeLeft });
	if ('state' in check) return await suspend(check.state, check.ended);
	const { results } = check;
	const getDownload = (item: number) => ({
		selected: Array.isArray(form.download) ? form.download.map(String) : [],
		field: String(form.binaryPropertyName ?? 'data'),
		fileName: readText(readObject(values[item]).fileName),
	});
	// With Retry On Fail, the wait must not start again with its full timeout.
	saveWaitState(context, hash, { ...state, failedIn: n8n.getExecutionId() });
	const finished = await createFinishedJobItems(n8n, client, itemJobs, results, getDownload);
	clearWaitState(context);
	return output(finished);
}
