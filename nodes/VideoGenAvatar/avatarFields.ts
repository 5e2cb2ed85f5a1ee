import { z } from 'zod';
import { apiLimits, apiValues } from '../apiLimits';
import type { Field } from '../core/form/field';
import { createTextSchema } from '../core/form/validation';
import { ownAvatarGroupField } from './avatarGroup';
import { lookField, privateLookField } from '../fields/look';
import { nameValues } from '../fields/namedValues';

export const avatarNameField = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Maria',
	description: 'Name of the avatar and of its first look',
	schema: createTextSchema(apiLimits['POST /v3/avatars'].name),
} as const satisfies Field;

export const avatarForNewLookField = {
	...ownAvatarGroupField,
	displayName: 'Add to Avatar',
	name: 'avatar_group_id',
	description: 'One of your avatars to add the new look to. If not set, a new avatar is created.',
} as const satisfies Field;

export const avatarLookField = {
	...lookField,
	displayName: 'Look',
	name: 'look_id',
	required: true,
	description: 'A look is one appearance of an avatar (its clothing, setting and pose)',
} as const satisfies Field;

/**
 * Form field for selecting one of the account's own avatar looks (appearances of an avatar). Public
 * looks are omitted, because they cannot be changed or deleted.
 */
export const ownLookField = {
	...privateLookField,
	displayName: 'Look',
	name: 'look_id',
	required: true,
	description: 'One of your own looks; public looks cannot be selected',
} as const satisfies Field;

/**
 * Form field for selecting one of the account's own avatar looks as a reference. New looks show the
 * same person as the reference. The field is optional, because the specification does not say
 * whether the service requires a reference (service.md, Guesses).
 */
export const referenceLookField = {
	...privateLookField,
	displayName: 'Reference Look',
	name: 'reference_look_id',
	description:
		'One of your existing looks. The new looks show the same person. The service may require a reference look.',
} as const satisfies Field;

/**
 * Form field for the aspect ratio of new avatar looks. Any text is accepted, because the service
 * may support ratios that the form does not list (service.md, Limits).
 */
export const lookAspectRatioField = {
	displayName: 'Aspect Ratio',
	name: 'aspect_ratio',
	collection: 'lookAndSound',
	type: 'options',
	options: [
		{ name: 'Default', value: '', description: 'Let the service choose' },
		{ name: '1:1', value: '1:1' },
		{ name: '16:9', value: '16:9' },
		{ name: '9:16', value: '9:16', description: 'Cropped from the center of the picture' },
	],
	default: '',
	description:
		'Aspect ratio of the new looks. If not set, the service chooses it. Use an expression for other ratios, such as 4:5.',
	schema: z.string().min(1),
} as const satisfies Field;

export const ownershipField = {
	displayName: 'Ownership',
	name: 'ownership',
	type: 'options',
	options: [
		{
			name: 'All',
			value: '',
			description: 'Your own avatars or looks, and those in the public catalog',
		},
		...nameValues(apiValues['GET /v3/avatars'].ownership, {
			private: { name: 'Private', description: 'Only your own' },
			public: { name: 'Public', description: 'Only public ones' },
		}),
	],
	default: '',
	description:
		'Owner of the avatars or looks to list. If not set, all are listed. Use an expression for other values.',
	schema: z.string().min(1),
} as const satisfies Field;
