import type { Resource } from '../../core/operation';
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

export const resources: readonly Resource[] = [
	{
		name: 'Video',
		value: 'video',
		id: 'video_id',
		operations: [
			createAvatar,
			createImage,
			createCinematic,
			createStudio,
			createBatch,
			download,
			get,
			getMany,
			getScenes,
			getStatuses,
			getBatch,
			deleteVideo,
		],
	},
];
