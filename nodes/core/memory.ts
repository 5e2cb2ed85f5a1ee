/**
 * Everything that this process remembers beyond one run of a node, in one place: n8n gives a
 * package no other. Each memory is bounded, in entries and in time; what must outlive the process
 * does not belong here.
 */
import { boundedMap } from './boundedMap';
import type { MemoryBudget } from './files/memoryBudget';
import type { AccountTraffic } from './http/concurrency';
import type { Job } from './jobs/types';

/** What all runs of this process share that use one account, by its name: see http/limits.ts. */
export const traffics = boundedMap<AccountTraffic>(200, 24 * 3600);

/** What the tries of one run of a node have done so far: see run/tries.ts. */
export interface RetryState<P = unknown> {
	/** Jobs that were started, by item. */
	readonly jobs: Job[][];
	/** What each item asked for when its values were last right. */
	readonly plans: Array<P | undefined>;
	/** Requests that carried several items. */
	gathered: ReadonlyArray<{ items: number[]; part: number }>;
	/** The key of each create, by place. */
	readonly keys: Map<string, string>;
	/** What becomes of the creates that take no key, by place. */
	readonly made: Map<string, Promise<unknown>>;
	/** How often the job that was made at a place has failed for a reason that may pass. */
	readonly failures: Map<string, number>;
}

/**
 * Between a try of a node and the next one, which n8n begins within seconds; an agent may call its
 * tool again some minutes later. By place of the run.
 */
export const retryStates = boundedMap<RetryState>(1_000, 600);

/** Calls of a tool that asked for the same in one execution: see run/tries.ts. */
export interface ToolCallState<P = unknown> {
	readonly known: RetryState<P>;
	/** The newest of them that has ended went well. */
	answered: boolean;
}

/** By what was asked, and of which node in which execution. */
export const toolCallStates = boundedMap<ToolCallState>(1_000, 24 * 3600);

/** Numbers of the calls of a tool that are each carried out, by what was asked. */
export const toolCallNumbers = boundedMap<Set<number>>(5_000, 24 * 3600);

/** When requests went out or will go out (ms), the newest last, by account and name of the limit. */
export const sendingTimes = boundedMap<readonly number[]>(1_000, 120);

/** Bytes of upload forms that are held in memory now, and who waits for room. */
export const uploadMemory: MemoryBudget = { bytes: 0, waiting: [] };
