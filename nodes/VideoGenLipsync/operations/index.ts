import type { Resource } from '../../core/operation';
import { create } from './create';
import { createBatch } from './createBatch';
import { deleteLipsync } from './deleteLipsync';
import { download } from './download';
import { get } from './get';
import { getBatch } from './getBatch';
import { getMany } from './getMany';
import { getStatuses } from './getStatuses';
import { update } from './update';

export const resources: readonly Resource[] = [
	{
		name: 'Lipsync',
		value: 'lipsync',
		id: 'lipsync_id',
		operations: [
			create,
			createBatch,
			download,
			get,
			getMany,
			getStatuses,
			getBatch,
			update,
			deleteLipsync,
		],
	},
];
