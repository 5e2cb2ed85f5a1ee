import { z } from 'zod';
import type { Field } from '../core/form/field';
import { ownAvatarGroup } from './avatarGroup';
import { look, ownLook } from '../fields/look';

/** The name of a new avatar. */
export const avatarName = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Maria',
	description: 'How the avatar and its first look are called',
} as const satisfies Field;

/** An avatar that gets the new look. */
export const targetAvatar = {
	...ownAvatarGroup,
	displayName: 'Add to Avatar',
	name: 'avatar_group_id',
	description: 'An avatar of yours that gets the new look; without it a new avatar is made',
} as const satisfies Field;

/** The look that an operation works on. */
export const lookToRead = {
	...look,
	displayName: 'Look',
	name: 'look_id',
	required: true,
	description: 'The look: one appearance (clothes, place, pose) of an avatar',
} as const satisfies Field;

/** A look of the account's own that an operation changes. */
export const lookToChange = {
	...ownLook,
	displayName: 'Look',
	name: 'look_id',
	required: true,
	description: 'The look; those of the public catalog cannot be chosen',
} as const satisfies Field;

/** The look whose person appears in new looks; whether there must be one is unknown (docs/service.md, Guesses). */
export const referenceLook = {
	...ownLook,
	displayName: 'Reference Look',
	name: 'reference_look_id',
	description:
		'A look of yours that shows the person who appears in the new looks. The service may refuse to work without one.',
} as const satisfies Field;

/** Of new looks. Which other ratios there are is unknown (docs/service.md, Limits). */
export const lookRatio = {
	displayName: 'Aspect Ratio',
	name: 'aspect_ratio',
	collection: 'lookAndSound',
	type: 'options',
	options: [
		{ name: 'Default', value: '', description: 'As without this option' },
		{ name: '1:1', value: '1:1' },
		{ name: '16:9', value: '16:9' },
		{ name: '9:16', value: '9:16', description: 'Cut out of the middle of the picture' },
	],
	default: '',
	description: 'The shape of the new looks; an expression may give another one, such as 4:5',
	schema: z.string().min(1),
} as const satisfies Field;

/** Whose avatars are listed. */
export const ownership = {
	displayName: 'Ownership',
	name: 'ownership',
	type: 'options',
	options: [
		{ name: 'All', value: '', description: 'Your own ones and those of the catalog' },
		{ name: 'Private', value: 'private', description: 'Those of your account' },
		{ name: 'Public', value: 'public', description: 'Those of the catalog' },
	],
	default: '',
	description:
		'Only your own ones, or only those of the public catalog; an expression may give another word',
	schema: z.string().min(1),
} as const satisfies Field;
