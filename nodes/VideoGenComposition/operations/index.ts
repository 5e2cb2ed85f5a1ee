import type { Resource } from '../../core/operation';
import { create } from './create';
import { deleteRender } from './deleteRender';
import { download } from './download';
import { get } from './get';
import { getMany } from './getMany';

/** What the node works on; a new node starts with the first operation of the first resource. */
export const resources: readonly Resource[] = [
	{
		name: 'Composition Render',
		value: 'render',
		id: 'render_id',
		operations: [create, download, get, getMany, deleteRender],
	},
];
