/** The items of a wait: copies while jobs run, and the results of jobs, rows and samples. */
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import type { AwaitedJob, ItemWithJob } from '../../../nodes/VideoGenWait/inputJobs';
import {
	createFinishedJobItems,
	createSuspensionItems,
	groupJobsByItem,
	type AwaitedJobResult,
} from '../../../nodes/VideoGenWait/outputItems';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { Client } from '../../../nodes/core/http/client';
import type { ServiceRequest } from '../../../nodes/core/http/serviceRequest';
import {
	agentSessionJob,
	clippingJob,
	videoBatchJob,
	videoJob,
} from '../../../nodes/jobKinds/catalog';

const node = { name: 'Node', type: 'n' } as INode;
const video: AwaitedJob = { kind: videoJob, id: 'v' };
const row: AwaitedJob = { kind: videoBatchJob, id: 'b', row: 1 };
const data = { id: 'v', status: 'completed', created_at: 1_790_000_000 };
const iso = '2026-09-21T14:13:20.000Z';
const completed: AwaitedJobResult = { outcome: 'completed', job: video, data };

interface Settings {
	results?: Array<[string, AwaitedJobResult]>;
	includes?: boolean;
	continues?: boolean;
	selected?: string[];
}

/** Creates the items of these jobs. Downloads give the URL of a file in place of the file. */
async function createItems(
	jobs: Array<Partial<ItemWithJob>>,
	{ results = [['video v', completed]], includes, continues = true, selected = [] }: Settings = {},
) {
	const itemJobs = jobs.map((one, item): ItemWithJob => {
		return { item, input: { json: {} }, job: video, ...one };
	});
	const n8n = {
		getNode: () => node,
		getInputData: () => itemJobs.map(({ input }) => input),
		getNodeParameter: () => includes === true,
		continueOnFail: () => continues,
		helpers: {
			prepareBinaryData: async (_: Buffer, name: string) => await Promise.resolve({ name }),
		},
	} as unknown as IExecuteFunctions;
	const requests: unknown[] = [];
	const client = {
		node,
		fetchData: async ({ path }: ServiceRequest) => {
			requests.push(path);
			return await Promise.resolve({ ...data, id: path?.video_id });
		},
	} as unknown as Client;
	const getDownload = jest.fn((item: number) => {
		return { selected, field: `file${item}`, fileName: `Name ${item}` };
	});
	const items = await createFinishedJobItems(n8n, client, itemJobs, new Map(results), getDownload);
	return { items, requests, getDownload };
}

const reference = { kind: 'video', id: 'v' };
const finished = {
	video_id: 'v',
	status: 'completed',
	created_at: iso,
	job: reference,
	outcome: 'finished',
};

test('while jobs run, items are copies with the progress', () => {
	const item = { json: { a: 1, still_running: 'old' }, binary: {}, pairedItem: { item: 7 } };
	const items: INodeExecutionData[] = [{ json: {} }, item];
	expect(createSuspensionItems(items, 'new')).toStrictEqual([
		{ json: { still_running: 'new' }, pairedItem: { item: 0 } },
		{ json: { a: 1, still_running: 'new' }, binary: {}, pairedItem: { item: 1 } },
	]);
	expect(items[1]).toBe(item);
	expect(item.json.still_running).toBe('old');
});

test('only an item with a job has one to name in errors', () => {
	const error = createOperationError(node, 'No');
	const input = { json: {} };
	const itemJobs = [error, video, row].map((job, i) => ({ item: Math.min(i, 1), input, job }));
	expect(groupJobsByItem(itemJobs)).toStrictEqual([
		{ item: 0, jobs: [] },
		{ item: 1, jobs: [video, row] },
	]);
});

test.each<[string, INodeExecutionData, boolean, IDataObject]>([
	[
		'keeps the fields of its input',
		{ json: { name: 'A', status: 'x' } },
		false,
		{ name: 'A', ...finished },
	],
	[
		'moves conflicting fields of its input if the user wants it',
		{ json: { name: 'A', title: 'T', video_id: 'old' } },
		true,
		{ name: 'A', title: 'T', input: { video_id: 'old' }, ...finished },
	],
	[
		'loses an earlier error',
		{ json: { a: 1, error: 'No', details: {} } },
		false,
		{ a: 1, ...finished },
	],
	[
		'keeps details without an error',
		{ json: { error: '', details: 1 } },
		false,
		{ error: '', details: 1, ...finished },
	],
])('a finished item %s', async (_, input, includes, json) => {
	const { items } = await createItems([{ input }], { includes });
	expect(items).toStrictEqual([{ json, pairedItem: { item: 0 } }]);
});

test('a finished item keeps the files of its input', async () => {
	const binary = { photo: { name: 'old' } as never };
	const { items } = await createItems([{ input: { json: {}, binary } }]);
	expect(items).toStrictEqual([{ json: finished, binary, pairedItem: { item: 0 } }]);
});

test('a row of a batch has the result of its own job, a whole batch does not', async () => {
	const rows = { ...data, items: [{ video_id: 'v0' }, { video_id: 'v1' }] };
	const batch: AwaitedJobResult = {
		outcome: 'completed',
		job: row,
		data: rows,
	};
	const jobs = [{ job: row }, { job: { kind: videoBatchJob, id: 'b' } }];
	const { items, requests } = await createItems(jobs, { results: [['video_batch b', batch]] });
	expect(requests).toStrictEqual([{ video_id: 'v1' }]);
	const job = { kind: 'video', id: 'v1' };
	expect(items.map(({ json }) => json)).toStrictEqual([
		{ ...finished, video_id: 'v1', batch_id: 'b', item_index: 1, job },
		{
			...{ batch_id: 'b', ...rows, created_at: iso },
			...{ job: { kind: 'video_batch', id: 'b' }, outcome: 'finished' },
		},
	]);
});

