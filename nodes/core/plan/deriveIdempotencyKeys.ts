/**
 * Creates idempotency keys, which let the service recognize repeated create requests
 * (docs/service.md, Idempotency). Also finds the records of create requests in the ledger. With
 * them, the node itself recognizes repeated requests.
 */
import { createDigest } from '../digest';
import { openRecord, type CreateRecord, type CreateRecords } from '../ledger/ledger';
import type { IdempotencyKeyProvider, IdempotencyKeyInputs, BatchRowIdentity } from '../operation';
import {
	getItemIndexes,
	getOwnKey,
	getPayOnceScope,
	getRequestTarget,
	type PlannedRequest,
} from './groupRequests';

/** Identity of one run of a node. It stays the same when n8n retries the node. */
export interface RunIdentity {
	/** Identifiers of the n8n installation, the workflow and the node. */
	node: readonly unknown[];
	/** A secret of the execution. */
	run: readonly unknown[];
	/**
	 * Origin of each input item: the run in which it first arrived, and its index in that run. An
	 * error item that comes back to the node keeps its origin. A tool call has the hash of its input.
	 */
	origins: readonly string[];
}

/** What is known of the create requests that earlier attempts have sent. */
interface EarlierCreates {
	creates: CreateRecords;
	/** How often the job of an item has failed for a temporary reason, by origin. */
	failures: Readonly<Record<string, number>>;
}

/** Maximum number of characters in an idempotency key (docs/service.md, Idempotency). */
const maxKeyLength = 255;

const hashParts = (parts: readonly unknown[]) => createDigest(JSON.stringify(parts));

/**
 * Creates a short key from a list of values. Equal lists have equal keys, and different lists have
 * different ones.
 */
export const createHashedKey = (parts: readonly unknown[]) =>
	`n8n-${hashParts(parts).slice(0, 48)}`;

/**
 * Appends a suffix to a user-supplied idempotency key. Hashes the key first if the result would be
 * too long.
 */
const extendKey = (key: string, suffix: string) =>
	(key.length + suffix.length <= maxKeyLength ? key : hashParts([key])) + suffix;

const rowsKeyPattern = /^n8n-(row-)?[0-9a-f]{24}([0-9a-f]{24})(:again:\d+)?$/;

/** Whether a key has the format of the keys that this package creates for batches. */
export const isGeneratedBatchKey = (key: string) => {
	const match = rowsKeyPattern.exec(key);
	return match !== null && match[1] === undefined;
};

const hashRows = (rows: readonly BatchRowIdentity[]) =>
	hashParts(rows.map(({ digest }) => digest)).slice(0, 24);

/**
 * Whether an idempotency key was created for exactly the given rows, in the given order: for a batch
 * of them, or for a single row.
 */
export const isGeneratedKeyForRows = (key: string, rows: readonly BatchRowIdentity[]) =>
	rowsKeyPattern.exec(key)?.[2] === hashRows(rows);

/** Whether a key was created for a batch or a single row, but not for the given rows. */
export const isGeneratedKeyForOtherRows = (key: string, rows: readonly BatchRowIdentity[]) =>
	rowsKeyPattern.test(key) && !isGeneratedKeyForRows(key, rows);

/**
 * Creates the idempotency key of a batch request. The key includes a hash of the rows. If a user
 * enters a key from the log, the hash shows whether that key was created for the same rows.
 */
const createBatchKey = (parts: readonly unknown[], rows: readonly BatchRowIdentity[]) =>
	`n8n-${hashParts(parts).slice(0, 24)}${hashRows(rows)}`;

/**
 * Creates the idempotency key of a single row. The format differs from the key of a batch, because
 * the two are sent to different endpoints: a key from the log shows which one to use.
 */
const createRowKey = (parts: readonly unknown[], rows: readonly BatchRowIdentity[]) =>
	`n8n-row-${hashParts(parts).slice(0, 24)}${hashRows(rows)}`;

