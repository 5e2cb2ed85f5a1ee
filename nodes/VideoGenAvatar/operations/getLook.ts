import { defineOperation } from '../../core/operation';
import { avatarLookField } from '../avatarFields';

export const getLook = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get look',
	description: "Get a look's status, picture, engines and default voice",
	request: 'GET /v3/avatars/looks/{look_id}',
	returns: ['name', 'group_id', 'status', 'default_voice_id'],
	fields: [avatarLookField],
});
