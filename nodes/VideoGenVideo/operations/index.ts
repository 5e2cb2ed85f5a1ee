import { createAvatar } from './createAvatar';
import { createBatch } from './createBatch';
import { createCinematic } from './createCinematic';
import { createImage } from './createImage';
import { createStudio } from './createStudio';
import { deleteVideo } from './deleteVideo';
import { download } from './download';
import { get } from './get';
import { getBatch } from './getBatch';
import { getMany } from './getMany';
import { getScenes } from './getScenes';
import { getStatuses } from './getStatuses';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [
	createAvatar,
	createImage,
	createCinematic,
	createStudio,
	createBatch,
	getBatch,
	get,
	getMany,
	getScenes,
	getStatuses,
	deleteVideo,
	download,
];
