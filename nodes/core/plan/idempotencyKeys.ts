/**
 * Creates the keys by which the service recognizes repeated creates (docs/service.md, Idempotency),
 * and by which this process recognizes creates that accept no key. Pure functions.
 */
import { createHash } from 'crypto';
import { readText } from '../json';
import type { IdempotencyKeys, KeyedCreate } from '../operation';
import type { PlannedRequest } from './groupRequests';

/** Identifies one run of a node, across all its attempts. */
export interface RunIdentity {
	/** Installation, workflow and node. */
	node: readonly unknown[];
	/** Execution, and the number of the node's run in it. */
	run: readonly unknown[];
}

/** Results of earlier attempts of a run, by the place of each create. */
interface EarlierCreates {
	/** First idempotency key of each create. */
	keys: Map<string, string>;
	/** Number of times that the job of each create has failed for a transient reason. */
	failures: ReadonlyMap<string, number>;
}

/** Maximum length of an idempotency key (docs/service.md, Idempotency). */
const maxKeyLength = 255;

const hashParts = (parts: readonly unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Creates a key that is equal only for equal parts. */
export const createKey = (parts: readonly unknown[]) => `n8n-${hashParts(parts).slice(0, 48)}`;

/** Adds a suffix to a user's key. The key is hashed if the result would be too long. */
const extendKey = (key: string, suffix: string) =>
	(key.length + suffix.length <= maxKeyLength ? key : hashParts([key])) + suffix;

/** Returns the key of one of several requests that share a user's key. `part` counts from 1. */
export const numberKey = (key: string, part: number) =>
	part === 1 ? key : extendKey(key, `:part:${part}`);

/**
 * Creates the idempotency keys of a planned request.
 *
 * A key derives from the place of the create: installation, workflow, node, execution, run, items
 * and request line. The values are excluded, because n8n evaluates expressions again at every
 * attempt: a changed time of day in a title must not be paid for twice. For the same reason, keys
 * that depend on values (Own Key, Same Request) stay the same as at the first attempt.
 */
export function createIdempotencyKeys(
	{ node, run }: RunIdentity,
	{ itemIndexes, values, part }: Pick<PlannedRequest, 'itemIndexes' | 'values' | 'part'>,
	{ keys, failures }: EarlierCreates,
): IdempotencyKeys {
	const ownKey = readText(values.idempotencyKey);
	const payOncePer = values.payOncePer ?? (ownKey === undefined ? 'execution' : 'ownKey');
	const getPlace = ({ line, name = '' }: Omit<KeyedCreate, 'content'>) =>
		createKey([...node, ...run, itemIndexes, line, name]);
	const createFirstKey = (create: KeyedCreate) => {
		const { line, name, content } = create;
		if (payOncePer === 'request') return createKey([...node, line, content]);
		if (payOncePer !== 'ownKey' || ownKey === undefined) return getPlace(create);
		return name === undefined
			? numberKey(ownKey, part)
			: extendKey(ownKey, `:${hashParts([name]).slice(0, 12)}`);
	};
	return {
		getPlace: getPlace,
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
