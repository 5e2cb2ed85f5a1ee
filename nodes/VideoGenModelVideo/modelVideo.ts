import { z } from 'zod';
import { apiLimits, apiValues } from '../apiLimits';
import type { Field } from '../core/form/field';
import { createNumberSchema, createTextSchema, formatRange } from '../core/form/validation';
import { eventlessJobCallbackIdField, eventlessJobCallbackUrlField } from '../fields/callback';
import { listValues, nameValues } from '../fields/namedValues';
import { aspectRatioField, resolutionField } from '../fields/videoOptions';

/**
 * Limits that apply to every mode of creating a video with a video model. If the limits of one mode
 * change in the specification, the types no longer match and compilation fails.
 */
const modelVideoLimits: (typeof apiLimits)['POST /v3/models/videos'] = apiLimits.ReferenceVideo;
const modelVideoValues = apiValues['POST /v3/models/videos'];
const { duration, seed } = modelVideoLimits;
const [quality, turbo, disabled] = modelVideoValues.prompt_enhancement;
/**
 * Prompt enhancement values that the form offers. The value `default` is omitted, because it is an
 * old name for `turbo`.
 */
const promptEnhancements = [quality, turbo, disabled] as const;

const modelVideoPrompt = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. A paper boat sails down a rainy street',
	description: `Description of the video, ${formatRange(modelVideoLimits.prompt)} characters`,
	schema: createTextSchema(modelVideoLimits.prompt),
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
			description: 'Send the request without a model name. The service may reject it.',
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
		"Name of the video model, copied from the service's documentation. n8n cannot list the models, because the service provides no list.",
} as const satisfies Field;

const modelVideoDuration = {
	displayName: 'Duration (Seconds)',
	name: 'duration',
	type: 'number',
	default: 5,
	description: `Length of the video in whole seconds, ${formatRange(duration)}. The default is 5 seconds.`,
	schema: createNumberSchema(duration).int(),
} as const satisfies Field;

const modelVideoResolution = {
	...resolutionField,
	options: listValues(modelVideoValues.resolution),
	default: '768p',
	schema: z.enum(modelVideoValues.resolution),
} as const satisfies Field;

const modelVideoPromptEnhancement = {
	displayName: 'Prompt Enhancement',
	name: 'prompt_enhancement',
	collection: 'lookAndSound',
	type: 'options',
	options: nameValues(promptEnhancements, {
		disabled: { name: 'Disabled', description: 'Use the prompt as is' },
		quality: { name: 'Quality', description: 'Improve the prompt thoroughly' },
		turbo: { name: 'Turbo', description: 'Improve the prompt quickly' },
	}),
	default: 'quality',
	description: 'How the service improves the prompt',
	schema: z.enum(promptEnhancements),
} as const satisfies Field;

const modelVideoSeed = {
	displayName: 'Seed',
	name: 'seed',
	type: 'number',
	default: -1,
	unset: -1,
	description: `A number from ${formatRange(seed)}. The same seed and input produce a similar video. Use -1 for a random seed.`,
	schema: createNumberSchema(seed).int(),
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
		description: `Your own text of at most ${modelVideoLimits.callback_id.max} characters, such as an order number. The service includes this text in the callback when the job ends.`,
		schema: createTextSchema(modelVideoLimits.callback_id),
	},
	modelVideoPromptEnhancement,
	modelVideoResolution,
	modelVideoSeed,
] as const;

export const modelVideoAspectRatioField = {
	...aspectRatioField,
	options: listValues(modelVideoValues.aspect_ratio),
	schema: z.enum(modelVideoValues.aspect_ratio),
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
