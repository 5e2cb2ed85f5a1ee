import type { Resource } from '../../core/operation';
import { create } from './create';
import { deleteKit } from './deleteKit';
import { get } from './get';
import { getMany } from './getMany';
import { update } from './update';

export const resources: readonly Resource[] = [
	{
		name: 'Brand Kit',
		value: 'brandKit',
		id: 'brand_kit_id',
		operations: [create, get, getMany, update, deleteKit],
	},
];
