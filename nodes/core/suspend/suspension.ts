/**
 * Decides when a run that waits for jobs suspends its execution, and until when. A run is suspended
 * after about a minute, once each job has been checked, or earlier if many runs wait.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { raceWithAbort, clock } from '../clock';
import type { NodeError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import {
	extendFailedReadStreak,
	hasTooManyDoubtfulReads,
	pollsBeforeNotFound,
} from '../jobs/readJobs';
import {
	type FailedReadStreak,
	describeJob,
	toJobReference,
	type Job,
	type JobWaitOutcome,
	type WaitPolicy,
} from '../jobs/types';
import { waitForJob } from '../jobs/waitForJob';
import { omitKeys } from '../json';
import type { Operation } from '../operation';
import { waitsForJobs } from '../operationTraits';
import { findReasonNotToSuspend } from './suspendExecution';

export interface StoredWait {
	suspensions: number;
	/** Time when the run began, in Unix milliseconds. */
	begun?: number;
	/** Time when the service last accepted a request of the run, in Unix milliseconds. */
	acceptedAt?: number;
	/** Records of failed status checks since the last successful one, by job name. */
	streaks?: Record<string, FailedReadStreak>;
}

/** Key in `streaks` for failures that concern the whole run. No job has this name. */
const ofRun = '';

export const findFailedReads = ({ streaks = {} }: StoredWait): FailedReadStreak | undefined =>
	streaks[ofRun] ?? Object.values(streaks)[0];

/**
 * Milliseconds that a run waits in place, without suspending its execution, after the service has
 * accepted a request: short jobs end in that time. `full` applies while requests wait because the
 * account runs its maximum number of jobs: a suspended execution does not notice that a job has
 * ended.
 */
const timeInPlace = { first: 60_000, full: 300_000, resumed: 60_000 };

/**
 * Maximum number of runs in this n8n process that wait without suspending. n8n holds up to 12 MB
 * for each: 300 runs that started at once took 4.4 GB without this limit and 1.1 GB with it.
 */
const maxRunsInPlace = 20;
let runsInPlace = 0;

/** Milliseconds after a suspension in which waiting rows may start if the account has capacity. */
const timeToStart = 30_000;

/** Shortest and longest suspension in milliseconds. n8n does not end shorter ones on time. */
const suspensionTime = { min: 65_000, max: 300_000 };

/**
 * Returns how many milliseconds to suspend: a sixth of the time waited for the newest job, within
 * limits, plus a random part so that executions do not resume together.
 *
 * @param random number from 0 to 1
 */
export const calculateSuspension = (waited: number, random: number) =>
	Math.min(Math.max(waited / 6, suspensionTime.min), suspensionTime.max) * (1 + random / 10);

export interface SuspensionPlan {
	/** Jobs that are still running. */
	jobs: readonly Job[];
	/** Number of the run's jobs that have ended. */
	ended: number;
	/** Number of requests that wait because the account runs its maximum number of jobs. */
	unsent: number;
	until: Date;
	wait: StoredWait;
}

/**
 * Plans another suspension of a run that cannot continue now, perhaps for a temporary reason.
 * Returns undefined if the run was not suspended before, or has failed too often.
 */
export function planSuspensionAfterError(
	wait: StoredWait | undefined,
	error: NodeError,
): SuspensionPlan | undefined {
	if (!wait) return undefined;
	const now = clock.now();
	const failedReads = extendFailedReadStreak(findFailedReads(wait), error, 'doubtful', now);
	if (hasTooManyDoubtfulReads(failedReads, now)) return undefined;
	const until = new Date(now + calculateSuspension(0, Math.random()));
	return {
		jobs: [],
		ended: 0,
		unsent: 0,
		until,
		wait: {
			...wait,
			suspensions: wait.suspensions + 1,
			streaks: { ...wait.streaks, [ofRun]: failedReads },
		},
	};
}

export type SuspensionPlanner = ReturnType<typeof createSuspensionPlanner>;

/**
 * Creates the object that decides when to suspend a run.
 *
 * @param earlier progress of the wait, if the execution was suspended before
 * @param requests number of requests that the run will send
 */
