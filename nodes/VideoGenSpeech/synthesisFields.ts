import { z } from 'zod';
import { apiLimits } from '../apiLimits';
import type { Field } from '../core/form/field';
import { createNumberSchema, formatRange } from '../core/form/validation';

const { expressiveness_boost: liveliness, seed } = apiLimits['POST /v3/models/audio/tts'];

export const synthesisLanguageField = {
	displayName: 'Language',
	name: 'language',
	type: 'string',
	default: 'en',
	required: true,
	placeholder: 'e.g. en',
	description: 'Language of the text, such as en or de',
} as const satisfies Field;

/**
 * Form options for speech with a professional voice. The specification contains only the seed. The
 * other options are newer, so the limits of most of them are unknown.
 */
export const professionalVoiceOptions = [
	{
		displayName: 'Expressiveness Boost',
		name: 'expressiveness_boost',
		collection: 'lookAndSound',
		type: 'number',
		typeOptions: { numberPrecision: 2 },
		default: 1,
		description: `How lively the voice is, ${formatRange(liveliness)}. The default is 1. Only for instant voices.`,
		schema: createNumberSchema(liveliness),
	},
	{
		displayName: 'Pitch Shift',
		name: 'pitch_shift',
		collection: 'lookAndSound',
		type: 'number',
		typeOptions: { numberPrecision: 2 },
		default: 0,
		description:
			'Number of semitones by which to raise the pitch. A negative number lowers the pitch. The default is 0.',
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
		description:
			'How much the intonation varies. The default of -1 leaves the intonation unchanged.',
		schema: z.number(),
	},
	{
		displayName: 'Seed',
		name: 'seed',
		type: 'number',
		default: -1,
		unset: -1,
		description: `A number from ${formatRange(seed)}. The same seed reproduces the speech as closely as possible. Use -1 for a random seed.`,
		schema: createNumberSchema(seed).int(),
	},
	{
		displayName: 'Speed',
		name: 'speed',
		collection: 'lookAndSound',
		type: 'number',
		typeOptions: { numberPrecision: 2 },
		default: 1,
		description: 'Speed of the speech. The default of 1 is the normal speed of the voice.',
		schema: z.number().positive(),
	},
] as const satisfies readonly Field[];