/** Returns what identifies a create request of its items: its endpoint and, if there are several, a name. */
export const getIdempotencyKeyInputs = (
	request: PlannedRequest,
	number: number,
): Pick<IdempotencyKeyInputs, 'line' | 'name'> => ({
	line: getRequestTarget(request),
	...(number > 1 && { name: `request ${number}` }),
});

/** Returns the origins of a request's items or, if it has been sent before, of all items in it. */
export const getOrigins = (
	{ origins }: Pick<RunIdentity, 'origins'>,
	request: Pick<PlannedRequest, 'items' | 'sentGroup'>,
): string[] =>
	request.sentGroup?.origins ??
	getItemIndexes(request).map((item) => origins[item] ?? String(item));

const createRequestId = (
	{ node, run }: RunIdentity,
	origins: readonly string[],
	{ line, name = '' }: Pick<IdempotencyKeyInputs, 'line' | 'name'>,
) => createHashedKey([...node, ...run, origins, line, name]);

/**
 * Returns the record of a create request in the ledger, or creates it. It is found by the node, the execution, the
 * origins of the items and the endpoint, so it stays the same when n8n runs the node again.
 *
 * @param number position of the request among those sent for the same items, counted from 1
 */
export function openCreateRecord(
	identity: RunIdentity,
	creates: CreateRecords,
	request: PlannedRequest,
	number = 1,
): CreateRecord {
	const origins = getOrigins(identity, request);
	const inputs = getIdempotencyKeyInputs(request, number);
	return openRecord(creates, createRequestId(identity, origins, inputs), origins);
}

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
	identity: RunIdentity,
	request: Pick<PlannedRequest, 'items' | 'sentGroup' | 'values'>,
	{ creates, failures }: EarlierCreates,
): IdempotencyKeyProvider {
	const { node } = identity;
	const origins = getOrigins(identity, request);
	const ownKey = getOwnKey(request.values);
	const payOncePer = getPayOnceScope(request.values);
	const createRowKeyOnce = (line: string, rows: readonly BatchRowIdentity[]) => {
		const used = new Set(Object.values(creates).map(({ key }) => key));
		const isKeyFromLog = ownKey !== undefined && isGeneratedKeyForRows(ownKey, rows);
		if (isKeyFromLog && !used.has(ownKey)) return ownKey;
		for (let count = 0; ; count++) {
			const key = createRowKey([ownKey ?? node, line, rows, count], rows);
			if (!used.has(key)) return key;
		}
	};
	const createFirstKey = (create: IdempotencyKeyInputs, requestId: string) => {
		const { line, name, content, rows, isSingleRow } = create;
		if (rows && isSingleRow) return createRowKeyOnce(line, rows);
		if (rows && ownKey !== undefined && isGeneratedKeyForRows(ownKey, rows)) return ownKey;
		if (rows) {
			// The service returns the earlier batch for a repeated key, even if the rows differ.
			const own = ownKey === undefined ? [requestId] : [line, name, ownKey];
			return createBatchKey(payOncePer === 'request' ? [...node, line] : own, rows);
		}
		if (payOncePer === 'request') return createHashedKey([...node, line, content]);
		if (ownKey === undefined) return createHashedKey([requestId]);
		return name === undefined ? ownKey : extendKey(ownKey, `:${hashParts([name]).slice(0, 12)}`);
	};
	return {
		outlivesExecution: payOncePer !== 'execution',
		getKey(create) {
			const requestId = createRequestId(identity, origins, create);
			const record = openRecord(creates, requestId, origins);
			record.key ??= createFirstKey(create, requestId);
			// The service would repeat its earlier response, a failed job or a rejection, for the same key.
			const counts = create.name === undefined ? origins.map((one) => failures[one] ?? 0) : [];
			const again = counts.reduce((sum, count) => sum + count, record.rejections);
			return again === 0 ? record.key : extendKey(record.key, `:again:${again}`);
		},
	};
}
