import { operation } from '../../core/operation';
import { buildFileField } from '../../fields/asset';
import { targetAvatar, avatarName } from '../form';
import { avatarCreation } from '../startedLooks';

export const createDigitalTwin = operation({
	value: 'createDigitalTwin',
	name: 'Create Digital Twin',
	action: 'Create a digital twin from a film',
	description:
		'Make an avatar from a film of a real person, who must then consent (see Request Consent)',
	request: 'POST /v3/avatars',
	fields: [
		avatarName,
		{
			...buildFileField('presenter.mp4', 'The film of the person'),
			displayName: 'Film',
			name: 'file',
		},
	],
	options: [targetAvatar],
	body: ({ payload }) => ({ type: 'digital_twin', ...payload }),
	...avatarCreation,
});
