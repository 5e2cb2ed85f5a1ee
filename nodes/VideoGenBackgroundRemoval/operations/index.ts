import type { Resource } from '../../core/operation';
import { create } from './create';
import { deleteRemoval } from './deleteRemoval';
import { download } from './download';
import { get } from './get';
import { getMany } from './getMany';

/** What the node works on; a new node starts with the first operation of the first resource. */
export const resources: readonly Resource[] = [
	{
		name: 'Background Removal',
		value: 'backgroundRemoval',
		id: 'job_id',
		operations: [create, download, get, getMany, deleteRemoval],
	},
];
