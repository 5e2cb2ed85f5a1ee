import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createTextSchema, formatRange } from '../../core/form/validation';
import { ownLookField } from '../avatarFields';

const { name: lookName } = apiLimits['PATCH /v3/avatars/looks/{look_id}'];

export const updateLook = defineOperation({
	value: 'update',
	name: 'Rename',
	action: 'Rename look',
	description: 'Rename one of your photo avatar or digital twin looks',
	request: 'PATCH /v3/avatars/looks/{look_id}',
	returns: ['name', 'group_id'],
	fields: [
		ownLookField,
		{
			displayName: 'New Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Maria in the garden',
			description: `New name of the look, ${formatRange(lookName)} characters`,
			schema: createTextSchema(lookName),
		},
	],
});
