/** What the error of a job says. */
import type { IDataObject, INode } from 'n8n-workflow';
import {
	createDuplicateJobIdError,
	createJobError,
	createUnmatchedRowError,
	type TimeoutErrorWording,
} from '../../../nodes/core/jobs/jobErrors';
import type { JobKind, TimedOutOutcome } from '../../../nodes/core/jobs/types';
import { videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';

const node = { name: 'Node' } as INode;
const kind: JobKind = { ...videoJob, name: 'video_draft', notifiedBy: undefined, stop: undefined };
const job = { kind, id: 'd1' };
const reference = { kind: 'video_draft', id: 'd1' };

/** The texts of an error, and its details. */
const read = ({ message, description, context }: ReturnType<typeof createJobError>) => [
	...[message, description?.split('\n')[0]],
	context.details,
];

test.each<[string, string, IDataObject, string, string]>([
	[
		...(['lost_face', 'No face', { status: 'failed' }] as const),
		'The video draft failed: No face',
		'The service created no result for video draft d1 (code: lost_face). The input did not cause the failure: run the workflow again.',
	],
	[
		...(['face_invalid', 'No face', { status: 'failed' }] as const),
		'The video draft failed: No face',
		'The service created no result for video draft d1 (code: face_invalid). Change the input and run again.',
	],
	[
		...(['unknown', 'No reason', { status: 'failed' }] as const),
		'The video draft failed: No reason',
		'The service created no result for video draft d1. Change the input and run again.',
	],
	[
		...(['unknown', 'Stopped', { status: 'Cancelled' }] as const),
		'The video draft was canceled: Stopped',
		'The service created no result for video draft d1. Run the workflow again if you still want the result.',
	],
])('a failed job, code %s, reason %s, data %j', (code, reason, data, message, description) => {
	const error = createJobError(node, { outcome: 'failed', code, reason, data, job });
	expect(read(error)).toStrictEqual([
		...[message, description],
		{ code, job: reference, status: data.status, outcome: 'failed' },
	]);
});

const advice = {
	event:
		'raise Wait Timeout in the options, or let a VideoGen Trigger start another workflow when it is done',
	nothing: 'or raise Wait Timeout in the options',
};

test.each<
	[string, Partial<TimedOutOutcome>, Partial<JobKind>, TimeoutErrorWording, string, string]
>([
	[
		...(['with a status', { status: 'processing' }, {}, {}] as const),
		'The video draft d1 was not finished after 5 minutes',
		`The video draft d1 has the status "processing" and keeps running in the service: do not create it again. Get it later by its ID, ${advice.event}.`,
	],
	[
		...(['with an unknown status', { status: 'odd', known: false, waited: 100 }] as const),
		...([{ notifiedBy: 'nothing' }, {}] as const),
		'The video draft d1 was not finished after 1.7 minutes',
		`The video draft d1 has the status "odd", which this node does not recognize, and keeps running in the service: do not create it again. Get it later by its ID, ${advice.nothing}.`,
	],
	[
		...(['that can be stopped', { waited: 20 }] as const),
		...([{ stop: { line: '', operation: 'Stop Draft' } }, { missed: 'was not live' }] as const),
		'The video draft d1 was not live after 0.3 minutes',
		`The video draft d1 has no status and keeps running in the service: do not create it again. Get it later by its ID, ${advice.event}. To end it, use Stop Draft.`,
	],
	[
		...(['during an outage', { unreachable: 'The service is unreachable' }] as const),
		...([{ stop: { line: '', operation: 'Stop' } }, { alternative: 'or wait again' }] as const),
		'The video draft d1 was not finished after 5 minutes',
		'The service is unreachable. The video draft d1 has no status and keeps running in the service: do not create it again. Get it later by its ID, or wait again.',
	],
])('a job that takes too long, %s', (...[, outcome, more, wording, message, description]) => {
	const error = createJobError(
		node,
		{
			...{ outcome: 'timeout', known: true, waited: 300, ...outcome },
			job: { ...job, kind: { ...kind, ...more } },
		},
		wording,
	);
	const details = {
		...{ code: 'wait_timeout', job: reference, status: outcome.status ?? 'unknown' },
		outcome: 'running',
	};
	expect(read(error)).toStrictEqual([message, description, details]);
});

test('jobs that belong to several items are named, with the key of the request', () => {
	const jobs = [job, { ...job, id: 'd2' }];
	const details = {
		...{ code: 'shared_job', uncertain: true, outcome: 'unknown' },
		shared_jobs: [reference, { ...reference, id: 'd2' }],
	};
	const [message, description, withoutKey] = read(createDuplicateJobIdError(node, { jobs }));
	expect(message).toMatch(/same video draft ID for several items/);
	expect(description).toMatch(
		/returned video_draft d1, video_draft d2\. .*before you run these items again\./,
	);
	expect(withoutKey).toStrictEqual(details);
	const [, longer, withKey] = read(createDuplicateJobIdError(node, { jobs, key: 'key-1' }));
	expect(longer).toMatch(/may have repeated a response\. .*key-1/);
	expect(withKey).toStrictEqual({ ...details, idempotency_key: 'key-1' });
	expect(read(createDuplicateJobIdError(node, { jobs: [] }))[0]).toMatch(/same job ID/);
});

test('a row without an entry may exist', () => {
	const error = createUnmatchedRowError(node, { kind: videoBatchJob, id: 'b1' }, kind);
	expect(error.description).toContain("the row's video draft may exist, and may have been charged");
	expect(error.context.details).toStrictEqual({
		...{ code: 'unknown_row', batch_id: 'b1', outcome: 'unknown' },
		job: { kind: 'video_batch', id: 'b1' },
	});
});
