import { defineOperation } from '../../core/operation';
import { ownLookField } from '../avatarFields';

export const deleteLook = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete look',
	description:
		"Permanently delete one of your looks; deleting an avatar's last look also deletes the avatar",
	request: 'DELETE /v3/avatars/looks/{look_id}',
	fields: [ownLookField],
});
