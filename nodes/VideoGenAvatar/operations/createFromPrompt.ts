import { z } from 'zod';
import { operation } from '../../core/operation';
import { text } from '../../core/form/text';
import { assetInputSchema, image } from '../../fields/asset';
import { look } from '../../fields/look';
import { aspectRatio } from '../../fields/videoOptions';
import { targetAvatar, avatarName } from '../avatarFields';
import { avatarCreation } from '../startedLooks';

export const createFromPrompt = operation({
	value: 'createFromPrompt',
	name: 'Create From Prompt',
	action: 'Create an avatar from a prompt',
	description: 'Create a person or character from a description, with optional reference images',
	request: 'POST /v3/avatars',
	fields: [
		avatarName,
		{
			displayName: 'Prompt',
			name: 'prompt',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			required: true,
			placeholder: 'e.g. A friendly baker of about fifty, in front of a stone oven',
			description: 'Description of the person or character, 1 to 1,000 characters',
			schema: text(1, 1000),
		},
	],
	options: [
		targetAvatar,
		{
			...aspectRatio,
			options: [
				{ name: 'Default', value: '', description: 'Let the service choose' },
				...aspectRatio.options,
			],
			default: '',
			description: 'Aspect ratio of the picture',
		},
		{
			displayName: 'Reference Images',
			name: 'reference_images',
			collection: 'lookAndSound',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			placeholder: 'Add Image',
			description: 'Pictures that guide the appearance of the avatar, at most 3',
			options: [{ displayName: 'Image', name: 'entry', values: [image] }],
			schema: z
				.array(z.object({ image: assetInputSchema }).transform((entry) => entry.image))
				.max(3),
		},
		{
			...look,
			displayName: 'Reference Look',
			description:
				'Look that guides the new one. If Add to Avatar is set too, it must be a look of that avatar.',
		},
	],
	body: ({ payload }) => ({ type: 'prompt', ...payload }),
	...avatarCreation,
});
