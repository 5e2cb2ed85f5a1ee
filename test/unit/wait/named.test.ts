/** Which job an item names. */
import { describeJob } from '../../../nodes/core/jobs/types';
import { isNamedJob, findJobInItem, parseJobId } from '../../../nodes/VideoGenWait/inputJobs';

const named = (json: object) => {
	const one = findJobInItem(json as never);
	return isNamedJob(one) ? [describeJob(one), one.row] : one.problem;
};

test.each([
	['a job', { job: { kind: 'video', id: 'v1' } }, ['video v1', undefined]],
	['a row', { job: { kind: 'video_batch', id: 'b1' }, item_index: 7 }, ['video_batch b1', 7]],
	['a whole batch', { job: { kind: 'video_batch', id: 'b1' } }, ['video_batch b1', undefined]],
	[
		'a place of its own',
		{ job: { kind: 'video', id: 'v1' }, item_index: 7 },
		['video v1', undefined],
	],
	[
		'an error that tells which job exists',
		{ error: 'Late', details: { job: { kind: 'render', id: 'r1' } } },
		['render r1', undefined],
	],
	['no job', { name: 'Ada' }, 'The item names no job'],
	['an error without a job', { error: 'Refused' }, 'The item names no job, but an error: Refused'],
	['half a job', { job: { kind: 'video' } }, 'The item names no job'],
	['no object', { job: 'v1' }, 'The item names no job'],
	[
		'a kind that there is not',
		{ job: { kind: 'poem', id: 'p1' } },
		'The item names a job of an unknown kind: "poem"',
	],
])('%s', (_, json, expected) => expect(named(json)).toEqual(expected));

test('a kind and an ID of the form, as text or number', () => {
	expect(parseJobId('lipsync', ' l1 ')).toMatchObject({ id: 'l1' });
	expect(parseJobId('lipsync', 17)).toMatchObject({ id: '17' });
	expect(parseJobId('lipsync', '')).toMatchObject({ problem: '"Job ID" is required' });
	expect(parseJobId('poem', 'p1')).toMatchObject({
		problem: 'The kind of job "poem" is not known',
	});
});
