import { apiLimits } from '../../apiLimits';
import { readObject, readObjects } from '../../core/json';
import { defineOperation } from '../../core/operation';
import { createNumberSchema, createTextSchema, formatRange } from '../../core/form/validation';
import { voiceGenderField } from '../voiceFields';

const { prompt, seed } = apiLimits['POST /v3/voices'];

export const design = defineOperation({
	value: 'design',
	name: 'Design',
	action: 'Find voices that match description',
	description: 'Find up to three voices that match a description and return one item per voice',
	request: 'POST /v3/voices',
	returns: ['name', 'language', 'preview_audio_url'],
	// Safe to retry: although this is a POST request, it only searches.
	repeatable: true,
	fields: [
		{
			displayName: 'Prompt',
			name: 'prompt',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			required: true,
			placeholder: 'e.g. A calm, warm voice of an older man',
			description: `Description of the voice, ${formatRange(prompt)} characters`,
			schema: createTextSchema(prompt),
		},
	],
	options: [
		voiceGenderField,
		{
			displayName: 'Locale',
			name: 'locale',
			type: 'string',
			default: '',
			placeholder: 'e.g. en-GB',
			description:
				'Accent of the voices, such as en-GB for British English. If not set, all accents are included.',
		},
		{
			displayName: 'Seed',
			name: 'seed',
			type: 'number',
			default: 0,
			description:
				'Set of matches to return: 0 for the best matches, 1 for the next ones, and so on',
			schema: createNumberSchema(seed).int().safe(),
		},
	],
	unwrap: (reply) => {
		const { voices, ...rest } = readObject(reply.data ?? reply);
		return Array.isArray(voices)
			? readObjects(voices).map((voice) => ({ ...rest, ...voice }))
			: rest;
	},
});
