/** The outcome of a job, its next job, and signs of an end that no status word shows. */
import type { IDataObject } from 'n8n-workflow';
import {
	addFollowUpJobResult,
	decideJobState,
	findFollowUpJob,
	readFailureCodeAndReason,
	readProgressFraction,
	resolveOutcome,
} from '../../../nodes/core/jobs/jobState';
import type { JobKind, JobState, SuccessfulOutcome } from '../../../nodes/core/jobs/types';
import { agentSessionJob } from '../../../nodes/jobKinds/catalog';

const plain: JobKind = {
	...{ name: 'thing', id: 'thing_id', read: 'GET /things/{thing_id}' },
	...{ completed: ['baked'], failed: ['burnt'], resting: ['on_hold'] },
};
const withUrl: JobKind = { ...plain, resultUrls: ['url', 'other_url'] };
const withParts: JobKind = { ...withUrl, parts: 'clips' };
const withRows: JobKind = { ...plain, rows: plain };

test.each<[string, JobKind, IDataObject, JobState]>([
	['a ready thing', plain, { status: 'ready' }, 'completed'],
	['a ready thing whose URL is missing', withUrl, { status: 'ready' }, 'pending'],
	['a ready thing with its second URL', withUrl, { status: 'ready', other_url: 'x' }, 'completed'],
	['a ready batch', withRows, { status: 'ready' }, 'pending'],
	['a batch completed with errors', withRows, { status: 'completed_with_errors' }, 'pending'],
	['a thing completed with errors', plain, { status: 'completed_with_errors' }, 'completed'],
	['a rejected thing', plain, { status: 'Rejected ' }, 'failed'],
	['a time of completion', plain, { completed_at: 1 }, 'completed'],
	['a time of completion without the URL', withUrl, { completed_at: 1 }, 'pending'],
	['all parts', withParts, { progress: '100', clips: [{}] }, 'completed'],
	['more than all parts', withParts, { progress: 101, clips: [{}] }, 'completed'],
	['some parts', withParts, { progress: 99, clips: [{}] }, 'pending'],
	['no parts', withParts, { progress: 100, clips: [] }, 'pending'],
	['parts of another kind', withUrl, { progress: 100, clips: [{}] }, 'pending'],
	['fewer rows than there are', withRows, { total_items: 2, counts_by_status: [2] }, 'pending'],
	['an unknown number of rows', withRows, { counts_by_status: { failed: 2 } }, 'pending'],
	[
		'counts as texts, and more than all',
		...([withRows, { total_items: 2, counts_by_status: { failed: '2', completed: 1 } }] as const),
		'completed',
	],
	[
		'a batch whose rows have all ended, whatever its word',
		...([
			withRows,
			{ status: 'processing', total_items: 2, counts_by_status: { failed: 1, completed: 1 } },
		] as const),
		'completed',
	],
	['a word of the kind in another case', plain, { status: ' BURNT' }, 'failed'],
	['a word of another kind', { ...plain, failed: [] }, { status: 'burnt' }, 'pending'],
	['a job on hold', plain, { status: 'on_hold' }, 'resting'],
])('%s', (_, kind, data, state) => expect(decideJobState(kind, data)).toBe(state));

test.each<[IDataObject, object]>([
	[
		{ error: { code: ' c ' }, failure_code: 'd' },
		{ code: 'c', reason: undefined },
	],
	[{ failure_code: 'd' }, { code: 'd', reason: undefined }],
	[{ error: { code: 0, message: 'OK' }, failure_code: 'NONE' }, {}],
	[{ failure_message: 'a', failure_reason: 'b' }, { reason: 'a' }],
	[{ failure_reason: 'b', error_message: 'c' }, { reason: 'b' }],
	[{ error_message: 'c', error: 'd' }, { reason: 'c' }],
	[{ error: { message: ' ' }, failure_message: 'null' }, {}],
])('the code and the reason in %j', (data, expected) => {
	expect(readFailureCodeAndReason(data)).toEqual(expected);
});

describe('the outcome', () => {
	const removeSecrets = (text: string) => text.replace('key', '***');
	const read = (data: IDataObject, kind = plain) =>
		resolveOutcome({ kind, id: 't' }, { response: data }, removeSecrets);

	test('does not exist before the end', () => expect(read({ status: 'queued' })).toBeUndefined());

	test('of a failure contains no secrets', () => {
		const data = { status: 'burnt', failure_code: 'bad_key', failure_message: 'The key is bad' };
		expect(read(data)).toStrictEqual({
			...{ outcome: 'failed', job: { kind: plain, id: 't' }, data },
			...{ code: 'bad_***', reason: 'The *** is bad' },
		});
	});

	test.each(['baked', 'on_hold'])('of a thing that is %s has its extracted values', (status) => {
		const kind = { ...plain, extract: ({ inner }: IDataObject) => inner as IDataObject };
		const data = { status, inner: { depth: 1 } };
		expect(read(data, kind)).toMatchObject({
			outcome: status === 'baked' ? 'completed' : 'resting',
			data: { ...data, depth: 1 },
		});
		expect(read(data)).toMatchObject({ data });
	});
});

describe('the next job', () => {
	test('is named by the response', () => {
		const job = { kind: agentSessionJob, id: 's' };
		const kind = agentSessionJob.next?.job;
		expect(findFollowUpJob(job, { video_id: 7 })).toStrictEqual({ kind, id: '7' });
		expect(findFollowUpJob(job, { video_id: null })).toBeUndefined();
		expect(findFollowUpJob({ kind: plain, id: 't' }, { thing_id: 't' })).toBeUndefined();
	});

	test.each([
		[
			'under the name that its first job gives it',
			{ ...plain, next: { name: 'it', job: withUrl } },
		],
		['under its own name', plain],
	])('adds its result and its URLs, %s', (_, kind) => {
		const job = { kind, id: 't' };
		const data = { url: 'u', other_url: '', n: 2 };
		const result = { kind: withUrl, id: 'r', data };
		const next: SuccessfulOutcome = { outcome: 'resting', job: result, data, result };
		const named = kind.next ? { it: data } : { thing: data };
		expect(addFollowUpJobResult({ outcome: 'completed', job, data: { n: 1 } }, next)).toStrictEqual(
			{
				...{ outcome: 'resting', job, result },
				data: { n: 1, url: 'u', ...named },
			},
		);
		const session = { thing_id: 'r', messages: [] };
		const { data: ordered } = addFollowUpJobResult(
			{ outcome: 'completed', job, data: session },
			next,
		);
		expect(Object.keys(ordered)).toEqual(['thing_id', 'url', 'messages', ...Object.keys(named)]);
		const withoutUrls = { ...next, job: { kind: plain, id: 'r' } };
		const outcome = { outcome: 'completed', job: { kind: plain, id: 't' }, data: {} } as const;
		expect(addFollowUpJobResult(outcome, withoutUrls).data).toStrictEqual({ thing: data });
	});
});

test.each<[IDataObject, number | undefined]>([
	[{ total_items: 4, counts_by_status: { skipped: 1, canceled: 1, queued: 2 } }, 0.5],
	[{ total_items: 2, counts_by_status: { completed: 2 } }, undefined],
	[{ total_items: 2, counts_by_status: { completed: -1, failed: 1 } }, 0.5],
	[{ total_items: -2, progress: 50 }, 0.5],
	[{ progress: { total: 2 } }, undefined],
	[{ progress: -50 }, undefined],
])('the progress in %j is %s', (data, share) => expect(readProgressFraction(data)).toBe(share));
