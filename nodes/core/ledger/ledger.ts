/**
 * Keeps a node's ledger in the execution's own data: which create requests the node has sent, and
 * which jobs they have started. n8n stores this data (the node context) with the execution, and
 * passes it on to the next attempt (Retry On Fail), to the next round of a loop, and to an
 * execution that Retry starts. Nothing that affects charges is kept only in n8n's memory.
 *
 * A run starts from the ledger, sends only what the ledger lacks, and writes its progress back.
 */
import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../clock';
import { createHashedKey } from '../digest';
import { getErrorDetails, type ErrorDetails } from '../errors/errorDetails';
import { readErrorItemDetails } from '../errors/n8n1Compat';
import { createOperationError, getErrorTextParts, type NodeError } from '../errors/nodeErrors';
import type { Job, JobKind } from '../jobs/types';
import { isObject, filterEntries, readObject, readText, getOwnProperty, omitKeys } from '../json';
import type { Balance, UploadedFile, InjectedFunctions } from '../operation';
import { runsAsAgentTool } from '../operationTraits';
import type { StoredWait } from '../suspend/suspension';

interface StoredJob extends Omit<Job, 'kind' | 'partOf'> {
	kind: string;
	partOf?: StoredJob;
}

interface StoredError {
	message: string;
	advice: string[];
	details: ErrorDetails;
}

/** Result of a create request, or its error if the request may have been carried out. */
export type CreateRequestOutcome = { result: unknown } | { error: StoredError };

export interface RequestFailure {
	item: number;
	/** Other input items that failed for the same reason. */
	otherItems?: readonly number[];
	error: NodeError;
	/** Lines shown above the error's own description. */
	hints?: readonly string[];
}

/** Failure of a request before the execution was suspended. Its items are not sent again. */
type StoredFailure = Omit<RequestFailure, 'error'> & { error: StoredError };

/** Record of a create request, or of a file upload that belongs to one, with its outcome. */
export interface CreateRequestRecord {
	origins: string[];
	/** Method and path of the operation that sent the request. */
	line?: string;
	/** Number of rows of each item, if the request was sent for several items. */
	sizes?: number[];
	/** Idempotency key of the request's first attempt. */
	key?: string;
	/** How often the service has definitely rejected the request. */
	rejections: number;
	/** Origins (see `Ledger`) of the items that were sent. Empty if nothing can have been created. */
	sent: string[];
	/** Undefined if the request was not sent, was rejected, or may be repeated with its key. */
	outcome?: CreateRequestOutcome;
	/** Whether the latest attempt at the run has sent the request, possibly before a suspension. */
	isNew?: boolean;
	/**
	 * Progress of the wait. `since`: its start in Unix milliseconds. `hasEnded`: all jobs had ended.
	 */
	wait?: { since: number; isOver?: boolean; hasEnded?: boolean };
}

interface ErrorRow {
	origin: string;
	message: string;
	/** Time when the error item was last output, in Unix milliseconds. */
	at: number;
	/** How many times in a row the error item was output with this message. */
	rounds: number;
}

interface LatestRun {
	number: number;
	execution: string;
	index: number;
	/** Whether a later attempt will continue the run, because the run has failed or is suspended. */
	isOpen: boolean;
	/** Origins (see `Ledger`) of the run's items. Kept as long as the run may be continued. */
	origins?: string[];
	wait?: StoredWait;
	rejected?: StoredFailure[];
	/** Uploaded files by item and binary field, while the execution is suspended. */
	uploads?: Record<string, UploadedFile>;
	/** Number of the run's failed attempts. n8n's own count starts over after a suspension. */
	tries?: number;
}

/**
 * Data that a node keeps in the execution. Each item has an origin, which identifies it: the number
 * of the run in which it first arrived, and its index there. The origin of a tool call is a hash of
 * its input.
 */
