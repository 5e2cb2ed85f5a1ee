/**
 * Creates idempotency keys, which let the service recognize repeated create requests
 * (docs/service.md, Idempotency). For operations whose requests have no such key, the node itself
 * recognizes repeated requests by a request ID, which is also created here. This file contains only
 * pure functions.
 */
import { createDigest } from '../digest';
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

/**
 * Data about create requests, shared by all attempts at a node run. The maps are keyed by the
 * request's ID from `getCreateRequestId`.
 */
interface EarlierCreates {
	/** Idempotency key that each create request used on its first attempt. */
	keys: Map<string, string>;
	/** How often the job of each create request has failed for a temporary reason. */
	failures: ReadonlyMap<string, number>;
	/** How often the service has definitely rejected each create request. */
	rejections: ReadonlyMap<string, number>;
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

/**
 * Returns the values that identify a create request within a node run: its HTTP method and path,
 * and a name if the same items send several create requests.
 */
export function getIdempotencyKeyInputs(
	request: PlannedRequest,
	number: number,
): Pick<IdempotencyKeyInputs, 'line' | 'name'> {
	const { retry } = request;
	const names = [
		...(retry === undefined ? [] : [`rows again ${retry}`]),
		...(number === 1 ? [] : [`request ${number}`]),
	];
	const name = names.length === 0 ? {} : { name: names.join(', ') };
	return { line: getRequestTarget(request), ...name };
}

/** Returns the origins of a request's items or, if it has been sent before, of all items in it. */
export const getOrigins = (
	{ origins }: Pick<RunIdentity, 'origins'>,
	request: Pick<PlannedRequest, 'items' | 'sentGroup'>,
): string[] =>
	request.sentGroup?.origins ??
	getItemIndexes(request).map((item) => origins?.[item] ?? String(item));

function createRequestId(
	identity: RunIdentity,
	request: Pick<PlannedRequest, 'items' | 'sentGroup'>,
	{ line, name = '' }: Pick<IdempotencyKeyInputs, 'line' | 'name'>,
): string {
	const { node, run } = identity;
	const origins = getOrigins(identity, request);
	return `${origins[0]} ${createHashedKey([...node, ...run, origins, line, name])}`;
}

/**
 * Returns a create request's ID, which stays the same when n8n runs the node again. It begins with
 * the origin of the first item, followed by a space. The rest is derived from the node, the
 * execution, the origins of the items and the endpoint. The ledger has the request's outcome under
 * this ID.
 *
 * @param number position of the request among those sent for the same items, counted from 1
 */
export const getCreateRequestId = (
	identity: RunIdentity,
	request: PlannedRequest,
	number: number,
) => createRequestId(identity, request, getIdempotencyKeyInputs(request, number));

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
 *
 * The key of a batch also depends on the content of all rows, because the service returns the earlier
 * batch for a repeated key even if the rows differ.
 */
export function createIdempotencyKeyProvider(
	identity: RunIdentity,
	request: Pick<PlannedRequest, 'items' | 'sentGroup' | 'values'>,
	{ keys, failures, rejections }: EarlierCreates,
): IdempotencyKeyProvider {
	const { node } = identity;
	const { values } = request;
	const ownKey = getOwnKey(values);
	const payOncePer = getPayOnceScope(values);
	const createFirstBatchKey = (create: IdempotencyKeyInputs, rows: readonly BatchRowIdentity[]) => {
		const { line, name = '' } = create;
		if (payOncePer === 'request') return createBatchKey([...node, line], rows);
		if (ownKey === undefined)
			return createBatchKey([createRequestId(identity, request, create)], rows);
		// If the user entered a key from the log, the service returns the batch with that key.
		return isGeneratedKeyForRows(ownKey, rows)
			? ownKey
			: createBatchKey([line, name, ownKey], rows);
	};
	const createFirstRowKey = (line: string, rows: readonly BatchRowIdentity[]) => {
		const used = new Set(keys.values());
		const isKeyFromLog = ownKey !== undefined && isGeneratedKeyForRows(ownKey, rows);
		if (isKeyFromLog && !used.has(ownKey)) return ownKey;
		// Identical rows are numbered, so that each of them is created.
		for (let count = 0; ; count++) {
			const key = createRowKey([ownKey ?? node, line, rows, count], rows);
			if (!used.has(key)) return key;
		}
	};
	const createFirstKey = (create: IdempotencyKeyInputs) => {
		const { line, name, content, rows, isSingleRow } = create;
		if (rows && isSingleRow) return createFirstRowKey(line, rows);
		if (rows) return createFirstBatchKey(create, rows);
		if (payOncePer === 'request') return createHashedKey([...node, line, content]);
		if (ownKey === undefined) {
			return createHashedKey([createRequestId(identity, request, create)]);
		}
		return name === undefined ? ownKey : extendKey(ownKey, `:${hashParts([name]).slice(0, 12)}`);
	};
	return {
		outlivesExecution: payOncePer !== 'execution',
		getKey(create) {
			const requestId = createRequestId(identity, request, create);
			const key = keys.get(requestId) ?? createFirstKey(create);
			keys.set(requestId, key);
			// The service would repeat its earlier response, a failed job or a rejection, for the same key.
			const again = (failures.get(requestId) ?? 0) + (rejections.get(requestId) ?? 0);
			return again === 0 ? key : extendKey(key, `:again:${again}`);
		},
	};
}
