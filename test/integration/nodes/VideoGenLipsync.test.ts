import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { request } from 'undici';
import { resources } from '../../../nodes/VideoGenLipsync/operations';
import { VideoGenLipsync } from '../../../nodes/VideoGenLipsync/VideoGenLipsync.node';
import type { Simulator } from '../../../simulator';
import {
	describeOperations,
	few,
	first,
	runForJson,
	noWait,
	url,
	type Case,
} from '../support/cases';
import { loadListPage } from '../support/contexts';
import { runForItems, byId, readContent, runNode, storeBinary } from '../support/engine';
import { media } from '../support/media';
import { useService } from '../support/service';

const talk = url('https://files.example/talk.mp4');
const speech = url('https://files.example/speech.mp3');
const sent = {
	video: { type: 'url', url: 'https://files.example/talk.mp4' },
	audio: { type: 'url', url: 'https://files.example/speech.mp3' },
};

const aLipsync = async (service: Simulator) =>
	await runForJson(service, 'VideoGenLipsync', {
		operation: 'create',
		video: talk,
		audio: speech,
		mode: 'speed',
		...noWait,
		options: { title: 'A talk' },
	});

const aBatch = async (service: Simulator) =>
	await runForJson(service, 'VideoGenLipsync', {
		operation: 'createBatch',
		itemIs: 'form',
		video: talk,
		audio: speech,
		mode: 'speed',
		...noWait,
	});

