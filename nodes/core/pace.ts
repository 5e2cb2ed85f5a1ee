/** Holds requests back where the service takes only so many per minute. */
import { clock } from './clock';

/** A minute and a little: requests do not take equally long on their way (milliseconds). */
const minute = 61_000;

/** When requests went out or will go out (ms), the newest last; by account and request line. */
const times = new Map<string, number[]>();

/**
 * Waits for the next free place: at most `perMinute` requests start within any minute, for
 * all runs of this process that share the account.
 */
export async function pace(key: string, perMinute: number, signal: AbortSignal): Promise<void> {
	const before = times.get(key) ?? [];
	const oldest = before[before.length - perMinute];
	const now = clock.now();
	const at = oldest === undefined ? now : Math.max(now, oldest + minute);
	times.set(key, [...before.slice(-(perMinute - 1)), at]);
	if (at > now) await clock.sleep(at - now, signal).catch(() => undefined);
}