describe('an error item', () => {
	const error = createOperationError(node, 'No', 'Advice', { code: 'x' });
	const failed = {
		outcome: 'failed',
		job: video,
		data: { status: 'failed' },
		code: 'lost',
		reason: 'R',
	} as const;
	const timeout = {
		outcome: 'timeout',
		job: video,
		known: true,
		waited: 120,
		status: 's',
	} as const;

	test.each<[string, AwaitedJobResult, string, IDataObject, string]>([
		[
			'failed',
			failed,
			'The video failed: R',
			{ code: 'lost', status: 'failed', outcome: 'failed' },
			'run again',
		],
		[
			'runs on',
			timeout,
			'The video was not finished after 2 minutes',
			{ code: 'wait_timeout', status: 's', outcome: 'running' },
			'or wait for it again: with On Error set to "Continue (using error output)", connect the error output to the input of this node.',
		],
		[
			'cannot be read',
			{ outcome: 'unreadable', job: video, error, failure: 'final' },
			...(['No', { code: 'x' }, 'Advice\nAlready started for this item: video v'] as const),
		],
	])('tells that the job %s', async (_, result, message, details, words) => {
		const { items } = await createItems([{}], { results: [['video v', result]] });
		const description = expect.stringContaining(words) as string;
		expect(items).toStrictEqual([
			{
				json: { error: message, details: { job: reference, ...details, description } },
				pairedItem: { item: 0 },
			},
		]);
	});

	test('says that there is no job', async () => {
		const { items, getDownload } = await createItems([{ job: error }]);
		expect(items).toMatchObject([{ json: { error: 'No', details: { code: 'x' } } }]);
		expect(getDownload).not.toHaveBeenCalled();
	});

	test('is the error of the run without Continue On Fail, with the jobs of all items', async () => {
		const jobs = [{}, { job: { kind: videoJob, id: 'w' } }, { job: error }];
		const results = [
			['video v', failed],
			['video w', completed],
		] as Settings['results'];
		await expect(createItems(jobs, { results, continues: false })).rejects.toMatchObject({
			message: 'The video failed: R [item 0]',
			context: {
				itemIndex: 0,
				details: { job: reference, started: [{ item: 1, kind: 'video', id: 'w' }] },
			},
		});
	});
});

describe('a sample', () => {
	const simulate = (job: AwaitedJob) => ({ job, input: { json: { simulated: true } } });

	test('has the number of its item, and nothing is requested', async () => {
		const id = 'sample_video_1';
		const { items, requests } = await createItems([{}, simulate({ kind: videoJob, id })]);
		expect(items[1]).toMatchObject({
			json: { video_id: id, status: 'completed', simulated: true, job: { kind: 'video', id } },
			pairedItem: { item: 1 },
		});
		expect(JSON.stringify(items[1])).toContain('/2/');
		expect(requests).toStrictEqual([]);
	});

	test.each([
		[0, { video_id: 'sample_video_1', batch_id: 'sample_b', item_index: 0 }],
		[undefined, { batch_id: 'sample_b', item_index: undefined }],
	])('of row %j of a batch has the batch and its place', async (place, expected) => {
		const job = {
			kind: videoBatchJob,
			id: 'sample_b',
			...(place === undefined ? {} : { row: place }),
		};
		const [item] = (await createItems([simulate(job)])).items;
		const { batch_id, item_index, video_id } = item?.json ?? {};
		expect({ video_id, batch_id, item_index }).toStrictEqual({ video_id: undefined, ...expected });
	});

	test('of a kind without rows has no place', async () => {
		const [item] = (await createItems([simulate({ kind: videoJob, id: 'sample_v', row: 0 })]))
			.items;
		expect(item?.json).toMatchObject({ video_id: 'sample_v' });
		expect(item?.json).not.toHaveProperty('item_index');
	});
});

describe('files', () => {
	const simulated = { input: { json: { simulated: true } } };
	const readFiles = async (job: AwaitedJob, selected: string[], more: object = simulated) => {
		const { items } = await createItems([{}, { job, ...more }], { selected });
		return Object.entries(items[1]?.binary ?? {}).map(([field, { name }]) => [field, name]);
	};

	test('are those that are selected and that the kind of job has, named for their item', async () => {
		const sample = { kind: videoJob, id: 'sample_video_1' };
		expect(await readFiles(sample, ['thumbnail', 'no'])).toStrictEqual([['file1', 'Name 1.jpg']]);
		expect(await readFiles(sample, [])).toStrictEqual([]);
		const session = { kind: agentSessionJob, id: 'sample_session_1' };
		expect(await readFiles(session, ['video'])).toStrictEqual([['file1', 'Name 1.mp4']]);
	});

	test('are left out of results that are not completed, and of jobs without files', async () => {
		const job = { kind: videoJob, id: 'w' };
		const resting = { ...data, status: 'processing' };
		const result: AwaitedJobResult = {
			...{ outcome: 'resting', job, data: resting, result: { ...job, data: resting } },
		};
		const { items } = await createItems([{ job }], {
			...{ results: [['video w', result]], selected: ['video'] },
		});
		expect(items[0]).not.toHaveProperty('binary');
		const clips = { kind: { ...clippingJob, files: undefined }, id: 'sample_clipping_1' };
		expect(await readFiles(clips, ['video'])).toStrictEqual([]);
	});
});
