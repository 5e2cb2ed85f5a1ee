import { defineOperation } from '../../core/operation';
import { imageField, buildImageLocatorModes } from '../../fields/asset';
import { modelVideoFields, modelVideoOptions } from '../modelVideo';
import { modelVideoJob } from '../../jobKinds/catalog';

/**
 * Operation that creates a video from an image. It has no aspect ratio option, because the video
 * takes on the image's aspect ratio.
 */
export const imageToVideo = defineOperation({
	value: 'imageToVideo',
	name: 'Image to Video',
	action: 'Create short video from image',
	description:
		'Create a short video that starts with an image and keeps the aspect ratio of the image',
	request: 'POST /v3/models/videos',
	fields: [
		{
			...imageField,
			...buildImageLocatorModes('photo.png'),
			description:
				"The video's first frame: a public URL, an asset in the service, or a binary field of the item",
		},
		...modelVideoFields,
	],
	options: modelVideoOptions,
	body: ({ payload }) => ({ mode: 'image_to_video', ...payload }),
	idempotent: true,
	starts: modelVideoJob,
});
