/** Maps that cannot grow without end. */
import { clock } from './clock';

/** A bounded map; the oldest entries go first. */
export interface BoundedMap<T> {
	get(key: string): T | undefined;
	/** What is remembered; else what is made now, which is remembered. */
	getOrCreate(key: string, make: () => T): T;
	/** Remembers it as the newest. */
	set(key: string, value: T): void;
	delete(key: string): void;
}

/** @param seconds how long an entry lives */
export function boundedMap<T>(mostEntries: number, seconds: number): BoundedMap<T> {
	const entries = new Map<string, { value: T; since: number }>();
	const isOver = (since: number) => clock.now() - since > seconds * 1000;
	const map: BoundedMap<T> = {
		get(key) {
			const entry = entries.get(key);
			return entry === undefined || isOver(entry.since) ? undefined : entry.value;
		},
		getOrCreate(key, make) {
			const known = map.get(key);
			if (known !== undefined) return known;
			const fresh = make();
			map.set(key, fresh);
			return fresh;
		},
		set(key, value) {
			entries.delete(key);
			entries.set(key, { value, since: clock.now() });
			for (const [oldest, { since }] of entries) {
				if (entries.size <= mostEntries && !isOver(since)) break;
				entries.delete(oldest);
			}
		},
		delete: (key) => void entries.delete(key),
	};
	return map;
}
