import { z } from 'zod';
import { apiLimits, apiValues } from '../../apiLimits';
import { buildPriceHint } from '../../core/form/commonFields';
import { defineOperation } from '../../core/operation';
import { createNumberSchema, formatRange } from '../../core/form/validation';
import { emptyObjectAsUndefinedSchema } from '../../fields/jsonSchemas';
import { nameValues } from '../../fields/namedValues';
import { rejectUnsupportedPauses } from '../../fields/pauses';
import { voiceField } from '../../fields/voice';
import {
	audioDownloadFields,
	createSampleReplyBuilder,
	createSpeech,
	speechOperationBase,
	speechFileNameField,
} from '../createSpeech';
import { speechTextField } from '../speechText';

const { speed } = apiLimits['POST /v3/voices/speech'];
const { input_type: textFormats } = apiValues['POST /v3/voices/speech'];

export const speak = defineOperation({
	value: 'speak',
	name: 'Speak',
	action: 'Speak text with catalog or cloned voice',
	description: 'Turn text into speech with a catalog voice or a cloned voice',
	request: 'POST /v3/voices/speech',
	returns: ['audio_url', 'duration'],
	fields: [
		{
			...voiceField,
			required: true,
			description:
				'The voice to use. Some voices in the list do not work here; third-party voices may need the "Engine (JSON)" option.',
		},
		{ ...speechTextField, hint: buildPriceHint() },
		...audioDownloadFields,
	],
	options: [
		{
			displayName: 'Engine (JSON)',
			name: 'settings',
			collection: 'lookAndSound',
			type: 'json',
			default: '{}',
			description:
				"Settings for a third-party voice: a JSON object that includes the voice's engine, as documented by the service. Other voices need no settings.",
			schema: emptyObjectAsUndefinedSchema,
		},
		speechFileNameField,
		{
			displayName: 'Language',
			name: 'language',
			collection: 'lookAndSound',
			type: 'string',
			default: '',
			placeholder: 'e.g. en',
			description: 'The language of the text. If not set, the service detects it.',
		},
		{
			displayName: 'Locale',
			name: 'locale',
			collection: 'lookAndSound',
			type: 'string',
			default: '',
			placeholder: 'e.g. en-GB',
			description:
				'Accent of the speech, such as en-GB for British English; also sets the language. If not set, the voice keeps its own accent.',
		},
		{
			displayName: 'Model ID',
			name: 'model_id',
			collection: 'lookAndSound',
			type: 'string',
			default: '',
			description:
				'Model for a third-party voice. If not set, the model saved with the voice is used. Also set the engine under "Engine (JSON)".',
			in: 'local',
		},
		{
			displayName: 'Speed',
			name: 'speed',
			collection: 'lookAndSound',
			type: 'number',
			typeOptions: { numberPrecision: 2 },
			default: 1,
			description: `Speed of the speech, from ${formatRange(speed)}. The default is 1, the normal speed.`,
			schema: createNumberSchema(speed),
		},
		{
			displayName: 'Text Format',
			name: 'input_type',
			type: 'options',
			options: nameValues(textFormats, {
				text: 'Plain Text',
				ssml: { name: 'SSML', description: 'Text with speech markup' },
			}),
			default: 'text',
			description: 'Format of the text',
			schema: z.enum(textFormats),
		},
	],
	reject: async ({ text, voice_id: voice }, client) =>
		await rejectUnsupportedPauses(client, { field: 'Text', text, voice }),
	body({ values, payload }) {
		if (values.model_id === undefined) return payload;
		return { ...payload, settings: { ...values.settings, model_id: values.model_id } };
	},
	...speechOperationBase,
	sample: createSampleReplyBuilder({
		request_id: 'sample_request_{n}',
		word_timestamps: [{ word: 'sample', start: 0, end: 1 }],
	}),
	execute: createSpeech,
});
