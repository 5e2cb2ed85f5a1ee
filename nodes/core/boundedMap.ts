/** Map for data that the n8n process keeps in memory between executions. */
import { clock } from './clock';

/** When it is full, the oldest entries are removed first. */
export interface BoundedMap<T> {
	get(key: string): T | undefined;
	getOrCreate(key: string, create: () => T): T;
	/** Makes the entry the newest. */
	set(key: string, value: T): void;
	delete(key: string): void;
}

/** An entry expires if it has not been set for the given number of seconds. */
export function createBoundedMap<T>(maxEntries: number, seconds: number): BoundedMap<T> {
	const entries = new Map<string, { value: T; since: number }>();
	const isExpired = (since: number) => clock.now() - since > seconds * 1000;
	const map: BoundedMap<T> = {
		get(key) {
			const entry = entries.get(key);
			return entry === undefined || isExpired(entry.since) ? undefined : entry.value;
		},
		getOrCreate(key, create) {
			const stored = map.get(key);
			if (stored !== undefined) return stored;
			const value = create();
			map.set(key, value);
			return value;
		},
		set(key, value) {
			entries.delete(key);
			entries.set(key, { value, since: clock.now() });
			for (const [oldest, { since }] of entries) {
				if (entries.size <= maxEntries && !isExpired(since)) break;
				entries.delete(oldest);
			}
		},
		delete: (key) => void entries.delete(key),
	};
	return map;
}
