/**
 * What the tries of one run of a node know of each other. With Retry On Fail, n8n runs the whole node
 * again in the same process, all items included, with its expressions evaluated anew.
 */
import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { textOf } from '../json';
import { openTries, sameCalls, toolCalls, type SameCalls, type Tries } from '../memory';
import { short, type RunPlace } from './keys';
import type { Plan } from './plan';
import { isTool } from './tool';

/** One try of a run. */
export interface Try {
	place: RunPlace;
	/** What is known from the tries before, and told to the next. */
	known: Tries<Plan>;
	/** n8n may repeat the node after this try. */
	mayFollow: boolean;
	/** A model asks for what it was given before. */
	repeats: boolean;
	/** Ends the try. `items` are what it gave; nothing after an error. */
	end(items?: readonly INodeExecutionData[]): void;
}

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

/** What a model asked for. Agent 3 adds its own item, so that calls for two items differ. */
function askedOf(n8n: IExecuteFunctions) {
	const { toolCallId, ...asked } = n8n.getInputData()[0]?.json ?? {};
	return asked;
}

const nothing = (): Tries<Plan> => ({
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
function sameCall(place: RunPlace): Try {
	const key = short([...place.node, ...place.run]);
	const before = sameCalls.get(key) as SameCalls<Plan> | undefined;
	const calls: SameCalls<Plan> = before ?? { known: nothing(), answered: false };
	sameCalls.set(key, calls);
	return {
		place,
		known: calls.known,
		mayFollow: true,
		repeats: calls.answered,
		end: (items) => void (calls.answered = !isFailed(items)),
	};
}

/** What is left to the next try, where one may follow. */
function ownRun(place: RunPlace, mayFollow: boolean, leave = () => {}): Try {
	const key = short([...place.node, ...place.run]);
	const known = (openTries.get(key) as Tries<Plan> | undefined) ?? nothing();
	return {
		place,
		known,
		mayFollow,
		repeats: false,
		end(items) {
			openTries.delete(key);
			if (!isFailed(items)) return;
			leave();
			if (mayFollow) openTries.set(key, known);
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
export function beginTry(n8n: IExecuteFunctions, eachCall: boolean): Try {
	// Executions are counted from 1 in every n8n, and ids of nodes are imported.
	const node = [n8n.getInstanceId(), n8n.getWorkflow().id, n8n.getNode().id];
	// Without an execution nothing may be shared with any other.
	const execution = textOf(n8n.getExecutionId()) ?? randomUUID();
	if (!isTool(n8n)) {
		const run = [execution, n8n.getWorkflowDataProxy(0).$runIndex];
		return ownRun({ node, run }, n8n.getNode().retryOnFail === true);
	}
	const asked = askedOf(n8n);
	if (!eachCall) return sameCall({ node, run: [execution, asked] });
	const key = short([...node, execution, asked]);
	const taken = toolCalls.get(key) ?? new Set();
	toolCalls.set(key, taken);
	const number = takeNumber(taken);
	const run = [execution, asked, number];
	return ownRun({ node, run }, true, () => void taken.delete(number));
}
