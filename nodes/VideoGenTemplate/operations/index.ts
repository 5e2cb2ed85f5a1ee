import type { Resource } from '../../core/operation';
import { create } from './create';
import { generate } from './generate';
import { get } from './get';
import { getMany } from './getMany';
import { updateVariables } from './updateVariables';

export const resources: readonly Resource[] = [
	{
		name: 'Template',
		value: 'template',
		id: 'template_id',
		operations: [generate, create, get, getMany, updateVariables],
	},
];
