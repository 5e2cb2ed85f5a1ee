import { operation } from '../../core/operation';
import { avatarGroup } from '../../fields/avatarGroup';
import { avatars } from '../groups';

export const get = operation({
	value: 'get',
	group: avatars,
	name: 'Get',
	action: 'Get an avatar',
	description: 'Read status, consent, default voice and number of looks of an avatar',
	request: 'GET /v3/avatars/{group_id}',
	fields: [{ ...avatarGroup, required: true }],
});
