import { z } from 'zod';
import { operation } from '../../core/operation';
import { lookToChange } from '../form';

export const updateLook = operation({
	value: 'update',
	name: 'Rename',
	action: 'Rename a look',
	description: 'Give a look of yours another name: a photo avatar or a digital twin',
	request: 'PATCH /v3/avatars/looks/{look_id}',
	fields: [
		lookToChange,
		{
			displayName: 'New Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Maria in the garden',
			description: 'The new name, 1 to 255 characters',
			schema: z.string().min(1).max(255),
		},
	],
});
