/**
 * Keeps the progress of each node run in memory, so that a retry can continue from it. With Retry
 * On Fail, n8n executes the whole node again in the same process, with all input items and newly
 * evaluated expressions.
 */
import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { createBoundedMap } from '../boundedMap';
import type { Job } from '../jobs/types';
import { omitKeys, readObject, readText } from '../json';
import type { Balance } from '../operation';
import { isAgentTool } from './agentTool';
import type { ItemOperation, PlannedRequest } from './groupRequests';
import { getRunKey, type RunIdentity } from './deriveIdempotencyKeys';

/**
 * Progress shared by all attempts at a node run: what has been planned, sent and started so far.
 */
export interface NodeRetryState {
	/**
	 * Random part of the idempotency keys. Without it, an n8n installation that was cloned or
	 * restored from a backup would reuse the keys of an earlier execution with the same ID. n8n 2
	 * stores a random token with each execution. With this token, the keys stay the same if another
	 * process runs the execution again from its start.
	 */
	readonly keySalt: string;
	/** Jobs that the run has started, keyed by the index of the input item. */
	readonly jobs: Map<number, Job[]>;
	/**
	 * Operation and validated values of each input item, from the most recent attempt in which the
	 * item was valid.
	 */
	readonly plans: Array<ItemOperation | undefined>;
	/** Requests of the latest attempt. A retry must combine the same items again. */
	requests: ReadonlyArray<Pick<PlannedRequest, 'items'>>;
	/**
	 * Idempotency key of each create request, keyed by the request's ID from `getCreateRequestId`.
	 */
	readonly keys: Map<string, string>;
	/**
	 * Results of create requests for which the service accepts no idempotency key, keyed by the
	 * request's ID from `getCreateRequestId`. A retry returns these results instead of creating
	 * something twice.
	 */
	readonly unkeyedCreates: Map<string, Promise<unknown>>;
	/**
	 * Number of times that a create request's job has failed for a temporary reason, keyed by the
	 * request's ID from `getCreateRequestId`.
	 */
	readonly failures: Map<string, number>;
	/** Number of idempotency keys created for identical rows, keyed by a hash of the row. */
	readonly rowCounts: Map<string, number>;
	/**
	 * Whether the run's jobs have been stopped or logged because the user stopped the execution.
	 */
	isStopHandled?: boolean;
	/** Account balance before the first attempt, or the error that occurred while reading it. */
	balance?: Balance | Error;
}

/** Progress shared by all tool calls with the same input in one execution. */
interface ToolCalls {
	state: NodeRetryState;
	/** Whether the last finished call was successful. */
	hasResult: boolean;
}

/** Progress of a node run that is kept for a possible retry. */
interface KeptState {
	state: NodeRetryState;
	/**
	 * The execution's cancel signal, which identifies the execution: only a retry with the same
	 * signal continues from this progress. Undefined for tool calls: n8n may retry one after the
	 * execution was suspended and resumed, and by then it has a new signal.
	 */
	execution?: AbortSignal;
}

/**
 * Progress of failed node runs, kept for 10 minutes. n8n retries a node within seconds, but an AI
 * agent may repeat a failed call several minutes later.
 */
const retryStates = createBoundedMap<KeptState>(1_000, 600);

/**
 * Progress of identical tool calls that share one result, kept for 24 hours. The key consists of
 * the node, the execution and the call's input.
 */
const sharedToolCalls = createBoundedMap<ToolCalls>(5_000, 24 * 3600);

/**
 * Numbers that distinguish identical tool calls, so that each call gets its own result. If a call
 * fails, its number becomes free, so that the retry can use it and continue from the failed call's
 * progress. The key consists of the node, the execution and the call's input.
 */
const toolCallNumbers = createBoundedMap<Set<number>>(5_000, 24 * 3600);

export interface NodeRunAttempt {
	identity: RunIdentity;
	/** Progress shared by all attempts at the same node run. */
	state: NodeRetryState;
	/** Whether n8n may run the node again if this attempt fails. */
	canBeRetried: boolean;
	/** Whether the language model is repeating a call whose result it has already received. */
	repeatsEarlierCall: boolean;
	/**
	 * Ends the attempt. `items` is the node's output, or `undefined` if the node failed with an
	 * error.
	 */
	end(items?: readonly INodeExecutionData[]): void;
}

/**
 * Whether n8n may run the node again because of Retry On Fail: after a thrown error (`items` is
 * `undefined`), or if the first output item has an `error` property. Any value of the property
 * counts, because n8n 1 treats every value as an error. n8n 2 ignores only `null` and `false`.
 */
