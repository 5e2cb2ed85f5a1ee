import { resources } from '../../../nodes/VideoGenTranslation/operations';
import type { Simulator } from '../../../simulator';
import { byId, readContent } from '../support/engine';
import {
	describeOperations,
	few,
	first,
	runForJson,
	noWait,
	url,
	type Case,
} from '../support/cases';

const talk = url('https://files.example/talk.mp4');
const filmSent = { type: 'url', url: 'https://files.example/talk.mp4' };

const aTranslation = async (service: Simulator) => {
	const { job } = await runForJson(service, 'VideoGenTranslation', {
		resource: 'translation',
		operation: 'create',
		video: talk,
		output_languages: ['German'],
		mode: 'speed',
		...noWait,
		options: { title: 'A talk' },
	});
	return job as { kind: string; id: string };
};

const aBatch = async (service: Simulator) =>
	await runForJson(service, 'VideoGenTranslation', {
		resource: 'translation',
		operation: 'createBatch',
		itemIs: 'form',
		video: talk,
		output_languages: ['German', 'French'],
		mode: 'speed',
		...noWait,
	});

const aProofread = async (service: Simulator) => {
	const { job } = await runForJson(service, 'VideoGenTranslation', {
		resource: 'proofread',
		operation: 'create',
		video: talk,
		title: 'A talk',
		output_languages: ['German'],
		mode: 'speed',
		...noWait,
	});
	return job as { kind: string; id: string };
};

