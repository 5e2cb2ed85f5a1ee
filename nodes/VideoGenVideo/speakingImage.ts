import type { Field } from '../core/form/field';
import { imageField, buildImageLocatorModes } from '../fields/asset';

/** Form field for the image of the person who speaks in the video. */
export const speakingImageField = {
	...imageField,
	...buildImageLocatorModes('portrait.png'),
	description: 'Image of the person who speaks',
} as const satisfies Field;
