/** What errors and items say about jobs and ids. */
import { NodeOperationError, type INode } from 'n8n-workflow';
import { createJobError } from '../../../nodes/core/jobs/jobErrors';
import type { JobKind, Job } from '../../../nodes/core/jobs/types';
import type { Operation, Resource } from '../../../nodes/core/operation';
import {
	createErrorItem,
	getIdKey,
	describeStartedJobs,
	addItemAndJobs,
	addId,
} from '../../../nodes/core/collect/errorItems';

const node: INode = {
	id: '1',
	name: 'Node',
	type: 'test',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const video: JobKind = {
	name: 'model_video',
	id: 'video_id',
	read: 'GET /videos/{video_id}',
	completed: ['completed'],
	failed: ['failed'],
};
const started = (id: string): Job => ({ kind: video, id });
const failure = () => new NodeOperationError(node, 'It failed', { description: 'Do this.' });

test('own jobs and those of other items are named, as text and as facts', () => {
	const others = [{ item: 3, jobs: [started('c')] }];
	expect(describeStartedJobs([started('a'), started('b')], others)).toEqual({
		lines: [
			'Already started for this item: model_video a, model_video b',
			'Started for other items, and not lost: item 3: model_video c. They go on at the service.',
		],
		facts: {
			job: { kind: 'model_video', id: 'a' },
			jobs: [
				{ kind: 'model_video', id: 'a' },
				{ kind: 'model_video', id: 'b' },
			],
			started: [{ item: 3, kind: 'model_video', id: 'c' }],
		},
	});
});

test('a job that the description names already is not named again', () => {
	expect(describeStartedJobs([started('a')], [], 'Video a failed').lines).toEqual([]);
});

test('more than a hundred jobs are counted in words, and named as facts', () => {
	const jobs = Array.from({ length: 103 }, (_, i) => started(`v${i}`));
	const { lines, facts } = describeStartedJobs([], [{ item: 0, jobs }]);
	expect(lines[0]).toMatch(/item 0: model_video v99 and 3 more\. They go on/);
	expect(facts.started).toHaveLength(103);
});

test('an error that comes again is not told twice', () => {
	const error = addItemAndJobs(
		failure(),
		{ item: 2, items: 3 },
		[],
		[{ item: 0, jobs: [started('a')] }],
	);
	const description = error.description;
	addItemAndJobs(error, { item: 2, items: 3 }, [], [{ item: 0, jobs: [started('a')] }]);
	expect(error.description).toBe(description);
	expect(error.message).toBe('It failed [item 2]');
	expect(createErrorItem(error, 2)).toEqual({
		json: {
			error: 'It failed [item 2]',
			details: { started: [{ item: 0, kind: 'model_video', id: 'a' }], description },
		},
		pairedItem: { item: 2 },
	});
});

describe('ids', () => {
	const row: Operation = {
		value: 'get',
		name: 'Get',
		action: '',
		description: '',
		request: 'GET /videos/{video_id}',
		fields: [],
	};
	const resource: Resource = { name: 'Video', value: 'video', id: 'video_id', operations: [] };
	const keyOf = (operation: Partial<Operation>) =>
		getIdKey({ resource, operation: { ...row, ...operation }, values: {} });
	const named = (json: object, values = {}) =>
		addId({ json: { ...json } }, 'video_id', { values }).json;

	test('the key is that of the row, of the job that it starts, or of the resource', () => {
		expect(keyOf({})).toBe('video_id');
		expect(keyOf({ itemId: 'style_id' })).toBe('style_id');
		expect(keyOf({ itemId: null })).toBeUndefined();
		expect(keyOf({ starts: { ...video, id: 'render_id' } })).toBe('render_id');
		expect(keyOf({ starts: () => [] })).toBe('video_id');
	});

	test('the id is what the reply calls id, the job, or what was asked for', () => {
		expect(named({ id: 'v1' })).toEqual({ video_id: 'v1', id: 'v1' });
		expect(named({ job: { kind: 'video', id: 'v2' } }).video_id).toBe('v2');
		expect(named({ scenes: [] }, { video_id: 'v3' }).video_id).toBe('v3');
		expect(named({ video_id: 'own', id: 'other' }).video_id).toBe('own');
		expect(named({ title: 'x' })).toEqual({ title: 'x' });
	});

	test('an error item keeps its two keys, by which n8n knows it', () => {
		expect(named({ error: 'no', details: {} }, { video_id: 'v' })).toEqual({
			error: 'no',
			details: {},
		});
	});
});

describe('waits that did not end well', () => {
	test('a time-out says the last status, and whether it is a word that is known', () => {
		const ending = { outcome: 'timeout', job: started('v1'), waited: 90 } as const;
		const known = createJobError(node, { ...ending, status: 'processing', known: true });
		expect(known.message).toBe('The model video was not finished after 1.5 minutes');
		expect(known.description).toContain(
			'model video v1 has the status "processing" and keeps running',
		);
		const strange = createJobError(node, { ...ending, status: 'polishing', known: false });
		expect(strange.description).toContain(
			'has the status "polishing", a word that this node does not know, and keeps running',
		);
		expect(createJobError(node, { ...ending, known: false }).description).toContain(
			'shows no status and keeps running',
		);
	});

	test('a failure says the reason; a code only where there is one', () => {
		const ending = {
			outcome: 'failed',
			job: started('v1'),
			data: { status: 'failed' },
			reason: 'No face',
		} as const;
		expect(createJobError(node, { ...ending, code: 'unknown' }).description).toBe(
			'The service made no result for model video v1. Change the input and run again.',
		);
		const coded = createJobError(node, { ...ending, code: 'content_policy_violation' });
		expect(coded.message).toBe('The model video failed: No face');
		expect(coded.description).toContain('(code: content_policy_violation). Change the text');
		const cancelled = createJobError(node, {
			...ending,
			code: 'unknown',
			data: { status: 'CANCELED' },
		});
		expect(cancelled.message).toBe('The model video was cancelled: No face');
	});
});
