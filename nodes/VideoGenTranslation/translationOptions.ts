/** Options of a translation, alone or in a batch. */
import { z } from 'zod';
import { checkTimeRange, dubbingOptions, sourceAudio } from '../fields/dubbing';
import { translateAudioOnly, inputLanguage, proofreadAndTranslationOptions } from './translation';

export const videoTranslationOptions = [
	...proofreadAndTranslationOptions,
	...dubbingOptions,
	translateAudioOnly,
	{
		...sourceAudio('A dubbing of your own to use'),
		collection: 'lookAndSound',
		required: false,
	},
	inputLanguage,
	{
		displayName: 'Subtitles Are',
		name: 'srt_role',
		collection: 'lookAndSound',
		type: 'options',
		options: [
			{ name: 'Default', value: '', description: 'As without this option' },
			{ name: 'Of the Original', value: 'input', description: 'The words as they are spoken now' },
			{ name: 'Of the Translation', value: 'output', description: 'The words to be spoken' },
		],
		default: '',
		description: 'Which language the file in Subtitles is in',
		schema: z.enum(['input', 'output']),
	},
] as const;

/** What is wrong with a combination of options. */
export const checkTranslationOptions = (values: {
	start_time?: number;
	end_time?: number;
	srt?: unknown;
	srt_role?: string;
}) => [
	checkTimeRange(values),
	values.srt_role !== undefined &&
		values.srt === undefined &&
		'"Subtitles Are" says what "Subtitles" holds, but there is no file: add the option "Subtitles"',
];
