import { clock } from './clock';

/**
 * Creates a map for data that the n8n process keeps in memory between executions. A full map drops
 * its oldest entries first. An entry expires the given number of seconds after it was last set.
 */
export function createBoundedMap<T>(maxEntries: number, seconds: number) {
	const entries = new Map<string, { value: T; since: number }>();
	const isExpired = (since: number) => clock.now() - since > seconds * 1000;
	const map = {
		get(key: string): T | undefined {
			const entry = entries.get(key);
			return entry === undefined || isExpired(entry.since) ? undefined : entry.value;
		},
		getOrCreate(key: string, create: () => T): T {
			const stored = map.get(key);
			if (stored !== undefined) return stored;
			const value = create();
			map.set(key, value);
			return value;
		},
		/** Sets the value of a key. The entry becomes the newest one in the map. */
		set(key: string, value: T): void {
			entries.delete(key);
			entries.set(key, { value, since: clock.now() });
			for (const [oldest, { since }] of entries) {
				if (entries.size <= maxEntries && !isExpired(since)) break;
				entries.delete(oldest);
			}
		},
		delete: (key: string) => void entries.delete(key),
	};
	return map;
}
