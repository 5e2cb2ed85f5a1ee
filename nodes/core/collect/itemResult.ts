/** Defines the results of input items (output items or failures) and the outcomes of rows. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { getErrorDetails, type RowOutcome } from '../errors/errorDetails';
import { getErrorTextParts, type NodeError } from '../errors/nodeErrors';
import type { FinishedJobItem } from '../jobs/finishedItem';
import { createDuplicateJobIdError } from '../jobs/jobErrors';
import type { Job, JobState } from '../jobs/types';
import { isObject, readId, readText } from '../json';
import { type RequestFailure, serializeError } from '../ledger/ledger';
import type { Balance } from '../operation';
import { isRepeatSafe } from '../operationTraits';
import { findOrCreateRecord } from '../plan/deriveIdempotencyKeys';
import {
	type BatchRow,
	type ItemPlan,
	type CreationSource,
	getItemIndexes,
	getPayOnceScope,
	type PlannedRequest,
	type SentRequest,
	listCreatedRows,
} from '../plan/groupRequests';
import type { RunContext } from '../send/sendPlannedRequest';

export interface OutputItem extends FinishedJobItem {
	item: number;
	/** Outcome of the input item or batch row. The default is `finished`. */
	outcome?: RowOutcome;
	creation?: CreationSource;
	/** Whether this is an input item without a job, which the node outputs unchanged. */
	isPassedOn?: boolean;
}

export interface ItemFailure extends RequestFailure {
	/** Jobs that were started for the item before it failed. */
	jobs: readonly Job[];
	/**
	 * Failed rows, if the request created a batch. Each failed row gets its own error item with the
	 * row's index, so that another node can wait for the row.
	 */
	rows?: readonly BatchRow[];
	/** Outcome of the row. Undefined if it follows from the error. */
	outcome?: RowOutcome;
	creation?: CreationSource;
	/** Part of the item's result that failed, such as one of several clips. */
	part?: FinishedJobItem['part'];
}

export type ItemResult = OutputItem | ItemFailure;

export const isItemFailure = (result: ItemResult): result is ItemFailure => 'error' in result;

/** Lists the failed rows of a batch, or the failed items. Each one gets its own error item. */
export const listFailedRows = ({
	item,
	otherItems = [],
	rows,
}: ItemFailure): ReadonlyArray<{ item: number; index?: number }> =>
	rows ?? [item, ...otherItems].map((failed) => ({ item: failed }));

/** Returns the index of the input item that led to an output item. Undefined if several did. */
export function getInputItemIndex({ pairedItem }: INodeExecutionData, otherwise: number) {
	if (pairedItem === undefined) return otherwise;
	if (typeof pairedItem === 'number') return pairedItem;
	if (!Array.isArray(pairedItem)) return pairedItem.item;
	const [source, ...others] = pairedItem;
	return others.length === 0 ? source?.item : undefined;
}

/** Outcome of an item, or of one part of it that became a separate request or batch row. */
export interface RowReport {
	item: number;
	outcome: RowOutcome;
	creation?: CreationSource;
	reason?: string;
}

function decideFailureOutcome({ error, jobs, outcome }: ItemFailure): RowOutcome {
	const details = getErrorDetails(error);
	if (details.outcome) return details.outcome;
	if (details.uncertain === true) return 'unknown';
	return outcome ?? (jobs.length === 0 ? 'not_started' : 'unknown');
}

function readItemOutcome({ error, status }: IDataObject): RowOutcome {
	// Part of the result arrived before the error, such as the beginning of an audio stream.
	if (readText(error) !== undefined) return 'unknown';
	return status === 'failed' || status === 'unknown' ? status : 'finished';
}

export const outcomeOfState: Record<JobState, RowOutcome> = {
	completed: 'finished',
	failed: 'failed',
	pending: 'running',
	resting: 'running',
};

/** Returns the output fields of an item that report the outcome of its row. */
export function toOutcomeFields(result: ItemResult): Pick<RowReport, 'outcome' | 'creation'> {
	const { creation } = result;
	const outcome = isItemFailure(result)
		? decideFailureOutcome(result)
		: (result.outcome ?? readItemOutcome(result.output.json));
	return { outcome, ...(creation && { creation }) };
}

