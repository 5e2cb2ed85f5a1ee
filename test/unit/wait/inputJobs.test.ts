/** Which job an input item contains. */
import { describeJob } from '../../../nodes/core/jobs/types';
import { findJobsInItem, isJobFound, readJobFromForm } from '../../../nodes/VideoGenWait/inputJobs';

const findJob = (json: object) => {
	const found = findJobsInItem(json as never);
	return found.flatMap((job) => (isJobFound(job) ? [describeJob(job), job.row] : [job.problem]));
};

test.each([
	['a job', { job: { kind: 'video', id: 'v1' } }, ['video v1', undefined]],
	['a batch row', { job: { kind: 'video_batch', id: 'b1' }, item_index: 7 }, ['video_batch b1', 7]],
	[
		'a row whose index is no number',
		{ job: { kind: 'video_batch', id: 'b1' }, item_index: '7' },
		['video_batch b1', undefined],
	],
	['a whole batch', { job: { kind: 'video_batch', id: 'b1' } }, ['video_batch b1', undefined]],
	[
		'a job without rows, and an index',
		{ job: { kind: 'video', id: 'v1' }, item_index: 7 },
		['video v1', undefined],
	],
	[
		'an error with an existing job',
		{ error: 'Late', details: { job: { kind: 'render', id: 'r1' } } },
		['render r1', undefined],
	],
	[
		'an error with its job, next to an earlier job',
		{
			error: 'Late',
			details: { job: { kind: 'video', id: 'v2' } },
			job: { kind: 'video', id: 'v1' },
		},
		['video v2', undefined],
	],
	[
		'an error of n8n 1 with its job, next to an earlier job',
		{
			error: 'Late',
			message: 'Wait for it again\ncode: "wait_timeout"\njob: {"kind":"video","id":"v2"}',
			job: { kind: 'video', id: 'v1' },
		},
		['video v2', undefined],
	],
	[
		'an error without a job, next to an earlier job',
		{ error: 'Too poor', details: { code: 'no_credit' }, job: { kind: 'video', id: 'v1' } },
		['The item does not refer to a job, but contains an error: Too poor'],
	],
	[
		'an error of another node, next to a job',
		{ error: 'Not found', job: { kind: 'video', id: 'v1' } },
		['video v1', undefined],
	],
	[
		'an error with several jobs',
		{
			error: 'No access',
			details: {
				job: { kind: 'video', id: 'v1' },
				jobs: [1, 2].map((i) => ({ kind: 'video', id: `v${i}` })),
			},
		},
		['video v1', undefined, 'video v2', undefined],
	],
	[
		'an error with an empty list of jobs',
		{ error: 'Late', details: { job: { kind: 'video', id: 'v1' }, jobs: [] } },
		['video v1', undefined],
	],
	[
		'an error with a job of an unknown kind among several',
		{
			error: 'No access',
			details: { jobs: ['poem', 'video'].map((kind) => ({ kind, id: '1' })) },
		},
		['The item refers to a job of an unknown kind: "poem"', 'video 1', undefined],
	],
	[
		'an error with the batch of its row',
		{
			error: 'Late',
			details: { job: { kind: 'video_batch', id: 'b1' } },
			job: { kind: 'video_batch', id: 'b1' },
			item_index: 2,
		},
		['video_batch b1', 2],
	],
	[
		'an error with another batch than that of its row',
		{
			error: 'Late',
			details: { job: { kind: 'video_batch', id: 'b2' } },
			job: { kind: 'video_batch', id: 'b1' },
			item_index: 2,
		},
		['video_batch b2', undefined],
	],
	['no job', { name: 'Ada' }, ['The item does not refer to a job']],
	[
		'an error without a job',
		{ error: 'Rejected' },
		['The item does not refer to a job, but contains an error: Rejected'],
	],
	['a job without an ID', { job: { kind: 'video' } }, ['The item does not refer to a job']],
	['a job without a kind', { job: { id: 'v1' } }, ['The item does not refer to a job']],
	['a job that is no object', { job: 'v1' }, ['The item does not refer to a job']],
	[
		'an unknown kind',
		{ job: { kind: 'poem', id: 'p1' } },
		['The item refers to a job of an unknown kind: "poem"'],
	],
])('reads %s', (_, json, expected) => expect(findJob(json)).toEqual(expected));

test('a job ID from the form may be text or a number', () => {
	expect(readJobFromForm('lipsync', ' l1 ')).toMatchObject({ id: 'l1' });
	expect(readJobFromForm('lipsync', 17)).toMatchObject({ id: '17' });
	expect(readJobFromForm('lipsync', '')).toMatchObject({ problem: '"Job ID" is required' });
	expect(readJobFromForm('lipsync', undefined)).toMatchObject({ problem: '"Job ID" is required' });
	expect(readJobFromForm('poem', 'p1')).toMatchObject({
		problem: 'The job kind "poem" is unknown',
	});
});
