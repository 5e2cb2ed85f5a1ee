/**
 * Everything that this process remembers beyond one run of a node, in one place: n8n gives a
 * package no other. Each memory is bounded, in entries and in time; what must outlive the process
 * does not belong here.
 */
import type { IDataObject } from 'n8n-workflow';
import { memory } from './bounded';
import type { Held, Traffic } from './http/limits';
import type { StartedJob } from './jobs/job';

/** What all runs of this process share that use one account, by its name: see http/limits.ts. */
export const traffics = memory<Traffic>(200, 24 * 3600);

/** What all waits for one kind of job on one account share: see jobs/reader.ts. */
export interface StatusReader {
	/** Waits that are under way. */
	waiting: number;
	/** The service has no lookup for this kind. */
	unsupported: boolean;
	/** Looks that go with the next request, by id, and who is told their entries. */
	asked: Map<string, Array<(entry: IDataObject | undefined) => void>>;
}

/** By name of the account and kind of job. */
export const statusReaders = memory<StatusReader>(1_000, 3600);

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

/** Deliveries that started a workflow, by address and digest: the service repeats for 24 hours. */
export const seenDeliveries = memory<true>(20_000, 24 * 3600);

/** Bytes of upload forms that are held in memory now, and who waits for room. */
export const heldForms: Held = { bytes: 0, waiting: new Set() };
