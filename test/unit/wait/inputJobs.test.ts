/** Which job an input item contains. */
import { describeJob } from '../../../nodes/core/jobs/types';
import { isJobFound, findJobInItem, readJobFromForm } from '../../../nodes/VideoGenWait/inputJobs';

const findJob = (json: object) => {
	const job = findJobInItem(json as never);
	return isJobFound(job) ? [describeJob(job), job.row] : job.problem;
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
	['no job', { name: 'Ada' }, 'The item does not refer to a job'],
	[
		'an error without a job',
		{ error: 'Rejected' },
		'The item does not refer to a job, but contains an error: Rejected',
	],
	['a job without an ID', { job: { kind: 'video' } }, 'The item does not refer to a job'],
	['a job without a kind', { job: { id: 'v1' } }, 'The item does not refer to a job'],
	['a job that is no object', { job: 'v1' }, 'The item does not refer to a job'],
	[
		'an unknown kind',
		{ job: { kind: 'poem', id: 'p1' } },
		'The item refers to a job of an unknown kind: "poem"',
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
