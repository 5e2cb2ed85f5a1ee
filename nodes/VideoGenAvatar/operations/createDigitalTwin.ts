import { operation } from '../../core/operation';
import { buildFileField } from '../../fields/asset';
import { targetAvatarField, avatarNameField } from '../avatarFields';
import { avatarCreation } from '../startedLooks';

export const createDigitalTwin = operation({
	value: 'createDigitalTwin',
	name: 'Create Digital Twin',
	action: 'Create a digital twin from a video',
	description:
		'Create an avatar from a video of a real person, who must then consent (see Request Consent)',
	request: 'POST /v3/avatars',
	fields: [
		avatarNameField,
		{
			...buildFileField('presenter.mp4', 'The video of the person'),
			displayName: 'Video',
			name: 'file',
		},
	],
	options: [targetAvatarField],
	body: ({ payload }) => ({ type: 'digital_twin', ...payload }),
	...avatarCreation,
});