const cases: Record<string, Case> = {
	create: {
		parameters: () => ({
			video: talk,
			audio: speech,
			mode: 'precision',
			...noWait,
			options: {
				title: 'A talk',
				start_time: 0,
				end_time: 60.5,
				enable_dynamic_duration: false,
				disable_music_track: true,
				enable_speech_enhancement: true,
				enable_watermark: true,
				fps_mode: 'vfr',
				keep_the_same_format: true,
				folder_id: byId('folder_001'),
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
			},
		}),
		sends: () => ({
			line: 'POST /v3/lipsyncs',
			body: {
				...sent,
				mode: 'precision',
				title: 'A talk',
				start_time: 0,
				end_time: 60.5,
				enable_dynamic_duration: false,
				disable_music_track: true,
				enable_speech_enhancement: true,
				enable_watermark: true,
				fps_mode: 'vfr',
				keep_the_same_format: true,
				folder_id: 'folder_001',
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
			},
		}),
		keyed: true,
		returns: (items) => {
			expect(first(items)).toMatchObject({
				lipsync_id: expect.any(String),
				job: { kind: 'lipsync', id: first(items).lipsync_id },
			});
		},
	},
	createBatch: {
		parameters: () => ({
			itemIs: 'form',
			video: talk,
			audio: speech,
			mode: 'speed',
			...noWait,
			options: {
				title: 'One talk',
				batch_title: 'All talks',
				callback_url: 'https://flows.example/done',
				callback_id: 'talk-1',
				folder_id: byId('folder_001'),
			},
		}),
		sends: () => ({
			line: 'POST /v3/lipsyncs/batches',
			body: {
				title: 'All talks',
				callback_url: 'https://flows.example/done',
				lipsyncs: [
					{
						...sent,
						mode: 'speed',
						title: 'One talk',
						callback_id: 'talk-1',
						folder_id: 'folder_001',
					},
				],
			},
		}),
		keyed: true,
		returns: (items) => {
			expect(first(items)).toMatchObject({
				batch_id: expect.any(String),
				job: { kind: 'lipsync_batch', id: first(items).batch_id },
			});
		},
	},
	getBatch: {
		before: aBatch,
		parameters: (ids) => ({ batch_id: String(ids.batch_id) }),
		sends: (ids) => ({
			line: `GET /v3/lipsyncs/batches/${String(ids.batch_id)}`,
			query: { limit: '100' },
		}),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({
				batch_id: ids.batch_id,
				status: 'completed',
				total_items: 1,
				items: [{ item_index: 0, status: 'completed', video_id: expect.any(String) }],
			});
		},
	},
	get: {
		before: aLipsync,
		parameters: (ids) => ({ lipsync_id: byId(String(ids.lipsync_id)) }),
		sends: (ids) => ({ line: `GET /v3/lipsyncs/${String(ids.lipsync_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({
				lipsync_id: ids.lipsync_id,
				status: 'completed',
				video_url: expect.stringContaining('http'),
			});
		},
	},
	getMany: {
		before: aLipsync,
		parameters: () => few,
		sends: () => ({ line: 'GET /v3/lipsyncs', query: { limit: '3' } }),
		returns: (items, ids) => {
			expect(items).toHaveLength(1);
			expect(first(items)).toMatchObject({ lipsync_id: ids.lipsync_id, title: 'A talk' });
		},
	},
	getStatuses: {
		before: async (service) => ({
			...(await aLipsync(service)),
			batch: (await aBatch(service)).batch_id,
		}),
		parameters: (ids) => ({
			lipsync_ids: `${String(ids.lipsync_id)}, unknown`,
			batch_ids: String(ids.batch),
		}),
		sends: (ids) => ({
			line: 'GET /v3/lipsyncs/statuses',
			query: {
				lipsync_ids: `${String(ids.lipsync_id)},unknown`,
				batch_ids: String(ids.batch),
			},
		}),
		returns: (items, ids) => {
			expect(items.map(({ json }) => json)).toMatchObject([
				{ video_id: ids.lipsync_id, status: 'completed' },
				{ video_id: 'unknown', status: 'not_found' },
				{ batch_id: ids.batch, item_index: 0, status: 'completed' },
			]);
		},
	},
	update: {
		before: aLipsync,
		parameters: (ids) => ({ lipsync_id: byId(String(ids.lipsync_id)), title: 'Better' }),
		sends: (ids) => ({
			line: `PATCH /v3/lipsyncs/${String(ids.lipsync_id)}`,
			body: { title: 'Better' },
		}),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ lipsync_id: ids.lipsync_id, title: 'Better' });
		},
	},
	delete: {
		before: aLipsync,
		parameters: (ids) => ({ lipsync_id: byId(String(ids.lipsync_id)) }),
		sends: (ids) => ({ line: `DELETE /v3/lipsyncs/${String(ids.lipsync_id)}`, query: {} }),
		returns: (items, ids, service) => {
			expect(first(items)).toEqual({
				lipsync_id: ids.lipsync_id,
				deleted: true,
			});
			expect(service.control.jobs('lipsync')).toMatchObject([{ ended: true }]);
		},
	},
	download: {
		before: aLipsync,
		parameters: (ids) => ({
			lipsync_id: byId(String(ids.lipsync_id)),
			files: ['subtitle'],
			binaryPropertyName: 'words',
			options: { fileName: 'words.srt' },
		}),
		sends: (ids) => ({ line: `GET /v3/lipsyncs/${String(ids.lipsync_id)}`, query: {} }),
		returns: async (items, ids) => {
			expect(first(items)).toMatchObject({ lipsync_id: ids.lipsync_id });
			expect(items[0]?.binary?.words).toMatchObject({ fileName: 'words.srt' });
			expect((await readContent(items[0], 'words')).toString()).toMatch(/^1\r?\n00:00:0/);
		},
	},
};

describeOperations('VideoGenLipsync', resources, cases, [
	// The service checks the entries of a batch later, one by one.
	'createBatch, End Time (Seconds), less than the least',
]);

const service = useService();

const at = (value: string) => ({ __rl: true as const, mode: 'url', value });
const of = (field: string) => ({ __rl: true as const, mode: 'binary', value: field });

const sync = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'create',
	video: at('https://files.example/talk.mp4'),
	audio: at('https://files.example/speech.mp3'),
	mode: 'speed',
	waitForCompletion: false,
	...more,
});

const run = async (
	parameters: INodeParameters,
	options: Parameters<typeof runNode>[3] = {},
): ReturnType<typeof runNode> => await runNode(service, 'VideoGenLipsync', parameters, options);

const ran = async (parameters: INodeParameters, given?: INodeExecutionData[]) =>
	await runForItems(service, 'VideoGenLipsync', parameters, { items: given });

/** The file of an asset as the service stores it. */
async function uploaded(input: unknown): Promise<Buffer> {
	const { type, asset_id: id } = input as { type: string; asset_id: string };
	expect(type).toBe('asset_id');
	const reply = await request(`${service.baseUrl}/v3/assets/${id}`, {
		headers: { 'x-api-key': service.apiKey },
	});
	const { data } = (await reply.body.json()) as { data: { url: string } };
	return Buffer.from(await (await request(data.url)).body.arrayBuffer());
}

const items = (count: number) => Array.from({ length: count }, (_, i) => ({ json: { i } }));

test('uploads video and audio of the item, waits and outputs the finished lipsync', async () => {
	const talk = media('video.mp4');
	const sound = media('speech.wav');
	const binary = {
		talk: await storeBinary(talk, 'talk.mp4', 'video/mp4'),
		sound: await storeBinary(sound, 'speech.wav', 'audio/wav'),
	};
	const [item] = await ran(
		sync({
			video: of('talk'),
			audio: of('sound'),
			waitForCompletion: true,
			options: { pollInterval: 1 },
		}),
		[{ json: {}, binary }],
	);
	expect(item?.json).toMatchObject({
		status: 'completed',
		video_url: expect.stringContaining('http'),
		job: { kind: 'lipsync', id: item?.json.lipsync_id },
	});
	const [create] = service.control.requests({ method: 'POST', path: '/v3/lipsyncs' });
	const { video, audio, ...rest } = create?.body as IDataObject;
	expect(rest).toEqual({ mode: 'speed' });
	expect(await uploaded(video)).toEqual(talk);
	expect(await uploaded(audio)).toEqual(sound);
});

test('a failed lipsync is an error with its ID', async () => {
	service.control.failNext('lipsync', { code: 'x', message: 'No face was found' });
	const { error } = await run(sync({ waitForCompletion: true, options: { pollInterval: 1 } }));
	expect(error?.message).toContain('The lipsync failed: No face was found');
	const [made] = service.control.jobs('lipsync') as Array<{ id: string }>;
	expect(error?.description).toContain(made?.id);
});

test('splits 101 items into batches of 100 and 1', async () => {
	const out = await ran(
		sync({
			operation: 'createBatch',
			itemIs: 'form',
			audio: at('=https://files.example/{{ $json.i }}.mp3'),
			options: { batch_title: 'All' },
		}),
		items(101),
	);
	const sent = service.control
		.requests({ method: 'POST', path: '/v3/lipsyncs/batches' })
		.map(({ body }) => body as { title: string; lipsyncs: Array<{ audio: IDataObject }> });
	expect(sent.map(({ lipsyncs }) => lipsyncs.length)).toEqual([100, 1]);
	expect(sent.map(({ title }) => title)).toEqual(['All', 'All']);
	expect(sent.flatMap(({ lipsyncs }) => lipsyncs.map(({ audio }) => audio.url))).toEqual(
		items(101).map((_, i) => `https://files.example/${i}.mp3`),
	);
	expect(out).toHaveLength(101);
	expect(new Set(out.map(({ json }) => json.batch_id)).size).toBe(2);
	expect(out[100]).toMatchObject({ json: { item_index: 0 }, pairedItem: { item: 100 } });
});

