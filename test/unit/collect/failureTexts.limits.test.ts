/** Which jobs an error lists, and what is added to it. */
import type { INode } from 'n8n-workflow';
import {
	createErrorItem,
	getErrorAdditionsAndDetails,
	toRunError,
} from '../../../nodes/core/collect/collectItems';
import type { ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import { videoJob } from '../../../nodes/jobKinds/catalog';

const node = { name: 'Node', parameters: {} } as unknown as INode;
const video = (id: string) => ({ kind: videoJob, id });
const reference = (id: string) => ({ kind: 'video', id });
const fail = (details?: ErrorDetails, advice?: string) =>
	createOperationError(node, 'It failed', advice, details);

test.each<[string, ErrorDetails, string[]]>([
	['of the error', { job: reference('a') }, ['video b']],
	['whose batch the error names', { batch_id: 'b', job: reference('x') }, ['video a']],
	['that no error names', {}, ['video a', 'video b']],
])('a job %s', (_, details, unnamed) => {
	const jobs = [video('a'), video('b')];
	expect(getErrorAdditionsAndDetails({ item: 0, error: fail(details), jobs }, 1)).toStrictEqual({
		additions: {
			...{ suffix: '', before: [] },
			after: [`Already started for this item: ${unnamed.join(', ')}`],
		},
		details: { job: reference('a'), jobs: jobs.map(({ id }) => reference(id)), ...details },
	});
});

test.each([
	[100, 'row 4: video v99. They are not lost'],
	[101, 'row 4: video v99 and 1 more. They are not lost'],
])('of %i jobs, a hundred are listed', (count, end) => {
	const jobs = Array.from({ length: count }, (_, i) => video(`v${i}`));
	const { additions, details } = getErrorAdditionsAndDetails(
		{ item: 0, error: fail(), jobs: [] },
		2,
		[
			{ item: 3, jobs },
			{ item: 4, jobs: [] },
		],
	);
	expect(additions.after).toStrictEqual([expect.stringContaining(end)]);
	expect(details.started).toHaveLength(count);
	expect(additions.suffix).toBe(' [row 1]');
});

test('an error without jobs has no job in its text or its details', () => {
	const failure = { item: 0, error: fail(), jobs: [] };
	expect(getErrorAdditionsAndDetails(failure, 1, [{ item: 1, jobs: [] }])).toStrictEqual({
		...{ additions: { suffix: '', before: [], after: [] }, details: {} },
	});
	expect(createErrorItem(failure, 1)).toStrictEqual({
		json: { error: 'It failed', details: { description: null } },
		pairedItem: { item: 0 },
	});
});

test('an error item has one job, the hints above the advice, and the details of the error', () => {
	const error = fail({ code: 'lost' }, 'Run again.');
	const failure = { item: 1, error, jobs: [video('a')], hints: ['Hint'] };
	expect(createErrorItem(failure, 2)).toStrictEqual({
		json: {
			error: 'It failed [row 2]',
			details: {
				...{ job: reference('a'), code: 'lost' },
				description: 'Hint\nRun again.\nAlready started for this item: video a',
			},
		},
		pairedItem: { item: 1 },
	});
	expect(error.message).toBe('It failed');
});

test('the error of a run has its own lines, further ones, and the number of its item', () => {
	const failure = { item: 1, error: fail({ code: 'lost' }, 'Run again.'), jobs: [video('a')] };
	const error = toRunError(failure, 2, [{ item: 0, jobs: [video('b')] }], ['Also:', 'More']);
	expect(error).toBe(failure.error);
	expect(error.message).toBe('It failed [row 2]');
	expect(error.description?.split('\n<br>')).toStrictEqual([
		...['Run again.', 'Already started for this item: video a'],
		'Jobs started for other items: row 1: video b. They are not lost and continue to run in the service.',
		...['Also:', 'More'],
	]);
	expect(error.context).toMatchObject({ itemIndex: 1 });
	expect(error.context.details).toStrictEqual({
		...{ job: reference('a'), code: 'lost' },
		started: [{ item: 0, ...reference('b') }],
	});
});
