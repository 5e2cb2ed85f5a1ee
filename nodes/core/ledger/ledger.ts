/**
 * Keeps the ledger of a node in the execution's own data: which create requests its runs have sent,
 * and which jobs these have started. n8n stores the node context with the execution, and passes it
 * to the next attempt (Retry On Fail), to the next round of a loop and to the execution that the
 * Retry button starts. The n8n process itself remembers nothing that money depends on.
 */
import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../clock';
import { getErrorDetails, type ErrorDetails } from '../errors/errorDetails';
import { createOperationError, getErrorTextParts, type NodeError } from '../errors/nodeErrors';
import type { Job, JobKind } from '../jobs/types';
import { isObject, pickEntries, readObject, readText } from '../json';
import type { Balance, UploadedFile } from '../operation';
import type { StoredWait } from '../suspend/suspension';

/** Job as the ledger stores it: with the name of its kind. */
interface StoredJob extends Omit<Job, 'kind' | 'partOf'> {
	kind: string;
	partOf?: StoredJob;
}

/** Error as the ledger stores it. */
export interface StoredError {
	message: string;
	advice: string[];
	details: ErrorDetails;
}

/**
 * Outcome of a create request: its result, or the error of a request that may have been carried
 * out although no usable response arrived.
 */
export type CreateOutcome = { result: unknown } | { error: StoredError };

/** Items whose request failed before the execution was suspended. They are not sent again. */
export interface StoredFailure {
	item: number;
	otherItems?: readonly number[];
	hints?: readonly string[];
	error: StoredError;
}

/** Create request of the node, or an upload for it, and what has become of it. */
export interface CreateRecord {
	/** Origins of its items, in the order sent. */
	origins: string[];
	/** HTTP method and path of the operation that sent it. */
	line?: string;
	/** Number of rows that each item has in it, if several items were sent together. */
	sizes?: number[];
	/** Idempotency key of the first attempt. */
	key?: string;
	/** How often the service has definitely rejected the request. */
	rejections: number;
	/** Origins of the items that were sent, except those for which nothing was created. */
	sent: string[];
	/** Undefined if the request was not sent, was rejected, or may be sent again with its key. */
	outcome?: CreateOutcome;
	/** Whether the latest attempt has sent it, also before the execution was suspended. */
	isNew?: boolean;
	/**
	 * The latest attempt's wait for its jobs: when it began, in Unix milliseconds, whether it is over,
	 * and whether all jobs had ended then.
	 */
	wait?: { since: number; isOver?: boolean; hasEnded?: boolean };
}

/** Error item that the node has output. */
export interface ErrorRow {
	origin: string;
	/** Error code or message, and hints. */
	message: string;
	/** Time of the output, in Unix milliseconds. */
	at: number;
	/** How many times in a row the item has been output with this message. */
	rounds: number;
}

/** The latest run of the node. */
export interface LatestRun {
	number: number;
	execution: string;
	index: number;
	/** Whether it ended with an error or is suspended, so that it is continued. */
	isOpen: boolean;
	/** Origins of its items, while it may be continued. */
	origins?: string[];
	/** Set while the run has suspended the execution. */
	wait?: StoredWait;
	/** Failures before the execution was suspended. */
	rejected?: StoredFailure[];
	/** Files uploaded before the execution was suspended, by item and binary field. */
	uploads?: Record<string, UploadedFile>;
	/** Failed attempts at it in this execution: n8n counts from the start after a suspension. */
	tries?: number;
}

/**
 * Ledger of a node in an execution. An item's origin is the number of the run in which it first
 * arrived, and its index in that run. The origin of a tool call is derived from its input.
 */
export interface Ledger {
	/** When the node first ran in the execution, in Unix milliseconds. */
	begun: number;
	/** Random part of the keys. Only on n8n 1, where executions have no token of their own. */
	secret?: string;
	run?: LatestRun;
	/** Records of create requests and uploads by request ID. */
	creates: Record<string, CreateRecord>;
	/** How often the job of an item has failed for a temporary reason, by origin. */
	failures: Record<string, number>;
	/** Started jobs by the origin of their item. */
	jobs: Record<string, StoredJob[]>;
	/** Error items by the ID that they contain as `details.row.id`. */
	errors: Record<string, ErrorRow>;
	/** Origins of error items that have come back and succeeded, by their ID. */
	done: Record<string, string>;
	/** Tool calls of the latest execution by origin: whether the language model has their result. */
	calls: Record<string, boolean>;
	/** Before the first attempt. */
	balance?: Balance;
	/** Whether the jobs have been stopped or logged because the user stopped the execution. */
	isStopHandled?: boolean;
}

/** Error of an input item. */
export interface FailedRow {
	error: NodeError;
	/** Sentences to show with it. */
	hints?: readonly string[];
}

