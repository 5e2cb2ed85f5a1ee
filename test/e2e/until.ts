import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from './process';

/**
 * Polls until the condition returns a value, and returns it. Polls ten times a second at first, and once a second
 * after 9 seconds, because many flows wait for minutes, and a question costs n8n some milliseconds.
 *
 * @param seen describes the last state for the error of the timeout
 */
export async function until<T>(
	what: string,
	poll: () => Promise<T | undefined | false> | T | undefined | false,
	timeoutMs = 15_000,
	seen?: () => string,
): Promise<T> {
	const timeout = timeoutMs * patience;
	const started = Date.now();
	for (;;) {
		const value = await poll();
		if (value !== undefined && value !== false) return value;
		const waited = Date.now() - started;
		if (waited > timeout) {
			const last = seen === undefined ? '' : `; ${seen()}`;
			throw new Error(`Timed out after ${timeout / 1000} s waiting for: ${what}${last}`);
		}
		await sleep(Math.min(1000, 100 + waited / 10));
	}
}
