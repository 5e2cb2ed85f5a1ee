/** Include Input Fields: output items keep the fields of their rows. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { callTool } from '../support/agents';
import { avatar, batch, continueOnFail, createCalls, session } from '../support/calls';
import { byId, createFileItem, readContent, runForItems, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService({ jobSeconds: 60 });
const { waitForJobs } = createCalls(service);

const on = { includeInputFields: true };
const rows = (count: number, more: IDataObject = {}): INodeExecutionData[] =>
	Array.from({ length: count }, (_, i) => ({
		json: { i, name: `Guest ${i}`, email: `guest${i}@example.com`, ...more },
	}));
const errorOutput = { onError: 'continueErrorOutput' as const };

const createVideos = async (
	items: INodeExecutionData[],
	more: INodeParameters = {},
	options: IDataObject = on,
) =>
	await runForItems(
		service,
		'VideoGenVideo',
		avatar({ options: options as INodeParameters, ...more }),
		{ items },
	);

/** Creates a finished video, and returns an item that reads it. */
const readVideo = async (row: IDataObject, options: IDataObject = on) => {
	const [item] = await runForItems(
		service,
		'VideoGenVideo',
		{ operation: 'get', video_id: byId('video_001'), options: options as INodeParameters },
		{ items: [{ json: row }] },
	);
	return item?.json ?? {};
};

describe('the items of', () => {
	test.each([
		['a create', avatar({ options: on })],
		['a create that waits', avatar({ waitForCompletion: true, options: on })],
		['a batch', batch({ options: on })],
		['a batch that waits', batch({ waitForCompletion: true, options: on })],
		['a get', { operation: 'get', video_id: byId('video_001'), options: on }],
		['a list', { operation: 'getMany', returnAll: true, options: on }],
		[
			'a delete',
			{ operation: 'delete', video_id: byId('=video_00{{ $json.i + 1 }}'), options: on },
		],
		['a lookup', { operation: 'getStatuses', video_ids: 'video_001,video_002', options: on }],
	])('%s keep the fields of their own rows', async (_, parameters) => {
		const items = rows(3);
		const out = await runForItems(service, 'VideoGenVideo', parameters as INodeParameters, {
			items,
		});
		expect(out.length).toBeGreaterThanOrEqual(3);
		for (const { json, pairedItem } of out) {
			const { item } = pairedItem as { item: number };
			expect(json).toMatchObject(items[item]?.json as object);
			expect(json).toHaveProperty('job' in json ? 'job.id' : 'video_id', expect.any(String));
		}
	});

	test('a download have the file next to the row and its files', async () => {
		const { binary } = await createFileItem(Buffer.from('logo'), 'image/png', 'logo.png');
		const items = [{ json: { name: 'Ada' }, binary: { logo: binary.data, data: binary.data } }];
		const [item] = await runForItems(
			service,
			'VideoGenVideo',
			{ operation: 'download', video_id: byId('video_001'), files: ['video'], options: on },
			{ items },
		);
		expect(item?.json.name).toBe('Ada');
		expect(Object.keys(item?.binary ?? {}).sort()).toEqual(['data', 'logo']);
		expect(item?.binary?.data?.mimeType).toBe('video/mp4');
		expect((await readContent(item, 'logo')).toString()).toBe('logo');
	});

	test('several results of one row all keep its fields', async () => {
		const out = await runForItems(
			service,
			'VideoGenTranslation',
			{
				operation: 'create',
				video: { __rl: true, mode: 'url', value: 'https://videos.example/a.mp4' },
				output_languages: ['German', 'Spanish'],
				waitForCompletion: true,
				options: on,
			},
			{ items: rows(2) },
		);
		expect(out.map(({ json }) => json.name)).toEqual(['Guest 0', 'Guest 0', 'Guest 1', 'Guest 1']);
	});

	test('files of a row that are uploaded as one batch keep the fields of that row', async () => {
		const items = await Promise.all(
			['a', 'b'].map(async (name) => {
				const { binary } = await createFileItem(Buffer.from(name), 'text/plain', name);
				return { json: { name }, binary: { one: binary.data, two: binary.data } };
			}),
		);
		const out = await runForItems(
			service,
			'VideoGenAsset',
			{
				resource: 'asset',
				operation: 'uploadBatch',
				binaryPropertyNames: '*',
				waitForCompletion: false,
				options: on,
			},
			{ items },
		);
		expect(out.map(({ json }) => json.name)).toEqual(['a', 'a', 'b', 'b']);
	});
});

test('it is off by default', async () => {
	const [item] = await createVideos(rows(1), {}, {});
	expect(item?.json).not.toHaveProperty('name');
	expect(item?.json).not.toHaveProperty('input');
});

test('each row decides for itself', async () => {
	const out = await createVideos(rows(2), {}, { includeInputFields: '={{ $json.i === 1 }}' });
	expect(out.map(({ json }) => json.name)).toEqual([undefined, 'Guest 1']);
});

test('a value that is neither true nor false is rejected', async () => {
	const { error } = await runNode(
		service,
		'VideoGenVideo',
		avatar({ options: { includeInputFields: '={{ "maybe" }}' } }),
		{ items: rows(1) },
	);
	expect(error?.message).toContain('"Include Input Fields"');
});