export function createSuspensionPlanner({
	isPossible,
	earlier,
	requests,
}: {
	isPossible: boolean;
	earlier?: StoredWait;
	requests: number;
}) {
	/** Number of requests that are being sent, or are not sent yet. */
	let unsent = requests;
	const begun = clock.now();
	/** Time when the run began, by the monotonic clock, which is never set back. */
	const begunAt = clock.elapsed();
	let acceptedAt: number | undefined;
	/** Awaited jobs with their deadlines, and whether this attempt has already read their status. */
	const awaited = new Map<Job, { since: number; deadline: number; isRead: boolean }>();
	let ended = 0;
	const streaks = new Map(Object.entries(omitKeys(earlier?.streaks ?? {}, ofRun)));
	let isOver = !isPossible;
	let endAll = () => {};
	const allEnded = new Promise<void>((resolve) => (endAll = resolve));
	let decide: (plan: SuspensionPlan) => void = () => {};
	const decided = new Promise<SuspensionPlan>((resolve) => (decide = resolve));
	const timer = new AbortController();

	/** Returns the time until which the run waits without suspending, by the monotonic clock. */
	const getEndOfStay = (): number => {
		if (earlier && acceptedAt === undefined) return begunAt + (unsent > 0 ? timeToStart : 0);
		const { first, full, resumed } = timeInPlace;
		return (acceptedAt ?? begunAt) + (earlier ? resumed : unsent > 0 ? full : first);
	};
	/** Whether too many runs are waiting, so that this one suspends once its requests are sent. */
	const isCrowded = () => !earlier && unsent === 0 && runsInPlace > maxRunsInPlace;
	const check = () => {
		if (isOver) return;
		const waits = [...awaited.values()];
		if (waits.length === 0) {
			isOver = unsent === 0;
			if (isOver) endAll();
			return;
		}
		const now = clock.now();
		const deadline = Math.min(...waits.map((one) => one.deadline));
		const isTooShort = deadline - now < suspensionTime.min;
		const mayStay = clock.elapsed() < getEndOfStay() || waits.some(({ isRead }) => !isRead);
		if (isTooShort || (mayStay && !isCrowded())) return;
		isOver = true;
		const waited = now - Math.max(...waits.map(({ since }) => since));
		const until = Math.min(now + calculateSuspension(waited, Math.random()), deadline);
		const wait = {
			suspensions: (earlier?.suspensions ?? 0) + 1,
			begun: earlier?.begun ?? begun,
			acceptedAt:
				acceptedAt === undefined
					? (earlier?.acceptedAt ?? begun)
					: now - (clock.elapsed() - acceptedAt),
			...(streaks.size > 0 && { streaks: Object.fromEntries(streaks) }),
		};
		decide({ jobs: [...awaited.keys()], ended, unsent, until: new Date(until), wait });
	};
	const checkLater = () => {
		if (isOver) return;
		const left = Math.max(getEndOfStay() - clock.elapsed(), 0);
		clock.sleep(left, timer.signal).then(check, () => {});
	};
	const endSend = () => {
		unsent--;
		void clock.tick().then(check);
		checkLater();
	};
	/** Current and past waits for jobs, keyed by the job and the wait's settings. */
	const waits = new Map<string, Promise<JobWaitOutcome>>();
	const awaitOnce = async (client: Client, job: Job, policy: WaitPolicy) => {
		const name = describeJob(job);
		const since = policy.since ?? clock.now();
		const wait = { since, deadline: since + policy.timeout * 1000, isRead: false };
		awaited.set(job, wait);
		try {
			return await waitForJob(client, job, {
				...policy,
				// Polls at once, unless this attempt created the job, which may be too new to be found.
				...(earlier &&
					since < begun && {
						immediately: true,
						earlierPolls: pollsBeforeNotFound,
						failedReads: streaks.get(name),
					}),
				onPending: (failed) => {
					if (failed) streaks.set(name, failed);
					else streaks.delete(name);
					wait.isRead = true;
					check();
				},
			});
		} finally {
			awaited.delete(job);
			ended++;
			streaks.delete(name);
			// Checks a moment later, because the caller may begin to send the request again.
			void clock.tick().then(check);
		}
	};
	if (isPossible) {
		runsInPlace++;
		checkLater();
	} else endAll();

	return {
		/** Promise that resolves if the execution should be suspended. */
		decided,
		/**
		 * Resolves when all jobs of the run have ended. Ended jobs must not be processed earlier,
		 * because a suspension would lose the results.
		 */
		untilAllEnded: async (signal: AbortSignal) => await raceWithAbort(signal, allEnded),
		endSend,
		/** Runs an action, such as sending. Meanwhile, the run's jobs do not count as all ended. */
		async whileBusy<T>(act: () => Promise<T>): Promise<T> {
			unsent++;
			try {
				return await act();
			} finally {
				endSend();
			}
		},
		recordAcceptance: () => void (acceptedAt = clock.elapsed()),
		/** Waits for a job. All rows of a batch share one wait. */
		async awaitJob(client: Client, job: Job, policy: WaitPolicy): Promise<JobWaitOutcome> {
			const name = JSON.stringify([toJobReference(job), policy.timeout, policy.interval]);
			const wait = waits.get(name) ?? awaitOnce(client, job, policy);
			waits.set(name, wait);
			return await wait;
		},
		close() {
			if (isPossible) runsInPlace--;
			timer.abort();
		},
	};
}

/** Creates a run's suspension. Also returns the reason if the execution cannot be suspended. */
export function prepareSuspension(
	n8n: IExecuteFunctions,
	{ wait, hasUsedTries }: { wait?: StoredWait; hasUsedTries: boolean },
	requests: ReadonlyArray<{ operation: Operation; values: IDataObject }>,
): { suspension: SuspensionPlanner; reasonNotToSuspend?: string } {
	// The node runs again when its execution resumes, so the ledger must contain all that it sends.
	const mayRunAgain =
		requests.every(({ operation }) => operation.starts !== undefined || operation.awaits) &&
		requests.some(({ operation, values }) => waitsForJobs(operation, values));
	const reasonNotToSuspend = mayRunAgain ? findReasonNotToSuspend(n8n) : undefined;
	const isPossible = mayRunAgain && reasonNotToSuspend === undefined && !hasUsedTries;
	const settings = { isPossible, earlier: wait, requests: requests.length };
	return { suspension: createSuspensionPlanner(settings), reasonNotToSuspend };
}
