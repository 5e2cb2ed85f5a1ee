import { defineOperation } from '../../core/operation';
import { buildFileField } from '../../fields/asset';
import { avatarForNewLookField, avatarNameField } from '../avatarFields';
import { avatarCreationOperationBase } from '../startedLooks';

export const createDigitalTwin = defineOperation({
	value: 'createDigitalTwin',
	name: 'Create Digital Twin',
	action: 'Create digital twin from video',
	description:
		'Create an avatar from a video of a real person, who must then consent (see Request Consent)',
	request: 'POST /v3/avatars',
	returns: ['look_id', 'group_id', 'status'],
	fields: [
		avatarNameField,
		{
			...buildFileField('presenter.mp4', 'The video of the person', 'searchVideos'),
			displayName: 'Video',
			name: 'file',
		},
	],
	options: [avatarForNewLookField],
	body: ({ payload }) => ({ type: 'digital_twin', ...payload }),
	...avatarCreationOperationBase,
});
