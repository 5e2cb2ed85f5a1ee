import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { apiLimits } from '../apiLimits';
import type { Field, ListSearchMethod, OptionsLoader } from '../core/form/field';
import { createListItem, filterBySearchText, buildResourceLocator } from '../fields/listSearch';
import { createClient } from '../core/http/client';
import { readObject, readText } from '../core/json';
import { createNumberSchema } from '../core/form/validation';
import { brandGlossaryField } from '../fields/brandGlossary';
import {
	disableMusicTrackField,
	enhanceSpeechField,
	buildSourceVideoField,
	fpsModeField,
	keepTheSameFormatField,
	subtitleFileField,
} from '../fields/dubbing';
import { folderField } from '../fields/folder';
import { voiceField } from '../fields/voice';
import { proofreadJob } from '../jobKinds/catalog';

const { speaker_num: speakers } = apiLimits.TranslationRequest;

/** Form field for selecting a video translation from a list or by ID. */
export const translationJobField = {
	displayName: 'Translation',
	name: 'video_translation_id',
	description: 'The translation to use',
	...buildResourceLocator('searchTranslations', 'video_translation_id', {
		line: 'GET /v3/video-translations',
		entry: (row) => createListItem(row.id, row.title, [row.output_language, row.status]),
	}),
} as const satisfies Field;

/**
 * Form field for the ID of a proofread (a job that lets users correct the subtitles before a video
 * is translated). Users must enter the ID, because the service cannot list proofreads.
 */
export const proofreadIdField = {
	displayName: 'Proofread ID',
	name: 'proofread_id',
	lookUp: { line: proofreadJob.read },
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.proofread_id }}',
	description: 'The proofread_id returned by the Create operation',
} as const satisfies Field;

/**
 * Returns the languages in a response as objects with the language's name under `language`. The
 * specification does not say whether the response contains plain names or objects, so both are
 * accepted (service.md, Guesses).
 */
export function readLanguageObjects(data: unknown): Array<IDataObject & { language: string }> {
	const rows = Array.isArray(data) ? data : readObject(data).languages;
	return (Array.isArray(rows) ? rows : []).flatMap((row: unknown) => {
		const object = readObject(row);
		const language = [row, object.name, object.language, object.code].map(readText).find(Boolean);
		return language === undefined ? [] : [{ ...object, language }];
	});
}

/** Fetches the available languages as dropdown options, sorted by name. */
async function fetchLanguageOptions(form: ILoadOptionsFunctions) {
	const client = await createClient(form);
	const { data } = await client.fetchReply({ line: 'GET /v3/video-translations/languages' });
	return readLanguageObjects(data)
		.map(({ language }) => ({ name: language, value: language }))
		.sort((a, b) => a.name.localeCompare(b.name));
}

const getTranslationLanguages: OptionsLoader = async function () {
	// The editor can load the list of a new node before it selects the credential, and only once.
	if (!this.getNode().credentials) {
		return [{ name: 'Close and Reopen This Node to Load the List', value: '' }];
	}
	return await fetchLanguageOptions(this);
};

const searchInputLanguages: ListSearchMethod = async function (filter) {
	return { results: filterBySearchText(await fetchLanguageOptions(this), filter) };
};

export const outputLanguagesField = {
	displayName: 'Output Language Names or IDs',
	name: 'output_languages',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getTranslationLanguages' },
	default: [],
	required: true,
	hint: 'You get a separate result for each language, and you are charged for each one',
	description:
		'The languages to translate into, such as German. Each language produces one output item. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	schema: z.array(z.string().min(1)).min(1),
	load: { getTranslationLanguages },
} as const satisfies Field;

const inputLanguageModes = buildResourceLocator(
	'searchLanguages',
	'input_language',
	searchInputLanguages,
);

export const inputLanguageField = {
	displayName: 'Input Language',
	name: 'input_language',
	collection: 'lookAndSound',
	description: 'The language of the video. If not set, the service detects it.',
	...inputLanguageModes,
	modes: [
		inputLanguageModes.modes[0],
		{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. English' },
	],
} as const satisfies Field;

export const translationVideoField = buildSourceVideoField('The video to translate');

export const translateAudioOnlyField = {
	displayName: 'Translate Audio Only',
	name: 'translate_audio_only',
	collection: 'lookAndSound',
	type: 'boolean',
	default: true,
	description: 'Whether to translate only the audio, without lip sync',
} as const satisfies Field;

export const proofreadAndTranslationOptions = [
	brandGlossaryField,
	folderField,
	fpsModeField,
	{
		displayName: 'Number of Speakers',
		name: 'speaker_num',
		collection: 'lookAndSound',
		type: 'number',
		default: 0,
		unset: 0,
		description: 'Number of speakers in the video. Use 0 to let the service detect the number.',
		schema: createNumberSchema(speakers).int().safe(),
	},
	{
		displayName: 'Preferred Stock Voices',
		name: 'preferred_stock_voice_ids',
		collection: 'advanced',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		default: {},
		placeholder: 'Add Voice',
		description:
			'Stock voices for the translation (enterprise accounts). Adding a voice turns on the "Use Stock Voices" option, unless you set it yourself.',
		options: [{ displayName: 'Voice', name: 'voice', values: [{ ...voiceField, required: true }] }],
		schema: z.array(z.object({ voice_id: z.string() }).transform((one) => one.voice_id)),
		lookUp: voiceField.lookUp,
		in: 'local',
	},
	{ ...subtitleFileField, required: false },
	{
		displayName: 'Use Stock Voices',
		name: 'use_stock_voice',
		collection: 'advanced',
		type: 'boolean',
		default: true,
		description:
			'Whether to use stock voices instead of copies of the original voices (enterprise accounts)',
		in: 'local',
	},
] as const satisfies readonly Field[];

/**
 * Form options of a proofread that affect the audio or the file format. Translations have the same
 * options.
 */
export const proofreadAudioOptions = [
	disableMusicTrackField,
	enhanceSpeechField,
	keepTheSameFormatField,
] as const;

/**
 * Returns an error message if the user has selected stock voices but turned off Use Stock Voices,
 * otherwise `false`.
 */
export const findStockVoiceConflict = (values: {
	use_stock_voice?: boolean;
	preferred_stock_voice_ids?: unknown;
}): string | false =>
	values.use_stock_voice === false &&
	values.preferred_stock_voice_ids !== undefined &&
	'"Preferred Stock Voices" are not used while "Use Stock Voices" is off: turn it on, or remove the voices';

/**
 * Builds the part of a translation request that selects the service's stock voices. Returns an
 * empty object if the user has set none of the stock voice options.
 */
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
