import type { Resource } from '../../core/operation';
import { create } from './create';
import { deleteRender } from './deleteRender';
import { download } from './download';
import { get } from './get';
import { getMany } from './getMany';

export const resources: readonly Resource[] = [
	{
		name: 'Composition Render',
		value: 'render',
		id: 'render_id',
		operations: [create, download, get, getMany, deleteRender],
	},
];
