import type { Resource } from '../../core/operation';
import { create } from './create';
import { deleteClipping } from './deleteClipping';
import { download } from './download';
import { get } from './get';
import { getMany } from './getMany';

export const resources: readonly Resource[] = [
	{
		name: 'Clipping',
		value: 'clipping',
		id: 'job_id',
		operations: [create, download, get, getMany, deleteClipping],
	},
];
