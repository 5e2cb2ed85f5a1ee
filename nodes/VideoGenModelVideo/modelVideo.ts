import { z } from 'zod';
import type { Field } from '../core/form/field';
import { createTextSchema } from '../core/form/validation';
import { eventlessJobCallbackIdField, eventlessJobCallbackUrlField } from '../fields/callback';
import { aspectRatioField, createOptionsFromValues, resolutionField } from '../fields/videoOptions';

const modelVideoPrompt = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. A paper boat sails down a rainy street',
	description: 'Description of the video, 1 to 5,000 characters',
	schema: createTextSchema(1, 5000),
} as const satisfies Field;

/**
 * Form field for choosing the default video model or entering a model name. The specification
 * documents no model parameter, but other sources say that each request must name a model
 * (service.md, Guesses).
 */
const videoModelSource = {
	displayName: 'Model',
	name: 'modelFrom',
	type: 'options',
	options: [
		{
			name: 'By Name',
			value: 'name',
			description: "A model listed in the service's documentation",
		},
		{
			name: 'Default',
			value: 'default',
			description: 'Send no model name. The service may reject the request.',
		},
	],
	default: 'name',
	description: 'The model that creates the video',
	schema: z.enum(['default', 'name']),
	in: 'local',
} as const satisfies Field;

const videoModelName = {
	displayName: 'Model Name',
	name: 'model',
	type: 'string',
	default: '',
	required: true,
	displayOptions: { show: { modelFrom: ['name'] } },
	placeholder: 'e.g. model-name-v1',
	description:
		"Name of the video model, copied from the service's documentation. The service has no list of models for n8n to show.",
} as const satisfies Field;

const modelVideoDuration = {
	displayName: 'Duration (Seconds)',
	name: 'duration',
	type: 'number',
	default: 5,
	description: 'Length of the video in whole seconds, 5 to 15, by default 5',
	schema: z.number().int().min(5).max(15),
} as const satisfies Field;

const modelVideoResolution = {
	...resolutionField,
	options: createOptionsFromValues('480p', '768p'),
	default: '768p',
	schema: z.enum(['480p', '768p']),
} as const satisfies Field;

const modelVideoPromptEnhancement = {
	displayName: 'Prompt Enhancement',
	name: 'prompt_enhancement',
	collection: 'lookAndSound',
	type: 'options',
	options: [
		{ name: 'Disabled', value: 'disabled', description: 'Use the prompt as is' },
		{ name: 'Quality', value: 'quality', description: 'Improve the prompt thoroughly' },
		{ name: 'Turbo', value: 'turbo', description: 'Improve the prompt quickly' },
	],
	default: 'quality',
	description: 'How the service improves the prompt',
	schema: z.enum(['quality', 'turbo', 'disabled']),
} as const satisfies Field;

const modelVideoSeed = {
	displayName: 'Seed',
	name: 'seed',
	type: 'number',
	default: -1,
	unset: -1,
	description:
		'Number from 0 to 4,294,967,295. The same seed and input produce a similar video. Use -1 for a random seed.',
	schema: z.number().int().min(0).max(4_294_967_295),
} as const satisfies Field;

/** Form fields shared by all operations that create a video with a video model. */
export const modelVideoFields = [
	modelVideoPrompt,
	videoModelSource,
	videoModelName,
	modelVideoDuration,
] as const;

/** Form options shared by all operations that create a video with a video model. */
export const modelVideoOptions = [
	eventlessJobCallbackUrlField,
	{
		...eventlessJobCallbackIdField,
		description:
			'Your own text of at most 256 characters, such as an order number. The service returns it in the callback when this job ends. If not set, none.',
		schema: createTextSchema(1, 256),
	},
	modelVideoPromptEnhancement,
	modelVideoResolution,
	modelVideoSeed,
] as const;

export const modelVideoAspectRatioField = {
	...aspectRatioField,
	options: createOptionsFromValues('1:1', '16:9', '21:9', '3:4', '4:3', '9:16'),
	schema: z.enum(['21:9', '16:9', '4:3', '1:1', '3:4', '9:16']),
} as const satisfies Field;

/**
 * Form field for the ID of a video created by a video model. Users must enter the ID, because the
 * service cannot list these videos.
 */
export const modelVideoIdField = {
	displayName: 'Video ID',
	name: 'video_id',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.video_id }}',
	description: 'The video_id returned by the operation that created the video',
} as const satisfies Field;
