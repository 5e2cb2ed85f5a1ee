/**
 * Begins a run of a node from the ledger in the execution, and writes the run's progress back at
 * its end. n8n runs a node again for Retry On Fail, for its Retry button, and if the workflow leads
 * error items back to the node's input. The run then sends only what the ledger lacks.
 */
import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../clock';
import { parseDetailsText } from '../errors/n8n1Compat';
import { getErrorDetails } from '../errors/errorDetails';
import { getErrorTextParts, type NodeError } from '../errors/nodeErrors';
import type { Job } from '../jobs/types';
import { getOwnProperty, isObject, omitKeys, readObject, readText } from '../json';
import {
	loadJob,
	openLedger,
	readExecutionSecret,
	removeFinishedRows,
	storeJob,
	type ErrorRow,
	type Ledger,
} from '../ledger/ledger';
import type { Balance, InjectedFunctions } from '../operation';
import { isAgentTool } from './agentTool';
import { createHashedKey, type RunIdentity } from './deriveIdempotencyKeys';

/**
 * Progress shared by all attempts at a node run: what has been sent and started so far. `creates` and
 * `failures` are parts of the ledger itself.
 */
export interface NodeRunState extends Pick<Ledger, 'creates' | 'failures' | 'isStopHandled'> {
	/** Jobs that the run has started, keyed by the index of the input item. */
	readonly jobs: Map<number, Job[]>;
	/** Indexes of the items that earlier attempts have sent, and that were not definitely rejected. */
	readonly sentItems: ReadonlySet<number>;
	/**
	 * Indexes of error items whose copy is continued in this run, or has succeeded in an earlier one.
	 */
	readonly copies: ReadonlySet<number>;
	/** Account balance before the first attempt, or the error that occurred while reading it. */
	balance?: Balance | Error;
}

/** Error of an input item, and sentences to show with it. */
export interface FailedRow {
	error: NodeError;
	hints?: readonly string[];
}

export interface NodeRunAttempt {
	identity: RunIdentity;
	/** Progress shared by all attempts at the same node run. */
	state: NodeRunState;
	/** When the node first ran in the execution, in Unix milliseconds. */
	begun: number;
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
	/**
	 * Ends the attempt. `items` is the node's output, or `undefined` if the node failed with an
	 * error. `errors` are the errors in the output by input item.
	 */
	end(
		items: readonly INodeExecutionData[] | undefined,
		errors: ReadonlyMap<number, FailedRow>,
	): void;
}

/**
 * Whether n8n may run the node again because of Retry On Fail: after a thrown error (`items` is
 * `undefined`), or if the first output item has an `error` property. Any value of the property
 * counts, because n8n 1 treats every value as an error. n8n 2 ignores only `null` and `false`.
 */
const mayBeRetried = (items: readonly INodeExecutionData[] | undefined) =>
	items === undefined || items[0]?.json.error !== undefined;

/**
 * Returns the input of a tool call without its call ID, which differs even between identical calls.
 * In version 3 of n8n's AI Agent, the input includes the item that the agent is processing, so
 * calls for different items usually do not count as identical.
 */
function readToolInput(n8n: IExecuteFunctions) {
	return omitKeys(n8n.getInputData()[0]?.json ?? {}, 'toolCallId');
}

/**
 * Continues the latest run if this is its next attempt, or if the Retry button continues it.
 * Otherwise begins a new run. Returns the number of the run.
 */
function continueOrBeginRun(ledger: Ledger, execution: string, index: number): number {
	const { run: latest } = ledger;
	const isSameExecution = latest?.execution === execution;
	const isAttempt = isSameExecution && latest.index === index;
	const isContinuedByRetry = latest?.isOpen === true && !isSameExecution;
	const continues = isAttempt || isContinuedByRetry;
	if (!isSameExecution) {
		delete ledger.isStopHandled;
		delete ledger.balance;
	}
	const number = (latest?.number ?? 0) + (continues ? 0 : 1);
	const origins = continues ? latest?.origins : undefined;
	ledger.run = { number, execution, index, isOpen: true, origins };
	if (!continues) removeFinishedRows(ledger);
	return number;
}

/** Returns the row ID in an error item that may have been output by this node, if there is one. */
function readRowId({ json: { error, details, message } }: INodeExecutionData): string | undefined {
	if (readText(error) === undefined) return undefined;
	const known = isObject(details) ? details : parseDetailsText(readText(message) ?? '');
	return readText(readObject(known?.row).id);
}

