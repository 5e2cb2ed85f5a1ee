import type { Field } from '../core/form/field';
import { image, imageModes } from '../fields/asset';

/** Form field for the image of a person who speaks in the video. */
export const speakingImage = {
	...image,
	...imageModes('portrait.png'),
	description: 'Image of the person who speaks',
} as const satisfies Field;
