/**
 * Begins a run of a node from the ledger in the execution, and writes its progress back at the end.
 * n8n runs a node again for Retry On Fail, for its Retry button, and if error items are led back to
 * its input. The run then sends only what the ledger lacks.
 */
import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../clock';
import { readErrorItemDetails } from '../errors/n8n1Compat';
import { getErrorDetails } from '../errors/errorDetails';
import { getErrorTextParts, type NodeError } from '../errors/nodeErrors';
import type { Job } from '../jobs/types';
import { getOwnProperty, omitKeys, readObject, readText } from '../json';
import {
	loadError,
	loadJob,
	openLedger,
	readExecutionSecret,
	removeFinishedRows,
	storeError,
	storeJob,
	type ErrorRow,
	type FailedRow,
	type LatestRun,
	type Ledger,
	type NodeRun,
} from '../ledger/ledger';
import type { InjectedFunctions } from '../operation';
import { waitsForJobs, isAgentTool } from '../operationTraits';
import { findReasonToStay } from '../suspend/suspendExecution';
import { createSuspension, type Suspension } from '../suspend/suspension';
import { createHashedKey } from './deriveIdempotencyKeys';
import type { PlannedRequest } from './groupRequests';

/**
 * Whether Retry On Fail may run the node again: after a thrown error (`undefined`), or if the first
 * output item has an `error`. n8n 1 treats every value as an error, n8n 2 all but `null` and
 * `false`.
 */
const mayBeRetried = (items: readonly INodeExecutionData[] | undefined) =>
	items === undefined || items[0]?.json.error !== undefined;

function forgetLatestAttempt({ creates }: Ledger): void {
	for (const record of Object.values(creates)) {
		delete record.isNew;
		delete record.wait;
	}
}

const readRowId = ({ json }: INodeExecutionData): string | undefined =>
	readText(readObject(readErrorItemDetails(json)?.row).id);

/** @param done origin of each error item whose copy has succeeded in an earlier run */
function readProgress(
	n8n: IExecuteFunctions,
	ledger: Ledger,
	findKind: InjectedFunctions['findJobKind'],
	origins: readonly string[],
	done: ReadonlyArray<string | undefined> = [],
) {
	const sent = new Set(Object.values(ledger.creates).flatMap((create) => create.sent));
	const seen = new Set<string>();
	const [copies, sentItems] = [new Set<number>(), new Set<number>()];
	const jobs = new Map<number, Job[]>();
	for (const [item, origin] of origins.entries()) {
		const stored = getOwnProperty(ledger.jobs, origin) ?? [];
		if (sent.has(origin)) sentItems.add(item);
		const known = stored.flatMap((job) => loadJob(job, findKind) ?? []);
		if (seen.has(origin) || done[item] !== undefined) copies.add(item);
		else if (stored.length > 0) jobs.set(item, known);
		seen.add(origin);
	}
	return {
		// Imported workflows keep the IDs of their nodes.
		node: [n8n.getInstanceId(), n8n.getWorkflow().id, n8n.getNode().id],
		secret: readExecutionSecret(n8n, ledger),
		begun: ledger.begun,
		creates: ledger.creates,
		failures: ledger.failures,
		balance: ledger.balance,
		isStopHandled: ledger.isStopHandled,
		origins,
		jobs,
		sentItems,
		copies,
	};
}

function writeProgress(ledger: Ledger, { origins, jobs, balance, isStopHandled }: NodeRun): void {
	for (const [item, started] of jobs) {
		const origin = origins[item];
		if (origin !== undefined) ledger.jobs[origin] = started.map(storeJob);
	}
	if (isStopHandled) ledger.isStopHandled = true;
	if (balance !== undefined && !(balance instanceof Error)) ledger.balance = balance;
}

/** Tries of Retry On Fail, if the node does not say it. */
const defaultTries = 3;

/** Milliseconds within which returning error items count as an endless loop. */
const maxLoopTime = 60_000;
/** How often an item may be output with the same error in that time. */
const maxRounds = 3;

/** Whether the node waited before an error, so that repeating it does not make a busy loop. */
const isTimeLimit = (error: NodeError) =>
	['wait_timeout', 'not_started'].includes(getErrorDetails(error).code ?? '');

