/** How many requests go at once, and what holds them back. */
import { clock } from '../clock';
import { createThrottle, type Throttle } from './throttle';

/** Runs a task as soon as there is a place for it. */
export type Slot = <T>(
	task: () => Promise<T>,
	/** Until when a task that is done still takes its place, as a stream does that is being read. */
	occupied?: (result: T) => Promise<void> | undefined,
) => Promise<T>;

/** A limit of tasks at the same time, which may move; the others wait in order. */
function createSlots(most: () => number): Slot & { running: () => number } {
	let running = 0;
	const queue: Array<() => void> = [];
	const next = () => {
		while (queue.length > 0 && running < most()) {
			running++;
			queue.shift()?.();
		}
	};
	const slot: Slot = async (task, occupied) => {
		if (running < most() && queue.length === 0) running++;
		else await new Promise<void>((resolve) => queue.push(resolve));
		let until: Promise<void> | undefined;
		try {
			const result = await task();
			until = occupied?.(result);
			return result;
		} finally {
			// The place goes on a moment later, so that a failure or a slow-down is known by then.
			void (until ?? Promise.resolve()).then(async () => {
				await clock.tick();
				running--;
				next();
			});
		}
	};
	return Object.assign(slot, { running: () => running });
}

/** A fixed limit of tasks at the same time. */
export const fixedConcurrency = (most: number): Slot => createSlots(() => most);

/** Bounds of a limit that finds its own width. */
export const concurrencyBounds = { first: 10, least: 1, most: 100 };

/**
 * The width of a limit after an answer: it widens by one for each good answer while all places are
 * taken, and halves when the service says that it is too much. Latency that has risen far above the
 * best one seen says the same more quietly: it stops widening, and goes back a little.
 */
export function nextConcurrency(
	width: number,
	answer: { limited: boolean; full: boolean; milliseconds: number; best: number },
): number {
	const { limited, full, milliseconds, best } = answer;
	if (limited) return Math.max(concurrencyBounds.least, Math.floor(width / 2));
	// Waits of a few milliseconds are those of this machine.
	const slow = milliseconds > Math.max(4 * best, best + 250);
	if (slow) return Math.max(concurrencyBounds.first, width - 0.5);
	return full ? Math.min(concurrencyBounds.most, width + 1) : width;
}

/** What one account of this process shares: its width, and its pace. */
export interface AccountTraffic {
	slot: Slot;
	throttle: Throttle;
	/** Told of every answer. */
	answered(answer: { limited: boolean; milliseconds: number }): void;
}

/** The traffic of one account; the one for all runs of this process. */
export function createTraffic(): AccountTraffic {
	let width = concurrencyBounds.first;
	let best = Infinity;
	let lastHalved = 0;
	const slot = createSlots(() => Math.floor(width));
	const pace = createThrottle();
	return {
		slot,
		throttle: pace,
		answered({ limited, milliseconds }) {
			if (!limited) pace.passed(clock.now() - milliseconds);
			// Refusals of requests that were on their way together count once.
			if (limited && clock.now() - lastHalved < 1000) return;
			if (limited) lastHalved = clock.now();
			else best = Math.min(best, milliseconds);
			const full = slot.running() >= Math.floor(width);
			width = nextConcurrency(width, { limited, full, milliseconds, best });
		},
	};
}
