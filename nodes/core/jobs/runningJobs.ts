/**
 * Polls running jobs while create requests wait for capacity, so that the next create request is
 * sent as soon as a job has ended.
 *
 * The limit of the account applies to the jobs of all executions, so all node runs of this process
 * share one list of running jobs.
 */
import type { IDataObject } from 'n8n-workflow';
import { createBoundedMap } from '../boundedMap';
import { clock } from '../clock';
import type { Client } from '../http/client';
import { readState } from './state';
import { describeJob, type Job } from './types';

interface RunningJob {
	job: Job;
	/** Name of the limit that the job counts for. */
	limit: string;
	/** Number of waits that read its status. */
	pollers: number;
	/** Unix time in milliseconds at which its status last showed that it was running. */
	seenAt: number;
}

/**
 * Maximum number of jobs in the list of an account. More than the service lets an account run
 * (docs/service.md, Limits).
 */
const maxRunningJobs = 100;

/** Milliseconds before a job is followed that no wait reads. */
const followDelay = 1_000;

/** Running jobs by account, then by name, oldest first. */
const runningJobs = createBoundedMap<Map<string, RunningJob>>(200, 24 * 3600);

const getRunningJobs = ({ account }: Client) =>
	runningJobs.getOrCreate(account, () => new Map<string, RunningJob>());

function reportCount(client: Client, limit: string): void {
	const all = [...getRunningJobs(client).values()];
	client.traffic.setRunningJobs(limit, all.filter((one) => one.limit === limit).length);
}

/** Adds jobs that have just been started. `limit` is the name of the limit that they count for. */
export function addRunningJobs(client: Client, limit: string, jobs: readonly Job[]): void {
	const running = getRunningJobs(client);
	for (const job of jobs) {
		const name = describeJob(job);
		if (!running.has(name)) running.set(name, { job, limit, pollers: 0, seenAt: 0 });
	}
	for (const oldest of running.keys()) {
		if (running.size <= maxRunningJobs) break;
		running.delete(oldest);
	}
	if (jobs.length > 0) reportCount(client, limit);
}

/** Records whether a job is still running, according to a status response. */
export function recordJobStatus(client: Client, job: Job, response: IDataObject): void {
	const known = getRunningJobs(client).get(describeJob(job));
	if (!known) return;
	if (readState(known.job.kind, response) === 'pending') known.seenAt = clock.now();
	else removeRunningJob(client, known);
}

/** Removes a job that has ended, which lets the next create request be sent. */
function removeRunningJob(client: Client, { job, limit, seenAt }: RunningJob): void {
	const running = getRunningJobs(client);
	if (!running.delete(describeJob(job))) return;
	const fullSince = client.traffic.getFullSince(limit);
	client.traffic.reportJobEnd(limit, fullSince !== undefined && seenAt >= fullSince);
	reportCount(client, limit);
}

/**
 * Counts a wait as a reader of the status of its job, which nobody else needs to follow meanwhile.
 */
export async function markJobAsPolledDuring<T>(
	client: Client,
	job: Job,
	wait: () => Promise<T>,
): Promise<T> {
	const known = getRunningJobs(client).get(describeJob(job));
	if (!known) return await wait();
	known.pollers++;
	try {
		return await wait();
	} finally {
		known.pollers--;
		// Another run may follow the job from now on.
		if (getRunningJobs(client).has(describeJob(job))) reportCount(client, known.limit);
	}
}

/**
 * Follows the running jobs of the account whenever a create request waits for capacity, until the
 * returned function is called.
 *
 * @param follow reads the status of a job until it ends
 */
export function pollJobsWhileAccountFull(
	client: Client,
	follow: (client: Client, job: Job) => Promise<unknown>,
): () => void {
	const stop = new AbortController();
	const signal = AbortSignal.any([client.signal, stop.signal]);
	const ownClient: Client = { ...client, signal };
	let isScheduled = false;
	const followAll = () => {
		isScheduled = false;
		for (const running of [...getRunningJobs(client).values()]) {
			if (signal.aborted) return;
			const { job, limit, pollers } = running;
			if (pollers > 0 || client.traffic.getFullSince(limit) === undefined) continue;
			// A job whose status cannot be read is dropped: a probe shows whether there is capacity.
			void follow(ownClient, job).catch(() => {
				if (!signal.aborted) removeRunningJob(client, running);
			});
		}
	};
	const scheduleFollowing = () => {
		if (isScheduled || signal.aborted) return;
		isScheduled = true;
		// By then, the run that started a job may be waiting for it, and its end is noticed anyway.
		void clock.sleep(followDelay, signal).then(followAll, () => undefined);
	};
	const unsubscribe = client.traffic.onCapacityChange(scheduleFollowing);
	return () => {
		stop.abort();
		unsubscribe();
	};
}
