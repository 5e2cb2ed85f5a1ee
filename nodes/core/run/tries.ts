/**
 * What the tries of one run of a node know of each other. With Retry On Fail, n8n runs the whole node
 * again in the same process, all items included, with its expressions evaluated anew.
 */
import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { textOf } from '../json';
import { openTries, toolCalls, type Tries } from '../memory';
import { short, type RunPlace } from './keys';
import type { Plan } from './plan';

/** How much of n8n is needed to tell where a run stands. */
export type PlaceHost = Pick<
	IExecuteFunctions,
	| 'getExecutionId'
	| 'getInputData'
	| 'getInstanceId'
	| 'getNode'
	| 'getWorkflow'
	| 'getWorkflowDataProxy'
>;

/** One try of a run. */
export interface Try {
	place: RunPlace;
	/** What is known from the tries before, and told to the next. */
	known: Tries<Plan>;
	/** n8n may repeat the node after this try. */
	mayFollow: boolean;
	/** Ends the try. `items` are what it gave; nothing after an error. */
	end(items?: readonly INodeExecutionData[]): void;
}

/** Whether the node works as a tool of an AI agent. */
const isTool = (n8n: Pick<IExecuteFunctions, 'getNode'>) => n8n.getNode().type.endsWith('Tool');

/** n8n repeats a node whose first item is an error, as it does after an error that is thrown. */
const isFailed = (items: readonly INodeExecutionData[] | undefined) =>
	items === undefined || Boolean(items[0]?.json.error);

/** The lowest number that no other has. */
function takeNumber(taken: Set<number>): number {
	let number = 0;
	while (taken.has(number)) number++;
	taken.add(number);
	return number;
}

/**
 * n8n may count every try of a tool as a run of its own. So calls are told apart by what was asked,
 * and those that ask for the same are numbered: a call that fails leaves its number to the next, be
 * it n8n's next try or the agent's.
 */
function toolCall(n8n: PlaceHost, node: readonly unknown[], execution: string) {
	const { toolCallId, ...asked } = n8n.getInputData()[0]?.json ?? {};
	const key = short([...node, execution, asked]);
	const taken = toolCalls.get(key) ?? new Set();
	toolCalls.set(key, taken);
	const number = takeNumber(taken);
	return { run: [execution, asked, number], leave: () => void taken.delete(number) };
}

const nothing = (): Tries<Plan> => ({
	jobs: [],
	plans: [],
	gathered: [],
	keys: new Map(),
	made: new Map(),
	failures: new Map(),
});

/** Begins a try of the node's run. */
export function beginTry(n8n: PlaceHost): Try {
	// Executions are counted from 1 in every n8n, and ids of nodes are imported.
	const node = [n8n.getInstanceId(), n8n.getWorkflow().id, n8n.getNode().id];
	// Without an execution nothing may be shared with any other.
	const execution = textOf(n8n.getExecutionId()) ?? randomUUID();
	const call = isTool(n8n) ? toolCall(n8n, node, execution) : undefined;
	const run = call?.run ?? [execution, n8n.getWorkflowDataProxy(0).$runIndex];
	const key = short([...node, ...run]);
	const mayFollow = call !== undefined || n8n.getNode().retryOnFail === true;
	const known = (openTries.get(key) as Tries<Plan> | undefined) ?? nothing();
	return {
		place: { node, run },
		known,
		mayFollow,
		end(items) {
			openTries.delete(key);
			if (!isFailed(items)) return;
			call?.leave();
			if (mayFollow) openTries.set(key, known);
		},
	};
}
