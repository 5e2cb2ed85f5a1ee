import { z } from 'zod';
import { defineOperation } from '../../core/operation';
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
			description: 'Avatar whose looks you want to list. If not set, the looks of all avatars.',
		},
		{
			displayName: 'Avatar Type',
			name: 'avatar_type',
			type: 'options',
			options: [
				{ name: 'All', value: '' },
				{ name: 'Digital Twin', value: 'digital_twin', description: 'Created from a video' },
				{ name: 'Photo Avatar', value: 'photo_avatar', description: 'Created from a picture' },
				{ name: 'Studio Avatar', value: 'studio_avatar', description: 'From the public catalog' },
			],
			default: '',
			description:
				'Type of looks to list. If not set, all types. Use an expression for other types.',
			schema: z.string().min(1),
		},
		ownershipField,
	],
	list: { pageSize: 50 },
	simple: ['name', 'status', 'avatar_type', 'group_id', 'gender', 'preferred_orientation'],
});