/** Attempt at a run of the node, with the progress of all attempts at this run. */
export interface NodeRun extends Pick<Ledger, 'begun' | 'creates' | 'failures' | 'isStopHandled'> {
	/** Identifiers of the n8n installation, the workflow and the node. */
	node: readonly unknown[];
	/** Of the execution. */
	secret: string;
	/** Origin of each input item. An error item that comes back to the node keeps its origin. */
	origins: readonly string[];
	/** Jobs that the run has started, keyed by the index of the input item. */
	jobs: Map<number, Job[]>;
	/** Indexes of the items that earlier attempts have sent, and that were not definitely rejected. */
	sentItems: ReadonlySet<number>;
	/** Indexes of error items whose copy is continued in this run, or has succeeded before. */
	copies: ReadonlySet<number>;
	/** Before the first attempt, or the error that occurred while reading it. */
	balance?: Balance | Error;
	/** Progress of the wait if the run has been suspended, and now continues. */
	wait?: StoredWait;
	/** Failures of requests before the execution was suspended. */
	rejected: readonly StoredFailure[];
	/**
	 * Uploaded files by item and binary field. Kept while the execution is suspended: requests that wait
	 * to be sent need them when it resumes.
	 */
	uploads: Record<string, UploadedFile>;
	/** Whether Retry On Fail has had all of its tries, also those before a suspension. */
	hasUsedTries: boolean;
	/** Whether n8n may run the node again if this attempt fails. */
	canBeRetried: boolean;
	/** Whether the language model is repeating a call whose result it has already received. */
	repeatsEarlierCall: boolean;
	/** ID that the error item of an input item contains, so that it is recognized if it returns. */
	getRowId(item: number): string | undefined;
	/**
	 * Whether all input items are error items of this node that have come back at once, and each
	 * of them has failed with the same error several times. Such a loop would never end.
	 */
	repeatsAllErrors(errors: ReadonlyMap<number, FailedRow>): boolean;
	/** Stores the progress of the attempt before its execution is suspended. */
	suspend(wait: StoredWait, rejected: StoredFailure[]): void;
	/**
	 * Ends the attempt. `items` is the node's output, or `undefined` if the node failed with an
	 * error. `errors` are those in the output by input item.
	 */
	end(
		items: readonly INodeExecutionData[] | undefined,
		errors: ReadonlyMap<number, FailedRow>,
	): void;
}

function readNodeContext(n8n: IExecuteFunctions): { videoGenLedger?: Ledger } {
	try {
		return n8n.getContext('node');
	} catch {
		// A tool that the MCP Server Trigger of n8n 1 calls has none.
		return {};
	}
}

export function storeError(error: NodeError): StoredError {
	const { message, advice } = getErrorTextParts(error);
	return { message, advice: [...advice], details: getErrorDetails(error) };
}

export const loadError = (node: INode, { message, advice, details }: StoredError): NodeError =>
	createOperationError(node, message, advice, details);

/** Returns the node's ledger in this execution. Creates it if there is none. */
export function openLedger(n8n: IExecuteFunctions): Ledger {
	const context = readNodeContext(n8n);
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
 * Returns a secret of the execution, from which keys and row IDs are hashed. An n8n installation
 * that was cloned or restored from a backup reuses the IDs of executions, but not their secrets. On
 * n8n 2, the secret is a token that n8n stores from the start of the execution, keeps when the
 * execution is retried, and adds to its resume URL. On n8n 1, it is a random value in the ledger.
 */
export function readExecutionSecret(n8n: IExecuteFunctions, ledger: Ledger): string {
	const { resumeUrl } = readObject(n8n.getWorkflowDataProxy(0).$execution);
	const token = /[?&]signature=([^&]+)/.exec(readText(resumeUrl) ?? '')?.[1];
	return token ?? (ledger.secret ??= randomUUID());
}

export const storeJob = ({ kind, id, before, partOf }: Job): StoredJob => ({
	kind: kind.name,
	id,
	...(before && { before }),
	...(partOf && { partOf: storeJob(partOf) }),
});

/** Returns a stored job with its kind. Undefined if no kind has the stored name. */
export function loadJob(
	{ kind: name, partOf, ...job }: StoredJob,
	findKind: (name: string) => JobKind | undefined,
): Job | undefined {
	const kind = findKind(name);
	if (!kind) return undefined;
	const parent = partOf && loadJob(partOf, findKind);
	return { ...job, kind, ...(parent && { partOf: parent }) };
}

/** Keeps only what error items need that may come back to the node's input. */
export function removeFinishedRows(ledger: Ledger): void {
	const open = new Set(Object.values(ledger.errors).map(({ origin }) => origin));
	const isOpen = (origin: string) => open.has(origin);
	ledger.creates = pickEntries(ledger.creates, ({ origins }) => origins.some(isOpen));
	ledger.failures = pickEntries(ledger.failures, (_, origin) => isOpen(origin));
	ledger.jobs = pickEntries(ledger.jobs, (_, origin) => isOpen(origin));
	delete ledger.balance;
}
