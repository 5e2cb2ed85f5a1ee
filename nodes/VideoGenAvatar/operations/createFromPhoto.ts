import { operation } from '../../core/operation';
import { image, imageModes } from '../../fields/asset';
import { addTo, avatarName } from '../form';
import { startsAvatar } from '../started';

export const createFromPhoto = operation({
	value: 'createFromPhoto',
	name: 'Create From Photo',
	action: 'Create an avatar from a photo',
	description: 'Make an avatar from one photo of a person or character',
	request: 'POST /v3/avatars',
	fields: [
		avatarName,
		{
			...image,
			...imageModes('portrait.png'),
			displayName: 'Photo',
			name: 'file',
			description: 'The photo: a public address, an asset of the service, or a file of the item',
		},
	],
	options: [addTo],
	body: ({ payload }) => ({ type: 'photo', ...payload }),
	...startsAvatar,
});
