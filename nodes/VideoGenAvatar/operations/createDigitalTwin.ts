import { operation } from '../../core/operation';
import { fileOf } from '../../fields/asset';
import { addTo, avatarName } from '../form';
import { startsAvatar } from '../started';

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
			...fileOf('presenter.mp4', 'The film of the person'),
			displayName: 'Film',
			name: 'file',
		},
	],
	options: [addTo],
	body: ({ payload }) => ({ type: 'digital_twin', ...payload }),
	...startsAvatar,
});
