import { z } from 'zod';
import { apiLimits, otherLimits } from '../apiLimits';
import type { Field } from '../core/form/field';
import { createNumberSchema, createTextSchema, formatRange } from '../core/form/validation';
import { fileListSchema, buildFileField } from '../fields/asset';
import { lookField } from '../fields/look';

const { avatar_id: looks, duration: videoSeconds, references } = apiLimits.CinematicVideo;
const { cinematicImages, cinematicVideos } = otherLimits;

export const cinematicPrice = '7.00 USD per video of any length';

export const cinematicPromptField = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. She walks along a beach at sunset',
	description: `Description of the video, ${formatRange(apiLimits.CinematicVideo.prompt)} characters`,
	schema: createTextSchema(apiLimits.CinematicVideo.prompt),
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
		.min(looks.min)
		.max(looks.max),
} as const satisfies Field;

export const cinematicDurationField = {
	displayName: 'Duration (Seconds)',
	name: 'duration',
	type: 'number',
	default: 10,
	description: `Length of the video, ${formatRange(videoSeconds)} seconds. The default is 10 seconds.`,
	schema: createNumberSchema(videoSeconds).int(),
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
	description: `Reference images (at most ${cinematicImages}, including looks) and reference videos (at most ${cinematicVideos})`,
	options: [
		{
			displayName: 'Reference',
			name: 'reference',
			values: [buildFileField('place.png', 'The image or video', 'searchImagesAndVideos')],
		},
	],
	schema: fileListSchema.max(references.max),
} as const satisfies Field;
