import { resources } from '../../../nodes/VideoGenTranslation/operations';
import type { Simulator } from '../../../simulator';
import { byId, readContent } from '../support/engine';
import { describeOperations, first, runForJson, url, type Cases } from '../support/cases';
import { media } from '../support/media';
import { noWait } from '../support/expectedRequest';

const talk = url('https://files.example/talk.mp4');
const filmSent = { type: 'url', url: 'https://files.example/talk.mp4' };

const aTranslation = async (service: Simulator) => {
	const { job } = await runForJson(service, 'VideoGenTranslation', {
		...{ resource: 'translation', operation: 'create', mode: 'speed', ...noWait },
		...{ video: talk, output_languages: ['German'], options: { title: 'A talk' } },
	});
	return job as { kind: string; id: string };
};

const aBatch = async (service: Simulator) =>
	await runForJson(service, 'VideoGenTranslation', {
		...{ resource: 'translation', operation: 'createBatch', itemIs: 'form', mode: 'speed' },
		...{ video: talk, output_languages: ['German', 'French'], ...noWait },
	});

const aProofread = async (service: Simulator) => {
	const { job } = await runForJson(service, 'VideoGenTranslation', {
		...{ resource: 'proofread', operation: 'create', mode: 'speed', ...noWait },
		...{ video: talk, title: 'A talk', output_languages: ['German'] },
	});
	return job as { kind: string; id: string };
};

const cases: Cases = {
	'translation.create': {
		line: 'POST /v3/video-translations',
		parameters: {
			video: talk,
			output_languages: ['German'],
			mode: 'precision',
			options: {
				title: 'A talk',
				fps_mode: 'cfr',
				speaker_num: 2,
				start_time: 0,
				end_time: 60.5,
				srt_role: 'output',
				translate_audio_only: true,
				keep_the_same_format: true,
				enable_dynamic_duration: false,
				disable_music_track: true,
				enable_speech_enhancement: true,
				enable_watermark: true,
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
				input_language: { __rl: true, mode: 'name', value: 'English' },
				folder_id: byId('folder_003'),
				brand_glossary_id: byId('glossary_001'),
				audio: url('https://files.example/dub.mp3'),
				srt: url('https://files.example/talk.srt'),
				preferred_stock_voice_ids: {
					voice: [{ voice_id: byId('voice_001') }, { voice_id: byId('voice_002') }],
				},
			},
		},
		differences: {
			stock_voice_config: {
				use_stock_voice: true,
				preferred_stock_voice_ids: ['voice_001', 'voice_002'],
			},
			preferred_stock_voice_ids: undefined,
		},
		keyed: true,
		returns: (items) => {
			const ids = first(items).video_translation_ids as string[];
			expect(new Set(ids).size).toBe(1);
			expect(items.map(({ json }) => [json.video_translation_id, json.job])).toEqual(
				ids.map((id) => [id, { kind: 'translation', id }]),
			);
		},
	},
	'translation.createBatch': {
		line: 'POST /v3/video-translations/batches',
		parameters: {
			itemIs: 'form',
			video: talk,
			output_languages: ['German', 'French'],
			mode: 'speed',
			options: {
				title: 'One talk',
				batch_title: 'All talks',
				callback_url: 'https://flows.example/done',
				callback_id: 'talk-1',
				folder_id: byId('folder_003'),
				use_stock_voice: false,
			},
		},
		differences: {
			title: 'All talks',
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
			video: undefined,
			output_languages: undefined,
			mode: undefined,
			batch_title: undefined,
			callback_id: undefined,
			folder_id: undefined,
			use_stock_voice: undefined,
		},
		keyed: true,
	},
	'translation.getBatch': {
		line: 'GET /v3/video-translations/batches/{batch_id}',
		before: aBatch,
		differences: { limit: '100' },
	},
	'translation.get': {
		line: 'GET /v3/video-translations/{id}',
		before: aTranslation,
	},
	'translation.getMany': { line: 'GET /v3/video-translations', before: aTranslation },
	'translation.getStatuses': {
		line: 'GET /v3/video-translations/statuses',
		before: async (service) => ({
			...(await aTranslation(service)),
			batch: (await aBatch(service)).batch_id,
		}),
		parameters: (ids) => ({
			video_translation_ids: `${ids.id}, unknown`,
			batch_ids: String(ids.batch),
		}),
		differences: (ids) => ({ video_translation_ids: `${ids.id},unknown` }),
		returns: (items, ids) =>
			expect(items.map(({ json }) => json)).toMatchObject([
				{ video_id: ids.id, status: 'completed' },
				{ video_id: 'unknown', status: 'not_found' },
				{ batch_id: ids.batch, item_index: 0, status: 'completed' },
				{ batch_id: ids.batch, item_index: 1, status: 'completed' },
			]),
	},
	'translation.getLanguages': 'GET /v3/video-translations/languages',
	'translation.update': {
		line: 'PATCH /v3/video-translations/{id}',
		before: aTranslation,
		parameters: { title: 'Better' },
	},
	'translation.delete': {
		line: 'DELETE /v3/video-translations/{id}',
		before: aTranslation,
	},
	'translation.download': {
		line: 'GET /v3/video-translations/{id}',
		before: aTranslation,
		parameters: { files: ['vtt'], binaryPropertyName: 'words', options: { fileName: 'words.vtt' } },
		differences: { files: undefined },
		returns: async (items) => {
			expect(items[0]?.binary?.words?.fileName).toBe('words.vtt');
			expect(await readContent(items[0], 'words')).toEqual(media('captions.vtt'));
		},
	},
	'proofread.create': {
		line: 'POST /v3/video-translations/proofreads',
		parameters: {
			video: talk,
			title: 'A talk',
			output_languages: ['German', 'French'],
			mode: 'precision',
			options: {
				folder_id: byId('folder_003'),
				brand_glossary_id: byId('glossary_001'),
				fps_mode: 'passthrough',
				speaker_num: 3,
				keep_the_same_format: true,
				enable_video_stretching: true,
				disable_music_track: true,
				enable_speech_enhancement: true,
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
				srt: url('https://files.example/talk.srt'),
				use_stock_voice: true,
			},
		},
		differences: { stock_voice_config: { use_stock_voice: true }, use_stock_voice: undefined },
		keyed: true,
		returns: (items) => {
			const ids = first(items).proofread_ids as string[];
			expect(new Set(ids).size).toBe(2);
			expect(items.map(({ json }) => [json.proofread_id, json.job])).toEqual(
				ids.map((id) => [id, { kind: 'proofread', id }]),
			);
		},
	},
	'proofread.get': { line: 'GET /v3/video-translations/proofreads/{id}', before: aProofread },
	'proofread.getSubtitles': {
		line: 'GET /v3/video-translations/proofreads/{id}/srt',
		before: aProofread,
		parameters: { download: [] },
		differences: { download: undefined },
	},
	'proofread.replaceSubtitles': {
		line: 'PUT /v3/video-translations/proofreads/{id}/srt',
		before: aProofread,
		parameters: { srt: url('https://files.example/better.srt') },
	},
	'proofread.generate': {
		line: 'POST /v3/video-translations/proofreads/{id}/generate',
		before: aProofread,
		parameters: { options: { translate_audio_only: true, callback_id: 'order-1' } },
		keyed: true,
	},
};

describeOperations('VideoGenTranslation', resources, cases, [
	// The service checks the entries of a batch later, one by one.
	'translation.createBatch, End Time (Seconds), less than the least',
]);