test('a download from a failed lipsync reports the reason and gives no advice to wait', async () => {
	service.control.failNext('lipsync', { code: 'x', message: 'No face was found' });
	const [made] = await ran(sync());
	const { error } = await run({
		operation: 'download',
		lipsync_id: { __rl: true, mode: 'id', value: String(made?.json.lipsync_id) },
		files: ['video'],
		binaryPropertyName: 'data',
	});
	expect(error?.message).toContain('its video_url is empty');
	expect(error?.description).toContain('Its status is "failed": No face was found.');
	expect(error?.description).not.toContain('Wait until');
});

test('errors do not recommend a trigger if no event is known', async () => {
	service.control.holdJobs(true);
	const { error } = await run(sync({ waitForCompletion: true, options: { waitTimeout: 0.02 } }));
	expect(error?.description).toMatch(
		/Read it later with its ID, raise Wait Timeout .* or set a Callback URL/,
	);
	expect(error?.description).not.toContain('Trigger');
	const { properties } = new VideoGenLipsync().description;
	const said = (operation: string) =>
		properties.find(
			({ name, displayOptions }) =>
				name === 'waitForCompletion' && displayOptions?.show?.operation?.includes(operation),
		)?.description;
	expect(said('create')).toMatch(/The service sends no event .* Callback URL/);
	expect(said('createBatch')).toContain('VideoGen Trigger');
});

