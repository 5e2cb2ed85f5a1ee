/** How many requests go in a minute. */
import { clock } from '../clock';
import { sendingTimes } from '../memory';

/** A limit of requests per minute, shared by all that name it so. */
export interface PerMinuteLimit {
	name: string;
	perMinute: number;
}

/** A minute and a little: requests do not take equally long on their way (milliseconds). */
const limitWindow = 61_000;

/**
 * The times of sending after one more request, which is the last of them.
 *
 * @param before Unix times in milliseconds, the newest last
 */
export function planNextRequest(
	before: readonly number[],
	perMinute: number,
	now: number,
): number[] {
	const oldest = before[before.length - perMinute];
	const at = oldest === undefined ? now : Math.max(now, oldest + limitWindow);
	return [...before.slice(-(perMinute - 1)), at];
}

/**
 * Waits for the next free place: at most `perMinute` requests start within any minute, for all
 * runs of this process that share the account.
 */
export async function waitForMinuteLimit(
	account: string,
	rate: PerMinuteLimit,
	signal: AbortSignal,
): Promise<void> {
	const key = `${account} ${rate.name}`;
	const now = clock.now();
	const times = planNextRequest(sendingTimes.get(key) ?? [], rate.perMinute, now);
	sendingTimes.set(key, times);
	const at = times[times.length - 1] ?? now;
	if (at > now) await clock.sleep(at - now, signal).catch(() => undefined);
}