interface Ledger {
	/** Time when the node first ran in the execution, in Unix milliseconds. */
	begun: number;
	/** Random part of idempotency keys on n8n 1, where executions have no token of their own. */
	secret?: string;
	run?: LatestRun;
	/** Records of create requests and uploads, keyed by request ID. */
	creates: Record<string, CreateRequestRecord>;
	/** How often an item's job has failed with a temporary error, by the item's origin. */
	failures: Record<string, number>;
	/** Started jobs, by the origin of their input item. */
	jobs: Record<string, StoredJob[]>;
	/** Error items, by the ID that they contain as `details.row.id`. */
	errors: Record<string, ErrorRow>;
	/** Origins of error items that came back and then succeeded, by the error item's ID. */
	done: Record<string, string>;
	/** Whether the language model has received a tool call's result, by the origin of the call. */
	calls: Record<string, boolean>;
	balance?: Balance;
	/** Whether the node has already stopped or logged its jobs after the user's stop. */
	isStopHandled?: boolean;
}

export type FailedRow = Pick<RequestFailure, 'error' | 'hints'>;

export interface NodeRun extends Pick<Ledger, 'begun' | 'creates' | 'failures' | 'isStopHandled'> {
	/** IDs of the n8n installation, the workflow and the node. */
	node: readonly unknown[];
	secret: string;
	/** Origin (see `Ledger`) of each input item. An error item that comes back keeps its origin. */
	origins: readonly string[];
	/** Jobs that the run has started, by input item. */
	jobs: Map<number, Job[]>;
	/** Items that earlier attempts sent and that the service did not definitely reject. */
	sentItems: ReadonlySet<number>;
	/** Input items that duplicate an error item which this run continues or which has succeeded. */
	copies: ReadonlySet<number>;
	/** Balance before the first attempt, or the error if it could not be read. */
	balance?: Balance | Error;
	/** Progress of the wait for jobs, if the run was suspended and now continues. */
	wait?: StoredWait;
	/** Failures of requests, which are kept if the execution is suspended. */
	rejected: RequestFailure[];
	/** Uploaded files by item and binary field, for rows that are sent only after a suspension. */
	uploads: Record<string, UploadedFile>;
	/** Whether Retry On Fail has used all its tries, including those before a suspension. */
	hasUsedTries: boolean;
	canBeRetried: boolean;
	/** Whether the language model is repeating a call whose result it has already received. */
	repeatsEarlierCall: boolean;
	/** Returns an ID for the item's error item, by which the item is recognized if it comes back. */
	getRowId(item: number): string | undefined;
	/** Whether the same error items keep coming back to the node, as in an endless loop. */
	repeatsAllErrors(errors: ReadonlyMap<number, FailedRow>): boolean;
	suspend(wait: StoredWait): void;
	/**
	 * Records the end of the attempt in the ledger.
	 *
	 * @param items the node's output, or `undefined` if the node failed
	 * @param errors failures in the output, by input item
	 */
	end(
		items: readonly INodeExecutionData[] | undefined,
		errors: ReadonlyMap<number, FailedRow>,
	): void;
}

export function serializeError(error: NodeError): StoredError {
	const { message, advice } = getErrorTextParts(error);
	return { message, advice: [...advice], details: getErrorDetails(error) };
}

export const deserializeError = (
	node: INode,
	{ message, advice, details }: StoredError,
): NodeError => createOperationError(node, message, advice, details);

function openLedger(n8n: IExecuteFunctions): Ledger {
	let context: { videoGenLedger?: Ledger } = {};
	try {
		context = n8n.getContext('node');
	} catch {
		// Tools that the MCP Server Trigger of n8n 1 calls have no node context.
	}
	if (isObject(context.videoGenLedger)) return context.videoGenLedger;
	return (context.videoGenLedger = {
		begun: clock.now(),
		creates: {},
		failures: {},
		jobs: {},
		errors: {},
		done: {},
		calls: {},
	});
}

/**
 * Returns the execution's secret, from which idempotency keys and row IDs are derived. A restored
 * or cloned installation reuses the IDs of executions, but not their secrets. On n8n 2, the secret
 * is a token in the resume URL, which stays the same when the execution is retried. On n8n 1, it is
 * a random value in the ledger.
 */
