/**
 * Everything that this process remembers beyond one run of a node, in one place: n8n gives a
 * package no other. Each memory is bounded, in entries and in time; what must outlive the process
 * does not belong here.
 */
import type { IDataObject } from 'n8n-workflow';
import { boundedMap } from './boundedMap';

/** What all waits for one kind of job on one account share: see jobs/reader.ts. */
export interface BatchedStatus {
	/** Waits that are under way. */
	waiting: number;
	/** The service has no lookup for this kind. */
	unsupported: boolean;
	/** Looks that go with the next request, by id, and who is told their entries. */
	asked: Map<string, Array<(entry: IDataObject | undefined) => void>>;
}

/** By name of the account and kind of job. */
export const statusReaders = boundedMap<BatchedStatus>(1_000, 3600);

/**
 * Deliveries of events, by address of the trigger and mark: whether n8n is storing a run for one, or
 * has. The service repeats for 24 hours, and what is older than 25 is refused by its age.
 */
export const deliveryStates = boundedMap<'underWay' | 'started'>(20_000, 25 * 3600);

/** What is being written into n8n's own store of events for one trigger. */
export interface RecordQueue {
	/** Ends when the call that is under way has ended. */
	last: Promise<void>;
	/** What the call after that will write, and which of it was there before. */
	next?: { marks: Set<string>; known: Promise<ReadonlySet<unknown>> };
	/** Marks that this process has written lately, the newest last. */
	recent: string[];
	/** It is being looked whether another process undoes them. */
	isKept?: boolean;
}

/** By place of the trigger. Forgetting one costs what other processes undo of it. */
export const recordQueues = boundedMap<RecordQueue>(1_000, 3600);

/** What is known of the jobs of a suspended execution: see VideoGenWait/called.ts. */
export interface CallbackState {
	/** Jobs that have ended, by name: they are not read again. */
	ended: Set<string>;
	/** The look that began last. */
	last?: Promise<boolean>;
	/** The look that will begin next; calls that come before it share it. */
	next?: Promise<boolean>;
	/** When a call has let the execution go on (ms). */
	woken?: number;
}

/** By execution, node and jobs. Forgetting one costs some more reads. */
export const callbackStates = boundedMap<CallbackState>(5_000, 24 * 3600);

/** Triggers that poll at this moment, by place: a poll that is due meanwhile is left out. */
export const activePolls = boundedMap<true>(1_000, 3600);

/** Runs that polls of this process have started: see VideoGenPollingTrigger/poll.ts. */
export const pollRuns = boundedMap<true>(5_000, 30 * 24 * 3600);

/** When a job was last looked at (ms), by place of the trigger that watches it, and job. */
export const lastChecks = boundedMap<number>(10_000, 30 * 24 * 3600);
