import { z } from 'zod';
import type { Field } from '../core/form/field';
import { createTextSchema } from '../core/form/validation';
import { fileListSchema, buildFileField } from '../fields/asset';
import { lookField } from '../fields/look';

export const cinematicPromptField = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. She walks along a beach at sunset',
	description: 'Description of the video, 1 to 10,000 characters',
	schema: createTextSchema(1, 10_000),
} as const satisfies Field;

export const cinematicLooksField = {
	displayName: 'Avatar Looks',
	name: 'avatar_id',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	required: true,
	placeholder: 'Add Look',
	description: 'One to three avatar looks to show in the video',
	options: [{ displayName: 'Look', name: 'look', values: [{ ...lookField, required: true }] }],
	schema: z
		.array(z.object({ avatar_id: z.string() }).transform((entry) => entry.avatar_id))
		.min(1)
		.max(3),
} as const satisfies Field;

export const cinematicDurationField = {
	displayName: 'Duration (Seconds)',
	name: 'duration',
	type: 'number',
	default: 10,
	description: 'Length of the video, 4 to 15 seconds, by default 10',
	schema: z.number().int().min(4).max(15),
} as const satisfies Field;

export const cinematicAutoDurationField = {
	displayName: 'Automatic Duration',
	name: 'auto_duration',
	collection: 'lookAndSound',
	type: 'boolean',
	default: true,
	description: "Whether the service chooses the video's length",
} as const satisfies Field;

export const cinematicEnhancePromptField = {
	displayName: 'Enhance Prompt',
	name: 'enhance_prompt',
	collection: 'lookAndSound',
	type: 'boolean',
	default: true,
	description: 'Whether the service may improve the prompt',
} as const satisfies Field;

export const cinematicReferencesField = {
	displayName: 'References',
	name: 'references',
	collection: 'lookAndSound',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	placeholder: 'Add Reference',
	description:
		'Images (at most 9, including looks) and videos (at most 3) for the service to follow. If not set, none.',
	options: [
		{
			displayName: 'Reference',
			name: 'reference',
			values: [buildFileField('place.png')],
		},
	],
	schema: fileListSchema.max(12),
} as const satisfies Field;