function readExecutionSecret(n8n: IExecuteFunctions, ledger: Ledger): string {
	const { resumeUrl } = readObject(n8n.getWorkflowDataProxy(0).$execution);
	const token = /[?&]signature=([^&]+)/.exec(readText(resumeUrl) ?? '')?.[1];
	return token ?? (ledger.secret ??= randomUUID());
}

const storeJob = ({ kind, id, before, partOf }: Job): StoredJob => ({
	kind: kind.name,
	id,
	...(before && { before }),
	...(partOf && { partOf: storeJob(partOf) }),
});

/** Converts a stored job. Returns undefined if no kind of job has the stored name. */
function loadJob(
	{ kind: name, partOf, ...job }: StoredJob,
	findKind: (name: string) => JobKind | undefined,
): Job | undefined {
	const kind = findKind(name);
	if (!kind) return undefined;
	const parent = partOf && loadJob(partOf, findKind);
	return { ...job, kind, ...(parent && { partOf: parent }) };
}

/** Removes all records except those of items whose error item may come back to the node. */
function removeFinishedRows(ledger: Ledger): void {
	const open = new Set(Object.values(ledger.errors).map(({ origin }) => origin));
	const isOpen = (origin: string) => open.has(origin);
	ledger.creates = filterEntries(ledger.creates, ({ origins }) => origins.some(isOpen));
	ledger.failures = filterEntries(ledger.failures, (_, origin) => isOpen(origin));
	ledger.jobs = filterEntries(ledger.jobs, (_, origin) => isOpen(origin));
	delete ledger.balance;
}

/**
 * Whether Retry On Fail may run the node again. It does if the node has thrown an error, so that
 * `items` is undefined, or if the first output item has an `error`. Any value counts as an error in
 * n8n 1, and any value except `null` and `false` in n8n 2.
 */
const mayBeRetried = (items: readonly INodeExecutionData[] | undefined) =>
	items === undefined || items[0]?.json.error !== undefined;

function forgetLatestAttempt({ creates }: Ledger): void {
	for (const record of Object.values(creates)) {
		delete record.isNew;
		delete record.wait;
	}
}

const readRowId = ({ json }: INodeExecutionData): string | undefined =>
	readText(readObject(readErrorItemDetails(json)?.row).id);

/**
 * Returns the progress that earlier attempts have recorded in the ledger.
 *
 * @param done for each input item, its origin (see `Ledger`) if it has already come back as an
 * error item and succeeded
 */
function readProgress(
	n8n: IExecuteFunctions,
	ledger: Ledger,
	findKind: InjectedFunctions['findJobKind'],
	origins: readonly string[],
	done: ReadonlyArray<string | undefined> = [],
) {
	const sent = new Set(Object.values(ledger.creates).flatMap((create) => create.sent));
	const seen = new Set<string>();
	const [copies, sentItems] = [new Set<number>(), new Set<number>()];
	const jobs = new Map<number, Job[]>();
	for (const [item, origin] of origins.entries()) {
		const stored = getOwnProperty(ledger.jobs, origin) ?? [];
		if (sent.has(origin)) sentItems.add(item);
		const known = stored.flatMap((job) => loadJob(job, findKind) ?? []);
		if (seen.has(origin) || done[item] !== undefined) copies.add(item);
		else if (stored.length > 0) jobs.set(item, known);
		seen.add(origin);
	}
	return {
		// The node ID alone is not unique: imported workflows keep the IDs of their nodes.
		node: [n8n.getInstanceId(), n8n.getWorkflow().id, n8n.getNode().id],
		secret: readExecutionSecret(n8n, ledger),
		begun: ledger.begun,
		creates: ledger.creates,
		failures: ledger.failures,
		balance: ledger.balance,
		isStopHandled: ledger.isStopHandled,
		origins,
		jobs,
		sentItems,
		copies,
	};
}

function writeProgress(ledger: Ledger, { origins, jobs, balance, isStopHandled }: NodeRun): void {
	for (const [item, started] of jobs) {
		const origin = origins[item];
		if (origin !== undefined) ledger.jobs[origin] = started.map(storeJob);
	}
	if (isStopHandled) ledger.isStopHandled = true;
	if (balance !== undefined && !(balance instanceof Error)) ledger.balance = balance;
}

