/** Sample results: items as if the request had been sent and its jobs had ended. */
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { createSampleItems } from '../../../nodes/core/collect/checkOnly';
import type { Client } from '../../../nodes/core/http/client';
import { createSampleJob } from '../../../nodes/core/collect/sampleResults';
import type { JobKind } from '../../../nodes/core/jobs/types';
import type { Operation } from '../../../nodes/core/operation';
import type { ItemPlan } from '../../../nodes/core/plan/groupRequests';

const video: JobKind = {
	...{ name: 'video', id: 'video_id', read: 'GET /v3/videos/{video_id}' },
	...{ completed: ['completed'], failed: ['failed'] },
	sample: { status: 'completed', title: 'Video {n}' },
};
const batch: JobKind = { ...video, name: 'video_batch', id: 'batch_id', rows: video };
const node = { name: 'Node', type: 'video' } as INode;

/** Creates the sample items of item 1 for this operation and these values. */
async function createSamples(operation: Partial<Operation>, values: IDataObject = {}) {
	const n8n = {
		getNode: () => node,
		getInputData: () => [{ json: {} }, { json: {}, binary: { photo: 'old' } }],
		helpers: {
			prepareBinaryData: async (content: Buffer, name: string, mimeType: string) => ({
				...{ name, mimeType, length: content.length },
			}),
		},
	} as unknown as IExecuteFunctions;
	const resource = { value: 'video', name: 'Video', id: 'video_id', operations: [] };
	const plan = { resource, operation, values } as unknown as ItemPlan;
	const results = await createSampleItems({ n8n, client: { node } as Client }, 1, plan);
	return results.map((one) => ('output' in one ? one.output : one.error));
}

const waiting = { waitForCompletion: true };
const pairedItem = { item: 1 };
const finished = (more: IDataObject, id = 'sample_video_2') => ({
	json: {
		...{ video_id: id, ...more, status: 'completed', title: 'Video 2' },
		...{ job: { kind: 'video', id }, simulated: true },
		...{ outcome: 'finished', creation: 'created' },
	},
	pairedItem,
});
/** The fields of an item whose job runs on. */
const running = { outcome: 'running', creation: 'created' };

test.each<[string, Partial<Operation>, IDataObject, object[]]>([
	['nothing', {}, {}, [{ json: { simulated: true }, pairedItem }]],
	[
		'a reply',
		{ sample: { reply: { name: 'No. {n}' } } },
		{},
		[{ json: { name: 'No. 2', simulated: true }, pairedItem }],
	],
	[
		'a reply that depends on the values',
		{ sample: ({ name }) => ({ reply: { name } as IDataObject }) },
		{ name: 'A' },
		[{ json: { name: 'A', simulated: true }, pairedItem }],
	],
	[
		'a job that runs on',
		{ starts: video, sample: { reply: { note: 'N' } } },
		{ waitForCompletion: false },
		[
			{
				json: {
					...{ video_id: 'sample_video_2', note: 'N' },
					...{ job: { kind: 'video', id: 'sample_video_2' }, simulated: true, ...running },
				},
				pairedItem,
			},
		],
	],
	[
		'a job that has ended',
		{ starts: video, sample: { reply: { note: 'N' } } },
		waiting,
		[finished({ note: 'N' })],
	],
	[
		'the job of its sample',
		{ starts: () => [], sample: { starts: video } },
		waiting,
		[finished({})],
	],
	['a job of a kind that the values select', { starts: () => video }, waiting, [finished({})]],
	[
		'several jobs',
		{ starts: () => ['_a', '_b'].map((suffix) => createSampleJob(video, suffix)) },
		waiting,
		[finished({}, 'sample_video_2_a'), finished({}, 'sample_video_2_b')],
	],
])('an item with %s', async (_, operation, values, expected) => {
	expect(await createSamples(operation, values)).toStrictEqual(expected);
});

describe('the rows of a batch', () => {
	const operation = {
		starts: batch,
		combine: { list: 'x', maxSize: 9, rows: video, getSize: () => 2 },
	};
	const place = (item_index: number) => ({ batch_id: 'sample_video_batch_2', item_index });

	test('have a job each if it has ended', async () => {
		expect(await createSamples(operation as never, waiting)).toStrictEqual([
			finished(place(1)),
			finished(place(2), 'sample_video_2_2'),
		]);
	});

	test('refer to the batch if it runs on', async () => {
		const job = { kind: 'video_batch', id: 'sample_video_batch_2' };
		expect(await createSamples({ ...operation, itemId: null } as never)).toStrictEqual(
			[1, 2].map((i) => ({ json: { ...place(i), job, simulated: true, ...running }, pairedItem })),
		);
	});
});

test('a sample file is added to the files of the input item, with the number of the item', async () => {
	const type = { mimeType: 'image/gif', extension: 'gif' };
	const file = { field: 'sound', name: { id: 'speech_{n}', kind: 'audio' }, type };
	const [item] = await createSamples({ sample: { file } });
	expect(item).toMatchObject({
		json: { simulated: true },
		binary: { photo: 'old', sound: { name: 'speech_2.gif', mimeType: 'image/gif' } },
	});
	expect(await createSamples({ sample: {} })).toStrictEqual([
		{ json: { simulated: true }, pairedItem },
	]);
});

test('a file that cannot be stored fails the item', async () => {
	const files = [{ value: 'video', key: 'no_url', name: 'Video' }];
	const [error] = await createSamples({ starts: video, files } as never, {
		...{ ...waiting, download: ['video'] },
	});
	expect(error).toMatchObject({ message: expect.stringContaining('has no file "Video"') });
});
