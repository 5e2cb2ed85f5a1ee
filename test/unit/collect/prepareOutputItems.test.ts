/** What happens to items before they are output: IDs, times, Simplify and files. */
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { prepareOutputItems, simplifyJson } from '../../../nodes/core/collect/prepareOutputItems';
import type { Client } from '../../../nodes/core/http/client';
import type { Operation } from '../../../nodes/core/operation';
import { videoJob } from '../../../nodes/jobKinds/catalog';
import type { ItemResult } from '../../../nodes/core/collect/itemResult';

test('Simplify keeps values that are not null, and moves nested ones up', () => {
	const row = {
		...{ id: 'a', title: null, no: false, zero: 0, empty: '' },
		data: { video_id: 'v', url: 'https://files.example' },
	};
	const keys = ['id', 'title', 'gone', 'data.video_id', 'id.x', 'title.x', 'gone.x.y'];
	expect(simplifyJson(row, [...keys, 'no', 'zero', 'empty'])).toStrictEqual({
		...{ id: 'a', video_id: 'v', no: false, zero: 0, empty: '' },
	});
});

const node = { name: 'Node', type: 'video' } as INode;
const failure: ItemResult = { item: 3, error: new Error('No') as never, jobs: [] };

interface Settings {
	operation?: Partial<Operation>;
	/** Values of the items 4, 5 and so on. */
	values?: IDataObject[];
	type?: string;
	/** Stores a file. Returns its name in place of it. */
	prepareBinaryData?: (content: Buffer, name: string) => Promise<string>;
}

/** Finishes these results of a request for the items 4, 5 and so on. */
async function finish(
	results: ItemResult[],
	{
		operation = {},
		values = [{}],
		type = 'video',
		prepareBinaryData = async (_, name) => name,
	}: Settings = {},
) {
	const input = Array<INodeExecutionData>(6).fill({ json: {}, binary: { photo: 'old' as never } });
	const helpers = { prepareBinaryData };
	const n8n = { getNode: () => ({ ...node, type }), getInputData: () => input, helpers };
	const context = { n8n, client: { node } as Client };
	const request = {
		...{ resource: { id: 'video_id' }, operation, values: values[0] ?? {}, results },
		items: values.map((one, i) => ({ item: 4 + i, values: one })),
	};
	return await prepareOutputItems(context as never, request as never);
}

const output = (json: IDataObject, more: object = {}): ItemResult => ({
	...{ item: 4, output: { json, ...more } },
});
const part = { number: 0, count: 1 };

describe('the JSON of an item', () => {
	const json = { id: 'v', title: 'T', created_at: 1_790_000_000 };
	const iso = '2026-09-21T14:13:20.000Z';

	test.each<[string, IDataObject, Partial<Operation>, IDataObject]>([
		['has one ID and readable times', {}, {}, { video_id: 'v', title: 'T', created_at: iso }],
		['is complete without Simplify', { simple: false }, {}, { video_id: 'v', ...json }],
		[
			'has the ID and few values with Simplify',
			{ simple: true },
			{ simple: ['created_at'] },
			{ video_id: 'v', created_at: iso },
		],
		['has no ID that it does not need', {}, { simple: ['title'], itemId: null }, { title: 'T' }],
	])('%s', async (_, values, operation, expected) => {
		const settings = { values: [values], operation };
		expect(await finish([output(json), failure], settings)).toStrictEqual([
			{ item: 4, output: { json: expected, pairedItem: { item: 4 } }, part },
			failure,
		]);
	});
});

test('an operation may turn an item into several, each with its input items', async () => {
	const reshapeItems: Operation['reshapeItems'] = ([item], { suffix }) =>
		['a', 'b'].map((letter) => ({
			json: { ...item?.json, letter: `${letter}${String(suffix)}` },
			...(letter === 'b' ? { pairedItem: 7 } : {}),
		}));
	const settings = { operation: { reshapeItems }, values: [{ suffix: '!' }, {}] };
	expect(await finish([output({ video_id: 'v' })], settings)).toStrictEqual([
		{
			...{ item: 4, part: { number: 0, count: 2 } },
			output: { json: { video_id: 'v', letter: 'a!' }, pairedItem: [{ item: 4 }, { item: 5 }] },
		},
		{
			...{ item: 4, part: { number: 1, count: 2 } },
			output: { json: { video_id: 'v', letter: 'b!' }, pairedItem: 7 },
		},
	]);
});

describe('files', () => {
	const operation = { files: videoJob.files };
	const data = { video_url: 'https://files.example/v', thumbnail_url: 'https://files.example/t' };
	const video = { kind: videoJob, id: 'v', data, isSample: true } as const;
	const result = (item: number): ItemResult => ({ item, result: video, output: { json: {} } });
	const chosen = { waitForCompletion: true, download: ['video', 'thumbnail'] };
	const getFiles = (results: ItemResult[]) =>
		results.map((one) => Object.entries(('output' in one && one.output.binary) || {}));
	const photo = ['photo', 'old'];

	test.each<[string, IDataObject, Settings, unknown[]]>([
		[
			'are in the field "data" and in fields of their own',
			chosen,
			{},
			[photo, ['data', 'v.mp4'], ['thumbnail', 'v.jpg']],
		],
		[
			'are in the field and have the name that the user enters',
			{ ...chosen, download: ['thumbnail'], binaryPropertyName: 'mine', fileName: 'Mine' },
			{},
			[photo, ['mine', 'Mine.jpg'], ['thumbnail', 'Mine.jpg']],
		],
		['are left out if none is selected', { ...chosen, download: [] }, {}, []],
		['are left out if the selection is no list', { ...chosen, download: 'video' }, {}, []],
		['are left out if the node does not wait', { ...chosen, waitForCompletion: false }, {}, []],
		['are left out for a language model', chosen, { type: 'videoTool' }, []],
		['are left out if the operation has none', chosen, { operation: {} }, []],
	])('%s', async (_, values, more, expected) => {
		const settings = { operation, values: [values], ...more };
		expect(getFiles(await finish([result(4)], settings))).toStrictEqual([expected]);
	});

	test('are those that each item selects, and share their name within an item', async () => {
		const values = [
			{ ...chosen, download: ['video'], fileName: 'A' },
			{ ...chosen, download: ['thumbnail'], fileName: 'B' },
		];
		const results = [result(4), failure, result(5), result(5)];
		const b = [photo, ['data', 'B.v.jpg'], ['thumbnail', 'B.v.jpg']];
		const files = getFiles(await finish(results, { operation, values }));
		expect(files).toStrictEqual([[photo, ['data', 'A.mp4']], [], b, b]);
	});

	test('that cannot be downloaded fail the item, whose job exists', async () => {
		const prepareBinaryData = async () => {
			throw new Error('No file');
		};
		const settings = { operation, values: [chosen], prepareBinaryData };
		expect(await finish([result(4)], settings)).toEqual([
			{
				item: 4,
				error: expect.objectContaining({ message: 'No file' }),
				jobs: [video],
				outcome: 'finished',
				part: { number: 0, count: 1 },
			},
		]);
	});
});
