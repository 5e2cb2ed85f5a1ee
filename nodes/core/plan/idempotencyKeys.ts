/**
 * The keys by which the service recognizes a repeated create (docs/service.md, Idempotency), and by
 * which this process recognizes a create that takes no key. Pure.
 */
import { createHash } from 'crypto';
import { readText } from '../json';
import type { IdempotencyKeys, KeyedCreate } from '../operation';
import type { PlannedRequest } from './groupRequests';

/** Identifies one run of a node, over all its attempts. */
export interface RunIdentity {
	/** The installation, the workflow and the node. */
	node: readonly unknown[];
	/** The execution, and which run of the node in it. */
	run: readonly unknown[];
}

/** What earlier attempts know about the creates of a run, by place. */
interface EarlierCreates {
	/** The first key of each create. */
	keys: Map<string, string>;
	/** How often the job of each create has failed for a transient reason. */
	failures: ReadonlyMap<string, number>;
}

/** The longest key that the service takes (docs/service.md, Idempotency). */
const maxKeyLength = 255;

const hashParts = (parts: readonly unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** A key that is equal only for equal parts. */
export const createKey = (parts: readonly unknown[]) => `n8n-${hashParts(parts).slice(0, 48)}`;

/** A user's key with a suffix that no user types. */
const extendKey = (key: string, suffix: string) =>
	(key.length + suffix.length <= maxKeyLength ? key : hashParts([key])) + suffix;

/** The key of one of several requests that share a user's key. `part` counts from 1. */
export const numberKey = (key: string, part: number) =>
	part === 1 ? key : extendKey(key, `:part:${part}`);

/**
 * The idempotency keys of a planned request.
 *
 * A key is made of the create's place: installation, workflow, node, execution, run, items, request
 * line. The values are no part of it, because n8n evaluates expressions again at every attempt: a
 * time of day in a title must not be paid twice. Keys that users make of values (Own Key, Same
 * Request) therefore also stay what they were at the first attempt.
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
		place: getPlace,
		lasting: payOncePer !== 'execution',
		key(create) {
			const place = getPlace(create);
			const key = keys.get(place) ?? createFirstKey(create);
			keys.set(place, key);
			// A job that failed is made again under another key, or the service would replay it.
			const failed = failures.get(place) ?? 0;
			return failed === 0 ? key : extendKey(key, `:again:${failed}`);
		},
	};
}