const cases: Record<string, Case> = {
	'translation.create': {
		parameters: () => ({
			video: talk,
			output_languages: ['German', 'Spanish (Mexico)'],
			mode: 'precision',
			...noWait,
			options: {
				title: 'A talk',
				input_language: { __rl: true, mode: 'name', value: 'English' },
				folder_id: byId('folder_003'),
				brand_glossary_id: byId('glossary_001'),
				fps_mode: 'cfr',
				speaker_num: 2,
				start_time: 0,
				end_time: 60.5,
				audio: url('https://files.example/dub.mp3'),
				srt: url('https://files.example/talk.srt'),
				srt_role: 'output',
				translate_audio_only: true,
				keep_the_same_format: true,
				enable_dynamic_duration: false,
				disable_music_track: true,
				enable_speech_enhancement: true,
				enable_watermark: true,
				preferred_stock_voice_ids: {
					voice: [{ voice_id: byId('voice_001') }, { voice_id: byId('voice_002') }],
				},
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
			},
		}),
		sends: () => ({
			line: 'POST /v3/video-translations',
			body: {
				video: filmSent,
				output_languages: ['German', 'Spanish (Mexico)'],
				mode: 'precision',
				title: 'A talk',
				input_language: 'English',
				folder_id: 'folder_003',
				brand_glossary_id: 'glossary_001',
				fps_mode: 'cfr',
				speaker_num: 2,
				start_time: 0,
				end_time: 60.5,
				audio: { type: 'url', url: 'https://files.example/dub.mp3' },
				srt: { type: 'url', url: 'https://files.example/talk.srt' },
				srt_role: 'output',
				translate_audio_only: true,
				keep_the_same_format: true,
				enable_dynamic_duration: false,
				disable_music_track: true,
				enable_speech_enhancement: true,
				enable_watermark: true,
				stock_voice_config: {
					use_stock_voice: true,
					preferred_stock_voice_ids: ['voice_001', 'voice_002'],
				},
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
			},
		}),
		keyed: true,
		returns: (items) => {
			const ids = first(items).video_translation_ids as string[];
			expect(new Set(ids).size).toBe(2);
			expect(items.map(({ json }) => [json.video_translation_id, json.job])).toEqual(
				ids.map((id) => [id, { kind: 'translation', id }]),
			);
		},
	},
	'translation.createBatch': {
		parameters: () => ({
			itemIs: 'form',
			video: talk,
			output_languages: ['German', 'French'],
			mode: 'speed',
			...noWait,
			options: {
				title: 'One talk',
				batch_title: 'All talks',
				callback_url: 'https://flows.example/done',
				callback_id: 'talk-1',
				folder_id: byId('folder_003'),
				use_stock_voice: false,
			},
		}),
		sends: () => ({
			line: 'POST /v3/video-translations/batches',
			body: {
				title: 'All talks',
				callback_url: 'https://flows.example/done',
				video_translations: [
					{
						video: filmSent,
						output_languages: ['German', 'French'],
						mode: 'speed',
						title: 'One talk',
						callback_id: 'talk-1',
						folder_id: 'folder_003',
						stock_voice_config: { use_stock_voice: false },
					},
				],
			},
		}),
		keyed: true,
		returns: (items) => {
			expect(first(items)).toMatchObject({
				batch_id: expect.any(String),
				job: { kind: 'translation_batch', id: first(items).batch_id },
			});
		},
	},
	'translation.getBatch': {
		before: aBatch,
		parameters: (ids) => ({ batch_id: String(ids.batch_id) }),
		sends: (ids) => ({
			line: `GET /v3/video-translations/batches/${String(ids.batch_id)}`,
			query: { limit: '100' },
		}),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({
				batch_id: ids.batch_id,
				status: 'completed',
				total_items: 2,
				items: [
					{ item_index: 0, status: 'completed', video_id: expect.any(String) },
					{ item_index: 1, status: 'completed', video_id: expect.any(String) },
				],
			});
		},
	},
	'translation.get': {
		before: aTranslation,
		parameters: (ids) => ({ video_translation_id: byId(String(ids.id)) }),
		sends: (ids) => ({ line: `GET /v3/video-translations/${String(ids.id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({
				video_translation_id: ids.id,
				status: 'completed',
				output_language: 'German',
				video_url: expect.stringContaining('http'),
			});
		},
	},
	'translation.getMany': {
		before: aTranslation,
		parameters: () => few,
		sends: () => ({ line: 'GET /v3/video-translations', query: { limit: '3' } }),
		returns: (items, ids) => {
			expect(items).toHaveLength(1);
			expect(first(items)).toMatchObject({ video_translation_id: ids.id, title: 'A talk' });
		},
	},
	'translation.getStatuses': {
		before: async (service) => ({
			...(await aTranslation(service)),
			batch: (await aBatch(service)).batch_id,
		}),
		parameters: (ids) => ({
			video_translation_ids: `${String(ids.id)}, unknown`,
			batch_ids: String(ids.batch),
		}),
		sends: (ids) => ({
			line: 'GET /v3/video-translations/statuses',
			query: {
				video_translation_ids: `${String(ids.id)},unknown`,
				batch_ids: String(ids.batch),
			},
		}),
		returns: (items, ids) => {
			expect(items.map(({ json }) => json)).toMatchObject([
				{ video_id: ids.id, status: 'completed' },
				{ video_id: 'unknown', status: 'not_found' },
				{ batch_id: ids.batch, item_index: 0, status: 'completed' },
				{ batch_id: ids.batch, item_index: 1, status: 'completed' },
			]);
		},
	},
	'translation.getLanguages': {
		parameters: () => ({}),
		sends: () => ({ line: 'GET /v3/video-translations/languages', query: {} }),
		returns: (items) => {
			expect(items.length).toBeGreaterThan(2);
			expect(items.map(({ json }) => json)).toContainEqual({ language: 'Spanish (Mexico)' });
		},
	},
	'translation.update': {
		before: aTranslation,
		parameters: (ids) => ({ video_translation_id: byId(String(ids.id)), title: 'Better' }),
		sends: (ids) => ({
			line: `PATCH /v3/video-translations/${String(ids.id)}`,
			body: { title: 'Better' },
		}),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ video_translation_id: ids.id, title: 'Better' });
		},
	},
	'translation.delete': {
		before: aTranslation,
		parameters: (ids) => ({ video_translation_id: byId(String(ids.id)) }),
		sends: (ids) => ({ line: `DELETE /v3/video-translations/${String(ids.id)}`, query: {} }),
		returns: (items, ids, service) => {
			expect(first(items)).toEqual({ video_translation_id: ids.id, deleted: true });
			expect(service.control.jobs('translation')).toMatchObject([{ ended: true }]);
		},
	},
	'translation.download': {
		before: aTranslation,
		parameters: (ids) => ({
			video_translation_id: byId(String(ids.id)),
			files: ['vtt'],
			binaryPropertyName: 'words',
			options: { fileName: 'words.vtt' },
		}),
		sends: (ids) => ({ line: `GET /v3/video-translations/${String(ids.id)}`, query: {} }),
		returns: async (items, ids) => {
			expect(first(items)).toMatchObject({ video_translation_id: ids.id });
			expect(items[0]?.binary?.words).toMatchObject({
				fileName: 'words.vtt',
				mimeType: 'text/vtt',
			});
			expect((await readContent(items[0], 'words')).toString()).toMatch(/^WEBVTT/);
		},
	},
	'proofread.create': {
		parameters: () => ({
			video: talk,
			title: 'A talk',
			output_languages: ['German', 'French'],
			mode: 'precision',
			...noWait,
			options: {
				folder_id: byId('folder_003'),
				brand_glossary_id: byId('glossary_001'),
				fps_mode: 'passthrough',
				speaker_num: 3,
				srt: url('https://files.example/talk.srt'),
				keep_the_same_format: true,
				enable_video_stretching: true,
				disable_music_track: true,
				enable_speech_enhancement: true,
				use_stock_voice: true,
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
			},
		}),
		sends: () => ({
			line: 'POST /v3/video-translations/proofreads',
			body: {
				video: filmSent,
				title: 'A talk',
				output_languages: ['German', 'French'],
				mode: 'precision',
				folder_id: 'folder_003',
				brand_glossary_id: 'glossary_001',
				fps_mode: 'passthrough',
				speaker_num: 3,
				srt: { type: 'url', url: 'https://files.example/talk.srt' },
				keep_the_same_format: true,
				enable_video_stretching: true,
				disable_music_track: true,
				enable_speech_enhancement: true,
				stock_voice_config: { use_stock_voice: true },
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
			},
		}),
		keyed: true,
		returns: (items) => {
			const ids = first(items).proofread_ids as string[];
			expect(new Set(ids).size).toBe(2);
			expect(items.map(({ json }) => [json.proofread_id, json.job])).toEqual(
				ids.map((id) => [id, { kind: 'proofread', id }]),
			);
		},
	},
	'proofread.get': {
		before: aProofread,
		parameters: (ids) => ({ proofread_id: String(ids.id) }),
		sends: (ids) => ({
			line: `GET /v3/video-translations/proofreads/${String(ids.id)}`,
			query: {},
		}),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ proofread_id: ids.id, status: 'completed' });
		},
	},
	'proofread.getSubtitles': {
		before: aProofread,
		parameters: (ids) => ({ proofread_id: String(ids.id), download: [] }),
		sends: (ids) => ({
			line: `GET /v3/video-translations/proofreads/${String(ids.id)}/srt`,
			query: {},
		}),
		returns: (items, ids) => {
			expect(first(items)).toEqual({
				proofread_id: ids.id,
				srt_url: expect.stringContaining('http'),
				original_srt_url: expect.stringContaining('http'),
			});
			expect(items[0]?.binary).toBeUndefined();
		},
	},
	'proofread.replaceSubtitles': {
		before: aProofread,
		parameters: (ids) => ({
			proofread_id: String(ids.id),
			srt: url('https://files.example/better.srt'),
		}),
		sends: (ids) => ({
			line: `PUT /v3/video-translations/proofreads/${String(ids.id)}/srt`,
			body: { srt: { type: 'url', url: 'https://files.example/better.srt' } },
		}),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ proofread_id: ids.id });
		},
	},
	'proofread.generate': {
		before: aProofread,
		parameters: (ids) => ({
			proofread_id: String(ids.id),
			...noWait,
			options: { translate_audio_only: true, callback_id: 'order-1' },
		}),
		sends: (ids) => ({
			line: `POST /v3/video-translations/proofreads/${String(ids.id)}/generate`,
			body: { translate_audio_only: true, callback_id: 'order-1' },
		}),
		keyed: true,
		returns: (items) => {
			expect(first(items)).toMatchObject({
				video_translation_id: expect.any(String),
				job: { kind: 'translation', id: first(items).video_translation_id },
			});
		},
	},
};

describeOperations('VideoGenTranslation', resources, cases, [
	// The service checks the entries of a batch later, one by one.
	'translation.createBatch, End Time (Seconds), less than the least',
]);
