/** How errors show items and jobs, and which IDs items have. */
import { NodeOperationError, type INode } from 'n8n-workflow';
import type { JobKind, Job } from '../../../nodes/core/jobs/types';
import type { Operation, Resource } from '../../../nodes/core/operation';
import { getOutputIdKey } from '../../../nodes/core/operationTraits';
import {
	createOperationError,
	getErrorTextParts,
	joinErrorTextParts,
} from '../../../nodes/core/errors/nodeErrors';
import { createJobError } from '../../../nodes/core/jobs/jobErrors';
import { copyIdToSpecificKey } from '../../../nodes/core/collect/itemResult';
import {
	createErrorItem,
	getErrorAdditionsAndDetails,
	toRunError,
} from '../../../nodes/core/collect/collectItems';

const node = { name: 'Node', parameters: {} } as unknown as INode;
const video: JobKind = {
	name: 'model_video',
	id: 'video_id',
	read: 'GET /videos/{video_id}',
	completed: ['completed'],
	failed: ['failed'],
};
const started = (id: string): Job => ({ kind: video, id });
const failure = () => new NodeOperationError(node, 'It failed', { description: 'Do this.' });

/** Returns the text and the details that a failure is reported with. */
function compose(...[failure, ...run]: Parameters<typeof getErrorAdditionsAndDetails>) {
	const { additions, details } = getErrorAdditionsAndDetails(failure, ...run);
	return { ...joinErrorTextParts(getErrorTextParts(failure.error), additions), details };
}

test('shows the jobs of the item and of other items, as text and as details', () => {
	const own = { item: 0, error: failure(), jobs: [started('a'), started('b')] };
	const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ kind: 'model_video', id }));
	expect(compose(own, 4, [{ item: 3, jobs: [started('c')] }])).toEqual({
		message: 'It failed [row 1]',
		description: [
			'Do this.',
			'Already started for this item: model_video a, model_video b',
			'Jobs started for other items: row 4: model_video c. They are not lost and continue to run in the service.',
		].join('\n'),
		details: { job: a, jobs: [a, b], started: [{ item: 3, ...c }] },
	});
});

test('does not repeat a job that the error already shows', () => {
	const error = createOperationError(node, 'Video a failed', 'Do this.', { job: { id: 'a' } });
	const { description } = compose({ item: 0, error, jobs: [started('a')] }, 1);
	expect(description).toBe('Do this.');
});

test('lists a hundred jobs, and counts the others', () => {
	const jobs = Array.from({ length: 103 }, (_, i) => started(`v${i}`));
	const { description, details } = compose({ item: 1, error: failure(), jobs: [] }, 2, [
		{ item: 0, jobs },
	]);
	expect(description).toMatch(/row 1: model_video v99 and 3 more\. They are not lost/);
	expect(details.started).toHaveLength(103);
});

test('renders an error that is thrown again as it did the first time', () => {
	const own = { item: 2, error: failure(), jobs: [] };
	const others = [{ item: 0, jobs: [started('a')] }];
	const { message, description } = toRunError(own, 3, others);
	expect(message).toBe('It failed [row 3]');
	const again = toRunError(own, 3, others);
	expect([again.message, again.description]).toEqual([message, description]);
	expect(createErrorItem({ ...own, error: failure() }, 3)).toEqual({
		json: { error: 'It failed [row 3]', details: { description: 'Do this.' } },
		pairedItem: { item: 2 },
	});
});

describe('ids', () => {
	const request = 'GET /videos/{video_id}';
	const row: Operation = {
		value: 'get',
		name: 'Get',
		action: '',
		description: '',
		request,
		fields: [],
	};
	const resource: Resource = { name: 'Video', value: 'video', id: 'video_id', operations: [] };
	const keyOf = (operation: Partial<Operation>) =>
		getOutputIdKey(resource, { ...row, ...operation });
	const named = (json: object, values = {}) =>
		copyIdToSpecificKey({ json: { ...json } }, 'video_id', { values }).json;

	test('the key is that of the operation, of its job, or of the resource', () => {
		expect(keyOf({})).toBe('video_id');
		expect(keyOf({ itemId: 'style_id' })).toBe('style_id');
		expect(keyOf({ itemId: null })).toBeUndefined();
		expect(keyOf({ starts: { ...video, id: 'render_id' } })).toBe('render_id');
		expect(keyOf({ starts: () => [] })).toBe('video_id');
	});

	test('the ID comes from the response, the job, or the parameters', () => {
		expect(named({ id: 'v1' })).toEqual({ video_id: 'v1', id: 'v1' });
		expect(named({ job: { kind: 'video', id: 'v2' } }).video_id).toBe('v2');
		expect(named({ scenes: [] }, { video_id: 'v3' }).video_id).toBe('v3');
		expect(named({ video_id: 'own', id: 'other' }).video_id).toBe('own');
		expect(named({ title: 'x' })).toEqual({ title: 'x' });
	});
});

describe('waits that failed', () => {
	test.each([
		[{ status: 'processing', known: true }, 'has the status "processing" and keeps running'],
		[
			{ status: 'polishing', known: false },
			'has the status "polishing", which this node does not recognize, and keeps running',
		],
		[{ known: false }, 'has no status and keeps running'],
	])('a timeout shows the last status, and whether the node knows it: %j', (last, words) => {
		const ending = { outcome: 'timeout', job: started('v1'), waited: 90, ...last } as const;
		const { message, description } = createJobError(node, ending);
		expect(message).toBe('The model video v1 was not finished after 1.5 minutes');
		expect(description).toContain(`model video v1 ${words}`);
	});

	test.each([
		[
			{ code: 'unknown' },
			'The model video failed: No face',
			'The service created no result for model video v1. Change the input and run again.',
		],
		[
			{ code: 'content_policy_violation' },
			'The model video failed: No face',
			expect.stringContaining('(code: content_policy_violation). Change the text'),
		],
		[
			{ code: 'unknown', data: { status: 'CANCELED' } },
			'The model video was canceled: No face',
			expect.any(String),
		],
	])('a failure shows the reason, and the code if it has one: %j', (end, message, description) => {
		const data = { status: 'failed' };
		const ending = { outcome: 'failed', job: started('v1'), data, reason: 'No face' } as const;
		expect(createJobError(node, { ...ending, ...end })).toMatchObject({ message, description });
	});
});
