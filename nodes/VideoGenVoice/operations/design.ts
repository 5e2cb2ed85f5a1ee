import { z } from 'zod';
import { readObject, readObjects } from '../../core/json';
import { operation } from '../../core/operation';
import { voiceGender } from '../voiceFields';

export const design = operation({
	value: 'design',
	name: 'Design',
	action: 'Find voices that fit a description',
	description: 'Find voices that fit a description, up to three at a time, each as an item',
	request: 'POST /v3/voices',
	// It only searches.
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
			description: 'How the voice sounds, 1 to 1,000 characters',
			schema: z.string().min(1).max(1000),
		},
	],
	options: [
		voiceGender,
		{
			displayName: 'Locale',
			name: 'locale',
			type: 'string',
			default: '',
			placeholder: 'e.g. en-GB',
			description: 'Only voices with this accent, as a language tag',
		},
		{
			displayName: 'Seed',
			name: 'seed',
			type: 'number',
			default: 0,
			description: 'Which matches to give: 0 the first ones, 1 the next ones, and so on',
			schema: z.number().int().min(0),
		},
	],
	unwrap: (reply) => {
		const { voices, ...rest } = readObject(reply.data ?? reply);
		return Array.isArray(voices)
			? readObjects(voices).map((voice) => ({ ...rest, ...voice }))
			: rest;
	},
});
