/** How a status response is read, for every kind of job. */
import type { IDataObject } from 'n8n-workflow';
import {
	describeFailure,
	isKnownStatus,
	isUnchangedSinceContinued,
	isTransientFailure,
	readState,
	unknownFailureCode,
	removeOldResult,
} from '../../../nodes/core/jobs/state';
import type { JobKind, JobState } from '../../../nodes/core/jobs/types';
import * as jobs from '../../../nodes/jobs/catalog';

const kinds = Object.entries<JobKind>(jobs);

test('there are kinds to test', () => expect(kinds.length).toBeGreaterThan(15));

describe.each(kinds)('%s', (_, job) => {
	const resultUrl = job.resultUrls?.[0];
	const cases: Array<[string, IDataObject, JobState]> = [
		...(['completed', 'failed', 'resting'] as const).flatMap((state) =>
			(job[state] ?? []).map((status): [string, IDataObject, JobState] => [
				status,
				{ status },
				state,
			]),
		),
		['upper case', { status: job.completed[0]?.toUpperCase() }, 'completed'],
		['lower case', { status: job.completed[0]?.toLowerCase() }, 'completed'],
		// Statuses that every kind knows.
		['success', { status: 'success' }, 'completed'],
		['succeeded', { status: 'succeeded' }, 'completed'],
		['complete', { status: 'complete' }, 'completed'],
		['pending', { status: 'pending' }, 'pending'],
		['processing', { status: 'processing' }, 'pending'],
		['a null', { status: null }, 'pending'],
		['no status', {}, 'pending'],
		['an unknown status', { status: 'polishing' }, 'pending'],
		// Other signs of the end, without a status.
		['an error object', { error: { code: 'x', message: 'y' } }, 'failed'],
		['an error that is null', { error: null }, 'pending'],
		['a failure code', { failure_code: 'x' }, 'failed'],
		['a failure code that is null', { failure_code: null, failure_message: null }, 'pending'],
		['a failure message', { failure_message: 'It went wrong' }, 'failed'],
		[
			'all items ended',
			{ total_items: 3, counts_by_status: { completed: 2, failed: 1 } },
			'completed',
		],
		[
			'some items ended',
			{ total_items: 3, counts_by_status: { completed: 2, queued: 1 } },
			'pending',
		],
		['no items', { total_items: 0, counts_by_status: {} }, 'pending'],
		['progress 100', { progress: 100 }, 'completed'],
		['progress 99', { progress: 99 }, 'pending'],
		// The same signs next to an unknown status.
		[
			'an unknown status with all items ended',
			{
				status: 'completed_with_errors',
				total_items: 2,
				counts_by_status: { COMPLETED: 1, FAILED: 1 },
			},
			'completed',
		],
		['an unknown status with progress 100', { status: 'wrapped_up', progress: 100 }, 'completed'],
		['an unknown status with a failure', { status: 'halted', failure_code: 'x' }, 'failed'],
		// A known status of running jobs outweighs what only seems to be a result.
		['a running job with progress 100', { status: 'processing', progress: 100 }, 'pending'],
		[
			'a running job with an error',
			{ status: 'processing', error: { code: 'x', message: 'y' } },
			'failed',
		],
		// A final status outweighs all other signs.
		[
			'a final status with an old error',
			{ status: job.completed[0], error: { message: 'old' } },
			'completed',
		],
		...(resultUrl
			? ([
					['a result URL', { [resultUrl]: 'https://x.example/v.mp4' }, 'completed'],
					['an empty result URL', { [resultUrl]: '' }, 'pending'],
					[
						'a result URL of a running job',
						{ status: 'processing', [resultUrl]: 'https://x.example/v.mp4' },
						'pending',
					],
				] as Array<[string, IDataObject, JobState]>)
			: []),
	];
	test.each(cases)('%s is read', (_, data, state) => {
		expect(readState(job, data)).toBe(state);
	});

	test('a cancelled job has not succeeded', () => {
		const state = readState(job, { status: 'cancelled', failure_code: 'generation_cancelled' });
		expect(state).toBe('failed');
	});

	test('knows its own statuses, and no others', () => {
		for (const word of [...job.completed, ...job.failed, 'pending']) {
			expect(isKnownStatus(job, { status: word })).toBe(true);
		}
		expect(isKnownStatus(job, { status: 'polishing' })).toBe(false);
		expect(isKnownStatus(job, {})).toBe(false);
	});
});

test('a clip job without a status is completed at progress 100', () => {
	const clips = [{ id: 'clip_1', video_url: 'https://x.example/1.mp4' }];
	expect(readState(jobs.clippingJob, { progress: 100, clips })).toBe('completed');
	expect(readState(jobs.clippingJob, { progress: 40, clips: [] })).toBe('pending');
});

