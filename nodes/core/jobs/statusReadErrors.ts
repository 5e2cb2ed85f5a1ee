/**
 * Decides whether the node keeps waiting for a job after failing to read its status, and describes
 * how long the service has been unreachable.
 */
import { tryToParseDateTime } from 'n8n-workflow';
import { clock } from '../clock';
import { getErrorDetails, isNotFoundError, isTransientError } from '../errors/errorDetails';
import type { Client } from '../http/client';

/** Number of first polls for which "not found" means that the job is too new. */
export const pollsBeforeNotFound = 3;

/** Number of consecutive doubtful responses, over a minimum time, that end a wait. */
const maxDoubtfulReads = 3;
/** In milliseconds. */
const minDoubtfulTime = 120_000;

/** Code of the error for a status response that belongs to another job. */
export const otherIdCode = 'other_id';

/** Minimum time in milliseconds between two warnings in n8n's log about the same wait. */
const warningInterval = 3_600_000;

/**
 * What a failed status request means. `temporary`: the service has a problem, or the job is too
 * new. `doubtful`: the response probably does not come from the service, or is a 401, which the
 * service may send by mistake. `final`: later requests will fail too.
 */
export type StatusReadErrorType = 'temporary' | 'doubtful' | 'final';

/** @param attempt number of earlier status requests for the same job */
export function classifyStatusReadError(error: unknown, attempt: number): StatusReadErrorType {
	if (isTransientError(error) || (isNotFoundError(error) && attempt < pollsBeforeNotFound)) {
		return 'temporary';
	}
	const { status, code } = getErrorDetails(error);
	// All errors from the service have a code. Those from gateways and captive portals do not.
	const isFromGateway =
		code === 'not_json' ||
		code === otherIdCode ||
		(typeof status === 'number' && code === undefined);
	return isFromGateway || status === 401 ? 'doubtful' : 'final';
}

/** Whether the service is unreachable, and not just the job too new to be found. */
export const isOutageError = (error: unknown, failure: StatusReadErrorType) =>
	failure === 'doubtful' || (failure === 'temporary' && !isNotFoundError(error));

/** Record of a job's status requests that have failed since the last successful one. */
export interface FailedReadStreak {
	/** Unix milliseconds, as all times here. */
	since: number;
	/** Status or code of the most recent failure, such as `503`. */
	cause: string;
	/** Number of consecutive doubtful responses. */
	doubtful: number;
	doubtfulSince: number;
	warnedAt?: number;
}

function describeCause(error: unknown): string {
	const { status, code = 'unknown' } = getErrorDetails(error);
	if (typeof status !== 'number') return code.toUpperCase();
	return code === 'not_json' ? `${status} without JSON` : String(status);
}

export function extendFailedReadStreak(
	before: FailedReadStreak | undefined,
	error: unknown,
	failure: StatusReadErrorType,
	now: number,
): FailedReadStreak {
	const isDoubtful = failure === 'doubtful';
	const isFirst = !before || before.doubtful === 0;
	return {
		since: before?.since ?? now,
		cause: describeCause(error),
		doubtful: isDoubtful ? (before?.doubtful ?? 0) + 1 : 0,
		doubtfulSince: isFirst ? now : before.doubtfulSince,
		warnedAt: before?.warnedAt,
	};
}

export const hasTooManyDoubtfulReads = (
	{ doubtful, doubtfulSince }: FailedReadStreak,
	now: number,
) => doubtful >= maxDoubtfulReads && now - doubtfulSince >= minDoubtfulTime;

/**
 * Returns a sentence such as "The service has been unreachable since 14:05 (503)", without a final
 * period. Includes the date unless the outage began today.
 *
 * @param zone time zone of the workflow
 */
export function describeOutage(
	{ since, cause }: FailedReadStreak,
	zone: string,
	now: number,
): string {
	const inZone = (time: number) => tryToParseDateTime(new Date(time)).setZone(zone);
	const isToday = inZone(since).hasSame(inZone(now), 'day');
	const from = inZone(since).toFormat(isToday ? 'HH:mm' : 'yyyy-MM-dd HH:mm');
	return `The service has been unreachable since ${from} (${cause})`;
}

/**
 * Logs a warning, at most once per hour, and returns the record with the time of the last one.
 *
 * @param awaited what the node is waiting for, such as `3 jobs`
 */
export function warnAboutOutage(
	client: Pick<Client, 'zone' | 'warn'>,
	failedReads: FailedReadStreak,
	awaited: string,
): FailedReadStreak {
	const now = clock.now();
	const { warnedAt = -Infinity } = failedReads;
	if (now - warnedAt < warningInterval) return failedReads;
	client.warn(
		`${describeOutage(failedReads, client.zone, now)}. The wait for ${awaited} continues.`,
	);
	return { ...failedReads, warnedAt: now };
}