/** Returns the indexes of the items whose origin an earlier item of the input has, too. */
function findCopies(origins: readonly string[]): Set<number> {
	const seen = new Set<string>();
	const copies = new Set<number>();
	for (const [item, origin] of origins.entries()) {
		if (seen.has(origin)) copies.add(item);
		seen.add(origin);
	}
	return copies;
}

/** Returns the progress that the ledger has for items with these origins. */
function readState(
	ledger: Ledger,
	origins: readonly string[],
	findKind: InjectedFunctions['findJobKind'],
	done: ReadonlySet<number> = new Set(),
): NodeRunState {
	const copies = new Set([...findCopies(origins), ...done]);
	const jobs = origins.flatMap((origin, item): Array<[number, Job[]]> => {
		const stored = getOwnProperty(ledger.jobs, origin) ?? [];
		return stored.length > 0 && !copies.has(item)
			? [[item, stored.flatMap((one) => loadJob(one, findKind) ?? [])]]
			: [];
	});
	const sent = new Set(Object.values(ledger.creates).flatMap((create) => create.sent));
	return {
		creates: ledger.creates,
		failures: ledger.failures,
		jobs: new Map(jobs),
		sentItems: new Set(origins.flatMap((origin, item) => (sent.has(origin) ? [item] : []))),
		copies,
		balance: ledger.balance,
		isStopHandled: ledger.isStopHandled,
	};
}

function writeState(
	ledger: Ledger,
	{ jobs, balance, isStopHandled }: NodeRunState,
	origins: readonly string[],
): void {
	for (const [item, started] of jobs) {
		const origin = origins[item];
		if (origin !== undefined) ledger.jobs[origin] = started.map(storeJob);
	}
	if (isStopHandled) ledger.isStopHandled = true;
	if (balance !== undefined && !(balance instanceof Error)) ledger.balance = balance;
}

/** Time, in milliseconds, within which returning error items count as an endless loop. */
const maxLoopTime = 60_000;

/** How often an item is output with the same error before it counts as part of an endless loop. */
const maxRounds = 3;

/** Whether the node waited before an error, so that repeating it does not make a busy loop. */
const isTimeLimit = (error: NodeError) =>
	['wait_timeout', 'not_started'].includes(getErrorDetails(error).code ?? '');

/** A message may contain a time or a request ID, but the code of an error is always the same. */
const describeFailure = ({ error, hints = [] }: FailedRow) =>
	[getErrorDetails(error).code ?? getErrorTextParts(error).message, ...hints].join(' ');

const countFailures = ({ failures }: Ledger) =>
	Object.values(failures).reduce((total, count) => total + count, 0);

/** Where an attempt keeps its progress, and what identifies it. */
interface RunPlace {
	ledger: Ledger;
	/** Secret of the execution. */
	secret: string;
	/** Identifiers of the n8n installation, the workflow and the node. */
	node: readonly unknown[];
	/** ID of the execution. */
	execution: string;
	findKind: InjectedFunctions['findJobKind'];
}

