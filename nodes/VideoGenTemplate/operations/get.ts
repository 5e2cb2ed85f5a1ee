import { defineOperation } from '../../core/operation';
import { templateField } from '../template';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get template',
	description: "Get a template's variables, scenes, elements and edit version",
	request: 'GET /v3/templates/{template_id}',
	returns: ['name', 'variables', 'edit_version'],
	fields: [{ ...templateField, required: true }],
});
