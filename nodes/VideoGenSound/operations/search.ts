import { z } from 'zod';
import { defineOperation } from '../../core/operation';

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
			options: [
				{ name: 'Music', value: 'music', description: 'Background music' },
				{ name: 'Sound Effects', value: 'sound_effects', description: 'Short sounds' },
			],
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
			description: 'Minimum match score of the results, 0 to 1; 0.7 if not set',
			schema: z.number().min(0).max(1),
		},
	],
	list: { pageSize: 50 },
});
