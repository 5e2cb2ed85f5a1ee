/**
 * Creates idempotency keys, by which the service recognizes repeated create requests
 * (docs/service.md, Idempotency). For create requests that accept no key, this process uses similar
 * keys to recognize repeats. Pure functions.
 */
import { createHash } from 'crypto';
import { readText } from '../json';
import type { IdempotencyKeys, CreateRequestIdentity } from '../operation';
import type { PlannedRequest } from './groupRequests';

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

/**
 * Returns the idempotency key for one of several requests that share a user-supplied key. `part` is
 * the number of the request, from 1.
 */
export const createNumberedKey = (key: string, part: number) =>
	part === 1 ? key : extendKey(key, `:part:${part}`);

/**
 * Creates the idempotency keys of a planned request and its uploads.
 *
 * By default, a key depends on the position of the request in the run (installation, workflow, node,
 * execution, run, items and request line) and on a random part that all attempts of the run share.
 * The random part is needed because a restored or cloned n8n counts its executions from an earlier
 * number. A key does not depend on parameter values, because n8n evaluates expressions again at every
 * attempt. Otherwise, a changed time of day in a title would mean paying twice. For the same reason,
 * keys that do depend on values (Own Key, Same Request) stay the same as at the first attempt.
 */
export function createIdempotencyKeys(
	{ node, run }: RunIdentity,
	{ itemIndexes, values, part }: Pick<PlannedRequest, 'itemIndexes' | 'values' | 'part'>,
	{ keySalt, keys, failures }: EarlierCreates,
): IdempotencyKeys {
	const ownKey = readText(values.idempotencyKey);
	const payOncePer = values.payOncePer ?? (ownKey === undefined ? 'execution' : 'ownKey');
	const getPlace = ({ line, name = '' }: Omit<CreateRequestIdentity, 'content'>) =>
		createHashedKey([...node, ...run, itemIndexes, line, name]);
	const createFirstKey = (create: CreateRequestIdentity) => {
		const { line, name, content } = create;
		if (payOncePer === 'request') return createHashedKey([...node, line, content]);
		if (payOncePer !== 'ownKey' || ownKey === undefined) {
			return createHashedKey([keySalt, getPlace(create)]);
		}
		return name === undefined
			? createNumberedKey(ownKey, part)
			: extendKey(ownKey, `:${hashParts([name]).slice(0, 12)}`);
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
