import { defineOperation } from '../../core/operation';
import { avatarGroupField } from '../avatarGroup';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get avatar',
	description: "Get an avatar's status, consent, default voice and number of looks",
	request: 'GET /v3/avatars/{group_id}',
	returns: ['name', 'looks_count', 'status', 'default_voice_id'],
	fields: [{ ...avatarGroupField, required: true }],
});
