/**
 * Creates idempotency keys, which let the service recognize repeated create requests (service.md,
 * Idempotency), and finds the ledger's records of these requests.
 */
import { createHashedKey, hashParts } from '../digest';
import type { CreateRequestRecord, NodeRun } from '../ledger/ledger';
import type { IdempotencyKeyProvider, IdempotencyKeyInputs } from '../operation';
import {
	getItemIndexes,
	getOwnIdempotencyKey,
	getPayOnceScope,
	getRequestLineWithIds,
	type PlannedRequest,
} from './groupRequests';

/** Maximum characters of an idempotency key (service.md, Idempotency). */
const maxKeyLength = 255;

const extendKey = (key: string, suffix: string) =>
	(key.length + suffix.length <= maxKeyLength ? key : hashParts([key])) + suffix;

const hashRows = (rows: readonly string[]) => hashParts(rows).slice(0, 24);

/**
 * Creates the idempotency key of a batch or, with another prefix, of a single row. The key ends
 * with a hash of the rows, so that a key from n8n's log shows which rows it belongs to.
 */
const createRowsKey = (parts: readonly unknown[], rows: readonly string[], isSingleRow = false) =>
	`n8n-${isSingleRow ? 'row-' : ''}${hashParts(parts).slice(0, 24)}${hashRows(rows)}`;

function parseRowsKey(key: string): { isSingleRow: boolean; rowsHash?: string } | undefined {
	const match = /^n8n-(row-)?[0-9a-f]{24}([0-9a-f]{24})(:again:\d+)?$/.exec(key);
	return match ? { isSingleRow: match[1] !== undefined, rowsHash: match[2] } : undefined;
}

export const isGeneratedBatchKey = (key: string) => parseRowsKey(key)?.isSingleRow === false;

/** Whether an idempotency key was created for exactly these rows, in this order. */
export const isGeneratedKeyForRows = (key: string, rows: readonly string[]) =>
	parseRowsKey(key)?.rowsHash === hashRows(rows);

export const isGeneratedKeyForOtherRows = (key: string, rows: readonly string[]) =>
	parseRowsKey(key) !== undefined && !isGeneratedKeyForRows(key, rows);

/** Returns what a request's key is derived from. `number` counts requests for the same items. */
export const getIdempotencyKeyInputs = (
	request: PlannedRequest,
	number = 1,
): Pick<IdempotencyKeyInputs, 'line' | 'name'> => ({
	line: getRequestLineWithIds(request),
	...(number > 1 && { name: `request ${number}` }),
});

export const getItemOrigin = ({ origins }: NodeRun, item: number) => origins[item] ?? String(item);

/**
 * Returns the origins of a request's items, including items that an earlier attempt sent and that
 * are not among the inputs now.
 */
export const getItemOrigins = (run: NodeRun, request: PlannedRequest): string[] =>
	request.sentGroup?.origins ?? getItemIndexes(request).map((item) => getItemOrigin(run, item));

const createRequestId = (
	run: NodeRun,
	request: PlannedRequest,
	{ line, name = '' }: Pick<IdempotencyKeyInputs, 'line' | 'name'>,
) => createHashedKey([...run.node, run.secret, getItemOrigins(run, request), line, name]);

/**
 * Finds or creates the ledger's record of a create request. The node, the execution, the origins
 * of the items and the endpoint identify the record, so a retry of the node finds the same one.
 */
export const findOrCreateRecord = (
	run: NodeRun,
	request: PlannedRequest,
	inputs = getIdempotencyKeyInputs(request),
): CreateRequestRecord =>
	(run.creates[createRequestId(run, request, inputs)] ??= {
		origins: [...getItemOrigins(run, request)],
		rejections: 0,
		sent: [],
	});

/**
 * Creates the idempotency keys of a request and its file uploads.
 *
 * By default, a key depends on the request's position: the n8n installation, the workflow, the
 * node, a secret of the execution, the origins of the items and the endpoint. An installation that
 * was cloned or restored from a backup reuses the IDs of executions, but not their secrets.
 *
 * n8n evaluates expressions again for every attempt, so values do not affect the default key.
 * Otherwise, a video whose title contains the current time would be paid for twice. Only the keys
 * of batches, of Custom Key and of Unique Request depend on values. Such a key is created once and
 * reused by later attempts. Identical rows of one run are numbered, so that each is created.
 */
export function createIdempotencyKeyProvider(
	run: NodeRun,
	request: PlannedRequest,
): IdempotencyKeyProvider {
	const ownKey = getOwnIdempotencyKey(request.values);
	const payOncePer = getPayOnceScope(request.values);
	const createKeyOfRows = (
		{ line, name, isSingleRow }: IdempotencyKeyInputs,
		rows: readonly string[],
		requestId: string,
	) => {
		const used = new Set(Object.values(run.creates).map(({ key }) => key));
		const isFromLog = ownKey !== undefined && isGeneratedKeyForRows(ownKey, rows);
		if (isFromLog && !(isSingleRow && used.has(ownKey))) return ownKey;
		if (isSingleRow) {
			for (let count = 0; ; count++) {
				const key = createRowsKey([ownKey ?? run.node, line, rows, count], rows, true);
				if (!used.has(key)) return key;
			}
		}
		// The service returns the earlier batch for a repeated key, even if the rows differ.
		if (payOncePer === 'request') return createRowsKey([...run.node, line], rows);
		return createRowsKey(ownKey === undefined ? [requestId] : [line, name, ownKey], rows);
	};
	const createFirstKey = (create: IdempotencyKeyInputs) => {
		const { line, name, content, rows } = create;
		const requestId = createRequestId(run, request, create);
		if (rows) return createKeyOfRows(create, rows, requestId);
		if (payOncePer === 'request') return createHashedKey([...run.node, line, content]);
		if (ownKey === undefined) return createHashedKey([requestId]);
		return name === undefined ? ownKey : extendKey(ownKey, `:${hashParts([name]).slice(0, 12)}`);
	};
	return {
		outlivesExecution: payOncePer !== 'execution',
		getKey(create) {
			const record = findOrCreateRecord(run, request, create);
			record.key ??= createFirstKey(create);
			// With the same key, the service would return the failed job or the rejection again.
			const counts = create.name === undefined ? record.origins : [];
			const again = counts.reduce((n, one) => n + (run.failures[one] ?? 0), record.rejections);
			return again === 0 ? record.key : extendKey(record.key, `:again:${again}`);
		},
	};
}
