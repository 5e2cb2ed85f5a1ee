import { operation } from '../../core/operation';
import { template } from '../template';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get a template',
	description: 'Read variables, scenes and elements of a template, and its edit version',
	request: 'GET /v3/templates/{template_id}',
	fields: [{ ...template, required: true }],
});
