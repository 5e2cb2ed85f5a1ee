/**
 * Keys by which the service recognises a repeated create (docs/service.md, Idempotency), and by
 * which this process recognises one that takes no key. Pure.
 */
import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { readText } from '../json';

/** Where a run of a node stands. */
export interface RunIdentity {
	/** The node within its n8n. */
	node: readonly unknown[];
	/** The run of the node: its execution, and which run of the node in it. */
	run: readonly unknown[];
}

const hashParts = (parts: readonly unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** A key of one's own for what these parts say. */
export const createKey = (parts: readonly unknown[]) => `n8n-${hashParts(parts).slice(0, 48)}`;

/** The longest key (docs/service.md, Idempotency). */
const maxKeyLength = 255;

/** A key of the user's own with something behind it that nobody types. */
const extendKey = (own: string, end: string) =>
	(own.length + end.length <= maxKeyLength ? own : hashParts([own])) + end;

/** The key of one of several requests that share a key of the user's, counted from 1. */
export const numberKey = (own: string, part: number) =>
	part === 1 ? own : extendKey(own, `:part:${part}`);

/** One create within the request of an item, such as the upload of a file that it needs. */
export interface KeyedCreate {
	/** Request line with its path identifiers. */
	line: string;
	/** What tells it from others of the same item and line, such as a binary field. */
	name?: string;
	/** What is created; not looked at where the place stands for it. */
	content: unknown;
}

/** Makes the keys of one request and of the uploads that it needs. */
export interface IdempotencyKeys {
	key(create: KeyedCreate): string;
	/** Whether keys mean the same in another execution. */
	lasting: boolean;
	/** The place of the create, by which this process remembers what became of it. */
	place(create: Omit<KeyedCreate, 'content'>): string;
}

/** What the tries of a run know of their keys: see tries.ts. */
interface KnownKeys {
	/** By place; the first key of a create stays its key. */
	keys: Map<string, string>;
	/** How often the job made at a place has failed: the next one has another key. */
	failures: ReadonlyMap<string, number>;
}

/**
 * The key ring of a request.
 *
 * A create's place is the same when n8n repeats the node (Retry On Fail), and another for every other
 * n8n, workflow, execution, node, run and item. Its values are no part of it, because n8n evaluates
 * expressions anew for every try: a time of day in a title must not be paid twice. For the same
 * reason a key that is made of values stays what it was at the first try.
 *
 * @param items numbers of its items
 * @param values `payOncePer` and `idempotencyKey` of the item
 * @param part counts the requests that share a key of the user's, from 1
 */
export function createIdempotencyKeys(
	{ node, run }: RunIdentity,
	items: readonly number[],
	values: IDataObject,
	part: number,
	known: KnownKeys,
): IdempotencyKeys {
	const own = readText(values.idempotencyKey);
	const per = values.payOncePer ?? (own === undefined ? 'execution' : 'ownKey');
	const placeOf = ({ line, name = '' }: Omit<KeyedCreate, 'content'>) =>
		createKey([...node, ...run, items, line, name]);
	const first = (create: KeyedCreate) => {
		const { line, name, content } = create;
		if (per === 'request') return createKey([...node, line, content]);
		if (per !== 'ownKey' || own === undefined) return placeOf(create);
		return name === undefined
			? numberKey(own, part)
			: extendKey(own, `:${hashParts([name]).slice(0, 12)}`);
	};
	return {
		place: placeOf,
		lasting: per !== 'execution',
		key(create) {
			const place = placeOf(create);
			const key = known.keys.get(place) ?? first(create);
			known.keys.set(place, key);
			const failed = known.failures.get(place) ?? 0;
			return failed === 0 ? key : extendKey(key, `:again:${failed}`);
		},
	};
}
