import type { Resource } from '../../core/operation';
import { completeDirectUpload } from './completeDirectUpload';
import { createDirectUpload } from './createDirectUpload';
import { deleteAsset } from './deleteAsset';
import { download } from './download';
import { get } from './get';
import { getBatch } from './getBatch';
import { getMany } from './getMany';
import { getStatuses } from './getStatuses';
import { search } from './search';
import { upload } from './upload';
import { uploadBatch } from './uploadBatch';

export const resources: readonly Resource[] = [
	{
		name: 'Asset',
		value: 'asset',
		id: 'asset_id',
		operations: [
			upload,
			uploadBatch,
			download,
			get,
			getMany,
			search,
			getStatuses,
			getBatch,
			createDirectUpload,
			completeDirectUpload,
			deleteAsset,
		],
	},
];
