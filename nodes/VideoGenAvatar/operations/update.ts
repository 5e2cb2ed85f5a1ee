import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createTextSchema } from '../../core/form/validation';
import { ownAvatarGroupField } from '../avatarGroup';
import { voiceField } from '../../fields/voice';

export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update avatar',
	description: "Set the default voice for an avatar's looks",
	request: 'PATCH /v3/avatars/{group_id}',
	returns: ['name', 'default_voice_id'],
	fields: [
		{ ...ownAvatarGroupField, required: true },
		{
			...voiceField,
			displayName: 'Default Voice',
			name: 'default_voice_id',
			required: true,
			description: 'Voice for the avatar in videos that do not specify a voice',
			schema: createTextSchema(apiLimits['PATCH /v3/avatars/{group_id}'].default_voice_id),
		},
	],
});
