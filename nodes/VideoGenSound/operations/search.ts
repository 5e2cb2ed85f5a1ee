import { z } from 'zod';
import { operation } from '../../core/operation';

export const search = operation({
	value: 'search',
	name: 'Search',
	action: 'Find music or sound effects by words',
	description: 'Find music or sound effects, the best match first, each as an item',
	request: 'GET /v3/audio/sounds',
	fields: [
		{
			displayName: 'Search For',
			name: 'query',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. calm piano for a morning scene',
			description: 'What the sound is like, in your own words',
		},
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{ name: 'Music', value: 'music', description: 'Pieces for the background' },
				{ name: 'Sound Effects', value: 'sound_effects', description: 'Short sounds' },
			],
			default: 'music',
			description: 'What to search for',
			// Not only these two: the service has added kinds before, and an expression can give them.
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
			description: 'How well a sound must fit at least, 0 to 1; without it 0.7',
			schema: z.number().min(0).max(1),
		},
	],
	list: { pageSize: 50 },
});
