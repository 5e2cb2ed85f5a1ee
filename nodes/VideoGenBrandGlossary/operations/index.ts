import type { Resource } from '../../core/operation';
import { create } from './create';
import { deleteGlossary } from './deleteGlossary';
import { get } from './get';
import { getMany } from './getMany';
import { update } from './update';

export const resources: readonly Resource[] = [
	{
		name: 'Brand Glossary',
		value: 'brandGlossary',
		id: 'brand_glossary_id',
		operations: [create, get, getMany, update, deleteGlossary],
	},
];
