import { z } from 'zod';
import type { Field } from '../core/form/field';

/** A one-off callback. */
export const callbackUrl = {
	displayName: 'Callback URL',
	name: 'callback_url',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/done',
	description:
		'A public address that the service calls once when this job ends. Such calls carry no signature; a VideoGen Trigger is the safer way to react.',
	schema: z.string().url(),
} as const satisfies Field;

/** The text that a callback brings back. */
export const callbackId = {
	displayName: 'Callback ID',
	name: 'callback_id',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1042',
	description: 'A text of your own that comes back with the event when this job ends',
} as const satisfies Field;

/** The same, where its length has a limit. */
export const createCallbackId = (what: string, most: number) =>
	({
		...callbackId,
		description: `A text of your own that comes back with the event when this ${what} ends, at most ${most} characters`,
		schema: z.string().min(1).max(most),
	}) as const satisfies Field;

/** A one-off callback, and the text that it brings back. */
export const callbackFields = [callbackUrl, callbackId] as const;

/** The callback of a job of which no event is known. */
export const callbackUrlWithoutEvent = {
	...callbackUrl,
	description:
		'A public address that the service calls once when this job ends. Such calls carry no signature: read the result again before you rely on one.',
} as const satisfies Field;

/** The text that it brings back. */
export const callbackIdWithoutEvent = {
	...callbackId,
	description: 'A text of your own that comes back with the call when this job ends',
} as const satisfies Field;
