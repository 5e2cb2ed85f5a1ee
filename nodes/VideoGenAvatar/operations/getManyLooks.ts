import { z } from 'zod';
import { apiLimits, apiValues } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { nameValues } from '../../fields/namedValues';
import { avatarGroupField } from '../avatarGroup';
import { ownershipField } from '../avatarFields';

export const getManyLooks = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many looks',
	description: 'List looks, optionally filtered by avatar or type',
	request: 'GET /v3/avatars/looks',
	options: [
		{
			...avatarGroupField,
			description:
				'Avatar whose looks you want to list. If not set, the looks of all avatars are listed.',
		},
		{
			displayName: 'Avatar Type',
			name: 'avatar_type',
			type: 'options',
			options: [
				{ name: 'All', value: '' },
				...nameValues(apiValues['GET /v3/avatars/looks'].avatar_type, {
					digital_twin: { name: 'Digital Twin', description: 'Created from a video' },
					photo_avatar: { name: 'Photo Avatar', description: 'Created from a picture' },
					studio_avatar: { name: 'Studio Avatar', description: 'From the public catalog' },
				}),
			],
			default: '',
			description:
				'Type of looks to list. If not set, all types are listed. Use an expression for other types.',
			schema: z.string().min(1),
		},
		ownershipField,
	],
	list: { pageSize: apiLimits['GET /v3/avatars/looks'].limit.max },
	simple: ['name', 'status', 'avatar_type', 'group_id', 'gender', 'preferred_orientation'],
});