/** A message may contain a time or a request ID, but the code of an error is always the same. */
const describeFailure = ({ error, hints = [] }: FailedRow) =>
	[getErrorDetails(error).code ?? getErrorTextParts(error).message, ...hints].join(' ');

const countFailures = ({ failures }: Ledger) =>
	Object.values(failures).reduce((total, count) => total + count, 0);

/**
 * Continues the latest run if this is its next attempt, or if the Retry button continues it.
 * Otherwise begins a new run.
 */
function beginItemRun(
	n8n: IExecuteFunctions,
	ledger: Ledger,
	findKind: InjectedFunctions['findJobKind'],
	execution: string,
): NodeRun {
	const index = Number(n8n.getWorkflowDataProxy(0).$runIndex);
	const { run: latest } = ledger;
	const isSameExecution = latest?.execution === execution;
	const wait = isSameExecution ? latest.wait : undefined;
	// On n8n 1, a run that was suspended may have another index.
	const isAttempt = isSameExecution && (latest.index === index || wait !== undefined);
	const continues = isAttempt || (!isSameExecution && latest?.isOpen === true);
	const number = (latest?.number ?? 0) + (continues ? 0 : 1);
	if (!isSameExecution) {
		delete ledger.isStopHandled;
		delete ledger.balance;
	}
	if (!wait) forgetLatestAttempt(ledger);
	if (!continues) removeFinishedRows(ledger);
	const rowIds = n8n.getInputData().map((item) => readRowId(item) ?? '');
	const returned = rowIds.map((id) => getOwnProperty(ledger.errors, id));
	const done = rowIds.map((id) => getOwnProperty(ledger.done, id));
	const earlier = continues ? latest?.origins : undefined;
	const origins = rowIds.map(
		(_, item) => earlier?.[item] ?? returned[item]?.origin ?? done[item] ?? `${number}.${item}`,
	);
	const { rejected, uploads = {} } = (wait && latest) ?? {};
	const tries = isAttempt ? (latest.tries ?? 0) : 0;
	const identity = { number, execution, index };
	const own: LatestRun = { ...identity, isOpen: true, origins, wait, rejected, tries };
	ledger.run = own;
	const progress = readProgress(n8n, ledger, findKind, origins, done);
	const failuresBefore = countFailures(ledger);
	const canBeRetried = n8n.getNode().retryOnFail === true;
	const { secret, node } = progress;
	const getRowId = (item: number) => createHashedKey([secret, ...node, 'row', origins[item]]);
	const run: NodeRun = {
		...progress,
		wait,
		rejected: (rejected ?? []).map((failure) => ({
			...failure,
			error: loadError(n8n.getNode(), failure.error),
		})),
		uploads,
		canBeRetried,
		hasUsedTries: canBeRetried && tries >= (n8n.getNode().maxTries || defaultTries),
		repeatsEarlierCall: false,
		getRowId,
		repeatsAllErrors(errors) {
			const isRepeated = (row: ErrorRow | undefined, item: number) => {
				if (done[item] !== undefined) return true;
				const failed = errors.get(item);
				if (!row || !failed || isTimeLimit(failed.error)) return false;
				const isSame = row.message === describeFailure(failed);
				return isSame && row.rounds >= maxRounds && clock.now() - row.at < maxLoopTime;
			};
			const hasNewFailures = countFailures(ledger) !== failuresBefore;
			return returned.length > 0 && !hasNewFailures && returned.every(isRepeated);
		},
		suspend(latestWait) {
			writeProgress(ledger, run);
			const failures = run.rejected.map((one) => ({ ...one, error: storeError(one.error) }));
			Object.assign(own, { wait: latestWait, rejected: failures, uploads });
		},
		end(items, errors) {
			writeProgress(ledger, run);
			const isOpen = items === undefined;
			const isRepeated = !isOpen && canBeRetried && mayBeRetried(items);
			const kept = (isOpen || isRepeated) && { origins, tries: tries + 1 };
			ledger.run = { ...identity, isOpen, ...kept };
			if (isOpen) return;
			const at = clock.now();
			for (const [item, origin] of isRepeated ? [] : origins.entries()) {
				delete ledger.errors[getRowId(item)];
				if (returned[item] && !errors.has(item)) ledger.done[getRowId(item)] = origin;
			}
			for (const [item, failed] of errors) {
				const [origin, row] = [origins[item], returned[item]];
				const message = describeFailure(failed);
				const rounds = row?.message === message ? row.rounds + 1 : 1;
				if (origin !== undefined) ledger.errors[getRowId(item)] = { origin, message, at, rounds };
			}
			// Retry On Fail runs the node again for all items; the next run removes what is left.
			if (!isRepeated) removeFinishedRows(ledger);
		},
	};
	return run;
}

