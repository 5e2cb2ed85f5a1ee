/**
 * Everything that this process remembers beyond one run of a node, in one place: n8n gives a
 * package no other. Each memory is bounded, in entries and in time; what must outlive the process
 * does not belong here.
 */
import { clock } from './clock';
import type { StartedJob } from './jobs/job';
import type { Plan, Task } from './run/plan';

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

/** What the tries of one run of a node have done so far: see run/tries.ts. */
export interface Tries {
	/** Jobs that were started, by item. */
	readonly jobs: StartedJob[][];
	/** What each item asked for when its values were last right. */
	readonly plans: Array<Plan | undefined>;
	/** Requests that carried several items. */
	gathered: ReadonlyArray<Pick<Task, 'items' | 'part'>>;
	/** The key of each create, by place. */
	readonly keys: Map<string, string>;
	/** What became of the creates that take no key, by place. */
	readonly made: Map<string, { made: unknown } | { error: unknown }>;
	/** How often the job that was made at a place has failed for a reason that may pass. */
	readonly failures: Map<string, number>;
}

/**
 * Between a try of a node and the next one, which n8n begins within seconds; an agent may call its
 * tool again some minutes later. By place of the run.
 */
export const openTries = memory<Tries>(1_000, 600);

/** Numbers of the calls of a tool that asked for the same, and are under way or went well. */
export const toolCalls = memory<Set<number>>(5_000, 24 * 3600);

/** When requests went out or will go out (ms), the newest last, by account and name of the limit. */
export const sendingTimes = memory<readonly number[]>(1_000, 120);

/** Deliveries that started a workflow, by address and digest: the service repeats for 24 hours. */
export const seenDeliveries = memory<true>(20_000, 24 * 3600);

/** Bytes of upload forms that are held in memory now, and who waits for room. */
export const heldForms = { bytes: 0, waiting: new Set<() => void>() };
