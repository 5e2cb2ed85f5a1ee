/** Which failed status reads a wait survives, and how it reports them. */
import type { FailedReadStreak } from '../../../nodes/core/jobs/types';
import { clock } from '../../../nodes/core/clock';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import {
	extendFailedReadStreak,
	classifyStatusReadError,
	describeOutage,
	hasTooManyDoubtfulReads,
	isOutageError,
	type StatusReadErrorType,
	warnAboutOutage,
} from '../../../nodes/core/jobs/readJobs';
import type { Client } from '../../../nodes/core/http/client';
import { passTime, useVirtualTime } from '../http/virtualTime';

useVirtualTime();

const createError = (details: ErrorDetails) =>
	createOperationError({ name: 'Node' } as never, 'No', undefined, details);

test.each<[string, ErrorDetails, number, StatusReadErrorType]>([
	['a 503', { status: 503, code: 'service_unavailable' }, 9, 'temporary'],
	['a rate limit', { status: 429 }, 9, 'temporary'],
	['a refused connection', { code: 'econnrefused', uncertain: false }, 9, 'temporary'],
	['a new job that is not found', { status: 404, code: 'not_found' }, 2, 'temporary'],
	['a deleted job', { status: 404, code: 'not_found' }, 3, 'final'],
	['a page with status 404', { status: 404 }, 3, 'doubtful'],
	['a page with status 200', { status: 200, code: 'not_json' }, 0, 'doubtful'],
	['a page with status 403', { status: 403 }, 0, 'doubtful'],
	['a 401 of the service', { status: 401, code: 'unauthorized' }, 0, 'doubtful'],
	['a 403 of the service', { status: 403, code: 'forbidden' }, 0, 'final'],
	['an error of the node', { code: 'odd_list' }, 0, 'final'],
	['an error without a code', {}, 0, 'final'],
])('%s after %j and %d reads is %s', (_, details, attempt, failure) => {
	expect(classifyStatusReadError(createError(details), attempt)).toBe(failure);
});

test('a job that is too new to be found is no outage', () => {
	expect(isOutageError(createError({ status: 404, code: 'not_found' }), 'temporary')).toBe(false);
	expect(isOutageError(createError({ status: 404 }), 'doubtful')).toBe(true);
	expect(isOutageError(createError({ status: 502 }), 'temporary')).toBe(true);
	expect(isOutageError(createError({ status: 403 }), 'final')).toBe(false);
});

const doubtful = createError({ status: 401, code: 'unauthorized' });
const temporary = createError({ status: 503 });

/** Adds failed reads at these seconds. */
const readAt = (seconds: number[], failures: StatusReadErrorType[] = []) =>
	seconds.reduce<FailedReadStreak | undefined>((before, second, i) => {
		const failure = failures[i] ?? 'doubtful';
		const error = failure === 'doubtful' ? doubtful : temporary;
		return extendFailedReadStreak(before, error, failure, second * 1000);
	}, undefined) as FailedReadStreak;

test.each<[number[], StatusReadErrorType[], boolean]>([
	[[0, 200], [], false],
	[[0, 1, 119], [], false],
	[[0, 1, 120], [], true],
	[[0, 60, 120], ['doubtful', 'temporary', 'doubtful'], false],
	[[0, 60, 120, 180], ['temporary', 'doubtful', 'doubtful', 'doubtful'], true],
	[[0, 61, 120, 180], ['temporary', 'doubtful', 'doubtful', 'doubtful'], false],
	[[0, 200, 400, 600], ['temporary', 'temporary', 'temporary', 'temporary'], false],
])('doubtful responses at %j s of kinds %j end a wait: %s', (seconds, failures, isEnd) => {
	expect(hasTooManyDoubtfulReads(readAt(seconds, failures), (seconds.at(-1) ?? 0) * 1000)).toBe(
		isEnd,
	);
});

test('names the time of the first failed read in the zone of the workflow, and the last cause', () => {
	const start = Date.UTC(2026, 4, 1, 12, 5) / 1000;
	const describe = (error: Error, at: number, zone = 'Europe/Berlin') => {
		const failed = extendFailedReadStreak(readAt([start]), error, 'temporary', at * 1000);
		return describeOutage(failed, zone, at * 1000);
	};
	expect(describe(temporary, start + 60)).toBe(
		'The service has been unreachable since 14:05 (503)',
	);
	expect(describe(createError({ code: 'econnrefused', uncertain: false }), start + 60)).toContain(
		'since 14:05 (ECONNREFUSED)',
	);
	expect(describe(createError({ status: 200, code: 'not_json' }), start, 'UTC')).toContain(
		'since 12:05 (200 without JSON)',
	);
	expect(describe(temporary, start + 43_200)).toContain('since 2026-05-01 14:05 (503)');
});

test('warns once per hour', async () => {
	const warn = jest.fn<void, [string]>();
	const client = { zone: 'UTC', warn } as unknown as Client;
	let failed = readAt([0]);
	const read = async (seconds: number) => {
		await passTime(clock.sleep(seconds * 1000));
		failed = extendFailedReadStreak(failed, temporary, 'temporary', clock.now());
		failed = warnAboutOutage(client, failed);
	};
	await read(1);
	await read(3_599);
	expect(warn.mock.calls).toEqual([
		[
			'The service has been unreachable since 00:00 (503). The node continues to wait for its jobs.',
		],
	]);
	await read(1);
	expect(warn).toHaveBeenCalledTimes(2);
});
