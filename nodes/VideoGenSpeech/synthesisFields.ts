/** What the two ways to speak with a professional voice have in common. */
import { z } from 'zod';
import type { Field } from '../core/form/field';

export const synthesisLanguage = {
	displayName: 'Language',
	name: 'language',
	type: 'string',
	default: 'en',
	required: true,
	placeholder: 'e.g. en',
	description: 'The language of the text, such as en or de',
} as const satisfies Field;

/** Newer than the specification, but for the seed; their limits are not known. */
export const synthesisOptions = [
	{
		displayName: 'Expressiveness Boost',
		name: 'expressiveness_boost',
		collection: 'lookAndSound',
		type: 'number',
		typeOptions: { numberPrecision: 2 },
		default: 1,
		description: 'How lively the voice speaks, 0 to 1; for instant voices only',
		schema: z.number().min(0).max(1),
	},
	{
		displayName: 'Pitch Shift',
		name: 'pitch_shift',
		collection: 'lookAndSound',
		type: 'number',
		typeOptions: { numberPrecision: 2 },
		default: 0,
		description: 'Higher or lower, in semitones',
		schema: z.number(),
	},
	{
		displayName: 'Pitch Variance',
		name: 'pitch_variance',
		collection: 'lookAndSound',
		type: 'number',
		typeOptions: { numberPrecision: 2 },
		default: -1,
		unset: -1,
		description: 'How much the melody of the speech varies; -1 leaves it as it is',
		schema: z.number(),
	},
	{
		displayName: 'Seed',
		name: 'seed',
		type: 'number',
		default: -1,
		unset: -1,
		description:
			'A number from 0 to 4,294,967,295: the same one makes the same speech again, as far as possible. -1 leaves it to chance.',
		schema: z.number().int().min(0).max(4_294_967_295),
	},
	{
		displayName: 'Speed',
		name: 'speed',
		collection: 'lookAndSound',
		type: 'number',
		typeOptions: { numberPrecision: 2 },
		default: 1,
		description: 'Slower or faster; 1 is the speed of the voice',
		schema: z.number().positive(),
	},
] as const satisfies readonly Field[];
