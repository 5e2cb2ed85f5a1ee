import { z } from 'zod';
import { apiValues } from '../apiLimits';
import { findTimeRangeError, dubbingOptions, buildReplacementAudioField } from '../fields/dubbing';
import { nameValues } from '../fields/namedValues';
import {
	translateAudioOnlyField,
	findStockVoiceConflict,
	inputLanguageField,
	proofreadAndTranslationOptions,
} from './translation';

const { srt_role: subtitleRoles } = apiValues.TranslationRequest;

/**
 * Form options for a translation, whether the translation is created alone or as part of a batch.
 */
export const videoTranslationOptions = [
	...proofreadAndTranslationOptions,
	...dubbingOptions,
	translateAudioOnlyField,
	{
		...buildReplacementAudioField('Your own dubbed audio'),
		collection: 'lookAndSound',
		required: false,
	},
	inputLanguageField,
	{
		displayName: 'Subtitle Language',
		name: 'srt_role',
		collection: 'lookAndSound',
		type: 'options',
		options: [
			{ name: 'Default', value: '', description: 'Let the service choose' },
			...nameValues(subtitleRoles, {
				input: { name: 'Input Language', description: 'The words spoken in the video' },
				output: { name: 'Output Language', description: 'The words to speak' },
			}),
		],
		default: '',
		description: 'Language of the subtitle file. If not set, the service decides.',
		schema: z.enum(subtitleRoles),
	},
] as const;

const hasSeveralLanguages = ({ output_languages: languages }: { output_languages?: unknown }) =>
	Array.isArray(languages) && languages.length > 1;

/** Checks the translation options and returns an error message for each invalid combination. */
export const findTranslationOptionErrors = (values: {
	start_time?: unknown;
	end_time?: unknown;
	srt?: unknown;
	srt_role?: string;
	audio?: unknown;
	output_languages?: unknown;
	use_stock_voice?: boolean;
	preferred_stock_voice_ids?: unknown;
}) => [
	findTimeRangeError(values),
	findStockVoiceConflict(values),
	hasSeveralLanguages(values) &&
		Boolean(values.audio) &&
		'"Audio" is one recording, but there are several output languages: translate into one language at a time',
	hasSeveralLanguages(values) &&
		values.srt_role === 'output' &&
		'"Subtitle Language" is set to "Output Language", but there is more than one output language: translate into one language at a time',
	values.srt_role !== undefined &&
		!values.srt &&
		'"Subtitle Language" requires a subtitle file: add the "Subtitles" option',
];
