/**
 * Polls an account's running jobs while requests wait because of the limit on running jobs. As soon
 * as a job has ended, the next request is sent.
 *
 * The limit on running jobs applies to the whole account, no matter which execution started the
 * jobs. All node runs in this process therefore share one list of running jobs.
 */
import type { IDataObject } from 'n8n-workflow';
import { createBoundedMap } from '../boundedMap';
import { clock } from '../clock';
import type { Client } from '../http/client';
import { decideJobState } from './jobState';
import { describeJob, type Job } from './types';

interface RunningJob {
	job: Job;
	/** Name of the limit that this running job counts toward. */
	limit: string;
	/**
	 * Number of node runs that are waiting for the job and polling it. If there are any, the job
	 * needs no additional polling.
	 */
	pollers: number;
	/** Unix time in milliseconds when the job was last seen running. */
	seenAt: number;
}

/**
 * Maximum number of running jobs to keep track of for one account. No account is allowed to run
 * that many (docs/service.md, Limits).
 */
const maxRunningJobs = 100;

/**
 * Delay in milliseconds before polling running jobs, so that node runs that wait for their own jobs
 * can start polling them first.
 */
const followDelay = 1_000;

/**
 * Running jobs, keyed by account and then by the job's kind and ID, oldest first. Kept for 24 hours
 * after their last use.
 */
const runningJobs = createBoundedMap<Map<string, RunningJob>>(200, 24 * 3600);

function getRunningJobs({ account }: Client): Map<string, RunningJob> {
	const running = runningJobs.get(account) ?? new Map<string, RunningJob>();
	runningJobs.set(account, running);
	return running;
}

function reportCount(client: Client, limit: string): void {
	const running = [...getRunningJobs(client).values()];
	client.traffic.setRunningJobs(limit, running.filter((one) => one.limit === limit).length);
}

/**
 * Adds newly started jobs to the list of running jobs. `limit` is the name of the limit that they
 * count toward.
 */
export function trackRunningJobs(client: Client, limit: string, jobs: readonly Job[]): void {
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

/**
 * Updates the list of running jobs from a job's status response: notes when the job was last seen
 * running, or removes the job if it has ended.
 */
export function updateRunningJob(client: Client, job: Job, response: IDataObject): void {
	const known = getRunningJobs(client).get(describeJob(job));
	if (!known) return;
	if (decideJobState(known.job.kind, response) === 'pending') known.seenAt = clock.now();
	else removeRunningJob(client, known);
}

/** Removes an ended job from the list of running jobs, so that another job can be started. */
function removeRunningJob(client: Client, { job, limit, seenAt }: RunningJob): void {
	const running = getRunningJobs(client);
	if (!running.delete(describeJob(job))) return;
	const fullSince = client.traffic.getFullSince(limit);
	client.traffic.reportJobEnd(limit, fullSince !== undefined && seenAt >= fullSince);
	reportCount(client, limit);
}

/**
 * Runs `wait`, which polls a job. Meanwhile, the job is marked as being polled, so that node runs
 * with waiting requests do not poll it too.
 */
export async function runWithJobMarkedAsPolled<T>(
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
 * Polls the account's running jobs whenever a request is waiting to start another job. Returns a
 * function that stops this polling.
 *
 * @param follow reads a job's status until the job ends
 */
export function startPollingWhenAccountFull(
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
			// A job whose status cannot be read is removed from the list. The next request to start
			// a job then shows whether there is room for it.
			void follow(ownClient, job).catch(() => {
				if (!signal.aborted) removeRunningJob(client, running);
			});
		}
	};
	const scheduleFollowing = () => {
		if (isScheduled || signal.aborted) return;
		isScheduled = true;
		// The delay gives the run that started a job time to poll it itself, if it waits for the
		// job.
		void clock.sleep(followDelay, signal).then(followAll, () => undefined);
	};
	const unsubscribe = client.traffic.onCapacityChange(scheduleFollowing);
	return () => {
		stop.abort();
		unsubscribe();
	};
}
