import { operation } from '../../core/operation';
import { fileModes, source } from '../../fields/asset';
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
			...source,
			...fileModes('presenter.mp4'),
			displayName: 'Film',
			name: 'file',
			description:
				'The film of the person: a public address, an asset of the service, or a file of the item',
		},
	],
	options: [addTo],
	body: ({ payload }) => ({ type: 'digital_twin', ...payload }),
	...startsAvatar,
});
