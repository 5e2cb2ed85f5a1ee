import { z } from 'zod';
import { apiLimits, apiValues } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createTextSchema, formatRange } from '../../core/form/validation';
import { fileFieldSchema, imageField } from '../../fields/asset';
import { lookField } from '../../fields/look';
import { aspectRatioField } from '../../fields/videoOptions';
import { avatarForNewLookField, avatarNameField } from '../avatarFields';
import { avatarCreationOperationBase } from '../startedLooks';

const { prompt, reference_images: images } = apiLimits['POST /v3/avatars'];

export const createFromPrompt = defineOperation({
	value: 'createFromPrompt',
	name: 'Create From Prompt',
	action: 'Create avatar from prompt',
	description: 'Create an avatar from a description, with optional reference images',
	request: 'POST /v3/avatars',
	returns: ['look_id', 'group_id', 'status'],
	fields: [
		avatarNameField,
		{
			displayName: 'Prompt',
			name: 'prompt',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			required: true,
			placeholder: 'e.g. A friendly baker in her fifties, in front of a stone oven',
			description: `Description of the person or character, ${formatRange(prompt)} characters`,
			schema: createTextSchema(prompt),
		},
	],
	options: [
		avatarForNewLookField,
		{
			...aspectRatioField,
			options: [
				{ name: 'Default', value: '', description: 'Let the service choose' },
				...aspectRatioField.options,
			],
			default: '',
			description: 'Aspect ratio of the picture. If not set, the service chooses it.',
			schema: z.enum(apiValues['POST /v3/avatars'].aspect_ratio),
		},
		{
			displayName: 'Reference Images',
			name: 'reference_images',
			collection: 'lookAndSound',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			placeholder: 'Add Image',
			description: `Reference images for the avatar's appearance, at most ${images.max}`,
			options: [{ displayName: 'Image', name: 'entry', values: [imageField] }],
			schema: z
				.array(z.object({ image: fileFieldSchema }).transform((entry) => entry.image))
				.max(images.max),
		},
		{
			...lookField,
			displayName: 'Reference Look',
			description:
				'Look to use as a reference for the new look. If you set the "Add to Avatar" option, the reference look must belong to that avatar.',
		},
	],
	body: ({ payload }) => ({ type: 'prompt', ...payload }),
	...avatarCreationOperationBase,
});
