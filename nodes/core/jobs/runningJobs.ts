/**
 * Polls the running jobs of an account while requests wait to start further jobs, so that the next
 * request is sent as soon as a job has ended.
 *
 * The limit on running jobs applies to an account, whichever execution has started the jobs. All
 * node runs in this process therefore share one list of running jobs.
 */
import type { IDataObject } from 'n8n-workflow';
import { createBoundedMap } from '../boundedMap';
import { clock } from '../clock';
import type { Client } from '../http/client';
import { readState } from './state';
import { describeJob, type Job } from './types';

interface RunningJob {
	job: Job;
	/** Name of the limit on running jobs that the job counts toward. */
	limit: string;
	/** Number of waits that already poll the job, so that nothing else needs to. */
	pollers: number;
	/** Unix time in milliseconds at which the job was last seen running. */
	seenAt: number;
}

/**
 * Maximum number of running jobs that are remembered for an account. The service lets no account
 * run that many (docs/service.md, Limits).
 */
const maxRunningJobs = 100;

/** Milliseconds before a running job is polled if no node run waits for it. */
const followDelay = 1_000;

/** Running jobs by account, and then by the kind and ID of the job, oldest first. */
const runningJobs = createBoundedMap<Map<string, RunningJob>>(200, 24 * 3600);

const getRunningJobs = ({ account }: Client) =>
	runningJobs.getOrCreate(account, () => new Map<string, RunningJob>());

function reportCount(client: Client, limit: string): void {
	const all = [...getRunningJobs(client).values()];
	client.traffic.setRunningJobs(limit, all.filter((one) => one.limit === limit).length);
}

/**
 * Adds jobs that have just been started to the list of running jobs. `limit` is the name of the
 * limit that they count toward.
 */
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

/** Records whether a job is still running, according to its status response. */
export function recordJobStatus(client: Client, job: Job, response: IDataObject): void {
	const known = getRunningJobs(client).get(describeJob(job));
	if (!known) return;
	if (readState(known.job.kind, response) === 'pending') known.seenAt = clock.now();
	else removeRunningJob(client, known);
}

/**
 * Removes a job that has ended from the list of running jobs, so that a request to start another
 * one may be sent.
 */
function removeRunningJob(client: Client, { job, limit, seenAt }: RunningJob): void {
	const running = getRunningJobs(client);
	if (!running.delete(describeJob(job))) return;
	const fullSince = client.traffic.getFullSince(limit);
	client.traffic.reportJobEnd(limit, fullSince !== undefined && seenAt >= fullSince);
	reportCount(client, limit);
}

/** Marks a job as already being polled while `wait` runs, so that nothing else polls it. */
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
		// From now on, another run may have to poll the job.
		if (getRunningJobs(client).has(describeJob(job))) reportCount(client, known.limit);
	}
}

/**
 * Polls the running jobs of the account whenever a request waits to start another job. Returns a
 * function that ends this.
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
			// If the status of a job cannot be read, it leaves the list. A probe then shows whether another
			// job can start.
			void follow(ownClient, job).catch(() => {
				if (!signal.aborted) removeRunningJob(client, running);
			});
		}
	};
	const scheduleFollowing = () => {
		if (isScheduled || signal.aborted) return;
		isScheduled = true;
		// By then, the run that has started a job may poll it anyway, because it waits for the job.
		void clock.sleep(followDelay, signal).then(followAll, () => undefined);
	};
	const unsubscribe = client.traffic.onCapacityChange(scheduleFollowing);
	return () => {
		stop.abort();
		unsubscribe();
	};
}
