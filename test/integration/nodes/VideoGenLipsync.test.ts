import { operations } from '../../../nodes/VideoGenLipsync/operations';
import type { Simulator } from '../../../simulator';
import { byId, contentOf } from '../support/engine';
import { describeOperations, few, first, made, noWait, url, type Case } from '../support/cases';

const film = url('https://files.example/talk.mp4');
const speech = url('https://files.example/speech.mp3');
const sent = {
	video: { type: 'url', url: 'https://files.example/talk.mp4' },
	audio: { type: 'url', url: 'https://files.example/speech.mp3' },
};

const aLipsync = async (service: Simulator) =>
	await made(service, 'VideoGenLipsync', {
		operation: 'create',
		video: film,
		audio: speech,
		mode: 'speed',
		...noWait,
		options: { title: 'A talk' },
	});

const aBatch = async (service: Simulator) =>
	await made(service, 'VideoGenLipsync', {
		operation: 'createBatch',
		itemIs: 'form',
		video: film,
		audio: speech,
		mode: 'speed',
		...noWait,
	});

const cases: Record<string, Case> = {
	create: {
		parameters: () => ({
			video: film,
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
			video: film,
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
				job: { kind: 'batch', id: first(items).batch_id },
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
				id: ids.lipsync_id,
				status: 'completed',
				video_url: expect.stringContaining('http'),
			});
		},
	},
	getAll: {
		before: aLipsync,
		parameters: () => few,
		sends: () => ({ line: 'GET /v3/lipsyncs', query: { limit: '3' } }),
		returns: (items, ids) => {
			expect(items).toHaveLength(1);
			expect(first(items)).toMatchObject({ id: ids.lipsync_id, title: 'A talk' });
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
			expect(first(items)).toMatchObject({ id: ids.lipsync_id, title: 'Better' });
		},
	},
	delete: {
		before: aLipsync,
		parameters: (ids) => ({ lipsync_id: byId(String(ids.lipsync_id)) }),
		sends: (ids) => ({ line: `DELETE /v3/lipsyncs/${String(ids.lipsync_id)}`, query: {} }),
		returns: (items, ids, service) => {
			expect(first(items)).toEqual({ id: ids.lipsync_id });
			expect(service.control.jobs('lipsync')).toMatchObject([{ ended: true }]);
		},
	},
	download: {
		before: aLipsync,
		parameters: (ids) => ({
			lipsync_id: byId(String(ids.lipsync_id)),
			file: 'captions',
			binaryPropertyName: 'words',
			options: { fileName: 'words.srt' },
		}),
		sends: (ids) => ({ line: `GET /v3/lipsyncs/${String(ids.lipsync_id)}`, query: {} }),
		returns: async (items, ids) => {
			expect(first(items)).toMatchObject({ id: ids.lipsync_id });
			expect(items[0]?.binary?.words).toMatchObject({ fileName: 'words.srt' });
			expect((await contentOf(items[0], 'words')).toString()).toMatch(/^1\r?\n00:00:0/);
		},
	},
};

describeOperations('VideoGenLipsync', operations, cases, [
	// The service judges the parts of a batch one by one, later.
	'createBatch, End Time (Seconds), less than the least',
]);
