/** What a status response means, for every kind of job. */
import type { IDataObject } from 'n8n-workflow';
import {
	describeFailure,
	isKnownStatus,
	isUnchanged,
	isTransientFailure,
	readState,
	unknownCode,
	removeOldResult,
} from '../../../nodes/core/jobs/state';
import type { JobKind, JobState } from '../../../nodes/core/jobs/types';
import * as jobs from '../../../nodes/jobs/catalog';

const kinds = Object.entries<JobKind>(jobs);

test('there are kinds to test', () => expect(kinds.length).toBeGreaterThan(15));

describe.each(kinds)('%s', (_, job) => {
	const address = job.resultUrls?.[0];
	const cases: Array<[string, IDataObject, JobState]> = [
		// Words of the kind itself, in any case.
		...job.completed.map((word): [string, IDataObject, JobState] => [
			word,
			{ status: word },
			'completed',
		]),
		...job.failed.map((word): [string, IDataObject, JobState] => [
			word,
			{ status: word },
			'failed',
		]),
		...(job.resting ?? []).map((word): [string, IDataObject, JobState] => [
			word,
			{ status: word },
			'resting',
		]),
		['upper case', { status: job.completed[0]?.toUpperCase() }, 'completed'],
		['lower case', { status: job.completed[0]?.toLowerCase() }, 'completed'],
		// Words that mean the same everywhere.
		['success', { status: 'success' }, 'completed'],
		['succeeded', { status: 'succeeded' }, 'completed'],
		['complete', { status: 'complete' }, 'completed'],
		['pending', { status: 'pending' }, 'pending'],
		['processing', { status: 'processing' }, 'pending'],
		['a null', { status: null }, 'pending'],
		['no status', {}, 'pending'],
		['a word that nobody knows', { status: 'polishing' }, 'pending'],
		// Evidence, each alone.
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
		// Evidence beside a word that is not known.
		[
			'an unknown word with all items ended',
			{
				status: 'completed_with_errors',
				total_items: 2,
				counts_by_status: { COMPLETED: 1, FAILED: 1 },
			},
			'completed',
		],
		['an unknown word with progress 100', { status: 'wrapped_up', progress: 100 }, 'completed'],
		['an unknown word with a failure', { status: 'halted', failure_code: 'x' }, 'failed'],
		// A word that is known to mean work outweighs what only looks like a result.
		['work with progress 100', { status: 'processing', progress: 100 }, 'pending'],
		[
			'work that has failed',
			{ status: 'processing', error: { code: 'x', message: 'y' } },
			'failed',
		],
		// A word that ends the job outweighs everything.
		[
			'the end with a stale error',
			{ status: job.completed[0], error: { message: 'old' } },
			'completed',
		],
		...(address
			? ([
					['an address of the result', { [address]: 'https://x.example/v.mp4' }, 'completed'],
					['an empty address', { [address]: '' }, 'pending'],
					[
						'an address while at work',
						{ status: 'processing', [address]: 'https://x.example/v.mp4' },
						'pending',
					],
				] as Array<[string, IDataObject, JobState]>)
			: []),
	];
	test.each(cases)('%s', (_, data, state) => {
		expect(readState(job, data)).toBe(state);
	});

	test('a cancelled job has not succeeded', () => {
		const state = readState(job, { status: 'cancelled', failure_code: 'generation_cancelled' });
		expect(state).toBe('failed');
	});

	test('words that are not known are told', () => {
		for (const word of [...job.completed, ...job.failed, 'pending']) {
			expect(isKnownStatus(job, { status: word })).toBe(true);
		}
		expect(isKnownStatus(job, { status: 'polishing' })).toBe(false);
		expect(isKnownStatus(job, {})).toBe(false);
	});
});

test('a clip job without a status is done when its progress is full', () => {
	const clips = [{ id: 'clip_1', video_url: 'https://x.example/1.mp4' }];
	expect(readState(jobs.clippingJob, { progress: 100, clips })).toBe('completed');
	expect(readState(jobs.clippingJob, { progress: 40, clips: [] })).toBe('pending');
});

test('a session rests for its user only in a chat', () => {
	for (const status of ['waiting_for_input', 'reviewing']) {
		expect(readState(jobs.sessionJob, { status })).toBe('pending');
		expect(readState(jobs.chatSessionJob, { status })).toBe('resting');
	}
});

describe('the reason of a failure', () => {
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
			'the newest by its time, in whatever order they come',
			{
				messages: [
					{ type: 'error', content: 'older', created_at: 10 },
					{ type: 'error', content: 'newest', created_at: 20 },
					{ type: 'text', content: 'Sorry', created_at: 30 },
				],
			},
			{ code: 'unknown', reason: 'newest' },
		],
		['nothing', {}, { code: 'unknown', reason: 'The service gave no reason' }],
		[
			'nulls',
			{ error: null, failure_message: null },
			{ code: 'unknown', reason: 'The service gave no reason' },
		],
	])('%s', (_, data, found) => expect(describeFailure(data as IDataObject)).toEqual(found));

	test('an error object goes before the messages', () => {
		const data = {
			error: { code: 'c', message: 'm' },
			messages: [{ type: 'error', content: 'x' }],
		};
		expect(describeFailure(data).reason).toBe('m');
	});
});

describe('a session that was set going again', () => {
	const before = { status: 'completed', video_id: 'old', messages: [{ content: 'done' }] };
	const started = { kind: jobs.chatSessionJob, id: 's', before };

	test('has not moved while it shows what it showed before', () => {
		expect(isUnchanged(started, { ...before })).toBe(true);
		expect(isUnchanged(started, { ...before, status: 'thinking' })).toBe(false);
		expect(isUnchanged(started, { ...before, video_id: 'new' })).toBe(false);
		expect(
			isUnchanged(started, { ...before, messages: [{ content: 'again' }, { content: 'done' }] }),
		).toBe(false);
		expect(isUnchanged({ kind: jobs.chatSessionJob, id: 's' }, before)).toBe(false);
	});

	test('gives out no video that was there before', () => {
		expect(removeOldResult(started, { video_id: 'old' })).toEqual({ video_id: null });
		expect(removeOldResult(started, { video_id: 'new' })).toEqual({ video_id: 'new' });
	});
});

describe('what failed may be made again', () => {
	const of = (code: string, reason = '', status = 'failed') =>
		isTransientFailure({ code, reason }, { status });

	test.each([
		'render_failed',
		'generation_failed',
		'internal_error',
		'service_unavailable',
		'gateway_timeout',
		'voice_unavailable',
		'insufficient_credit',
		unknownCode,
	])('after %s', (code) => expect(of(code)).toBe(true));

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
	])('but not after %s', (code) => expect(of(code)).toBe(false));

	test('but not where a reason without a code says that it is for good', () => {
		expect(of(unknownCode, 'The script violates our guidelines')).toBe(false);
		expect(of(unknownCode, 'This is against the content policy')).toBe(false);
		expect(of(unknownCode, 'The renderer lost its connection')).toBe(true);
		expect(of('render_failed', 'No policy was broken')).toBe(true);
	});

	test('but not where somebody cancelled or deleted it', () => {
		for (const status of ['cancelled', 'canceled', 'Cancelled', 'deleted']) {
			expect(of('render_failed', '', status)).toBe(false);
		}
	});
});
