import { defineOperation } from '../../core/operation';
import { ownAvatarGroupField } from '../avatarGroup';

export const deleteAvatar = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete avatar',
	description: 'Permanently delete an avatar and all its looks',
	request: 'DELETE /v3/avatars/{group_id}',
	fields: [{ ...ownAvatarGroupField, required: true }],
});
