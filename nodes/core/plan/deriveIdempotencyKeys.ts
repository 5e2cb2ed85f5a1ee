/**
 * Creates idempotency keys, which let the service recognize repeated create requests
 * (docs/service.md, Idempotency). Also finds the records of create requests in the ledger. With
 * them, the node itself recognizes repeated requests.
 */
import { createDigest } from '../digest';
import type { CreateRecord, NodeRun } from '../ledger/ledger';
import type { IdempotencyKeyProvider, IdempotencyKeyInputs, BatchRowIdentity } from '../operation';
import {
	getItemIndexes,
	getOwnKey,
	getPayOnceScope,
	getRequestTarget,
	type PlannedRequest,
} from './groupRequests';

/** In characters (docs/service.md, Idempotency). */
const maxKeyLength = 255;

const hashParts = (parts: readonly unknown[]) => createDigest(JSON.stringify(parts));

export const createHashedKey = (parts: readonly unknown[]) =>
	`n8n-${hashParts(parts).slice(0, 48)}`;

/** Hashes the key first if the result would be too long. */
const extendKey = (key: string, suffix: string) =>
	(key.length + suffix.length <= maxKeyLength ? key : hashParts([key])) + suffix;

const hashRows = (rows: readonly BatchRowIdentity[]) =>
	hashParts(rows.map(({ digest }) => digest)).slice(0, 24);

/**
 * Creates the idempotency key of a batch or, with a format of its own, of a single row: a key from
 * the log shows to which endpoint it belongs. The key ends with a hash of the rows, which shows
 * whether a key from the log was created for the same rows.
 */
const createRowsKey = (
	parts: readonly unknown[],
	rows: readonly BatchRowIdentity[],
	isSingleRow = false,
) => `n8n-${isSingleRow ? 'row-' : ''}${hashParts(parts).slice(0, 24)}${hashRows(rows)}`;

function parseRowsKey(key: string): { isSingleRow: boolean; rowsHash?: string } | undefined {
	const match = /^n8n-(row-)?[0-9a-f]{24}([0-9a-f]{24})(:again:\d+)?$/.exec(key);
	return match ? { isSingleRow: match[1] !== undefined, rowsHash: match[2] } : undefined;
}

/** Whether a key has the format of the keys that this package creates for batches. */
export const isGeneratedBatchKey = (key: string) => parseRowsKey(key)?.isSingleRow === false;

/** Whether a key was created for exactly these rows, in this order: for a batch or a single row. */
export const isGeneratedKeyForRows = (key: string, rows: readonly BatchRowIdentity[]) =>
	parseRowsKey(key)?.rowsHash === hashRows(rows);

/** Whether a key was created for a batch or a single row, but not for the given rows. */
export const isGeneratedKeyForOtherRows = (key: string, rows: readonly BatchRowIdentity[]) =>
	parseRowsKey(key) !== undefined && !isGeneratedKeyForRows(key, rows);

/** @param number position of the request among those sent for the same items, counted from 1 */
export const getIdempotencyKeyInputs = (
	request: PlannedRequest,
	number = 1,
): Pick<IdempotencyKeyInputs, 'line' | 'name'> => ({
	line: getRequestTarget(request),
	...(number > 1 && { name: `request ${number}` }),
});

export const getOrigin = ({ origins }: NodeRun, item: number) => origins[item] ?? String(item);

/** Origins of a request's items or, if it has been sent before, of all items that were in it. */
export const getOrigins = (run: NodeRun, request: PlannedRequest): string[] =>
	request.sentGroup?.origins ?? getItemIndexes(request).map((item) => getOrigin(run, item));

const createRequestId = (
	run: NodeRun,
	request: PlannedRequest,
	{ line, name = '' }: Pick<IdempotencyKeyInputs, 'line' | 'name'>,
) => createHashedKey([...run.node, run.secret, getOrigins(run, request), line, name]);

/**
 * Finds the record of a create request by the node, the execution, the origins of the items and the
 * endpoint, so that it stays the same when n8n runs the node again. Creates it if there is none.
 */
export const openRecord = (
	run: NodeRun,
	request: PlannedRequest,
	inputs = getIdempotencyKeyInputs(request),
): CreateRecord =>
	(run.creates[createRequestId(run, request, inputs)] ??= {
		origins: [...getOrigins(run, request)],
		rejections: 0,
		sent: [],
	});

/**
 * Creates the idempotency keys of a request and its file uploads.
 *
 * By default, a key depends on the request's position: the n8n installation, the workflow, the node,
 * a secret of the execution, the origins of the items and the endpoint. The secret takes the place of
 * the execution's ID, because an n8n installation that was cloned or restored from a backup reuses
 * IDs, and because n8n's Retry keeps the secret but not the ID.
 *
 * n8n evaluates expressions again for every attempt. The request's values therefore do not affect
 * the default key. Otherwise, a video whose title contains the current time would be paid for
 * twice. Only two kinds of keys depend on values: the key of a batch, and the key of a request
 * whose Pay Once Per option is set to Own Key or Same Request. Such a key is created only once and
 * reused by every later attempt. Identical rows of one run are numbered, so that each is created.
 */
export function createIdempotencyKeyProvider(
	run: NodeRun,
	request: PlannedRequest,
): IdempotencyKeyProvider {
	const ownKey = getOwnKey(request.values);
	const payOncePer = getPayOnceScope(request.values);
	const createKeyOfRows = (
		{ line, name, isSingleRow }: IdempotencyKeyInputs,
		rows: readonly BatchRowIdentity[],
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
			const record = openRecord(run, request, create);
			record.key ??= createFirstKey(create);
			// The service would repeat its earlier response, a failed job or a rejection, for the same key.
			const counts = create.name === undefined ? record.origins : [];
			const again = counts.reduce((n, one) => n + (run.failures[one] ?? 0), record.rejections);
			return again === 0 ? record.key : extendKey(record.key, `:again:${again}`);
		},
	};
}