/** Number of attempts that n8n makes with Retry On Fail unless the node sets Max. Tries. */
const defaultTries = 3;

/** Milliseconds within which an error item must come back to count as part of an endless loop. */
const maxLoopTime = 60_000;
/** How many times in a row an item may have the same error before that counts as a loop. */
const maxRounds = 3;

/** Whether an error reports that a wait timed out. A loop of such errors is slow, and allowed. */
const isTimeLimit = (error: NodeError) =>
	['wait_timeout', 'not_started'].includes(getErrorDetails(error).code ?? '');

/** Returns text that identifies a failure. Prefers the code: a message may contain a time or ID. */
const describeFailure = ({ error, hints = [] }: FailedRow) =>
	[getErrorDetails(error).code ?? getErrorTextParts(error).message, ...hints].join(' ');

const countFailures = ({ failures }: Ledger) =>
	Object.values(failures).reduce((total, count) => total + count, 0);

/**
 * Continues the latest run if this is its next attempt, or if the Retry button continues it.
 * Otherwise begins a new run.
 */
function beginItemRun(
	n8n: IExecuteFunctions,
	ledger: Ledger,
	findKind: InjectedFunctions['findJobKind'],
	execution: string,
): NodeRun {
	const index = Number(n8n.getWorkflowDataProxy(0).$runIndex);
	const { run: latest } = ledger;
	const isSameExecution = latest?.execution === execution;
	const wait = isSameExecution ? latest.wait : undefined;
	// On n8n 1, a run that was suspended may have another index.
	const isAttempt = isSameExecution && (latest.index === index || wait !== undefined);
	const continues = isAttempt || (!isSameExecution && latest?.isOpen === true);
	const number = (latest?.number ?? 0) + (continues ? 0 : 1);
	if (!isSameExecution) {
		delete ledger.isStopHandled;
		delete ledger.balance;
	}
	if (!wait) forgetLatestAttempt(ledger);
	if (!continues) removeFinishedRows(ledger);
	const rowIds = n8n.getInputData().map((item) => readRowId(item) ?? '');
	const returned = rowIds.map((id) => getOwnProperty(ledger.errors, id));
	const done = rowIds.map((id) => getOwnProperty(ledger.done, id));
	const earlier = continues ? latest?.origins : undefined;
	const origins = rowIds.map(
		(_, item) => earlier?.[item] ?? returned[item]?.origin ?? done[item] ?? `${number}.${item}`,
	);
	const { rejected, uploads = {} } = (wait && latest) ?? {};
	const tries = isAttempt ? (latest.tries ?? 0) : 0;
	const identity = { number, execution, index };
	const own: LatestRun = { ...identity, isOpen: true, origins, wait, rejected, tries };
	ledger.run = own;
	const progress = readProgress(n8n, ledger, findKind, origins, done);
	const failuresBefore = countFailures(ledger);
	const canBeRetried = n8n.getNode().retryOnFail === true;
	const { secret, node } = progress;
	const getRowId = (item: number) => createHashedKey([secret, ...node, 'row', origins[item]]);
	const run: NodeRun = {
		...progress,
		wait,
		rejected: (rejected ?? []).map((failure) => ({
			...failure,
			error: deserializeError(n8n.getNode(), failure.error),
		})),
		uploads,
		canBeRetried,
		hasUsedTries: canBeRetried && tries >= (n8n.getNode().maxTries || defaultTries),
		repeatsEarlierCall: false,
		getRowId,
		repeatsAllErrors(errors) {
			const isRepeated = (row: ErrorRow | undefined, item: number) => {
				if (done[item] !== undefined) return true;
				const failed = errors.get(item);
				if (!row || !failed || isTimeLimit(failed.error)) return false;
				const isSame = row.message === describeFailure(failed);
				return isSame && row.rounds >= maxRounds && clock.now() - row.at < maxLoopTime;
			};
			const hasNewFailures = countFailures(ledger) !== failuresBefore;
			return returned.length > 0 && !hasNewFailures && returned.every(isRepeated);
		},
		suspend(latestWait) {
			writeProgress(ledger, run);
			const failures = run.rejected.map((one) => ({ ...one, error: serializeError(one.error) }));
			Object.assign(own, { wait: latestWait, rejected: failures, uploads });
		},
		end(items, errors) {
			writeProgress(ledger, run);
			const isOpen = items === undefined;
			const isRepeated = !isOpen && canBeRetried && mayBeRetried(items);
			const kept = (isOpen || isRepeated) && { origins, tries: tries + 1 };
			ledger.run = { ...identity, isOpen, ...kept };
			if (isOpen) return;
			const at = clock.now();
			for (const [item, origin] of isRepeated ? [] : origins.entries()) {
				delete ledger.errors[getRowId(item)];
				if (returned[item] && !errors.has(item)) ledger.done[getRowId(item)] = origin;
			}
			for (const [item, failed] of errors) {
				const [origin, row] = [origins[item], returned[item]];
				const message = describeFailure(failed);
				const rounds = row?.message === message ? row.rounds + 1 : 1;
				if (origin !== undefined) ledger.errors[getRowId(item)] = { origin, message, at, rounds };
			}
			// Retry On Fail runs the node again for all items. The next run then removes finished rows.
			if (!isRepeated) removeFinishedRows(ledger);
		},
	};
	return run;
}

