/**
 * Everything that this process remembers beyond one run of a node, in one place: n8n gives a
 * package no other. Each memory is bounded, in entries and in time; what must outlive the process
 * does not belong here.
 */
import { clock } from './clock';
import type { StartedJob } from './jobs/job';

/** A bounded map; the oldest entries go first. */
export interface Memory<T> {
	get(key: string): T | undefined;
	/** Remembers it as the newest. */
	set(key: string, value: T): void;
	delete(key: string): void;
}

/** @param seconds how long an entry lives */
function memory<T>(mostEntries: number, seconds: number): Memory<T> {
	const entries = new Map<string, { value: T; since: number }>();
	const isOver = (since: number) => clock.now() - since > seconds * 1000;
	return {
		get(key) {
			const entry = entries.get(key);
			return entry === undefined || isOver(entry.since) ? undefined : entry.value;
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
}

/** What became of a create that takes no key, by its place in an execution: see run/made.ts. */
export const madeCreates = memory<{ made: unknown } | { error: unknown }>(5_000, 24 * 3600);

/**
 * How often the job that was made at a place of an execution has failed for a reason that may pass:
 * Retry On Fail then makes another one. See run/keys.ts.
 */
export const failedJobs = memory<number>(5_000, 24 * 3600);

/** What the earlier tries of a node have done. */
export interface EarlierTries {
	/** Jobs that they have started, by item. */
	jobs: ReadonlyArray<readonly StartedJob[]>;
	/** Items that they have sent together. */
	gathered: readonly number[][];
}

/** By run of a node that n8n may repeat, until one try ends well: see run/ledger.ts. */
export const earlierTries = memory<EarlierTries>(200, 3600);

/** When requests went out or will go out (ms), the newest last, by account and name of the limit. */
export const sendingTimes = memory<readonly number[]>(1_000, 120);

/**
 * Deliveries of events, by address of the trigger and mark: whether n8n is storing a run for one, or
 * has. The service repeats for 24 hours, and what is older than 25 is refused by its age.
 */
export const deliveries = memory<'underWay' | 'started'>(20_000, 25 * 3600);

/** Who records an event in n8n's own store now, by place of the trigger. */
export const recording = new Map<string, Promise<void>>();

/** Bytes of upload forms that are held in memory now, and who waits for room. */
export const heldForms = { bytes: 0, waiting: new Set<() => void>() };
