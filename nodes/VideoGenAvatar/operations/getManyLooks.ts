import { z } from 'zod';
import { operation } from '../../core/operation';
import { avatarGroup } from '../avatarGroup';
import { ownership } from '../form';

export const getManyLooks = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many looks',
	description: 'List looks, of one avatar or of one kind if you like',
	request: 'GET /v3/avatars/looks',
	options: [
		{ ...avatarGroup, description: 'Only looks of this avatar' },
		{
			displayName: 'Avatar Type',
			name: 'avatar_type',
			type: 'options',
			options: [
				{ name: 'All', value: '' },
				{ name: 'Digital Twin', value: 'digital_twin', description: 'Made from a film' },
				{ name: 'Photo Avatar', value: 'photo_avatar', description: 'Made from a picture' },
				{ name: 'Studio Avatar', value: 'studio_avatar', description: 'Of the public catalog' },
			],
			default: '',
			description: 'Only looks of this kind; an expression may give another one',
			schema: z.string().min(1),
		},
		ownership,
	],
	list: { pageSize: 50 },
	simple: ['name', 'status', 'avatar_type', 'group_id', 'gender', 'preferred_orientation'],
});
