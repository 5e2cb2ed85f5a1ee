/**
 * What the attempts of one run of a node know of each other. Under Retry On Fail, n8n runs the whole
 * node again in the same process, with all items, and evaluates its expressions again.
 */
import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { boundedMap } from '../boundedMap';
import type { Job } from '../jobs/types';
import { readText } from '../json';
import { isTool } from './agentTool';
import type { ItemPlan, PlannedRequest } from './groupRequests';
import { createKey, type RunIdentity } from './idempotencyKeys';

/** What one run of a node has done so far, over all its attempts. */
export interface RetryState {
	/** Jobs that were started, by item. */
	readonly jobs: Job[][];
	/** The last valid plan of each item. */
	readonly plans: Array<ItemPlan | undefined>;
	/** Requests that carried several items. */
	combined: ReadonlyArray<Pick<PlannedRequest, 'itemIndexes' | 'part'>>;
	/** The idempotency key of each create, by its place in the run. */
	readonly keys: Map<string, string>;
	/** The results of creates that take no key, by place. */
	readonly unkeyedCreates: Map<string, Promise<unknown>>;
	/** How often the job made at a place has failed for a transient reason. */
	readonly failures: Map<string, number>;
}

/** Identical calls of a tool in one execution. */
interface ToolCalls {
	state: RetryState;
	/** The newest call that has ended was successful. */
	hasResult: boolean;
}

/**
 * Kept from one attempt to the next, which n8n begins within seconds. An AI agent may call its tool
 * again some minutes later.
 */
const retryStates = boundedMap<RetryState>(1_000, 600);

/** Identical tool calls that share one result, by node, execution and tool input. */
const sharedToolCalls = boundedMap<ToolCalls>(1_000, 24 * 3600);

/** Numbers of identical tool calls that each get their own result, by node, execution and input. */
const toolCallNumbers = boundedMap<Set<number>>(5_000, 24 * 3600);

/** One attempt to run a node. */
export interface Attempt {
	identity: RunIdentity;
	/** Shared with earlier and later attempts. */
	state: RetryState;
	/** Whether n8n may run the node again after this attempt. */
	mayBeRetried: boolean;
	/** An AI model repeats a call whose result it already has. */
	repeatsEarlierCall: boolean;
	/** Ends the attempt. `items` is undefined after an error. */
	end(items?: readonly INodeExecutionData[]): void;
}

/** Whether n8n runs the node again: after an error, and if the first item is an error item. */
const willBeRetried = (items: readonly INodeExecutionData[] | undefined) =>
	items === undefined || Boolean(items[0]?.json.error);

/** Takes the lowest free number. */
function takeFreeNumber(taken: Set<number>): number {
	let number = 0;
	while (taken.has(number)) number++;
	taken.add(number);
	return number;
}

/** What an AI model asks its tool for. Agent 3 adds the agent's own item to it. */
function readToolInput(n8n: IExecuteFunctions) {
	const { toolCallId, ...input } = n8n.getInputData()[0]?.json ?? {};
	return input;
}

const createRetryState = (): RetryState => ({
	jobs: [],
	plans: [],
	combined: [],
	keys: new Map(),
	unkeyedCreates: new Map(),
	failures: new Map(),
});

/**
 * Identical tool calls of one execution get one result: the first call makes it, the others return
 * it. They may come from n8n's retry, from the model, or run at the same time.
 */
function joinIdenticalCalls(identity: RunIdentity): Attempt {
	const calls = sharedToolCalls.getOrCreate(createKey([...identity.node, ...identity.run]), () => ({
		state: createRetryState(),
		hasResult: false,
	}));
	return {
		identity,
		state: calls.state,
		mayBeRetried: true,
		repeatsEarlierCall: calls.hasResult,
		end(items) {
			calls.hasResult = !willBeRetried(items);
		},
	};
}

/** An attempt that continues the run's earlier attempts, and leaves its state to the next one. */
function beginOwnRun(identity: RunIdentity, mayBeRetried: boolean, onFailure = () => {}): Attempt {
	const key = createKey([...identity.node, ...identity.run]);
	const state = retryStates.get(key) ?? createRetryState();
	return {
		identity,
		state,
		mayBeRetried,
		repeatsEarlierCall: false,
		end(items) {
			retryStates.delete(key);
			if (!willBeRetried(items)) return;
			onFailure();
			if (mayBeRetried) retryStates.set(key, state);
		},
	};
}

/**
 * Begins an attempt. n8n may count each attempt of a tool as a run of its own, so tool calls are
 * identified by their input.
 *
 * @param repeatsIdenticalCalls each identical tool call gets its own result: calls are numbered, and
 * a failed one leaves its number to the next attempt, of n8n or of the model
 */
export function beginAttempt(n8n: IExecuteFunctions, repeatsIdenticalCalls: boolean): Attempt {
	// Every n8n counts its executions from 1, and imported workflows keep the IDs of their nodes.
	const node = [n8n.getInstanceId(), n8n.getWorkflow().id, n8n.getNode().id];
	// Without an execution ID, nothing may be shared with any other run.
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
