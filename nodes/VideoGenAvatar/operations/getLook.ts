import { defineOperation } from '../../core/operation';
import { avatarLookIdField } from '../avatarFields';

export const getLook = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get look',
	description: 'Get the status, picture, engines and default voice of a look',
	request: 'GET /v3/avatars/looks/{look_id}',
	returns: ['name', 'group_id', 'status', 'default_voice_id'],
	fields: [avatarLookIdField],
});
