import { z } from 'zod';
import { operation } from '../../core/operation';
import { nonEmptyObject } from '../../fields/jsonSchemas';
import { refuseUnsupportedPauses } from '../../fields/pauses';
import { voice } from '../../fields/voice';
import { audioDownloadFields, createSpeech, speechDefaults, speechFileName } from '../createSpeech';
import { speechText } from '../speechText';

export const speak = operation({
	value: 'speak',
	name: 'Speak',
	action: 'Speak a text with a catalog voice',
	description: 'Turn text into speech with a voice of the catalog or a cloned one',
	request: 'POST /v3/voices/speech',
	fields: [
		{
			...voice,
			required: true,
			description:
				'The voice that speaks. Not every voice of the list can be used here; third-party voices may need Engine Settings.',
		},
		speechText,
		...audioDownloadFields,
	],
	options: [
		{
			displayName: 'Engine Settings (JSON)',
			name: 'settings',
			collection: 'lookAndSound',
			type: 'json',
			default: '{}',
			description:
				'Settings for the engine of a third-party voice: a JSON object with the value of the engine in it, as the service documents it for that voice',
			schema: nonEmptyObject,
		},
		speechFileName,
		{
			displayName: 'Language',
			name: 'language',
			collection: 'lookAndSound',
			type: 'string',
			default: '',
			placeholder: 'e.g. en',
			description: 'The language of the text; without it the service finds out',
		},
		{
			displayName: 'Locale',
			name: 'locale',
			collection: 'lookAndSound',
			type: 'string',
			default: '',
			placeholder: 'e.g. en-GB',
			description: 'The accent, as a language tag; it stands for the language too',
		},
		{
			displayName: 'Model ID',
			name: 'model_id',
			collection: 'lookAndSound',
			type: 'string',
			default: '',
			description:
				'The model of a third-party voice for this one request, instead of the model saved with the voice. Goes together with the engine in Engine Settings.',
			in: 'local',
		},
		{
			displayName: 'Speed',
			name: 'speed',
			collection: 'lookAndSound',
			type: 'number',
			typeOptions: { numberPrecision: 2 },
			default: 1,
			description: 'Slower or faster, 0.5 to 2',
			schema: z.number().min(0.5).max(2),
		},
		{
			displayName: 'Text Format',
			name: 'input_type',
			type: 'options',
			options: [
				{ name: 'Plain Text', value: 'text' },
				{ name: 'SSML', value: 'ssml', description: 'Text with speech markup in it' },
			],
			default: 'text',
			description: 'How the text is written',
			schema: z.enum(['text', 'ssml']),
		},
	],
	refuse: async ({ text, voice_id: voice }, client) =>
		await refuseUnsupportedPauses(client, { field: 'Text', text, voice }),
	body({ values, payload }) {
		if (values.model_id === undefined) return payload;
		return { ...payload, settings: { ...values.settings, model_id: values.model_id } };
	},
	...speechDefaults,
	execute: createSpeech,
});
