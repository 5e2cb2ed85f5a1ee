/**
 * Keeps the ledger of a node in the execution's own data: which create requests its runs have sent,
 * and which jobs these have started. n8n stores the node context with the execution, and passes it
 * to the next attempt (Retry On Fail), to the next round of a loop and to the execution that the
 * Retry button starts. The n8n process itself remembers nothing that money depends on.
 */
import { randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../clock';
import type { ErrorDetails } from '../errors/errorDetails';
import type { Job, JobKind, JobSnapshot } from '../jobs/types';
import { isObject, readObject, readText } from '../json';
import type { Balance } from '../operation';

/** Job as the ledger stores it: the name of its kind instead of the kind itself. */
interface StoredJob {
	kind: string;
	id: string;
	before?: JobSnapshot;
	partOf?: StoredJob;
}

/**
 * Outcome of a create request: its result, or the error of a request that may have been carried
 * out although no usable response arrived.
 */
export type CreateOutcome =
	{ result: unknown } | { error: { message: string; advice: string[]; details: ErrorDetails } };

/** Items that were sent in one request, and the number of rows that each of them has in it. */
export interface SentGroup {
	/** Origins of the items, in the order sent. */
	origins: string[];
	sizes: number[];
}

/** Error item that the node has output. If it comes back to the node's input, it is continued. */
export interface ErrorRow {
	origin: string;
	/** Error message and hints, without the item index. */
	message: string;
	/** When the item was output, in Unix milliseconds. */
	at: number;
	/** How many times in a row the item has been output with this message. */
	rounds: number;
}

/**
 * Ledger of a node in an execution. An item's origin is the number of the run in which it first
 * arrived, and its index in that run. Request IDs begin with the origin of the first item.
 */
export interface Ledger {
	/** When the node first ran in the execution, in Unix milliseconds. */
	begun: number;
	/** Random part of the keys. Only on n8n 1, where executions have no token of their own. */
	secret?: string;
	/** The latest run: open if it ended with an error, so that Retry continues it. */
	run?: { number: number; execution: string; index: number; isOpen: boolean };
	/** Idempotency keys by request ID. */
	keys: Record<string, string>;
	creates: Record<string, CreateOutcome>;
	/** How often the job of a request has failed for a temporary reason, by request ID. */
	failures: Record<string, number>;
	/** How often the service has definitely rejected a request, by request ID. */
	rejections: Record<string, number>;
	/** Started jobs by the origin of their item. */
	jobs: Record<string, StoredJob[]>;
	/** Origins of the items in requests that were sent and not definitely rejected. */
	sent: string[];
	groups: SentGroup[];
	/** Error items by the ID that they contain as `details.row.id`. */
	errors: Record<string, ErrorRow>;
	/**
	 * Tool calls of the latest execution by origin, and whether the language model has their result.
	 * The origin of a tool call is derived from its input.
	 */
	calls: Record<string, boolean>;
	/** Account balance before the first attempt. */
	balance?: Balance;
	/** Whether the jobs have been stopped or logged because the user stopped the execution. */
	isStopHandled?: boolean;
}

const ledgerKey = 'videoGenLedger';

const createLedger = (): Ledger => ({
	begun: clock.now(),
	keys: {},
	creates: {},
	failures: {},
	rejections: {},
	jobs: {},
	sent: [],
	groups: [],
	errors: {},
	calls: {},
});

/**
 * Returns the data that n8n stores for the node with the execution. A tool that the MCP Server
 * Trigger of n8n 1 calls has none.
 */
function readNodeContext(n8n: Pick<IExecuteFunctions, 'getContext'>): IDataObject {
	try {
		return n8n.getContext('node');
	} catch {
		return {};
	}
}

/** Returns the node's ledger in this execution. Creates it if there is none. */
export function openLedger(n8n: Pick<IExecuteFunctions, 'getContext'>): Ledger {
	const context = readNodeContext(n8n);
	if (!isObject(context[ledgerKey])) {
		context[ledgerKey] = createLedger() as unknown as IDataObject;
	}
	return context[ledgerKey] as unknown as Ledger;
}

/** Reads the token that n8n 2 adds to an execution's resume URL. Undefined on n8n 1. */
function readExecutionToken(n8n: IExecuteFunctions): string | undefined {
	const { resumeUrl } = readObject(n8n.getWorkflowDataProxy(0).$execution);
	return /[?&]signature=([^&]+)/.exec(readText(resumeUrl) ?? '')?.[1];
}

/**
 * Returns a secret of the execution, from which keys and row IDs are hashed. An n8n installation
 * that was cloned or restored from a backup reuses the IDs of executions, but not their secrets. On
 * n8n 2, the secret is a token that n8n stores from the start of the execution and keeps when the
 * execution is retried. On n8n 1, it is a random value in the ledger.
 */
export const readExecutionSecret = (n8n: IExecuteFunctions, ledger: Ledger): string =>
	readExecutionToken(n8n) ?? (ledger.secret ??= randomUUID());

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
	ledger.groups = ledger.groups.filter(({ origins }) => origins.some((one) => open.has(one)));
	// A request for failed rows of a batch begins with another row of that batch.
	const kept = new Set([...open, ...ledger.groups.flatMap(({ origins }) => origins)]);
	const keepOpen = <T>(values: Record<string, T>, origins: ReadonlySet<string>) =>
		Object.fromEntries(
			Object.entries(values).filter(([id]) => origins.has(id.split(' ', 1)[0] ?? '')),
		);
	ledger.keys = keepOpen(ledger.keys, kept);
	ledger.creates = keepOpen(ledger.creates, kept);
	ledger.failures = keepOpen(ledger.failures, kept);
	ledger.rejections = keepOpen(ledger.rejections, kept);
	ledger.jobs = keepOpen(ledger.jobs, open);
	ledger.sent = ledger.sent.filter((origin) => open.has(origin));
	delete ledger.balance;
}