const mayBeRetried = (items: readonly INodeExecutionData[] | undefined) =>
	items === undefined || items[0]?.json.error !== undefined;

/** Returns the lowest number, starting from 0, that is not in `taken`, and adds it to `taken`. */
function takeFreeNumber(taken: Set<number>): number {
	let number = 0;
	while (taken.has(number)) number++;
	taken.add(number);
	return number;
}

/**
 * Returns the input of a tool call without its call ID, which differs even between identical calls.
 * In version 3 of n8n's AI Agent, the input includes the item that the agent is processing, so
 * calls for different items usually do not count as identical.
 */
function readToolInput(n8n: IExecuteFunctions) {
	return omitKeys(n8n.getInputData()[0]?.json ?? {}, 'toolCallId');
}

/** Reads the token that n8n 2 adds to an execution's resume URL. Undefined on n8n 1. */
function readExecutionToken(n8n: IExecuteFunctions): string | undefined {
	const { resumeUrl } = readObject(n8n.getWorkflowDataProxy(0).$execution);
	return /[?&]signature=([^&]+)/.exec(readText(resumeUrl) ?? '')?.[1];
}

const createRetryState = (keySalt: string = randomUUID()): NodeRetryState => ({
	keySalt,
	jobs: new Map(),
	plans: [],
	requests: [],
	keys: new Map(),
	unkeyedCreates: new Map(),
	failures: new Map(),
	rowCounts: new Map(),
});

/**
 * Begins a tool call that shares one result with all identical calls in the execution. The first
 * call creates the result, and the others return it. Identical calls occur when n8n or the language
 * model repeats a call, or makes several at once.
 */
function joinIdenticalCalls(identity: RunIdentity): NodeRunAttempt {
	const calls = sharedToolCalls.getOrCreate(getRunKey(identity), () => ({
		state: createRetryState(),
		hasResult: false,
	}));
	return {
		identity,
		state: calls.state,
		canBeRetried: true,
		repeatsEarlierCall: calls.hasResult,
		end(items) {
			calls.hasResult = !mayBeRetried(items);
		},
	};
}

/**
 * Begins an attempt that resumes from the progress of earlier attempts at the same run. If this
 * attempt fails and n8n may retry it, its progress is kept for the next one.
 */
function beginOwnRun(
	identity: RunIdentity,
	canBeRetried: boolean,
	{
		execution,
		keySalt,
		onFailure,
	}: { execution?: AbortSignal; keySalt?: string; onFailure?: () => void },
): NodeRunAttempt {
	const key = getRunKey(identity);
	const stored = retryStates.get(key);
	const state = stored && stored.execution === execution ? stored.state : createRetryState(keySalt);
	return {
		identity,
		state,
		canBeRetried,
		repeatsEarlierCall: false,
		end(items) {
			retryStates.delete(key);
			if (!mayBeRetried(items)) return;
			onFailure?.();
			if (canBeRetried) retryStates.set(key, { state, execution });
		},
	};
}

/**
 * Begins an attempt to run the node, resuming from the progress of earlier attempts at the same
 * run. n8n may count the retry of a tool call as a separate run, so such retries are recognized by
 * their input.
 *
 * @param repeatsIdenticalCalls whether each of several identical tool calls gets its own result. If
 * so, the calls are numbered, and a retry reuses the failed call's number
 */
export function beginNodeRunAttempt(
	n8n: IExecuteFunctions,
	repeatsIdenticalCalls: boolean,
): NodeRunAttempt {
	// Every n8n installation counts its executions from 1, and imported workflows keep the IDs of
	// their nodes.
	const node = [n8n.getInstanceId(), n8n.getWorkflow().id, n8n.getNode().id];
	// Without an execution ID, no state may be shared with other runs.
	const execution = readText(n8n.getExecutionId()) ?? randomUUID();
	if (!isAgentTool(n8n)) {
		const run = [execution, n8n.getWorkflowDataProxy(0).$runIndex];
		return beginOwnRun({ node, run }, n8n.getNode().retryOnFail === true, {
			execution: n8n.getExecutionCancelSignal(),
			keySalt: readExecutionToken(n8n),
		});
	}
	const input = readToolInput(n8n);
	if (!repeatsIdenticalCalls) return joinIdenticalCalls({ node, run: [execution, input] });
	const taken = toolCallNumbers.getOrCreate(
		getRunKey({ node, run: [execution, input] }),
		() => new Set(),
	);
	const number = takeFreeNumber(taken);
	const run = [execution, input, number];
	return beginOwnRun({ node, run }, true, { onFailure: () => void taken.delete(number) });
}
