import type { Resource } from '../../core/operation';
import { create } from './create';
import { get } from './get';

export const resources: readonly Resource[] = [
	{ name: 'Folder', value: 'folder', id: 'folder_id', operations: [create, get] },
];
