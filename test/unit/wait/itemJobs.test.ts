/** Which job each item has, and the errors of items without one. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	findItemJobs,
	findJobsInItem,
	indexJobsByKindAndId,
	readItemParameters,
	readJobFromForm,
} from '../../../nodes/VideoGenWait/inputJobs';
import { awaitableJobKinds } from '../../../nodes/VideoGenWait/form';
import { getErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import { videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';
import { createHost } from './waitHost';

const noJob =
	'Connect a create node that has Wait for Completion turned off, because its items have a "job" field. Or choose Jobs → By ID, and enter the job\'s kind and ID.';

const find = (items: INodeExecutionData[], values: Array<IDataObject | Error>) =>
	findItemJobs(createHost({ items }).n8n, values as IDataObject[]);

test('each item has the job that it refers to, or that the form names', () => {
	const items = [
		{ json: { job: { kind: 'video_batch', id: 7 }, item_index: 0 } },
		{ json: { job: { kind: 'video', id: 'v' } } },
		{ json: { job: { kind: 'video', id: 'v' } } },
	];
	const byId = { jobs: 'id', kind: 'video', job_id: ' w ' };
	expect(find(items, [{ jobs: 'items' }, byId])).toStrictEqual([
		{ input: items[0], item: 0, job: { kind: videoBatchJob, id: '7', row: 0 } },
		{ input: items[1], item: 1, job: { kind: videoJob, id: 'w' } },
		{ input: items[2], item: 2, job: { kind: videoJob, id: 'v' } },
	]);
});

test('an item without a job has an error', () => {
	const invalid = createOperationError(createHost({ items: [] }).n8n.getNode(), 'Bad');
	const items = [{ json: { job: { kind: 'video', id: 'v' } } }, { json: {} }];
	const [first, second] = find(items, [invalid, {}]);
	expect(first?.job).toBe(invalid);
	expect(second?.job).toMatchObject({
		...{ message: 'The item does not refer to a job', description: noJob },
	});
	expect(getErrorDetails(second?.job)).toStrictEqual({ code: 'invalid_value' });
});

test.each<[string, object, object]>([
	['no kind', findJobsInItem({ job: { id: 'v' } }), { advice: noJob }],
	['no job but an error', findJobsInItem({ error: 'No' }), { advice: noJob }],
	[
		'an unknown kind',
		findJobsInItem({ job: { kind: { a: 1 }, id: 'v' } }),
		{
			problem: 'The item refers to a job of an unknown kind: "{"a":1}"',
			advice: `Known kinds are ${awaitableJobKinds.map(({ name }) => name).join(', ')}.`,
		},
	],
	[
		'an ID of spaces',
		readJobFromForm('video', ' '),
		{ problem: '"Job ID" is required', advice: 'The node did not wait for anything.' },
	],
])('a problem is explained: %s', (_, found, expected) => {
	const problems = [found].flat();
	expect(problems).toMatchObject([expected]);
	expect(problems[0]).not.toHaveProperty('kind');
});

test('rows of a batch are one job, and kinds with the same ID are two', () => {
	const batch = { kind: videoBatchJob, id: 'b' };
	const jobs = [
		{ ...batch, row: 0 },
		{ ...batch, row: 1 },
		{ kind: videoJob, id: 'b' },
	];
	expect([...indexJobsByKindAndId(jobs).keys()]).toStrictEqual(['video_batch b', 'video b']);
});

describe('the values of an item', () => {
	const read = (values: IDataObject) => {
		const getNodeParameter = (name: string, _: number, fallback: unknown) =>
			values[name] ?? fallback;
		const { n8n } = createHost({ items: [], more: { getNodeParameter } });
		return readItemParameters(n8n as unknown as IExecuteFunctions, 0);
	};

	test('are those of the form and its options', () => {
		const form = { jobs: 'id', kind: 'video', job_id: 'v', download: ['video'] };
		expect(read({ ...form, options: { waitTimeout: 5 } })).toStrictEqual({
			...{ ...form, waitTimeout: 5 },
		});
	});

	test('are an error with all problems if any of them is invalid', () => {
		const error = read({ jobs: 'id', kind: 'video', job_id: '', options: { waitTimeout: -1 } });
		const { complaints, code } = getErrorDetails(error);
		expect(code).toBe('invalid_value');
		expect(complaints).toStrictEqual([
			'"Job ID" is required',
			expect.stringContaining('"Wait Timeout (Minutes)"'),
		]);
		const [message, description] = complaints as unknown as string[];
		expect(error).toMatchObject({ message, description });
	});
});
