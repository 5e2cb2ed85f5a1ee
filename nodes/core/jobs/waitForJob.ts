/** Waits during a node run until a job has ended. The pauses between polls grow over time. */
import type { IDataObject } from 'n8n-workflow';
import { clock } from '../clock';
import { getErrorDetails } from '../errors/errorDetails';
import { toNodeError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import { readText } from '../json';
import {
	extendFailedReadStreak,
	classifyStatusReadError,
	describeOutage,
	hasFailedForLong,
	hasTooManyDoubtfulReads,
	isOutageError,
	pollsBeforeNotFound,
	warnAboutOutage,
	type FailedReadStreak,
} from './statusReadErrors';
import {
	readJobStatus,
	withSharedStatusLookup,
	type ParsedJobStatus,
	type SharedStatusLookupState,
} from './readJobs';
import { addFollowUpJobResult, hasKnownStatus, readProgressFraction } from './jobState';
import type { Job, JobKind, JobWaitOutcome, WaitPolicy } from './types';

/** Default maximum number of seconds between two polls of a job's status. */
const defaultMaxInterval = 30;

/** Default number of seconds to wait before a job's status is polled for the first time. */
const defaultFirstPoll = 5;

/**
 * Seconds between the first two polls of a follow-up job. The second poll is rarely needed, because
 * most follow-up jobs have ended by the first.
 */
const secondPollAfter = 3;

/**
 * Returns the pause before the next poll: a third of the time waited so far, but at least `min` and
 * at most `max`. Even a long wait therefore needs few polls. Except for short jobs, the node
 * notices the end of a job with a delay of at most a third of the job's duration. All times are in
 * the same unit.
 */
export const calculateProportionalPause = (waited: number, min: number, max: number) =>
	Math.min(Math.max(waited / 3, min), max);

/**
 * Returns the number of seconds to wait before the next poll. If the job's progress is known and
 * the user has set no interval, the function estimates when the job will end. If the job is likely
 * to end before the normal pause is over, the next poll is sent at the estimated time. The estimate
 * can be wrong, because some jobs spend a long time on the last percent. The pause is therefore at
 * least a quarter of the normal one.
 *
 * @param waited seconds since the wait began
 * @param progress from 0 to 1, according to the last status response
 */
export function calculatePollDelay(
	{ waited, progress }: { waited: number; progress?: number },
	kind: JobKind,
	{ interval, maxInterval }: WaitPolicy,
): number {
	const first = interval ?? kind.firstPollAfter ?? defaultFirstPoll;
	const max = Math.max(maxInterval ?? kind.maxPollInterval ?? defaultMaxInterval, first);
	const pause = calculateProportionalPause(waited, first, max);
	if (interval !== undefined || progress === undefined) return pause;
	const left = (waited * (1 - progress)) / progress;
	return Math.min(pause, Math.max(left, pause / 4, 1));
}

/**
 * Intervals, in milliseconds, for rounding poll times. Each poll time is rounded up to a multiple
 * of an interval, so that several waiting nodes can share one status request. With more intervals,
 * fewer polls would coincide.
 */
const pollGrids = [5000, 2000, 1000, 500, 200];

/**
 * Extends the pause before a poll so that several waiting nodes poll at the same moment and share
 * one status request. The pause grows by at most a fifth.
 *
 * @param now current Unix time in milliseconds
 * @param pause planned pause in milliseconds
 */
export function extendPauseToSharedPollTime(now: number, pause: number): number {
	const grid = pollGrids.find((one) => one <= pause / 5);
	return grid === undefined ? pause : Math.ceil((now + pause) / grid) * grid - now;
}

/**
 * Waits until a job and its follow-up job have ended, until one of them needs the user to act, or
 * until the wait times out.
 */
export const waitForJob = async (
	client: Client,
	job: Job,
	policy: WaitPolicy,
): Promise<JobWaitOutcome> => {
	const reportEnd = () => client.reportJobEnd(job.kind.capacityLimit ?? job.kind.name);
	return await waitUntilEnd(client, job, policy, reportEnd);
};

/** The same. A follow-up job does not count toward the limit on running jobs. */
const waitUntilEnd = async (
	client: Client,
	job: Job,
	policy: WaitPolicy,
	reportEnd?: () => void,
): Promise<JobWaitOutcome> =>
	await withSharedStatusLookup(
		client,
		job.kind,
		async (lookup) => await pollUntilEnd(client, job, policy, lookup, reportEnd),
	);

/** Result of a poll: the job's status, or the record of consecutive failed status requests. */
type Poll = { status: ParsedJobStatus } | { failedReads: FailedReadStreak; retryAfter: number };

/** Reads a job's status once. Throws if the request failed and polling again would not help. */
async function pollOnce(
	client: Client,
	job: Job,
	{ attempt, failedReads: before }: { attempt: number; failedReads?: FailedReadStreak },
	lookup: SharedStatusLookupState,
): Promise<Poll> {
	try {
		return { status: await readJobStatus(client, job, lookup) };
	} catch (error) {
		const failure = classifyStatusReadError(error, attempt);
		const failedReads = extendFailedReadStreak(before, error, failure, clock.now());
		if (failure === 'final' || hasTooManyDoubtfulReads(failedReads, clock.now())) {
			throw toNodeError(client.node, error);
		}
		const retryAfter = (getErrorDetails(error).retry_after ?? 0) * 1000;
		if (!isOutageError(error, failure)) return { failedReads, retryAfter };
		// The waits of a run share their warnings.
		const shared = client.shareInRun<{ warnedAt?: number }>('outageWarning', () => ({}));
		const warned = warnAboutOutage(client, { ...failedReads, ...shared }, 'its jobs');
		shared.warnedAt = warned.warnedAt;
		return { failedReads: warned, retryAfter };
	}
}

async function pollUntilEnd(
	client: Client,
	job: Job,
	policy: WaitPolicy,
	lookup: SharedStatusLookupState,
	reportEnd?: () => void,
): Promise<JobWaitOutcome> {
	const { immediately = false, earlierPolls = 0, onPending, since = clock.now() } = policy;
	// From now on, a clock that is set back must not stretch the wait.
	const begun = clock.elapsed() - (clock.now() - since);
	const deadline = begun + policy.timeout * 1000;
	let last: IDataObject = {};
	let { failedReads } = policy;
	let retryAfter = 0;
	for (let attempt = earlierPolls; ; attempt++) {
		const isImmediate = attempt === earlierPolls && immediately;
		const waited = (clock.elapsed() - begun) / 1000;
		const left = deadline - clock.elapsed();
		// After a suspension, the job may have ended although the time is up.
		if (left <= 0 && !isImmediate) {
			const word = readText(last.status);
			const status = word === undefined ? undefined : client.removeSecrets(word);
			const known = hasKnownStatus(job.kind, last);
			const unreachable = failedReads && describeOutage(failedReads, client.zone, clock.now());
			return { outcome: 'timeout', job, status, known, waited, unreachable };
		}
		const progress = readProgressFraction(last);
		const pause = isImmediate
			? 0
			: calculatePollDelay({ waited, progress }, job.kind, policy) * 1000;
		const isShared = lookup.readers > 1 && !lookup.isUnsupported;
		const aligned = isShared ? extendPauseToSharedPollTime(clock.now(), pause) : pause;
		const delay = Math.min(Math.max(aligned, retryAfter), Math.max(left, 0));
		await clock.sleep(delay, client.signal);
		const poll = await pollOnce(client, job, { attempt, failedReads }, lookup);
		failedReads = 'failedReads' in poll ? poll.failedReads : undefined;
		retryAfter = 'failedReads' in poll ? poll.retryAfter : 0;
		if ('failedReads' in poll) {
			onPending?.(failedReads);
			continue;
		}
		const { status } = poll;
		last = status.response;
		const { outcome, next } = status;
		if (outcome === undefined) {
			onPending?.();
			continue;
		}
		// Unless the job had already ended before this wait.
		if (!immediately || attempt > 0) reportEnd?.();
		if (outcome.outcome === 'failed' || !next) return outcome;
		// The follow-up job has already ended, or is about to.
		const nextOutcome = await waitUntilEnd(client, next, {
			...policy,
			since: undefined,
			// It may not have been found since before the execution was suspended.
			earlierPolls: hasFailedForLong(policy.failedReads, clock.now()) ? pollsBeforeNotFound : 0,
			failedReads: policy.failedReads,
			timeout: Math.max((deadline - clock.elapsed()) / 1000, 1),
			interval: policy.interval ?? secondPollAfter,
			immediately: true,
		});
		const isEnd = nextOutcome.outcome === 'failed' || nextOutcome.outcome === 'timeout';
		return isEnd ? nextOutcome : addFollowUpJobResult(outcome, nextOutcome);
	}
}
