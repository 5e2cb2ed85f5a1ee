import { z } from 'zod';
import { operation } from '../../core/operation';
import { ownAvatarGroup } from '../avatarGroup';
import { voice } from '../../fields/voice';

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update an avatar',
	description: 'Set the voice with which the looks of an avatar speak by themselves',
	request: 'PATCH /v3/avatars/{group_id}',
	fields: [
		{ ...ownAvatarGroup, required: true },
		{
			...voice,
			displayName: 'Default Voice',
			name: 'default_voice_id',
			required: true,
			description: 'The voice that speaks where a video names no other',
			schema: z.string().min(1).max(255),
		},
	],
});