/** Begins an attempt at a run of a node that is not a tool. */
function beginNodeRun(
	n8n: IExecuteFunctions,
	{ ledger, secret, node, execution, findKind }: RunPlace,
): NodeRunAttempt {
	const index = Number(n8n.getWorkflowDataProxy(0).$runIndex);
	const number = continueOrBeginRun(ledger, execution, index);
	const rowIds = n8n.getInputData().map((item) => readRowId(item) ?? '');
	const returned = rowIds.map((id) => getOwnProperty(ledger.errors, id));
	const origins = rowIds.map(
		(id, item) =>
			ledger.run?.origins?.[item] ??
			returned[item]?.origin ??
			getOwnProperty(ledger.done, id) ??
			`${number}.${item}`,
	);
	ledger.run = { number, execution, index, isOpen: true, origins };
	const done = new Set(
		rowIds.flatMap((id, item) => (Object.hasOwn(ledger.done, id) ? [item] : [])),
	);
	const state = readState(ledger, origins, findKind, done);
	const failuresBefore = countFailures(ledger);
	const canBeRetried = n8n.getNode().retryOnFail === true;
	const getRowId = (item: number) => createHashedKey([secret, ...node, 'row', origins[item]]);
	return {
		identity: { node, run: [secret], origins },
		state,
		begun: ledger.begun,
		canBeRetried,
		repeatsEarlierCall: false,
		getRowId,
		repeatsAllErrors(errors) {
			const isRepeated = (row: ErrorRow | undefined, item: number) => {
				if (done.has(item)) return true;
				const failed = errors.get(item);
				if (!row || !failed || isTimeLimit(failed.error)) return false;
				const isSame = row.message === describeFailure(failed);
				return isSame && row.rounds >= maxRounds && clock.now() - row.at < maxLoopTime;
			};
			return (
				returned.length > 0 &&
				returned.every(isRepeated) &&
				countFailures(ledger) === failuresBefore
			);
		},
		end(items, errors) {
			writeState(ledger, state, origins);
			if (items === undefined) return;
			const isRepeated = canBeRetried && mayBeRetried(items);
			ledger.run = { number, execution, index, isOpen: false, ...(isRepeated && { origins }) };
			for (const [item, origin] of isRepeated ? [] : origins.entries()) {
				delete ledger.errors[getRowId(item)];
				if (returned[item] && !errors.has(item)) ledger.done[getRowId(item)] = origin;
			}
			const at = clock.now();
			for (const [item, failed] of errors) {
				const origin = origins[item];
				const message = describeFailure(failed);
				const row = returned[item];
				const rounds = row?.message === message ? row.rounds + 1 : 1;
				if (origin !== undefined) ledger.errors[getRowId(item)] = { origin, message, at, rounds };
			}
			// Retry On Fail runs the node again for all items; the next run removes what is left.
			if (!isRepeated) removeFinishedRows(ledger);
		},
	};
}

/**
 * Begins a tool call. Identical calls share one result: the first call creates it, and the others
 * return it. Identical calls occur when n8n or the language model repeats a call, makes several at
 * once, or when the Retry button starts the conversation again.
 *
 * @param isNumbered whether each of several identical calls gets its own result. If so, the calls
 * are numbered, and the number of a failed call becomes free for its retry
 */
function beginToolCall(
	n8n: IExecuteFunctions,
	{ ledger, secret, node, execution, findKind }: RunPlace,
	isNumbered: boolean,
): NodeRunAttempt {
	if (ledger.run?.execution !== execution) {
		ledger.run = { number: 0, execution, index: 0, isOpen: true };
		ledger.calls = {};
	}
	const input = createHashedKey([readToolInput(n8n)]);
	let origin = input;
	if (isNumbered) {
		for (let number = 0; Object.hasOwn(ledger.calls, origin); number++)
			origin = `${input}.${number}`;
		ledger.calls[origin] = false;
	}
	const repeatsEarlierCall = !isNumbered && ledger.calls[origin] === true;
	const state = readState(ledger, [origin], findKind);
	return {
		identity: { node, run: [secret], origins: [origin] },
		state,
		begun: ledger.begun,
		canBeRetried: true,
		repeatsEarlierCall,
		getRowId: () => undefined,
		repeatsAllErrors: () => false,
		end(items) {
			writeState(ledger, state, [origin]);
			if (mayBeRetried(items)) delete ledger.calls[origin];
			else ledger.calls[origin] = true;
		},
	};
}

/**
 * Begins an attempt to run the node, resuming from the progress of earlier attempts at the same
 * run. n8n may count the retry of a tool call as a separate run, so such retries are recognized by
 * their input.
 *
 * @param repeatsIdenticalCalls whether each of several identical tool calls gets its own result
 */
export function beginNodeRunAttempt(
	n8n: IExecuteFunctions,
	repeatsIdenticalCalls: boolean,
	findKind: InjectedFunctions['findJobKind'],
): NodeRunAttempt {
	const ledger = openLedger(n8n);
	const place: RunPlace = {
		ledger,
		secret: readExecutionSecret(n8n, ledger),
		// Imported workflows keep the IDs of their nodes.
		node: [n8n.getInstanceId(), n8n.getWorkflow().id, n8n.getNode().id],
		// Without an execution ID, no run is continued.
		execution: readText(n8n.getExecutionId()) ?? randomUUID(),
		findKind,
	};
	return isAgentTool(n8n)
		? beginToolCall(n8n, place, repeatsIdenticalCalls)
		: beginNodeRun(n8n, place);
}