export function createRowReports(result: ItemResult): RowReport[] {
	const { outcome, creation } = toOutcomeFields(result);
	// Only the first part of an item's result, such as the first clip, is counted as its row.
	const isFurtherPart = (result.part?.number ?? 0) > 0;
	if (isItemFailure(result)) {
		const reason = getErrorTextParts(result.error).message.replace(/\.$/, '');
		const failed = isFurtherPart ? [] : listFailedRows(result);
		return failed.map(({ item }) => ({ item, outcome, creation, reason }));
	}
	const item = getInputItemIndex(result.output, result.item) ?? result.item;
	return isFurtherPart && item === result.item ? [] : [{ item, outcome, creation }];
}

/**
 * Adds the cost of a run's only row to its item. The service reports no costs, so the cost is known
 * only if the run created a single row and the account balance decreased in the meantime.
 */
export function addCost(
	results: readonly ItemResult[],
	before: Balance | Error | undefined,
	after: Balance | Error | undefined,
): void {
	const [row, ...others] = results.flatMap(createRowReports);
	if (others.length > 0 || row?.creation !== 'created') return;
	if (!before || !after || before instanceof Error || after instanceof Error) return;
	const amount = Math.round((before.left - after.left) * 10_000) / 10_000;
	if (before.unit !== after.unit || amount <= 0) return;
	for (const result of results) {
		if ('output' in result) result.output.json.cost = { amount, unit: before.unit };
	}
}

/** Copies an item's ID to the key that all nodes use for this ID, such as `video_id`. */
export function copyIdToSpecificKey(
	item: INodeExecutionData,
	key: string | undefined,
	{ values }: Pick<ItemPlan, 'values'>,
): INodeExecutionData {
	const { json } = item;
	if (key === undefined || json[key] !== undefined) return item;
	const job = isObject(json.job) ? json.job.id : undefined;
	const id = readId(json.id ?? job ?? values[key]);
	return id !== undefined ? { ...item, json: { [key]: id, ...json } } : item;
}

/** Removes `id` from an item if a more specific key, such as `video_id`, has the same value. */
export function omitRedundantId(json: IDataObject): IDataObject {
	const { id, ...rest } = json;
	const isDuplicate = Object.entries(rest).some(
		([key, value]) => key.endsWith('_id') && value === id,
	);
	return isDuplicate ? rest : json;
}

export interface FinishedRequest extends PlannedRequest {
	results: ItemResult[];
	/** Whether n8n's Retry On Fail will send the failed part of this request again. */
	isRepeatedLater: boolean;
}

export const findError = ({ results }: Pick<FinishedRequest, 'results'>): NodeError | undefined =>
	results.find(isItemFailure)?.error;

/** Whether n8n's Retry On Fail will send all failed parts of a request again. */
export function areFailedRequestsRetried(
	failures: readonly RequestFailure[],
	parts: ReadonlyArray<Pick<FinishedRequest, 'results' | 'isRepeatedLater'>>,
): boolean {
	const failed = parts.filter(findError);
	return failures.length === 0 && failed.length > 0 && failed.every((part) => part.isRepeatedLater);
}

/** Returns the result of a request whose items have all failed with the same error. */
export function createFailedRequest(
	{ startedJobs }: Pick<RunContext, 'startedJobs'>,
	request: PlannedRequest & Pick<SentRequest, 'creation'>,
	error: NodeError,
): FinishedRequest {
	const [item, ...otherItems] = getItemIndexes(request);
	const jobs = startedJobs.of(item);
	const rows = listCreatedRows(request, jobs);
	// If the key outlives the execution, the service may have repeated an earlier response.
	const isOwn = getPayOnceScope(request.values) === 'execution';
	const creation = isOwn ? request.creation : undefined;
	const failure = { item, otherItems, error, jobs, rows, creation };
	return { ...request, results: [failure], isRepeatedLater: false };
}

/**
 * Fails a request if the service returned the same job for another item as well. Called after all
 * requests have finished, because the response for the other item may arrive later.
 */
export function failIfJobIsShared(
	context: Pick<RunContext, 'client' | 'nodeRun' | 'startedJobs'>,
	done: FinishedRequest,
): FinishedRequest {
	const { nodeRun, startedJobs, client } = context;
	const shared = startedJobs.takeShared(getItemIndexes(done));
	if (!shared) return done;
	// The next attempt sends the request again if that is safe. Otherwise, it keeps the error.
	const record = findOrCreateRecord(nodeRun, done);
	const error = createDuplicateJobIdError(client.node, shared);
	if (isRepeatSafe(done.operation)) delete record.outcome;
	else record.outcome = { error: serializeError(error) };
	const { isRepeatedLater } = done;
	return { ...createFailedRequest(context, done, error), isRepeatedLater };
}