/**
 * Identical calls of a tool share one result: n8n or the language model repeats a call, makes
 * several at once, or the Retry button starts the conversation again.
 *
 * @param isNumbered whether each of several identical calls gets its own result. A failed call's
 * number becomes free for its retry
 */
function beginToolCall(
	n8n: IExecuteFunctions,
	ledger: Ledger,
	findKind: InjectedFunctions['findJobKind'],
	execution: string,
	isNumbered: boolean,
): NodeRun {
	if (ledger.run?.execution !== execution) {
		ledger.run = { number: 0, execution, index: 0, isOpen: true };
		ledger.calls = {};
	}
	forgetLatestAttempt(ledger);
	// The ID differs even between identical calls. In version 3 of n8n's AI Agent, the input
	// includes the item that the agent is processing, so calls for other items usually count as
	// different.
	const input = createHashedKey([omitKeys(n8n.getInputData()[0]?.json ?? {}, 'toolCallId')]);
	let origin = input;
	if (isNumbered) {
		for (let i = 0; Object.hasOwn(ledger.calls, origin); i++) origin = `${input}.${i}`;
		ledger.calls[origin] = false;
	}
	const run: NodeRun = {
		...readProgress(n8n, ledger, findKind, [origin]),
		canBeRetried: true,
		hasUsedTries: false,
		repeatsEarlierCall: !isNumbered && ledger.calls[origin] === true,
		getRowId: () => undefined,
		repeatsAllErrors: () => false,
		// n8n cannot suspend a tool call.
		suspend: () => {},
		rejected: [],
		uploads: {},
		end(items) {
			writeProgress(ledger, run);
			if (mayBeRetried(items)) delete ledger.calls[origin];
			else ledger.calls[origin] = true;
		},
	};
	return run;
}

/**
 * Begins an attempt to run the node, with the progress of earlier attempts at the same run. Retried
 * tool calls are recognized by their input, because n8n may count them as separate runs.
 *
 * @param repeatsIdenticalCalls whether each of several identical tool calls gets its own result
 */
export function beginNodeRun(
	n8n: IExecuteFunctions,
	repeatsIdenticalCalls: boolean,
	findKind: InjectedFunctions['findJobKind'],
): NodeRun {
	const ledger = openLedger(n8n);
	// Without an execution ID, no run is continued.
	const execution = readText(n8n.getExecutionId()) ?? randomUUID();
	return isAgentTool(n8n)
		? beginToolCall(n8n, ledger, findKind, execution, repeatsIdenticalCalls)
		: beginItemRun(n8n, ledger, findKind, execution);
}

/** Decides whether the run may suspend its execution, and otherwise why not. */
export function beginSuspension(
	n8n: IExecuteFunctions,
	{ wait, hasUsedTries }: NodeRun,
	requests: readonly PlannedRequest[],
): { suspension: Suspension; reasonToStay?: string } {
	// The node runs again when its execution resumes, so all that it sends must be in the ledger.
	const mayRunAgain =
		requests.every(({ operation }) => operation.starts !== undefined || operation.awaits) &&
		requests.some(({ operation, values }) => waitsForJobs(operation, values));
	const reasonToStay = mayRunAgain ? findReasonToStay(n8n) : undefined;
	const isPossible = mayRunAgain && reasonToStay === undefined && !hasUsedTries;
	const settings = { isPossible, earlier: wait, requests: requests.length };
	return { suspension: createSuspension(settings), reasonToStay };
}