describe('fields of the row that the node has, too', () => {
	test('move under "input", unless they are equal', async () => {
		const json = await readVideo({ title: 'Dr.', video_id: 'video_001', name: 'Ada' });
		expect(json).toMatchObject({ name: 'Ada', video_id: 'video_001', input: { title: 'Dr.' } });
		expect(json.title).not.toBe('Dr.');
		expect(json.input).toEqual({ title: 'Dr.' });
	});

	test('are not kept if they are URLs of the same file', async () => {
		const first = await readVideo({ name: 'Ada' });
		const second = await readVideo(first);
		expect(second).toMatchObject({ name: 'Ada', video_url: expect.any(String) });
		expect(second.video_url).not.toBe(first.video_url);
		expect(second).not.toHaveProperty('input');
	});

	test('an earlier job and its status are not kept next to a newer one', async () => {
		const [created] = await createVideos(rows(1));
		const json = await readVideo(created?.json ?? {});
		expect(json.name).toBe('Guest 0');
		expect(json.input).toEqual({ video_id: created?.json.video_id });
	});
});

describe('items that fail', () => {
	const failing = avatar({
		voice_id: byId('={{ $json.i === 1 ? "no-such-voice" : "voice_001" }}'),
		options: on,
	});

	test('keep the row next to their error with Continue', async () => {
		const { items } = await runNode(service, 'VideoGenVideo', failing, {
			items: rows(3),
			node: continueOnFail,
		});
		expect(items.map(({ json }) => [json.name, 'error' in json])).toEqual([
			['Guest 0', false],
			['Guest 1', true],
			['Guest 2', false],
		]);
	});

	test('go to the error output with their row', async () => {
		const { items, errors } = await runNode(service, 'VideoGenVideo', failing, {
			items: rows(3),
			node: errorOutput,
		});
		expect(items.map(({ json }) => json.name)).toEqual(['Guest 0', 'Guest 2']);
		expect(errors.map(({ json }) => json.name)).toEqual(['Guest 1']);
	});

	test('keep the row if their values are invalid', async () => {
		const { items } = await runNode(
			service,
			'VideoGenVideo',
			avatar({ script: 'x'.repeat(5001), options: on }),
			{ items: rows(1), node: continueOnFail },
		);
		expect(items[0]?.json).toMatchObject({ name: 'Guest 0', error: expect.any(String) });
	});
});

test.each([
	['an error item', { error: 'It failed', details: { code: 'x' } }],
	['an error that is no text', { error: 0 }],
])('a row that is %s does not make its video a failed item', async (_, row) => {
	const parameters = avatar({ options: on });
	const { items, errors } = await runNode(service, 'VideoGenVideo', parameters, {
		items: rows(2, row),
		node: { ...errorOutput, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
	});
	expect(errors).toEqual([]);
	expect(items.map(({ json }) => json.input)).toEqual([row, row]);
	for (const { json } of items) expect(json).not.toHaveProperty('error');
	expect(service.control.requests({ method: 'POST', path: '/v3/videos' })).toHaveLength(2);
});

test('VideoGen Job Status keeps the fields, and moves conflicting ones', async () => {
	const created = await createVideos(rows(2, { title: 'Dr.' }));
	service.control.clock.advance(200);
	const parameters = { options: on };
	const { items: finished, error } = await waitForJobs(created, parameters);
	expect(error).toBeUndefined();
	expect(finished.map(({ json }) => [json.name, json.status, json.input])).toEqual([
		['Guest 0', 'completed', { title: 'Dr.' }],
		['Guest 1', 'completed', { title: 'Dr.' }],
	]);
	const without = await waitForJobs(created);
	expect(without.items).toHaveLength(2);
	for (const { json } of without.items) {
		expect(json).toMatchObject({ status: 'completed', name: expect.any(String) });
		expect(json).not.toHaveProperty('input');
	}
});

test('an AI agent does not get its own call back', async () => {
	const tool = { type: 'VideoGenAgent', parameters: session({ options: on }) as IDataObject };
	const run = await callTool(service, 'oldAgent', tool, [[{ note: 'mine' }]]);
	const [task] = run.data.resultData.runData.Agent ?? [];
	const output = JSON.stringify(task?.data?.main?.[0]?.[0]?.json);
	expect(output).toContain('session_id');
	expect(output).not.toContain('mine');
});

test('a hint names the fields that the input and the output both have once, not at the next node', async () => {
	const get = { operation: 'get', video_id: byId('video_001'), options: on } as INodeParameters;
	const items = rows(2, { title: 'Guests', status: 'invited' });
	const run = async (input: INodeExecutionData[]) => {
		const result = await runNode(service, 'VideoGenVideo', get, { items: input });
		const hints = result.run.data.resultData.runData.Node?.[0]?.hints ?? [];
		return { out: result.items, hints: hints.map(({ message }) => message) };
	};
	const first = await run(items);
	expect(first.hints).toEqual([
		'These fields are in both the input and the output: title, status. The output keeps this node&#39;s values, and the input&#39;s values are in &#34;input&#34;.',
	]);
	expect(first.out[0]?.json.input).toEqual({ title: 'Guests', status: 'invited' });
	expect((await run(first.out)).hints).toEqual([]);
});
