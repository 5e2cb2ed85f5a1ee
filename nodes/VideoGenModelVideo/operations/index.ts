import type { Resource } from '../../core/operation';
import { download } from './download';
import { get } from './get';
import { imageToVideo } from './imageToVideo';
import { referenceToVideo } from './referenceToVideo';
import { textToVideo } from './textToVideo';

export const resources: readonly Resource[] = [
	{
		name: 'Model Video',
		value: 'modelVideo',
		id: 'video_id',
		operations: [textToVideo, imageToVideo, referenceToVideo, download, get],
	},
];
