/** The items that the wait node outputs when its jobs have ended. */
import type { IDataObject, IExecuteFunctions, INode, NodeError } from 'n8n-workflow';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { Client } from '../../../nodes/core/http/client';
import { describeJob } from '../../../nodes/core/jobs/types';
import { videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';
import type { AwaitedJob, ItemWithJob } from '../../../nodes/VideoGenWait/inputJobs';
import {
	createFinishedJobItems,
	createSuspensionItems,
	type AwaitedJobResult,
} from '../../../nodes/VideoGenWait/outputItems';

const node = { name: 'Node', type: 'n' } as INode;
const video = { kind: videoJob, id: 'v1' };
const batch = { kind: videoBatchJob, id: 'b1' };

const complete = (job: AwaitedJob, data: IDataObject = {}): AwaitedJobResult => {
	const response = { status: 'completed', ...data };
	return { outcome: 'completed', job, data: response, result: { ...job, data: response } };
};

interface Run {
	inputs?: IDataObject[];
	results?: AwaitedJobResult[];
	continues?: boolean;
	includes?: boolean;
	selected?: string[];
}

/** Outputs the items of jobs, each of which has an input item. */
async function output(jobs: Array<AwaitedJob | NodeError>, run: Run = {}) {
	const { inputs = [], results = [], continues = true, includes = false, selected = [] } = run;
	const items = jobs.map((_, item) => ({ json: inputs[item] ?? {}, binary: undefined }));
	const n8n = {
		...{ getInputData: () => items, getNode: () => node, continueOnFail: () => continues },
		getNodeParameter: () => includes,
		helpers: { prepareBinaryData: async (_: unknown, fileName: string) => ({ fileName }) },
	} as unknown as IExecuteFunctions;
	const fetchData = async ({ path }: { path: IDataObject }) => ({
		data: { ...path, status: 'completed' },
	});
	const client = { node, fetchData } as unknown as Client;
	const itemJobs = jobs.map(
		(job, item) => ({ item, job, input: items[item] }) as unknown as ItemWithJob,
	);
	const byName = new Map(results.map((result) => [describeJob(result.job), result]));
	const download = { selected, field: 'data', fileName: undefined };
	return await createFinishedJobItems(n8n, client, itemJobs, byName, () => download);
}

test('an item has the fields of its input, its job, and times as text', async () => {
	const results = [complete(video, { id: 'v1', created_at: 1_790_000_000, title: 'T' })];
	const inputs = [{ row: 1, title: 'Row', error: 'Late', details: {} }];
	expect(await output([video], { inputs, results })).toStrictEqual([
		{
			json: {
				...{ row: 1, title: 'T', video_id: 'v1', status: 'completed' },
				...{ created_at: '2026-09-21T14:13:20.000Z', job: { kind: 'video', id: 'v1' } },
			},
			pairedItem: { item: 0 },
		},
	]);
	const included = await output([video], { inputs: [{ title: 'Row' }], results, includes: true });
	expect(included[0]?.json).toMatchObject({ title: 'T', input: { title: 'Row' } });
	const details = { inputs: [{ error: 3, details: 'own' }], results };
	expect((await output([video], details))[0]?.json).toMatchObject({ error: 3, details: 'own' });
});

test('the rows of a batch have jobs of their own, and the batch has its entries', async () => {
	const entries = [{ video_id: 'x', status: 'completed' }, { status: 'failed' }];
	const results = [complete(batch, { items: entries, id: 'b1' })];
	const rows = [{ ...batch, row: 0 }, { ...batch, row: 1 }, { ...batch, row: 2 }, batch];
	const items = await output(rows, { results });
	expect(items.map(({ json }) => json)).toMatchObject([
		{ video_id: 'x', batch_id: 'b1', item_index: 0, job: { kind: 'video', id: 'x' } },
		{ error: expect.stringContaining('The video of this row failed') as unknown },
		{ error: expect.stringContaining('returned nothing for this row') as unknown },
		{ batch_id: 'b1', items: entries, job: { kind: 'video_batch', id: 'b1' } },
	]);
	expect(items[3]?.json).not.toHaveProperty('item_index');
});

describe('a job without a result', () => {
	const job = (id: string) => ({ ...video, id });
	const results: AwaitedJobResult[] = [
		{ outcome: 'failed', job: job('f'), data: {}, code: 'c', reason: 'No face' },
		{ outcome: 'timeout', job: job('t'), known: true, waited: 60, status: 'processing' },
		{ outcome: 'unreadable', job: job('u'), error: new Error('No access'), failure: 'final' },
		complete(job('g')),
	];
	const invalid = createOperationError(node, 'No job');
	const jobs = [...['f', 't', 'u', 'missing', 'g'].map(job), invalid];

	test('is an error item, and the others are not', async () => {
		const items = await output(jobs, { results });
		expect(items.map(({ json }) => json.error ?? json.status)).toStrictEqual([
			...[
				'The video failed: No face [item 0]',
				'The video was not finished after 1 minutes [item 1]',
			],
			...['No access [item 2]', 'The video missing was not checked [item 3]'],
			...['completed', 'No job [item 5]'],
		]);
		expect(items[1]?.json.details).toMatchObject({
			job: { kind: 'video', id: 't' },
			description: expect.stringContaining('or wait for it again: with On Error') as unknown,
		});
		expect(items[5]?.json.details).not.toHaveProperty('job');
	});

	test('ends the run without Continue On Fail, and the error names all jobs', async () => {
		const error = await output(jobs.slice(0, 5), { results, continues: false }).then(
			() => undefined,
			(thrown: NodeError) => thrown,
		);
		expect(error?.message).toBe('The video failed: No face [item 0]');
		expect(error?.context.details).toMatchObject({
			job: { id: 'f' },
			started: [1, 2, 3, 4].map((item) => ({ item })),
		});
		expect(error?.description).not.toContain('item 0: video f');
	});
});

describe('files', () => {
	const urls = { video_url: 'https://files.example/v.mp4' };
	const simulated = { simulated: true };
	const sample = { ...video, id: 'sample_video_1' };

	test('are those that are selected; a sample job has sample files', async () => {
		const run = { inputs: [simulated], selected: ['video'] };
		const [item] = await output([sample], run);
		expect(item?.json).toMatchObject({ video_id: 'sample_video_1', status: 'completed' });
		expect(item?.binary?.data).toMatchObject({ fileName: expect.stringMatching(/\.mp4$/) });
		expect((await output([sample], { inputs: [simulated] }))[0]).not.toHaveProperty('binary');
	});

	test('do not exist for a job that waits for its user', async () => {
		const resting = { ...videoJob, resting: ['on_hold'] };
		const job = { kind: resting, id: 'v1' };
		const data = { ...urls, status: 'on_hold' };
		const results: AwaitedJobResult[] = [
			{ outcome: 'resting', job, data, result: { ...job, data } },
		];
		const [item] = await output([job], { results, selected: ['video'] });
		expect(item).not.toHaveProperty('binary');
	});
});

test('a sample row has a sample job of its own; a sample of another kind has no row', async () => {
	const simulated = { simulated: true };
	const rows = [
		{ ...batch, id: 'sample_video_batch_1', row: 3 },
		{ ...batch, id: 'sample_video_batch_1' },
		{ ...video, id: 'sample_video_1', row: 3 },
	];
	const items = await output(rows, { inputs: [simulated, simulated, simulated] });
	expect(items.map(({ json }) => [json.job, json.batch_id, json.item_index])).toStrictEqual([
		[{ kind: 'video', id: 'sample_video_1' }, 'sample_video_batch_1', 3],
		[{ kind: 'video_batch', id: 'sample_video_batch_1' }, 'sample_video_batch_1', undefined],
		[{ kind: 'video', id: 'sample_video_1' }, undefined, undefined],
	]);
});

test('a suspended execution keeps its items, with the progress', () => {
	const binary = { data: 'file' } as never;
	const items = [{ json: { a: 1 }, binary, pairedItem: { item: 7 } }];
	expect(createSuspensionItems(items, 'Half')).toStrictEqual([
		{ json: { a: 1, still_running: 'Half' }, binary, pairedItem: { item: 0 } },
	]);
});
