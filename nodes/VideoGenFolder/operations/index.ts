import type { Resource } from '../../core/operation';
import { create } from './create';
import { get } from './get';

/** What the node works on; a new node starts with the first operation of the first resource. */
export const resources: readonly Resource[] = [
	{ name: 'Folder', value: 'folder', id: 'folder_id', operations: [create, get] },
];
