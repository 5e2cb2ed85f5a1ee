import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenLipsync/operations';
import type { Simulator } from '../../../simulator';
import { describeOperations, runForJson, url, type Cases } from '../support/cases';
import { loadListPage } from '../support/contexts';
import { byId, readContent, runNode, type RunOptions } from '../support/engine';
import { media } from '../support/media';
import { useService } from '../support/service';
import { noWait } from '../support/expectedRequest';

const talk = url('https://files.example/talk.mp4');
const speech = url('https://files.example/speech.mp3');
const sent = {
	video: { type: 'url', url: 'https://files.example/talk.mp4' },
	audio: { type: 'url', url: 'https://files.example/speech.mp3' },
};

const aLipsync = async (service: Simulator) =>
	await runForJson(service, 'VideoGenLipsync', {
		...{ operation: 'create', mode: 'speed', ...noWait },
		...{ video: talk, audio: speech, options: { title: 'A talk' } },
	});

const aBatch = async (service: Simulator) =>
	await runForJson(service, 'VideoGenLipsync', {
		...{ operation: 'createBatch', itemIs: 'form', mode: 'speed', ...noWait },
		...{ video: talk, audio: speech },
	});

const cases: Cases = {
	create: {
		line: 'POST /v3/lipsyncs',
		parameters: {
			video: talk,
			audio: speech,
			mode: 'precision',
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
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
				folder_id: byId('folder_001'),
			},
		},
		keyed: true,
	},
	createBatch: {
		line: 'POST /v3/lipsyncs/batches',
		parameters: {
			itemIs: 'form',
			video: talk,
			audio: speech,
			mode: 'speed',
			options: {
				title: 'One talk',
				batch_title: 'All talks',
				callback_url: 'https://flows.example/done',
				callback_id: 'talk-1',
				folder_id: byId('folder_001'),
			},
		},
		differences: {
			title: 'All talks',
			lipsyncs: [
				{
					...sent,
					mode: 'speed',
					title: 'One talk',
					callback_id: 'talk-1',
					folder_id: 'folder_001',
				},
			],
			video: undefined,
			audio: undefined,
			mode: undefined,
			batch_title: undefined,
			callback_id: undefined,
			folder_id: undefined,
		},
		keyed: true,
	},
	getBatch: {
		line: 'GET /v3/lipsyncs/batches/{batch_id}',
		before: aBatch,
		differences: { limit: '100' },
	},
	get: { line: 'GET /v3/lipsyncs/{lipsync_id}', before: aLipsync },
	getMany: { line: 'GET /v3/lipsyncs', before: aLipsync },
	getStatuses: {
		line: 'GET /v3/lipsyncs/statuses',
		before: async (service) => ({
			...(await aLipsync(service)),
			batch: (await aBatch(service)).batch_id,
		}),
		parameters: (ids) => ({
			lipsync_ids: `${ids.lipsync_id}, unknown`,
			batch_ids: String(ids.batch),
		}),
		differences: (ids) => ({ lipsync_ids: `${ids.lipsync_id},unknown` }),
		returns: (items, ids) =>
			expect(items.map(({ json }) => json)).toMatchObject([
				{ video_id: ids.lipsync_id, status: 'completed' },
				{ video_id: 'unknown', status: 'not_found' },
				{ batch_id: ids.batch, item_index: 0, status: 'completed' },
			]),
	},
	update: {
		line: 'PATCH /v3/lipsyncs/{lipsync_id}',
		before: aLipsync,
		parameters: { title: 'Better' },
	},
	delete: { line: 'DELETE /v3/lipsyncs/{lipsync_id}', before: aLipsync },
	download: {
		line: 'GET /v3/lipsyncs/{lipsync_id}',
		before: aLipsync,
		parameters: {
			files: ['subtitle'],
			binaryPropertyName: 'words',
			options: { fileName: 'words.srt' },
		},
		differences: { files: undefined },
		returns: async (items) => {
			expect(await readContent(items[0], 'words')).toEqual(media('captions.srt'));
		},
	},
};

describeOperations('VideoGenLipsync', resources, cases, [
	// The service checks the entries of a batch later, one by one.
	'createBatch, End Time (Seconds), less than the least',
]);

const service = useService();

const run = async (parameters: INodeParameters, options: RunOptions = {}) =>
	await runNode(
		service,
		'VideoGenLipsync',
		{ operation: 'create', video: talk, audio: speech, mode: 'speed', ...noWait, ...parameters },
		options,
	);
const items = (count: number) => Array.from({ length: count }, (_, i) => ({ json: { i } }));
/** The rows of each batch that was sent. */
const sentRows = () =>
	service.control
		.requests({ method: 'POST', path: '/v3/lipsyncs/batches' })
		.map(({ body }) => (body as { lipsyncs: IDataObject[] }).lipsyncs);

