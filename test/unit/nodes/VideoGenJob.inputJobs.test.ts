/** Which jobs an input item names. */
import { describeJob } from '../../../nodes/core/jobs/types';
import { findReferencedJobs } from '../../../nodes/VideoGenJob/inputJobs';

/** Shows each job with its row, and unknown kinds by their name. */
const findJobs = (json: object) =>
	findReferencedJobs(json as never).map((job) =>
		typeof job === 'string' ? job : [describeJob(job), job.row],
	);

const v1 = { kind: 'video', id: 'v1' };
const v2 = { kind: 'video', id: 'v2' };
const b1 = { kind: 'video_batch', id: 'b1' };
const b2 = { kind: 'video_batch', id: 'b2' };

test.each<[string, object, unknown[]]>([
	['a job', { job: v1 }, [['video v1', undefined]]],
	['a job whose ID is a number', { job: { kind: 'video', id: 7 } }, [['video 7', undefined]]],
	['a batch row', { job: b1, item_index: 7 }, [['video_batch b1', 7]]],
	['the first row', { job: b1, item_index: 0 }, [['video_batch b1', 0]]],
	['a row whose index is no number', { job: b1, item_index: '7' }, [['video_batch b1', undefined]]],
	['a whole batch', { job: b1 }, [['video_batch b1', undefined]]],
	['a job without rows, and an index', { job: v1, item_index: 7 }, [['video v1', undefined]]],
	[
		'an error with an existing job',
		{ error: 'Late', details: { job: { kind: 'render', id: 'r1' } } },
		[['render r1', undefined]],
	],
	[
		'an error with its job, next to an earlier job',
		{ error: 'Late', details: { job: v2 }, job: v1 },
		[['video v2', undefined]],
	],
	[
		'an error of n8n 1 with its job, next to an earlier job',
		{
			error: 'Late',
			message: 'Wait for it again\ncode: "wait_timeout"\njob: {"kind":"video","id":"v2"}',
			job: v1,
		},
		[['video v2', undefined]],
	],
	[
		'an error without a job, next to an earlier job',
		{ error: 'Too poor', details: { code: 'no_credit' }, job: v1 },
		[],
	],
	[
		'an error of another node, next to a job',
		{ error: 'Not found', job: v1 },
		[['video v1', undefined]],
	],
	[
		'an error of another node, next to an ID',
		{ error: 'No', video_id: 'v1' },
		[['video v1', undefined]],
	],
	[
		'an error with several jobs',
		{ error: 'No access', details: { job: v1, jobs: [v1, v2] } },
		[
			['video v1', undefined],
			['video v2', undefined],
		],
	],
	[
		'an error with an empty list of jobs',
		{ error: 'Late', details: { job: v1, jobs: [] } },
		[['video v1', undefined]],
	],
	[
		'an error with a job of an unknown kind among several',
		{ error: 'No access', details: { jobs: [{ kind: 'poem', id: '1' }, v1] } },
		['poem', ['video v1', undefined]],
	],
	[
		'an error with the batch of its row',
		{ error: 'Late', details: { job: b1 }, job: b1, item_index: 2 },
		[['video_batch b1', 2]],
	],
	[
		'an error with the row in its details',
		{ error: 'Late', details: { job: b1, item_index: 3 } },
		[['video_batch b1', 3]],
	],
	[
		'an error with another batch than that of its row',
		{ error: 'Late', details: { job: b2 }, job: b1, item_index: 2 },
		[['video_batch b2', undefined]],
	],
	['an error without a job', { error: 'Rejected' }, []],
	['an error that is no text', { error: null, job: v1 }, [['video v1', undefined]]],
	['no job', { name: 'Ada' }, []],
	['no values', {}, []],
	['a job without an ID', { job: { kind: 'video' } }, []],
	['a job with an empty ID', { job: { kind: 'video', id: '' } }, []],
	['a job without a kind', { job: { id: 'v1' } }, []],
	['a job that is no object', { job: 'v1' }, []],
	['a job that is a list', { job: [v1] }, []],
	['an unknown kind', { job: { kind: 'poem', id: 'p1' } }, ['poem']],
	['a kind that is no text', { job: { kind: { a: 1 }, id: 'p1' } }, ['{"a":1}']],
	['a job, next to an ID', { job: v1, video_id: 'v2' }, [['video v1', undefined]]],
	['the ID of a video', { video_id: 'v1' }, [['video v1', undefined]]],
	['an ID that is a number', { video_id: 17 }, [['video 17', undefined]]],
	['an empty ID', { video_id: '' }, []],
	['an ID of null', { video_id: null }, []],
	['an ID that is no text', { video_id: { a: 1 } }, []],
	['the ID of a session', { session_id: 's1' }, [['session s1', undefined]]],
	[
		'the ID of a session, next to that of its video',
		{ video_id: 'v1', session_id: 's1' },
		[['session s1', undefined]],
	],
	['the ID of a lipsync', { lipsync_id: 'l1' }, [['lipsync l1', undefined]]],
	['an ID that no job has', { avatar_id: 'a1', voice_id: 'v1', folder_id: 'f1' }, []],
])('finds %s', (_, json, expected) => {
	expect(findJobs(json)).toStrictEqual(expected);
});

test('finds the state of a job before it was continued', () => {
	const before = { digest: 'abc', follow_up_id: 'v1' };
	const json = { job: { kind: 'chat_session', id: 's1', before } };
	expect(findReferencedJobs(json)).toMatchObject([{ id: 's1', before }]);
	const [without] = findReferencedJobs({ job: { kind: 'chat_session', id: 's1', before: {} } });
	expect(without).not.toHaveProperty('before');
});
