import { operation } from '../../core/operation';
import { ownAvatarGroup } from '../avatarGroup';

export const deleteAvatar = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete an avatar',
	description: 'Delete an avatar with all its looks, for good',
	request: 'DELETE /v3/avatars/{group_id}',
	fields: [{ ...ownAvatarGroup, required: true }],
});
