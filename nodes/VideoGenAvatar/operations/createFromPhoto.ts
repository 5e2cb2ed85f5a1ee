import { defineOperation } from '../../core/operation';
import { imageField, buildImageLocatorModes } from '../../fields/asset';
import { avatarForNewLookField, avatarNameField } from '../avatarFields';
import { avatarCreationOperationBase } from '../startedLooks';

export const createFromPhoto = defineOperation({
	value: 'createFromPhoto',
	name: 'Create From Photo',
	action: 'Create avatar from photo',
	description:
		'Create an avatar from one photo of a person or character. To make a video with the avatar, use the look_id that this operation returns, and choose a voice.',
	request: 'POST /v3/avatars',
	returns: ['look_id', 'group_id', 'status'],
	fields: [
		avatarNameField,
		{
			...imageField,
			...buildImageLocatorModes('portrait.png'),
			displayName: 'Photo',
			name: 'file',
			description:
				'The photo: a public URL, an asset in the service, or a binary field of the item',
		},
	],
	options: [avatarForNewLookField],
	body: ({ payload }) => ({ type: 'photo', ...payload }),
	...avatarCreationOperationBase,
});