test('only a chat session waits for its user', () => {
	for (const status of ['waiting_for_input', 'reviewing']) {
		expect(readState(jobs.sessionJob, { status })).toBe('pending');
		expect(readState(jobs.chatSessionJob, { status })).toBe('resting');
	}
});

describe('the reason for a failure', () => {
	test.each([
		['an error object', { error: { code: 'c', message: 'm' } }, { code: 'c', reason: 'm' }],
		['an error text', { error: 'm' }, { code: 'unknown', reason: 'm' }],
		['code and message', { failure_code: 'c', failure_message: 'm' }, { code: 'c', reason: 'm' }],
		['a reason', { failure_reason: 'INVALID_AUDIO' }, { code: 'unknown', reason: 'INVALID_AUDIO' }],
		['an error message', { error_message: 'm' }, { code: 'unknown', reason: 'm' }],
		[
			'the newest message of type error',
			{
				messages: [
					{ type: 'text', content: 'Sorry' },
					{ type: 'error', content: 'newest' },
					{ type: 'error', content: 'older' },
				],
			},
			{ code: 'unknown', reason: 'newest' },
		],
		[
			'the newest message by its time, in any order',
			{
				messages: [
					{ type: 'error', content: 'older', created_at: 10 },
					{ type: 'error', content: 'newest', created_at: 20 },
					{ type: 'text', content: 'Sorry', created_at: 30 },
				],
			},
			{ code: 'unknown', reason: 'newest' },
		],
		['no data', {}, { code: 'unknown', reason: 'The service gave no reason' }],
		[
			'nulls',
			{ error: null, failure_message: null },
			{ code: 'unknown', reason: 'The service gave no reason' },
		],
	])('%s', (_, data, found) => expect(describeFailure(data as IDataObject)).toEqual(found));

	test('an error object takes precedence over messages', () => {
		const data = {
			error: { code: 'c', message: 'm' },
			messages: [{ type: 'error', content: 'x' }],
		};
		expect(describeFailure(data).reason).toBe('m');
	});
});

describe('a session that was continued', () => {
	const before = { status: 'completed', video_id: 'old', messages: [{ content: 'done' }] };
	const started = { kind: jobs.chatSessionJob, id: 's', before };

	test('is unchanged while its response has the same status, video and messages', () => {
		expect(isUnchangedSinceContinued(started, { ...before })).toBe(true);
		expect(isUnchangedSinceContinued(started, { ...before, status: 'thinking' })).toBe(false);
		expect(isUnchangedSinceContinued(started, { ...before, video_id: 'new' })).toBe(false);
		expect(
			isUnchangedSinceContinued(started, {
				...before,
				messages: [{ content: 'again' }, { content: 'done' }],
			}),
		).toBe(false);
		expect(isUnchangedSinceContinued({ kind: jobs.chatSessionJob, id: 's' }, before)).toBe(false);
	});

	test('does not output its earlier video', () => {
		expect(removeOldResult(started, { video_id: 'old' })).toEqual({ video_id: null });
		expect(removeOldResult(started, { video_id: 'new' })).toEqual({ video_id: 'new' });
	});
});

describe('a failed job', () => {
	const canRepeat = (code: string, reason = '', status = 'failed') =>
		isTransientFailure({ code, reason }, { status });

	test.each([
		'render_failed',
		'generation_failed',
		'internal_error',
		'service_unavailable',
		'gateway_timeout',
		'voice_unavailable',
		'insufficient_credit',
		unknownFailureCode,
	])('may be created again after %s', (code) => expect(canRepeat(code)).toBe(true));

	test.each([
		'content_policy_violation',
		'CONTENT_POLICY_VIOLATION',
		'moderation_failed',
		'avatar_consent_required',
		'invalid_parameter',
		'tts_text_invalid',
		'script_too_short',
		'voice_expired',
		'voice_not_found',
		'template_source_unsupported',
		'hyperframes_project_invalid',
		// docs/service.md, Errors: these are terminal.
		'artifact_unavailable',
		'image_processing_failed',
		'voice_training_failed',
		'voice_not_usable',
	])('must not be created again after %s', (code) => expect(canRepeat(code)).toBe(false));

	test('must not be created again if its reason, without a code, is permanent', () => {
		expect(canRepeat(unknownFailureCode, 'The script violates our guidelines')).toBe(false);
		expect(canRepeat(unknownFailureCode, 'This is against the content policy')).toBe(false);
		expect(canRepeat(unknownFailureCode, 'The renderer lost its connection')).toBe(true);
		expect(canRepeat('render_failed', 'No policy was broken')).toBe(true);
	});

	test('must not be created again if it was cancelled or deleted', () => {
		for (const status of ['cancelled', 'canceled', 'Cancelled', 'deleted']) {
			expect(canRepeat('render_failed', '', status)).toBe(false);
		}
	});
});
