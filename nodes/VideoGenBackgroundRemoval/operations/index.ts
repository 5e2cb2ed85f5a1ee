import type { Resource } from '../../core/operation';
import { create } from './create';
import { deleteRemoval } from './deleteRemoval';
import { download } from './download';
import { get } from './get';
import { getMany } from './getMany';

export const resources: readonly Resource[] = [
	{
		name: 'Background Removal',
		value: 'backgroundRemoval',
		id: 'job_id',
		operations: [create, download, get, getMany, deleteRemoval],
	},
];
