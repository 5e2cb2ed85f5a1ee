import { z } from 'zod';
import { apiLimits, apiValues } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createNumberSchema, formatRange } from '../../core/form/validation';
import { nameValues } from '../../fields/namedValues';

const { min_score: score } = apiLimits['GET /v3/audio/sounds'];

export const search = defineOperation({
	value: 'search',
	name: 'Search',
	action: 'Search for music or sound effects',
	description: 'Search for music or sound effects that match a description, best matches first',
	request: 'GET /v3/audio/sounds',
	returns: ['id', 'name', 'audio_url', 'duration', 'type'],
	fields: [
		{
			displayName: 'Search For',
			name: 'query',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. calm piano for a morning scene',
			description: 'Description of the sound in your own words',
		},
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: nameValues(apiValues['GET /v3/audio/sounds'].type, {
				music: { name: 'Music', description: 'Background music' },
				sound_effects: { name: 'Sound Effects', description: 'Short sounds' },
			}),
			default: 'music',
			description: 'Kind of sound to search for',
			// Accepts any text in expressions, because the service has added types before.
			schema: z.string().min(1),
		},
	],
	options: [
		{
			displayName: 'Minimum Score',
			name: 'min_score',
			type: 'number',
			typeOptions: { numberPrecision: 2 },
			default: 0.7,
			description: `Minimum match score of the results, ${formatRange(score)}. If not set, the minimum is 0.7.`,
			schema: createNumberSchema(score),
		},
	],
	list: { pageSize: apiLimits['GET /v3/audio/sounds'].limit.max },
});
