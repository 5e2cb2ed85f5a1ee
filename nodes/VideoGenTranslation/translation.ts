import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { z } from 'zod';
import type { Field, ListSearch, OptionsLoad } from '../core/form/field';
import { createListItem, filterEntries } from '../core/form/listSearch';
import { resourceLocator } from '../core/form/resourceLocator';
import { createClient } from '../core/http/client';
import { readObject, readText } from '../core/json';
import { brandGlossary } from '../fields/brandGlossary';
import {
	disableMusicTrack,
	enhanceSpeech,
	sourceVideo,
	fpsMode,
	keepTheSameFormat,
	subtitles,
} from '../fields/dubbing';
import { folder } from '../fields/folder';
import { voice } from '../fields/voice';

/** Translation, by list or ID. */
export const translation = {
	displayName: 'Translation',
	name: 'video_translation_id',
	description: 'The translation to use',
	...resourceLocator('searchTranslations', 'video_translation_id', {
		line: 'GET /v3/video-translations',
		entry: (row) => createListItem(row.id, row.title, [row.output_language, row.status]),
	}),
} as const satisfies Field;

/** Proofread, by ID alone: the service lists none. */
export const proofread = {
	displayName: 'Proofread ID',
	name: 'proofread_id',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.proofread_id }}',
	description: 'The proofread to use: the proofread_id that Create gave',
} as const satisfies Field;

/**
 * The languages that the service translates into, each under `language`. It gives their names, or
 * rows in which the name may go by another key (docs/service.md, Guesses).
 */
export function readLanguages(data: unknown): Array<IDataObject & { language: string }> {
	const found = Array.isArray(data) ? data : readObject(data).languages;
	return (Array.isArray(found) ? found : []).flatMap((row: unknown) => {
		const { name, language, code } = readObject(row);
		const one = readText(row) ?? readText(name) ?? readText(language) ?? readText(code);
		return one === undefined ? [] : [{ ...readObject(row), language: one }];
	});
}

/** Their names as choices, in the order of the alphabet. */
async function fetchLanguageOptions(form: ILoadOptionsFunctions) {
	const client = await createClient(form);
	const { data } = await client.fetchReply({ line: 'GET /v3/video-translations/languages' });
	return readLanguages(data)
		.map(({ language }) => ({ name: language, value: language }))
		.sort((a, b) => a.name.localeCompare(b.name));
}

const getTranslationLanguages: OptionsLoad = async function () {
	return await fetchLanguageOptions(this);
};

const searchInputLanguages: ListSearch = async function (filter) {
	return { results: filterEntries(await fetchLanguageOptions(this), filter) };
};

/** The languages to translate into; each becomes a result of its own. */
export const outputLanguages = {
	displayName: 'Output Language Names or IDs',
	name: 'output_languages',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getTranslationLanguages' },
	default: [],
	required: true,
	hint: 'Each language makes a result of its own, and each is charged',
	description:
		'The languages to translate into; each becomes an item of its own. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	schema: z.array(z.string().min(1)).min(1),
	load: { getTranslationLanguages },
} as const satisfies Field;

const inputLanguageModes = resourceLocator('searchLanguages', 'input_language', searchInputLanguages);

/** The language of the original: one of the list, or another. */
export const inputLanguage = {
	displayName: 'Input Language',
	name: 'input_language',
	collection: 'lookAndSound',
	description: 'The language of the video; without it the service finds out',
	...inputLanguageModes,
	modes: [
		inputLanguageModes.modes[0],
		{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. English' },
	],
} as const satisfies Field;

export const translationVideo = sourceVideo('The video to translate');

export const translateAudioOnly = {
	displayName: 'Translate Audio Only',
	name: 'translate_audio_only',
	collection: 'lookAndSound',
	type: 'boolean',
	default: false,
	description: 'Whether to translate the sound alone, and leave the lips as they are',
} as const satisfies Field;

/** Options that translations and proofreads share. */
export const proofreadAndTranslationOptions = [
	brandGlossary,
	folder,
	fpsMode,
	{
		displayName: 'Number of Speakers',
		name: 'speaker_num',
		collection: 'lookAndSound',
		type: 'number',
		default: 0,
		unset: 0,
		description: 'How many people speak in the video, at least 1; with 0 the service finds out',
		schema: z.number().int().min(1),
	},
	{
		displayName: 'Preferred Stock Voices',
		name: 'preferred_stock_voice_ids',
		collection: 'lookAndSound',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		default: {},
		placeholder: 'Add Voice',
		description:
			'Ready-made voices to speak the translation (enterprise accounts). They are used unless Use Stock Voices says otherwise.',
		options: [{ displayName: 'Voice', name: 'voice', values: [{ ...voice, required: true }] }],
		schema: z.array(z.object({ voice_id: z.string() }).transform((one) => one.voice_id)),
		in: 'local',
	},
	{ ...subtitles, required: false },
	{
		displayName: 'Use Stock Voices',
		name: 'use_stock_voice',
		collection: 'lookAndSound',
		type: 'boolean',
		default: false,
		description:
			'Whether ready-made voices speak the translation, in place of copies of the original voices (enterprise accounts)',
		in: 'local',
	},
] as const satisfies readonly Field[];

/** Switches of translations that proofreads have too. */
export const proofreadAudioOptions = [disableMusicTrack, enhanceSpeech, keepTheSameFormat] as const;

/** The API's field for ready-made voices. */
export function buildStockVoiceConfig(values: {
	use_stock_voice?: boolean;
	preferred_stock_voice_ids?: string[];
}): IDataObject {
	const { preferred_stock_voice_ids: preferred, use_stock_voice: use } = values;
	if (preferred === undefined && use === undefined) return {};
	return {
		stock_voice_config: { use_stock_voice: use ?? true, preferred_stock_voice_ids: preferred },
	};
}
