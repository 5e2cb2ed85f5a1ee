import { operation } from '../../core/operation';
import { lookRatio, referenceLook } from '../form';
import { looksCreation } from '../startedLooks';

export const createFromTemplate = operation({
	value: 'createFromTemplate',
	name: 'Create From Template',
	action: 'Create looks of an avatar from a template',
	description: 'Put an avatar into the look of a template; each new look becomes an item',
	request: 'POST /v3/avatars/looks',
	fields: [
		referenceLook,
		{
			displayName: 'Template ID',
			name: 'template_id',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. template_5d20',
			description: 'The template of the new looks. The service offers no list of them.',
		},
	],
	options: [lookRatio],
	body: ({ payload }) => ({ type: 'template', ...payload }),
	...looksCreation,
});
