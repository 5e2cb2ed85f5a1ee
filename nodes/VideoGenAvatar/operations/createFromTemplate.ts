import { defineOperation } from '../../core/operation';
import { lookAspectRatioField, referenceLookField } from '../avatarFields';
import { lookCreationOperationBase } from '../startedLooks';

export const createFromTemplate = defineOperation({
	value: 'createFromTemplate',
	name: 'Create From Template',
	action: 'Create looks for avatar from template',
	description: 'Create looks for an avatar from a template, with one output item per look',
	request: 'POST /v3/avatars/looks',
	returns: ['look_ids', 'group_id', 'status'],
	fields: [
		referenceLookField,
		{
			displayName: 'Template ID',
			name: 'template_id',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. template_5d20',
			description: 'Template for the new looks. The service provides no list of templates.',
		},
	],
	options: [lookAspectRatioField],
	body: ({ payload }) => ({ type: 'template', ...payload }),
	...lookCreationOperationBase,
});
