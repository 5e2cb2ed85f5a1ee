/** How a status response is read, for every kind of job. */
import type { IDataObject } from 'n8n-workflow';
import {
	readFailureWithDefaults,
	hasKnownStatus,
	createJobSnapshot,
	isStatusBeforeContinuation,
	isTransientFailure,
	decideJobState,
	unknownFailureCode,
	removeOldResult,
} from '../../../nodes/core/jobs/jobState';
import type { JobKind, JobState } from '../../../nodes/core/jobs/types';
import * as jobs from '../../../nodes/jobKinds/catalog';

const kinds = Object.entries<JobKind>(jobs);

const cancelled = { status: 'cancelled', failure_code: 'generation_cancelled' };
const fault = { code: 'x', message: 'y' };

/** What every kind reads alike. */
const common: Array<[string, IDataObject, JobState]> = [
	['success', { status: 'success' }, 'completed'],
	['succeeded', { status: 'succeeded' }, 'completed'],
	['complete', { status: 'complete' }, 'completed'],
	['processing', { status: 'processing' }, 'pending'],
	['a null', { status: null }, 'pending'],
	['no status', {}, 'pending'],
	['an unknown status', { status: 'polishing' }, 'pending'],
	['a cancelled job', cancelled, 'failed'],
	// Other signs of the end, without a status.
	['an error object', { error: fault }, 'failed'],
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
	['progress 100 without a result', { progress: 100 }, 'pending'],
	['progress 99', { progress: 99 }, 'pending'],
	// The same signs next to an unknown status.
	[
		'an unknown status with all items ended',
		{ status: 'wrapped_up', total_items: 2, counts_by_status: { COMPLETED: 1, FAILED: 1 } },
		'completed',
	],
	['an unknown status with progress 100', { status: 'finalizing', progress: 100 }, 'pending'],
	['an unknown status with a failure', { status: 'halted', failure_code: 'x' }, 'failed'],
	// A known status of running jobs outweighs what only seems to be a result.
	['a running job with progress 100', { status: 'processing', progress: 100 }, 'pending'],
	[
		'a running job with an error',
		{ status: 'processing', error: { code: 0, message: 'OK' } },
		'pending',
	],
	['a running job with a real error', { status: 'processing', error: fault }, 'pending'],
];

describe.each(kinds)('%s', (_, job) => {
	const [completed = ''] = job.completed;
	const known = (['completed', 'failed', 'resting'] as const).flatMap((state) =>
		(job[state] ?? []).map((status): [string, IDataObject, JobState] => [
			status,
			{ status },
			state,
		]),
	);
	const result = { [job.resultUrls?.[0] ?? '']: 'https://x.example/v.mp4' };
	const results: typeof common = [
		['a result URL', result, 'completed'],
		['an empty result URL', { [job.resultUrls?.[0] ?? '']: '' }, 'pending'],
		['a result URL of a running job', { status: 'processing', ...result }, 'pending'],
	];

	test.each([
		...known,
		...common,
		['upper case', { status: completed.toUpperCase() }, 'completed'],
		['lower case', { status: completed.toLowerCase() }, 'completed'],
		['a final status with an old error', { status: completed, error: fault }, 'completed'],
		...(job.resultUrls ? results : []),
	] as typeof common)('%s is read', (_name, data, state) => {
		expect(decideJobState(job, data)).toBe(state);
	});

	test('knows its own statuses, and no others', () => {
		for (const status of [...job.completed, ...job.failed, 'pending']) {
			expect(hasKnownStatus(job, { status })).toBe(true);
		}
		expect(hasKnownStatus(job, { status: 'polishing' })).toBe(false);
		expect(hasKnownStatus(job, {})).toBe(false);
	});
});

test('only a chat session waits for its user', () => {
	for (const status of ['waiting_for_input', 'reviewing']) {
		expect(decideJobState(jobs.agentSessionJob, { status })).toBe('pending');
		expect(decideJobState(jobs.agentChatSessionJob, { status })).toBe('resting');
	}
});

describe('the reason for a failure', () => {
	const text = (created_at?: number) => ({ type: 'text', content: 'Sorry', created_at });
	const error = (content: string, created_at?: number) => ({ type: 'error', content, created_at });
	test.each([
		['an error object', { error: { code: 'c', message: 'm' } }, { code: 'c', reason: 'm' }],
		['an error text', { error: 'm' }, { code: 'unknown', reason: 'm' }],
		['code and message', { failure_code: 'c', failure_message: 'm' }, { code: 'c', reason: 'm' }],
		['a reason', { failure_reason: 'INVALID_AUDIO' }, { code: 'unknown', reason: 'INVALID_AUDIO' }],
		['an error message', { error_message: 'm' }, { code: 'unknown', reason: 'm' }],
		[
			'the newest message of type error',
			{ messages: [text(), error('newest'), error('older')] },
			{ code: 'unknown', reason: 'newest' },
		],
		[
			'the newest message by its time, in any order',
			{ messages: [error('older', 10), error('newest', 20), text(30)] },
			{ code: 'unknown', reason: 'newest' },
		],
		['an error before messages', { error: 'm', messages: [error('x')] }, { reason: 'm' }],
		['no data', {}, { code: 'unknown', reason: 'The service gave no reason' }],
		['nulls', { error: null, failure_message: null }, { reason: 'The service gave no reason' }],
	])('%s', (_, data, found) =>
		expect(readFailureWithDefaults(data as IDataObject)).toMatchObject(found),
	);
});

describe('a session that was continued', () => {
	const before = { status: 'completed', video_id: 'old', messages: [{ content: 'done' }] };
	const kind = jobs.agentChatSessionJob;
	const started = { kind, id: 's', before: createJobSnapshot(kind, before) };

	test('is unchanged while its response has the same status, video and messages', () => {
		expect(isStatusBeforeContinuation(started, { ...before })).toBe(true);
		const messages = [{ content: 'again' }, { content: 'done' }];
		for (const change of [{ status: 'thinking' }, { video_id: 'new' }, { messages }]) {
			expect(isStatusBeforeContinuation(started, { ...before, ...change })).toBe(false);
		}
		expect(isStatusBeforeContinuation({ kind, id: 's' }, before)).toBe(false);
	});

	test('is unchanged while only the message of the user is new', () => {
		const asked = [{ role: 'user', content: 'Again' }, ...before.messages];
		expect(isStatusBeforeContinuation(started, { ...before, messages: asked })).toBe(true);
		const answered = [{ role: 'model', content: 'Why?' }, ...asked];
		expect(isStatusBeforeContinuation(started, { ...before, messages: answered })).toBe(false);
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
		// service.md, Errors: these are terminal.
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

	test('must not be created again if it was canceled or deleted', () => {
		for (const status of ['cancelled', 'canceled', 'Cancelled', 'deleted']) {
			expect(canRepeat('render_failed', '', status)).toBe(false);
		}
	});
});
