import type { Field } from '../core/form/field';
import { image, imageModes } from '../fields/asset';

/** The picture of an image video, alone or in a batch. */
export const speakingImage = {
	...image,
	...imageModes('portrait.png'),
	description: 'The picture that speaks',
} as const satisfies Field;
