import { resources } from '../../../nodes/VideoGenTranslation/operations';
import type { Simulator } from '../../../simulator';
import { byId, readContent } from '../support/engine';
import {
	describeOperations,
	first,
	runForJson,
	noWait,
	url,
	type Case,
	withId,
	firstRows,
} from '../support/cases';
import { media } from '../support/media';

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

const translationCreateOptions = {
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
};

const proofreadCreateOptions = {
	fps_mode: 'passthrough',
	speaker_num: 3,
	keep_the_same_format: true,
	enable_video_stretching: true,
	disable_music_track: true,
	enable_speech_enhancement: true,
	callback_url: 'https://flows.example/done',
	callback_id: 'order-1',
};

const cases: Record<string, Case> = {
	'translation.create': {
		parameters: () => ({
			video: talk,
			output_languages: ['German'],
			mode: 'precision',
			...noWait,
			options: {
				...translationCreateOptions,
				input_language: { __rl: true, mode: 'name', value: 'English' },
				folder_id: byId('folder_003'),
				brand_glossary_id: byId('glossary_001'),
				audio: url('https://files.example/dub.mp3'),
				srt: url('https://files.example/talk.srt'),
				preferred_stock_voice_ids: {
					voice: [{ voice_id: byId('voice_001') }, { voice_id: byId('voice_002') }],
				},
			},
		}),
		sends: () => ({
			line: 'POST /v3/video-translations',
			body: {
				video: filmSent,
				output_languages: ['German'],
				mode: 'precision',
				...translationCreateOptions,
				input_language: 'English',
				folder_id: 'folder_003',
				brand_glossary_id: 'glossary_001',
				audio: { type: 'url', url: 'https://files.example/dub.mp3' },
				srt: { type: 'url', url: 'https://files.example/talk.srt' },
				stock_voice_config: {
					use_stock_voice: true,
					preferred_stock_voice_ids: ['voice_001', 'voice_002'],
				},
			},
		}),
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
	},
	'translation.getBatch': {
		before: aBatch,
		parameters: (ids) => ({ batch_id: String(ids.batch_id) }),
		sends: (ids) => ({
			line: `GET /v3/video-translations/batches/${ids.batch_id}`,
			query: { limit: '100' },
		}),
	},
	'translation.get': withId('GET /v3/video-translations/{video_translation_id}', aTranslation),
	'translation.getMany': firstRows('GET /v3/video-translations', aTranslation),
	'translation.getStatuses': {
		before: async (service) => ({
			...(await aTranslation(service)),
			batch: (await aBatch(service)).batch_id,
		}),
		parameters: (ids) => ({
			video_translation_ids: `${ids.id}, unknown`,
			batch_ids: String(ids.batch),
		}),
		sends: (ids) => ({
			line: 'GET /v3/video-translations/statuses',
			query: { video_translation_ids: `${ids.id},unknown`, batch_ids: String(ids.batch) },
		}),
		returns: (items, ids) =>
			expect(items.map(({ json }) => json)).toMatchObject([
				{ video_id: ids.id, status: 'completed' },
				{ video_id: 'unknown', status: 'not_found' },
				{ batch_id: ids.batch, item_index: 0, status: 'completed' },
				{ batch_id: ids.batch, item_index: 1, status: 'completed' },
			]),
	},
	'translation.getLanguages': {
		parameters: () => ({}),
		sends: () => ({ line: 'GET /v3/video-translations/languages', query: {} }),
	},
	'translation.update': {
		before: aTranslation,
		parameters: (ids) => ({ video_translation_id: byId(ids.id), title: 'Better' }),
		sends: (ids) => ({ line: `PATCH /v3/video-translations/${ids.id}`, body: { title: 'Better' } }),
	},
	'translation.delete': withId(
		'DELETE /v3/video-translations/{video_translation_id}',
		aTranslation,
	),
	'translation.download': {
		before: aTranslation,
		parameters: (ids) => ({
			video_translation_id: byId(ids.id),
			files: ['vtt'],
			binaryPropertyName: 'words',
			options: { fileName: 'words.vtt' },
		}),
		sends: (ids) => ({ line: `GET /v3/video-translations/${ids.id}`, query: {} }),
		returns: async (items) => {
			expect(items[0]?.binary?.words?.fileName).toBe('words.vtt');
			expect(await readContent(items[0], 'words')).toEqual(media('captions.vtt'));
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
				...proofreadCreateOptions,
				srt: url('https://files.example/talk.srt'),
				use_stock_voice: true,
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
				...proofreadCreateOptions,
				srt: { type: 'url', url: 'https://files.example/talk.srt' },
				stock_voice_config: { use_stock_voice: true },
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
		sends: (ids) => ({ line: `GET /v3/video-translations/proofreads/${ids.id}`, query: {} }),
	},
	'proofread.getSubtitles': {
		before: aProofread,
		parameters: (ids) => ({ proofread_id: String(ids.id), download: [] }),
		sends: (ids) => ({ line: `GET /v3/video-translations/proofreads/${ids.id}/srt`, query: {} }),
	},
	'proofread.replaceSubtitles': {
		before: aProofread,
		parameters: (ids) => ({
			proofread_id: String(ids.id),
			srt: url('https://files.example/better.srt'),
		}),
		sends: (ids) => ({
			line: `PUT /v3/video-translations/proofreads/${ids.id}/srt`,
			body: { srt: { type: 'url', url: 'https://files.example/better.srt' } },
		}),
	},
	'proofread.generate': {
		before: aProofread,
		parameters: (ids) => ({
			proofread_id: String(ids.id),
			...noWait,
			options: { translate_audio_only: true, callback_id: 'order-1' },
		}),
		sends: (ids) => ({
			line: `POST /v3/video-translations/proofreads/${ids.id}/generate`,
			body: { translate_audio_only: true, callback_id: 'order-1' },
		}),
		keyed: true,
	},
};

describeOperations('VideoGenTranslation', resources, cases, [
	// The service checks the entries of a batch later, one by one.
	'translation.createBatch, End Time (Seconds), less than the least',
]);
