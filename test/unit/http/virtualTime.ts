/** Time that jumps to the end of the next pause as soon as no other work is left. */
import { clock } from '../../../nodes/core/clock';

/** The clock before the test: other tests in this process may have replaced it, too. */
let clockBefore = { ...clock };
let now = 0;
let pauses: Array<{ end: number; resume: () => void }> = [];

/** Puts the nodes on virtual time. It starts at 0 for each test. */
export function useVirtualTime(): void {
	beforeEach(() => {
		// Mocks that other tests in this process have left would give back the real time later.
		jest.restoreAllMocks();
		clockBefore = { ...clock };
		now = 0;
		pauses = [];
		Object.assign(clock, {
			now: () => now,
			elapsed: () => now,
			sleep,
			tick: async () => await Promise.resolve(),
		});
	});
	afterEach(() => {
		// First, because mocks give back what they replaced: in a test, that is virtual time.
		jest.restoreAllMocks();
		Object.assign(clock, clockBefore);
	});
}

/** Longer than any pause of the nodes. */
const maxPause = 100 * 24 * 3600_000;

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
	signal?.throwIfAborted();
	// A timer of an earlier test in this process has fired, and the next one is set for a real time.
	if (milliseconds > maxPause) throw new Error('This pause does not belong to the test');
	await new Promise<void>((resolve, reject) => {
		const pause = { end: now + milliseconds, resume: resolve };
		pauses.push(pause);
		signal?.addEventListener('abort', () => {
			pauses = pauses.filter((other) => other !== pause);
			reject(signal.reason as Error);
		});
	});
}

/** Passes the time until the task ends. Returns the seconds that this takes. */
export async function passTime(task: Promise<unknown>): Promise<number> {
	const startedAt = now;
	let hasEnded = false;
	const end = () => (hasEnded = true);
	void task.then(end, end);
	for (let idle = 0; ; idle++) {
		await new Promise((resolve) => setImmediate(resolve));
		if (hasEnded) return (now - startedAt) / 1000;
		if (idle > 1000) throw new Error('The task waits for something that is not a pause');
		pauses.sort((a, b) => a.end - b.end);
		const next = pauses.shift();
		if (!next) continue;
		idle = 0;
		now = Math.max(now, next.end);
		next.resume();
	}
}

/** Random numbers from 0 to 1, the same in every run. */
export function createRandom(): () => number {
	let state = 1;
	return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
