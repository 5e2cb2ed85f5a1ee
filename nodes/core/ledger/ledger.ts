/**
 * Keeps the ledger of a node in the execution's own data: which create requests it has sent, and
 * which jobs these have started. n8n stores the node context with the execution, and passes it to
 * the next attempt (Retry On Fail), round of a loop, and execution that Retry starts. The n8n
 * process remembers nothing that money depends on.
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

interface StoredJob extends Omit<Job, 'kind' | 'partOf'> {
	kind: string;
	partOf?: StoredJob;
}

export interface StoredError {
	message: string;
	advice: string[];
	details: ErrorDetails;
}

/** Result of a create request, or the error after which nobody knows whether it was carried out. */
export type CreateOutcome = { result: unknown } | { error: StoredError };

export interface RequestFailure {
	item: number;
	/** Input items that failed for the same reason. */
	otherItems?: readonly number[];
	error: NodeError;
	/** Shown above the error's own description. */
	hints?: readonly string[];
}

/** Items whose request failed before a suspension. They are not sent again. */
type StoredFailure = Omit<RequestFailure, 'error'> & { error: StoredError };

/** Create request of the node, or an upload for it, and what has become of it. */
export interface CreateRecord {
	origins: string[];
	/** Method and path of the operation that sent it. */
	line?: string;
	/** Number of rows of each item, if several items were sent together. */
	sizes?: number[];
	/** Idempotency key of the first attempt. */
	key?: string;
	/** How often the service has definitely rejected it. */
	rejections: number;
	/** Origins of the items that were sent, except those for which nothing was created. */
	sent: string[];
	/** Undefined if the request was not sent, was rejected, or may be sent again with its key. */
	outcome?: CreateOutcome;
	/** Whether the latest attempt has sent it, also before the execution was suspended. */
	isNew?: boolean;
	/** Wait for its jobs: since when (Unix milliseconds), whether it is over, and all had ended. */
	wait?: { since: number; isOver?: boolean; hasEnded?: boolean };
}

export interface ErrorRow {
	origin: string;
	message: string;
	/** Time of the output, in Unix milliseconds. */
	at: number;
	/** How many times in a row it was output with this message. */
	rounds: number;
}

export interface LatestRun {
	number: number;
	execution: string;
	index: number;
	/** Whether it ended with an error or is suspended, so that it is continued. */
	isOpen: boolean;
	/** Origins of its items, while it may be continued. */
	origins?: string[];
	wait?: StoredWait;
	rejected?: StoredFailure[];
	/** By item and binary field, while the execution is suspended. */
	uploads?: Record<string, UploadedFile>;
	/** Failed attempts at it in this execution: n8n counts from the start after a suspension. */
	tries?: number;
}

/**
 * An item's origin is the number of the run in which it first arrived, and its index there. The
 * origin of a tool call is derived from its input.
 */
export interface Ledger {
	/** When the node first ran in the execution, in Unix milliseconds. */
	begun: number;
	/** Random part of the keys. Only on n8n 1, where executions have no token of their own. */
	secret?: string;
	run?: LatestRun;
	/** Records of create requests and uploads, by request ID. */
	creates: Record<string, CreateRecord>;
	/** How often the job of an item has failed for a temporary reason, by origin. */
	failures: Record<string, number>;
	/** Started jobs, by the origin of their item. */
	jobs: Record<string, StoredJob[]>;
	/** Error items by the ID that they contain as `details.row.id`. */
	errors: Record<string, ErrorRow>;
	/** Origins of error items that have come back and succeeded, by their ID. */
	done: Record<string, string>;
	/** Tool calls of the latest execution by origin: whether the language model has their result. */
	calls: Record<string, boolean>;
	balance?: Balance;
	/** Whether the jobs have been stopped or logged because the user stopped the execution. */
	isStopHandled?: boolean;
}

export type FailedRow = Pick<RequestFailure, 'error' | 'hints'>;

export interface NodeRun extends Pick<Ledger, 'begun' | 'creates' | 'failures' | 'isStopHandled'> {
	/** IDs of the n8n installation, the workflow and the node. */
	node: readonly unknown[];
	secret: string;
	/** Origin of each input item. An error item that comes back keeps its origin. */
	origins: readonly string[];
	/** Jobs that the run has started, by input item. */
	jobs: Map<number, Job[]>;
	/** Items that earlier attempts have sent, and that were not definitely rejected. */
	sentItems: ReadonlySet<number>;
	/** Error items whose copy is continued in this run, or has succeeded before. */
	copies: ReadonlySet<number>;
	/** Balance before the first attempt, or why it could not be read. */
	balance?: Balance | Error;
	/** Progress of the wait, if the run was suspended and now continues. */
	wait?: StoredWait;
	/** Failures of requests, which are kept if the execution is suspended. */
	rejected: RequestFailure[];
	/** Uploaded files, by item and binary field. Rows that wait need them after a suspension. */
	uploads: Record<string, UploadedFile>;
	/** Whether Retry On Fail has had all of its tries, with those before a suspension. */
	hasUsedTries: boolean;
	canBeRetried: boolean;
	/** Whether the language model is repeating a call whose result it has already received. */
	repeatsEarlierCall: boolean;
	/** ID that the item's error item contains. The node recognizes the item by it if it returns. */
	getRowId(item: number): string | undefined;
	/** Whether the same error items keep coming back: such a loop would never end. */
	repeatsAllErrors(errors: ReadonlyMap<number, FailedRow>): boolean;
	suspend(wait: StoredWait): void;
	/**
	 * @param items the node's output, or `undefined` if the node failed
	 * @param errors those in the output, by input item
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
 * Returns a secret from which keys and row IDs are hashed. Restored or cloned installations reuse
 * the IDs of executions, but not their secrets. On n8n 2, it is a token that n8n keeps when the
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

/** Undefined if no kind of job has the stored name. */
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
