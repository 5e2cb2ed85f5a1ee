import type { Resource } from '../../core/operation';
import { create } from './create';
import { get } from './get';

/** Resources of the node and their operations. The very first operation is the default. */
export const resources: readonly Resource[] = [
	{ name: 'Folder', value: 'folder', id: 'folder_id', operations: [create, get] },
];
