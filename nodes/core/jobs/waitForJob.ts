/** Waits during a node run until a job has ended. The pauses between polls grow over time. */
import { clock } from '../clock';
import { getErrorDetails } from '../errors/errorDetails';
import { toNodeError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import { readText } from '../json';
import { hasKnownStatus, readProgressFraction } from './jobState';
import {
	extendFailedReadStreak,
	classifyStatusReadError,
	describeOutage,
	hasTooManyDoubtfulReads,
	isOutageError,
	warnAboutOutage,
	readJob,
	readJobOutcome,
	withSharedStatusLookup,
	type JobReading,
	type SharedStatusLookupState,
} from './readJobs';
import type {
	FailedReadStreak,
	Job,
	JobKind,
	JobWaitOutcome,
	TimedOutOutcome,
	WaitPolicy,
} from './types';

/** Default maximum number of seconds between two polls. */
const defaultMaxInterval = 30;

/** Default number of seconds before the first poll. */
const defaultFirstPoll = 5;

/** Seconds before the second poll of a follow-up job. Most have ended by the first poll. */
const secondPollAfter = 3;

/**
 * Returns the number of seconds before the next poll: a third of the time waited so far, within
 * bounds. Even a long wait then needs few polls, and the end of a job is noticed with a delay of at
 * most a third of its duration. If the progress (0 to 1) shows that the job will end earlier, the
 * pause is shorter, but at least a quarter of the normal one: some jobs spend a long time on the
 * last percent.
 */
export function calculatePollDelay(
	{ waited, progress }: { waited: number; progress?: number },
	kind: JobKind,
	{ interval }: WaitPolicy,
): number {
	const first = interval ?? kind.firstPollAfter ?? defaultFirstPoll;
	const max = Math.max(kind.maxPollInterval ?? defaultMaxInterval, first);
	const pause = Math.min(Math.max(waited / 3, first), max);
	if (interval !== undefined || progress === undefined) return pause;
	const left = (waited * (1 - progress)) / progress;
	return Math.min(pause, Math.max(left, pause / 4, 1));
}

/** Intervals in milliseconds to which poll times are rounded. Few, so that many polls coincide. */
const pollGrids = [5000, 2000, 1000, 500, 200];

/**
 * Extends a pause by at most a fifth, so that several waiting nodes poll at the same moment and
 * share one status request. All times are in milliseconds.
 */
export function extendPauseToSharedPollTime(now: number, pause: number): number {
	const grid = pollGrids.find((one) => one <= pause / 5);
	return grid === undefined ? pause : Math.ceil((now + pause) / grid) * grid - now;
}

/** Result of the last successful poll, and a record of the polls that have failed since. */
interface Poll {
	reading?: JobReading;
	failedReads?: FailedReadStreak;
	/** Minimum pause before the next poll, in milliseconds. */
	retryAfter: number;
}

/** Records a failed poll. Throws if polling again would not help. */
function recordFailedRead(
	client: Client,
	error: unknown,
	attempt: number,
	before: FailedReadStreak | undefined,
): Poll {
	const failure = classifyStatusReadError(error, attempt);
	const failedReads = extendFailedReadStreak(before, error, failure, clock.now());
	if (failure === 'final' || hasTooManyDoubtfulReads(failedReads, clock.now())) {
		throw toNodeError(client.node, error);
	}
	const retryAfter = (getErrorDetails(error).retry_after ?? 0) * 1000;
	if (!isOutageError(error, failure)) return { failedReads, retryAfter };
	// All waits of a run share one warning.
	const shared = client.shareInRun<{ warnedAt?: number }>('outageWarning', () => ({}));
	const warned = warnAboutOutage(client, { ...failedReads, ...shared });
	shared.warnedAt = warned.warnedAt;
	return { failedReads: warned, retryAfter };
}

async function pollOnce(
	client: Client,
	job: Job,
	attempt: number,
	{ reading: last, failedReads }: Poll,
	lookup: SharedStatusLookupState,
): Promise<Poll> {
	let reading: JobReading;
	try {
		// If the job itself has ended, only its follow-up job can still change.
		reading = last?.hasEnded
			? await readJobOutcome(client, job, last.response)
			: await readJob(client, job, lookup);
	} catch (error) {
		return { reading: last, ...recordFailedRead(client, error, attempt, failedReads) };
	}
	if (reading.error === undefined) return { reading, retryAfter: 0 };
	return { reading, ...recordFailedRead(client, reading.error, Infinity, failedReads) };
}

/** Describes a wait that timed out. Names the follow-up job if only that is still running. */
function createTimeout(
	client: Client,
	job: Job,
	{ reading, failedReads }: Poll,
	waited: number,
): TimedOutOutcome {
	const { response = {}, next = {}, followUp, hasEnded, isUnchanged } = reading ?? {};
	const awaited = hasEnded && followUp ? followUp : job;
	const last = awaited === job ? response : next;
	const word = readText(last.status);
	return {
		outcome: 'timeout',
		job: awaited,
		status: word === undefined ? undefined : client.removeSecrets(word),
		known: hasKnownStatus(awaited.kind, last),
		...(isUnchanged && { isUnchanged }),
		waited,
		unreachable: failedReads && describeOutage(failedReads, client.zone, clock.now()),
	};
}

/** Waits until a job has ended, until it needs the user to act, or until the wait times out. */
export const waitForJob = async (
	client: Client,
	job: Job,
	policy: WaitPolicy,
): Promise<JobWaitOutcome> =>
	await withSharedStatusLookup(client, job.kind, async (lookup) => {
		const { immediately = false, earlierPolls = 0, onPending, since = clock.now() } = policy;
		// Measured with the monotonic clock, so that setting the system clock does not extend the wait.
		const begun = clock.elapsed() - (clock.now() - since);
		const deadline = begun + policy.timeout * 1000;
		let poll: Poll = { failedReads: policy.failedReads, retryAfter: 0 };
		/** Time when the job itself ended and the wait for its follow-up job began. */
		let endedAt: number | undefined;
		for (let attempt = earlierPolls; ; attempt++) {
			const isImmediate = attempt === earlierPolls && immediately;
			const waited = (clock.elapsed() - begun) / 1000;
			const left = deadline - clock.elapsed();
			// An immediate poll is sent even if the time is up: a suspended job may have ended in time.
			if (left <= 0 && !isImmediate) return createTimeout(client, job, poll, waited);
			const progress = readProgressFraction(poll.reading?.response ?? {});
			// The pauses for a follow-up job depend on the time since the job itself ended.
			const polled = (clock.elapsed() - (endedAt ?? begun)) / 1000;
			const interval = policy.interval ?? (endedAt === undefined ? undefined : secondPollAfter);
			const pace = { ...policy, interval };
			const delay = calculatePollDelay({ waited: polled, progress }, job.kind, pace);
			const pause = isImmediate ? 0 : delay * 1000;
			const sharesLookup = !lookup.isUnsupported || job.kind.next?.job.batchedStatus;
			const isShared = lookup.readers > 1 && sharesLookup;
			const aligned = isShared ? extendPauseToSharedPollTime(clock.now(), pause) : pause;
			const wait = Math.min(Math.max(aligned, poll.retryAfter), Math.max(left, 0));
			await clock.sleep(wait, client.signal);
			poll = await pollOnce(client, job, attempt, poll, lookup);
			const { outcome, hasEnded = false } = poll.reading ?? {};
			if (endedAt === undefined && (outcome || hasEnded)) {
				endedAt = clock.elapsed();
				// Not reported if the job had ended before this wait, and never for a follow-up job.
				if (!immediately || attempt > 0) {
					client.reportJobEnd(job.kind.capacityLimit ?? job.kind.name);
				}
			}
			if (outcome) return outcome;
			onPending?.(poll.failedReads);
		}
	});