/**
 * Begins a tool call. Identical calls share one result: n8n or the language model may repeat a call
 * or make several at once, and the Retry button starts the conversation again.
 *
 * @param isNumbered whether each of several identical calls gets its own result. If a call fails,
 * its number becomes free for a retry
 */
function beginToolCall(
	n8n: IExecuteFunctions,
	ledger: Ledger,
	findKind: InjectedFunctions['findJobKind'],
	execution: string,
	isNumbered: boolean,
): NodeRun {
	if (ledger.run?.execution !== execution) {
		ledger.run = { number: 0, execution, index: 0, isOpen: true };
		ledger.calls = {};
	}
	forgetLatestAttempt(ledger);
	// `toolCallId` differs even between identical calls. In version 3 of n8n's AI Agent, the input
	// includes the item that the agent is processing, so calls for other items usually count as
	// different.
	const input = createHashedKey([omitKeys(n8n.getInputData()[0]?.json ?? {}, 'toolCallId')]);
	let origin = input;
	if (isNumbered) {
		for (let i = 0; Object.hasOwn(ledger.calls, origin); i++) origin = `${input}.${i}`;
		ledger.calls[origin] = false;
	}
	const run: NodeRun = {
		...readProgress(n8n, ledger, findKind, [origin]),
		canBeRetried: true,
		hasUsedTries: false,
		repeatsEarlierCall: !isNumbered && ledger.calls[origin] === true,
		getRowId: () => undefined,
		repeatsAllErrors: () => false,
		// n8n cannot suspend a tool call.
		suspend: () => {},
		rejected: [],
		uploads: {},
		end(items) {
			writeProgress(ledger, run);
			if (mayBeRetried(items)) delete ledger.calls[origin];
			else ledger.calls[origin] = true;
		},
	};
	return run;
}

/**
 * Begins an attempt to run the node, with the progress of earlier attempts at the same run.
 *
 * @param repeatsIdenticalCalls whether each of several identical tool calls gets its own result
 */
export function beginNodeRun(
	n8n: IExecuteFunctions,
	repeatsIdenticalCalls: boolean,
	findKind: InjectedFunctions['findJobKind'],
): NodeRun {
	const ledger = openLedger(n8n);
	// Without an execution ID, no run can be continued.
	const execution = readText(n8n.getExecutionId()) ?? randomUUID();
	return runsAsAgentTool(n8n)
		? beginToolCall(n8n, ledger, findKind, execution, repeatsIdenticalCalls)
		: beginItemRun(n8n, ledger, findKind, execution);
}
