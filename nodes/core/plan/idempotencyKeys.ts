/**
 * Creates idempotency keys, by which the service recognizes repeated create requests
 * (docs/service.md, Idempotency). For create requests that accept no key, this process uses similar
 * keys to recognize repeats. Pure functions.
 */
import { createHash } from 'crypto';
import { readText } from '../json';
import type { IdempotencyKeyProvider, CreateRequestIdentity, RowIdentity } from '../operation';
import { getPayOncePer, type PlannedRequest } from './groupRequests';

/**
 * Identifies one run of a node. All attempts of the run, including retries by n8n, have the same
 * identity.
 */
export interface RunIdentity {
	/** Identifiers of the n8n installation, the workflow and the node. */
	node: readonly unknown[];
	/**
	 * Identifier of the execution, and what distinguishes this run of the node from its other runs in
	 * that execution.
	 */
	run: readonly unknown[];
}

/**
 * What all attempts of the run share: the random part of its keys, and what earlier attempts
 * recorded about each create request. The keys of the maps identify the position of the request in
 * the run.
 */
interface EarlierCreates {
	keySalt: string;
	/** Idempotency key of each create request at its first attempt. */
	keys: Map<string, string>;
	/** Number of times that the job of each create request has failed for a temporary reason. */
	failures: ReadonlyMap<string, number>;
}

/** Maximum number of characters in an idempotency key (docs/service.md, Idempotency). */
const maxKeyLength = 255;

const hashParts = (parts: readonly unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Creates a key from a list of values. Only equal lists result in equal keys. */
export const createHashedKey = (parts: readonly unknown[]) =>
	`n8n-${hashParts(parts).slice(0, 48)}`;

/**
 * Appends a suffix to a user-supplied idempotency key. Hashes the key first if the result would be
 * too long.
 */
const extendKey = (key: string, suffix: string) =>
	(key.length + suffix.length <= maxKeyLength ? key : hashParts([key])) + suffix;

const batchKeyPattern = /^n8n-[0-9a-f]{24}([0-9a-f]{24})(:again:\d+)?$/;

/** Whether a key looks like one that this package has created for a batch. */
export const isBatchKey = (key: string) => batchKeyPattern.test(key);

const hashRows = (rows: readonly RowIdentity[]) =>
	hashParts(rows.map(({ digest }) => digest)).slice(0, 24);

/** Whether the key of a batch was created for rows with this content, in this order. */
export const isKeyOfRows = (key: string, rows: readonly RowIdentity[]) =>
	batchKeyPattern.exec(key)?.[1] === hashRows(rows);

/**
 * Creates the key of a batch, which identifies the content of its rows, so that a key from the log
 * never gives a row the result of another one.
 */
const createBatchKey = (parts: readonly unknown[], rows: readonly RowIdentity[]) =>
	`n8n-${hashParts(parts).slice(0, 24)}${hashRows(rows)}`;

/**
 * Creates the idempotency keys of a planned request and its uploads.
 *
 * By default, a key depends on the position of the request in the run (installation, workflow, node,
 * execution, run, items and request line) and on a random part that all attempts of the run share.
 * The random part is needed because a restored or cloned n8n counts its executions from an earlier
 * number. A key does not depend on parameter values, because n8n evaluates expressions again at every
 * attempt. Otherwise, a changed time of day in a title would mean paying twice. For the same reason,
 * keys that do depend on values (Own Key, Same Request) stay the same as at the first attempt.
 *
 * The key of a batch with Own Key or Same Request depends on the content of all its rows: the service
 * returns the first batch for a key, also to other rows.
 */
export function createIdempotencyKeys(
	{ node, run }: RunIdentity,
	{ itemIndexes, values }: Pick<PlannedRequest, 'itemIndexes' | 'values'>,
	{ keySalt, keys, failures }: EarlierCreates,
): IdempotencyKeyProvider {
	const ownKey = readText(values.idempotencyKey);
	const payOncePer = getPayOncePer(values);
	const getPlace = ({ line, name = '' }: Pick<CreateRequestIdentity, 'line' | 'name'>) =>
		createHashedKey([...node, ...run, itemIndexes, line, name]);
	const createFirstBatchKey = (create: CreateRequestIdentity, rows: readonly RowIdentity[]) => {
		const { line, name = '' } = create;
		if (payOncePer === 'request') return createBatchKey([...node, line], rows);
		if (payOncePer !== 'ownKey') return createBatchKey([getPlace(create)], rows);
		// The key of a batch from the log gets that batch.
		if (rows.every((row) => row.ownKey === ownKey) && isKeyOfRows(ownKey ?? '', rows)) {
			return ownKey ?? '';
		}
		return createBatchKey([line, name, rows.map((row) => row.ownKey)], rows);
	};
	const createFirstKey = (create: CreateRequestIdentity) => {
		const { line, name, content, rows } = create;
		if (rows) return createFirstBatchKey(create, rows);
		if (payOncePer === 'request') return createHashedKey([...node, line, content]);
		if (payOncePer !== 'ownKey' || ownKey === undefined) {
			return createHashedKey([keySalt, getPlace(create)]);
		}
		return name === undefined ? ownKey : extendKey(ownKey, `:${hashParts([name]).slice(0, 12)}`);
	};
	return {
		getPlace,
		outlivesExecution: payOncePer !== 'execution',
		getKey(create) {
			const place = getPlace(create);
			const key = keys.get(place) ?? createFirstKey(create);
			keys.set(place, key);
			// A failed job is created again under a different key; otherwise the service would replay it.
			const failed = failures.get(place) ?? 0;
			return failed === 0 ? key : extendKey(key, `:again:${failed}`);
		},
	};
}
