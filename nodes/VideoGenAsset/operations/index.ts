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

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [
	upload,
	uploadBatch,
	createDirectUpload,
	completeDirectUpload,
	get,
	getMany,
	search,
	getBatch,
	getStatuses,
	deleteAsset,
	download,
];