test('splits 101 items into batches of 100 and 1', async () => {
	const form = {
		operation: 'createBatch',
		itemIs: 'form',
		options: { title: '=Talk {{ $json.i }}' },
	};
	const out = await run(form, { items: items(101) });
	const titles = items(101).map((_, i) => ({ title: `Talk ${i}` }));
	expect(sentRows()).toMatchObject([titles.slice(0, 100), titles.slice(100)]);
	expect(out.items.map(({ pairedItem }) => pairedItem)).toEqual(
		items(101).map((_, item) => ({ item })),
	);
	expect(out.items[100]?.json).toMatchObject({ item_index: 0 });
});

test('waiting for a batch of JSON rows outputs the result of each row', async () => {
	service.control.failNext('lipsync', { code: 'x', message: 'No face was found' });
	const json = { ...sent, title: 'Talk' };
	const { items: out } = await run(
		{
			...{ operation: 'createBatch', itemIs: 'json', lipsync_json: '={{ $json }}' },
			waitForCompletion: true,
			options: { pollInterval: 1, disable_music_track: true },
		},
		{ items: [{ json }, { json }], node: { onError: 'continueRegularOutput' } },
	);
	const made = service.control.jobs('lipsync') as Array<{ id: string }>;
	const error = 'The lipsync for this row failed: No face was found [row 1]';
	expect(out).toMatchObject([
		{
			json: { error, details: { job: { kind: 'lipsync', id: made[0]?.id } } },
			pairedItem: { item: 0 },
		},
		{ json: { lipsync_id: made[1]?.id, status: 'completed' }, pairedItem: { item: 1 } },
	]);
	const row = { ...json, disable_music_track: true };
	expect(sentRows()).toMatchObject([[row, row]]);
});

test('sends times of a JSON row that are null', async () => {
	const row = { ...sent, start_time: null, end_time: null };
	await run({
		...{ operation: 'createBatch', itemIs: 'json', lipsync_json: JSON.stringify(row) },
		...noWait,
	});
	expect(sentRows()).toEqual([[row]]);
});

test.each<[string, INodeParameters, RegExp]>([
	[
		'a time range that ends before it starts',
		{ options: { start_time: 10, end_time: 10 } },
		/^"End Time \(Seconds\)" must be greater than "Start Time \(Seconds\)"/,
	],
	[
		'a batch payload without audio',
		{ operation: 'createBatch', itemIs: 'json', lipsync_json: '{"video": {"type": "url"}}' },
		/^"Lipsync \(JSON\) → audio" is required/,
	],
	[
		'a batch payload that ends before the start in the options',
		{
			...{ operation: 'createBatch', itemIs: 'json' },
			lipsync_json: JSON.stringify({ video: {}, audio: {}, end_time: 5 }),
			options: { start_time: 10 },
		},
		/^"End Time \(Seconds\)" must be greater than "Start Time \(Seconds\)"/,
	],
])('rejects %s before any request', async (_, parameters, message) => {
	const { error } = await run(parameters);
	expect(error?.message).toMatch(message);
	expect(service.control.requests()).toEqual([]);
});

test('the list of lipsyncs shows title and status, and searches titles', async () => {
	for (const title of ['Opening talk', 'Farewell']) await run({ options: { title } });
	const search = async (filter?: string) =>
		(await loadListPage(service, 'VideoGenLipsync', 'searchLipsyncs', { filter })).results;
	expect(await search()).toHaveLength(2);
	const [made] = service.control.jobs('lipsync') as IDataObject[];
	expect(await search('OPENING')).toMatchObject([
		{ name: 'Opening talk (completed)', value: made?.id },
	]);
});

test('a batch sends each row alone and pays for it once with Pay Once Per: Custom Key', async () => {
	const form = {
		...{ operation: 'createBatch', itemIs: 'form', mode: 'speed', ...noWait },
		...{ video: talk, audio: speech },
		options: { payOncePer: 'ownKey', idempotencyKey: 'sheet', title: '={{ $json.i }}' },
	};
	const items = [1, 2, 1].map((i) => ({ json: { i: String(i) } }));
	const ids: unknown[] = [];
	for (let run = 0; run < 2; run++) {
		const { items: out } = await runNode(service, 'VideoGenLipsync', form, { items });
		ids.push(out.map(({ json }) => json.lipsync_id).sort());
	}
	expect(ids[1]).toEqual(ids[0]);
	expect(service.control.jobs('lipsync')).toHaveLength(3);
	expect(service.control.requests({ method: 'POST', path: '/v3/lipsyncs/batches' })).toEqual([]);
});
