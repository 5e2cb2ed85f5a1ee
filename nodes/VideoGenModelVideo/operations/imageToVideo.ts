import { operation } from '../../core/operation';
import { image, imageModes } from '../../fields/asset';
import { modelVideoFields, modelVideoOptions } from '../modelVideo';
import { modelVideoFiles } from '../../jobs/files';
import { modelVideoJob } from '../../jobs/catalog';

/** The shape of the video is that of its first picture: there is no aspect ratio to choose. */
export const imageToVideo = operation({
	value: 'imageToVideo',
	name: 'Image to Video',
	action: 'Make a short video from an image',
	description: 'Make a short video that begins with a picture and has its shape',
	request: 'POST /v3/models/videos',
	fields: [
		{
			...image,
			...imageModes('photo.png'),
			description:
				'The picture that the video begins with: a public address, an asset of the service, or a file of the item',
		},
		...modelVideoFields,
	],
	options: modelVideoOptions,
	body: ({ payload }) => ({ mode: 'image_to_video', ...payload }),
	idempotent: true,
	starts: modelVideoJob,
	files: modelVideoFiles,
});
