/**
 * Keeps the state of each node run in memory, so that n8n's retries can continue from it. With
 * Retry On Fail, n8n runs the whole node again in the same process, with all input items and newly
 * evaluated expressions.
 */
import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { createBoundedMap } from '../boundedMap';
import type { Job } from '../jobs/types';
import { readText } from '../json';
import type { Balance } from '../operation';
import { isAgentTool } from './agentTool';
import type { ItemOperation, PlannedRequest } from './groupRequests';
import { createHashedKey, type RunIdentity } from './idempotencyKeys';

/**
 * State that all attempts of one node run share: what they have planned, sent and started so far.
 */
export interface NodeRetryState {
	/**
	 * Random part of the run's idempotency keys. Without it, an n8n instance that was cloned or
	 * restored from a backup would reuse the keys of an earlier execution with the same ID.
	 */
	readonly keySalt: string;
	/** Jobs that the run has started, by index of the input item. */
	readonly jobs: Job[][];
	/** Most recent valid plan of each input item: the selected operation with its checked values. */
	readonly plans: Array<ItemOperation | undefined>;
	/** Requests that each combined several input items. A retry combines the same items again. */
	combined: ReadonlyArray<Pick<PlannedRequest, 'itemIndexes' | 'paidBatch'>>;
	/**
	 * Idempotency key of each create request. The map key is the ID that `getPlace` returns for the
	 * request.
	 */
	readonly keys: Map<string, string>;
	/**
	 * Results of create requests that accept no idempotency key. The map key is the ID that
	 * `getPlace` returns for the request.
	 */
	readonly unkeyedCreates: Map<string, Promise<unknown>>;
	/**
	 * Number of times that the job of a create request failed for a transient reason. The map key is
	 * the ID that `getPlace` returns for the request.
	 */
	readonly failures: Map<string, number>;
	/** Balance of the account before the first attempt, or the error that prevented reading it. */
	balance?: Balance | Error;
}

/**
 * State shared by identical tool calls in one execution. Calls are identical if they have the same
 * input.
 */
interface ToolCalls {
	state: NodeRetryState;
	/** Whether the most recently finished tool call was successful. */
	hasResult: boolean;
}

/** Retry state that is kept for the next attempt, and the execution that it belongs to. */
interface KeptState {
	state: NodeRetryState;
	/**
	 * Cancel signal, which all attempts in an execution share. Undefined for tools: an execution that
	 * was suspended between two calls has another one.
	 */
	execution?: AbortSignal;
}

/**
 * Retry states of node runs, each kept for 10 minutes. n8n retries a node within seconds, but an AI
 * agent may repeat a failed tool call several minutes later.
 */
const retryStates = createBoundedMap<KeptState>(1_000, 600);

/**
 * State of identical tool calls that share one result, kept for 24 hours. The map key is built from
 * the node, the execution and the tool input.
 */
const sharedToolCalls = createBoundedMap<ToolCalls>(5_000, 24 * 3600);

/**
 * Numbers in use that distinguish identical tool calls, if each call must get a separate result.
 * The map key is built from the node, the execution and the tool input.
 */
const toolCallNumbers = createBoundedMap<Set<number>>(5_000, 24 * 3600);

export interface NodeRunAttempt {
	identity: RunIdentity;
	/** Retry state that this attempt shares with the earlier and later attempts of the node run. */
	state: NodeRetryState;
	/** Whether n8n may run the node again if this attempt fails. */
	canBeRetried: boolean;
	/** Whether a language model repeats a tool call whose result it has already received. */
	repeatsEarlierCall: boolean;
	/**
	 * Ends the attempt. `items` is the output of the node, or `undefined` if the node threw an error.
	 */
	end(items?: readonly INodeExecutionData[]): void;
}

/**
 * Whether Retry On Fail may make n8n run the node again: after a thrown error (`items` is
 * `undefined`), or if the first output item has an `error`. n8n 2 ignores that key only if it is
 * `null` or `false`, and n8n 1 never ignores it. An empty string or 0 therefore counts as an error.
 */
const mayBeRetried = (items: readonly INodeExecutionData[] | undefined) =>
	items === undefined || items[0]?.json.error !== undefined;

/** Reserves and returns the lowest number, counted from 0, that is not in use. */
function takeFreeNumber(taken: Set<number>): number {
	let number = 0;
	while (taken.has(number)) number++;
	taken.add(number);
	return number;
}

/**
 * Returns the input of a tool call without its call ID, which differs even between identical calls.
 * In version 3 of n8n's AI Agent, the input includes the agent's own item, so calls for different
 * items differ.
 */
function readToolInput(n8n: IExecuteFunctions) {
	const { toolCallId, ...input } = n8n.getInputData()[0]?.json ?? {};
	return input;
}

const createRetryState = (): NodeRetryState => ({
	keySalt: randomUUID(),
	jobs: [],
	plans: [],
	combined: [],
	keys: new Map(),
	unkeyedCreates: new Map(),
	failures: new Map(),
});

/**
 * Begins an attempt for one of several identical tool calls in an execution, which all share one
 * result. The first call creates the result, and the others return it. Identical calls occur when
 * n8n or the language model repeats a call, or when several are made at once.
 */
function joinIdenticalCalls(identity: RunIdentity): NodeRunAttempt {
	const calls = sharedToolCalls.getOrCreate(
		createHashedKey([...identity.node, ...identity.run]),
		() => ({
			state: createRetryState(),
			hasResult: false,
		}),
	);
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
 * Begins an attempt that continues from the state of earlier attempts of the same run. If the
 * attempt fails and n8n may retry it, the state is kept for the next attempt.
 */
function beginOwnRun(
	identity: RunIdentity,
	canBeRetried: boolean,
	{ execution, onFailure }: { execution?: AbortSignal; onFailure?: () => void },
): NodeRunAttempt {
	const key = createHashedKey([...identity.node, ...identity.run]);
	const kept = retryStates.get(key);
	const state = kept && kept.execution === execution ? kept.state : createRetryState();
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
 * Begins an attempt to run the node, with the state that earlier attempts of the same run have
 * left. A tool call is identified by its input, because n8n may count each attempt as a separate
 * run.
 *
 * @param repeatsIdenticalCalls whether identical tool calls each get a separate result. Such calls
 * are numbered, and a failed call passes its number on to the next attempt by n8n or the language
 * model
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
		});
	}
	const input = readToolInput(n8n);
	if (!repeatsIdenticalCalls) return joinIdenticalCalls({ node, run: [execution, input] });
	const taken = toolCallNumbers.getOrCreate(
		createHashedKey([...node, execution, input]),
		() => new Set(),
	);
	const number = takeFreeNumber(taken);
	const run = [execution, input, number];
	return beginOwnRun({ node, run }, true, { onFailure: () => void taken.delete(number) });
}
