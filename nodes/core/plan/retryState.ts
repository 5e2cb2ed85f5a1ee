/**
 * What the tries of one run of a node know of each other. With Retry On Fail, n8n runs the whole node
 * again in the same process, all items included, with its expressions evaluated anew.
 */
import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { readText } from '../json';
import {
	retryStates,
	toolCallStates,
	toolCallNumbers,
	type ToolCallState,
	type RetryState,
} from '../memory';
import { createKey, type RunIdentity } from './idempotencyKeys';
import type { ItemPlan } from './groupRequests';
import { isTool } from './agentTool';

/** One try of a run. */
export interface Attempt {
	place: RunIdentity;
	/** What is known from the tries before, and told to the next. */
	known: RetryState<ItemPlan>;
	/** n8n may repeat the node after this try. */
	mayFollow: boolean;
	/** A model asks for what it was given before. */
	repeats: boolean;
	/** Ends the try. `items` are what it gave; nothing after an error. */
	end(items?: readonly INodeExecutionData[]): void;
}

/** n8n repeats a node whose first item is an error, as it does after an error that is thrown. */
const willBeRetried = (items: readonly INodeExecutionData[] | undefined) =>
	items === undefined || Boolean(items[0]?.json.error);

/** The lowest number that no other has. */
function takeFreeNumber(taken: Set<number>): number {
	let number = 0;
	while (taken.has(number)) number++;
	taken.add(number);
	return number;
}

/** What a model asked for. Agent 3 adds its own item, so that calls for two items differ. */
function readToolInput(n8n: IExecuteFunctions) {
	const { toolCallId, ...asked } = n8n.getInputData()[0]?.json ?? {};
	return asked;
}

const createRetryState = (): RetryState<ItemPlan> => ({
	jobs: [],
	plans: [],
	gathered: [],
	keys: new Map(),
	made: new Map(),
	failures: new Map(),
});

/**
 * Calls of a tool that ask for the same, in one execution, are one: the first makes it, the others
 * find it, be they n8n's next try, the model's, or under way at the same time.
 */
function joinIdenticalCalls(place: RunIdentity): Attempt {
	const key = createKey([...place.node, ...place.run]);
	const before = toolCallStates.get(key) as ToolCallState<ItemPlan> | undefined;
	const calls: ToolCallState<ItemPlan> = before ?? { known: createRetryState(), answered: false };
	toolCallStates.set(key, calls);
	return {
		place,
		known: calls.known,
		mayFollow: true,
		repeats: calls.answered,
		end: (items) => void (calls.answered = !willBeRetried(items)),
	};
}

/** What is left to the next try, where one may follow. */
function beginOwnRun(place: RunIdentity, mayFollow: boolean, leave = () => {}): Attempt {
	const key = createKey([...place.node, ...place.run]);
	const known = (retryStates.get(key) as RetryState<ItemPlan> | undefined) ?? createRetryState();
	return {
		place,
		known,
		mayFollow,
		repeats: false,
		end(items) {
			retryStates.delete(key);
			if (!willBeRetried(items)) return;
			leave();
			if (mayFollow) retryStates.set(key, known);
		},
	};
}

/**
 * Begins a try of the node's run.
 *
 * n8n may count every try of a tool as a run of its own, so calls are told apart by what was asked.
 *
 * @param eachCall calls of a tool that ask for the same are each carried out: they are numbered, and
 * one that fails leaves its number to the next, be it n8n's next try or the agent's
 */
export function beginAttempt(n8n: IExecuteFunctions, eachCall: boolean): Attempt {
	// Executions are counted from 1 in every n8n, and ids of nodes are imported.
	const node = [n8n.getInstanceId(), n8n.getWorkflow().id, n8n.getNode().id];
	// Without an execution nothing may be shared with any other.
	const execution = readText(n8n.getExecutionId()) ?? randomUUID();
	if (!isTool(n8n)) {
		const run = [execution, n8n.getWorkflowDataProxy(0).$runIndex];
		return beginOwnRun({ node, run }, n8n.getNode().retryOnFail === true);
	}
	const asked = readToolInput(n8n);
	if (!eachCall) return joinIdenticalCalls({ node, run: [execution, asked] });
	const key = createKey([...node, execution, asked]);
	const taken = toolCallNumbers.get(key) ?? new Set();
	toolCallNumbers.set(key, taken);
	const number = takeFreeNumber(taken);
	const run = [execution, asked, number];
	return beginOwnRun({ node, run }, true, () => void taken.delete(number));
}