test('waiting for a batch outputs the result of each row', async () => {
	service.control.failNext('lipsync', { code: 'x', message: 'No face was found' });
	const { items: out } = await run(
		sync({
			operation: 'createBatch',
			itemIs: 'json',
			lipsync_json:
				'={{ { video: { type: "url", url: "https://files.example/a.mp4" }, audio: { type: "url", url: "https://files.example/a.mp3" }, title: "Talk " + $json.i } }}',
			waitForCompletion: true,
			options: { pollInterval: 1, disable_music_track: true },
		}),
		{ items: items(2), node: { onError: 'continueRegularOutput' } },
	);
	const made = service.control.jobs('lipsync') as Array<{ id: string }>;
	expect(out).toMatchObject([
		{
			json: {
				error: 'The lipsync of this row failed: No face was found [item 0]',
				details: { job: { kind: 'lipsync', id: made[0]?.id } },
			},
			pairedItem: { item: 0 },
		},
		{
			json: { lipsync_id: made[1]?.id, status: 'completed', video_url: expect.any(String) },
			pairedItem: { item: 1 },
		},
	]);
	const [batch] = service.control.requests({ method: 'POST', path: '/v3/lipsyncs/batches' });
	expect((batch?.body as { lipsyncs: IDataObject[] }).lipsyncs).toMatchObject([
		{ title: 'Talk 0', disable_music_track: true },
		{ title: 'Talk 1', disable_music_track: true },
	]);
});

const wrong: Array<[string, INodeParameters, RegExp]> = [
	['no sound', sync({ audio: at('={{ "" }}') }), /^"Audio" is required/],
	['an invalid URL', sync({ video: at('=talk.mp4') }), /^"Video → url" must be a full URL/],
	[
		'an unknown frame rate mode',
		sync({ options: { fps_mode: '={{ "variable" }}' } }),
		/^"Frame Rate Mode" must be one of vfr, cfr, passthrough, but is "variable"/,
	],
	[
		'a time range that ends before it starts',
		sync({ options: { start_time: 10, end_time: 10 } }),
		/^"End Time \(Seconds\)" must be after "Start Time \(Seconds\)"/,
	],
	[
		'a batch payload without audio',
		sync({ operation: 'createBatch', itemIs: 'json', lipsync_json: '{"video": {"type": "url"}}' }),
		/^"Lipsync \(JSON\) → audio" is required/,
	],
	['a look for nothing', { operation: 'getStatuses' }, /^"Lipsync IDs" or "Batch IDs" is required/],
];

test.each(wrong)('refuses %s before any request', async (_, parameters, message) => {
	const { error } = await run(parameters);
	expect(error?.message).toMatch(message);
	expect(error?.description).toContain('Nothing was sent');
	expect(service.control.requests()).toHaveLength(0);
});

test.each([
	['video', 'video.mp4', 'video/mp4', 'mp4'],
	['subtitle', 'captions.srt', 'application/x-subrip', 'srt'],
])('downloads every byte of the %s after an expired URL', async (file, name, mimeType, ext) => {
	const [made] = await ran(sync());
	const id = String(made?.json.lipsync_id);
	service.control.fail({ path: /^\/media\//, times: 1, status: 403 });
	const [item] = await ran({
		operation: 'download',
		lipsync_id: byId(id),
		files: [file],
		binaryPropertyName: 'data',
	});
	expect(item?.json).toMatchObject({ lipsync_id: id, status: 'completed' });
	expect(item?.binary?.data).toMatchObject({ fileName: `${id}.${ext}`, mimeType });
	expect(await readContent(item)).toEqual(media(name));
	const reads = { method: 'GET', path: `/v3/lipsyncs/${id}` };
	expect(service.control.requests(reads)).toHaveLength(2);
});

test('the list of lipsyncs shows title and status, and searches titles', async () => {
	const [made] = await ran(sync({ options: { title: 'Opening talk' } }));
	await ran(sync({ options: { title: 'Farewell' } }));
	const look = async (filter?: string) =>
		(await loadListPage(service, 'VideoGenLipsync', 'searchLipsyncs', { filter })).results;
	expect(await look()).toHaveLength(2);
	expect(await look('OPENING')).toMatchObject([
		{ name: 'Opening talk (completed)', value: made?.json.lipsync_id },
	]);
});
