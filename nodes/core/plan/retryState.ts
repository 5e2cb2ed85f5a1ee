/**
 * Stores what one run of a node has done, for its later attempts. Under Retry On Fail, n8n runs the
 * whole node again in the same process, with all items, and evaluates its expressions again.
 */
import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { createBoundedMap } from '../boundedMap';
import type { Job } from '../jobs/types';
import { readText } from '../json';
import { isTool } from './agentTool';
import type { ItemPlan, PlannedRequest } from './groupRequests';
import { createKey, type RunIdentity } from './idempotencyKeys';

/** Actions of one run of a node so far, across all its attempts. */
export interface NodeRetryState {
	/** Started jobs by input item. */
	readonly jobs: Job[][];
	/** Last valid plan of each input item. */
	readonly plans: Array<ItemPlan | undefined>;
	/** Requests that combined several items. */
	combined: ReadonlyArray<Pick<PlannedRequest, 'itemIndexes' | 'part'>>;
	/** Idempotency key of each create, by its place in the run. */
	readonly keys: Map<string, string>;
	/** Results of creates that accept no idempotency key, by place. */
	readonly unkeyedCreates: Map<string, Promise<unknown>>;
	/** Number of times that the job of each create has failed for a transient reason, by place. */
	readonly failures: Map<string, number>;
}

/** Identical calls of a tool in one execution. */
interface ToolCalls {
	state: NodeRetryState;
	/** Whether the most recently ended call was successful. */
	hasResult: boolean;
}

/**
 * States of runs that n8n may retry, which it does within seconds. An AI agent may call its tool
 * again some minutes later.
 */
const retryStates = createBoundedMap<NodeRetryState>(1_000, 600);

/** Identical tool calls that share one result, by node, execution and tool input. */
const sharedToolCalls = createBoundedMap<ToolCalls>(1_000, 24 * 3600);

/**
 * Numbers in use by identical tool calls with separate results, by node, execution and tool input.
 */
const toolCallNumbers = createBoundedMap<Set<number>>(5_000, 24 * 3600);

export interface Attempt {
	identity: RunIdentity;
	/** State shared with earlier and later attempts. */
	state: NodeRetryState;
	/** Whether n8n may run the node again after this attempt. */
	canBeRetried: boolean;
	/** Whether a language model repeats a call whose result it already has. */
	repeatsEarlierCall: boolean;
	/** Ends the attempt. `items` is undefined after an error. */
	end(items?: readonly INodeExecutionData[]): void;
}

/** Whether n8n runs the node again: after an error, or if the first item is an error item. */
const willBeRetried = (items: readonly INodeExecutionData[] | undefined) =>
	items === undefined || Boolean(items[0]?.json.error);

/** Reserves and returns the lowest number that is not in use. */
function takeFreeNumber(taken: Set<number>): number {
	let number = 0;
	while (taken.has(number)) number++;
	taken.add(number);
	return number;
}

/**
 * Returns the input of a tool call without its ID. Version 3 of n8n's agent adds its own item to
 * the input.
 */
function readToolInput(n8n: IExecuteFunctions) {
	const { toolCallId, ...input } = n8n.getInputData()[0]?.json ?? {};
	return input;
}

const createRetryState = (): NodeRetryState => ({
	jobs: [],
	plans: [],
	combined: [],
	keys: new Map(),
	unkeyedCreates: new Map(),
	failures: new Map(),
});

/**
 * Begins an attempt for one of several identical tool calls in an execution. The first call creates
 * the result, and the others return it. They may be retries of n8n, repeated by the model, or
 * concurrent.
 */
function joinIdenticalCalls(identity: RunIdentity): Attempt {
	const calls = sharedToolCalls.getOrCreate(createKey([...identity.node, ...identity.run]), () => ({
		state: createRetryState(),
		hasResult: false,
	}));
	return {
		identity,
		state: calls.state,
		canBeRetried: true,
		repeatsEarlierCall: calls.hasResult,
		end(items) {
			calls.hasResult = !willBeRetried(items);
		},
	};
}

/**
 * Begins an attempt that continues the earlier attempts of its run and leaves its state to the next
 * one.
 */
function beginOwnRun(identity: RunIdentity, canBeRetried: boolean, onFailure = () => {}): Attempt {
	const key = createKey([...identity.node, ...identity.run]);
	const state = retryStates.get(key) ?? createRetryState();
	return {
		identity,
		state,
		canBeRetried,
		repeatsEarlierCall: false,
		end(items) {
			retryStates.delete(key);
			if (!willBeRetried(items)) return;
			onFailure();
			if (canBeRetried) retryStates.set(key, state);
		},
	};
}

/**
 * Begins an attempt. n8n may count each attempt of a tool as a separate run, so tool calls are
 * identified by their input.
 *
 * @param repeatsIdenticalCalls whether identical tool calls each get a separate result. The calls
 * are numbered, and a failed one leaves its number to the next attempt of n8n or of the model
 */
export function beginAttempt(n8n: IExecuteFunctions, repeatsIdenticalCalls: boolean): Attempt {
	// Every n8n installation counts its executions from 1, and imported workflows keep the IDs of
	// their nodes.
	const node = [n8n.getInstanceId(), n8n.getWorkflow().id, n8n.getNode().id];
	// Without an execution ID, no state may be shared with other runs.
	const execution = readText(n8n.getExecutionId()) ?? randomUUID();
	if (!isTool(n8n)) {
		const run = [execution, n8n.getWorkflowDataProxy(0).$runIndex];
		return beginOwnRun({ node, run }, n8n.getNode().retryOnFail === true);
	}
	const input = readToolInput(n8n);
	if (!repeatsIdenticalCalls) return joinIdenticalCalls({ node, run: [execution, input] });
	const taken = toolCallNumbers.getOrCreate(
		createKey([...node, execution, input]),
		() => new Set(),
	);
	const number = takeFreeNumber(taken);
	const run = [execution, input, number];
	return beginOwnRun({ node, run }, true, () => void taken.delete(number));
}
