import { z } from 'zod';
import type { Field } from '../core/form/field';
import { text } from '../core/form/text';

/** The URL that the service calls once when a job ends. */
export const callbackUrl = {
	displayName: 'Callback URL',
	name: 'callback_url',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/done',
	description:
		'A public URL that the service calls once when this job ends. These calls have no signature; a VideoGen Trigger is the safer way to react.',
	schema: z.string().url(),
} as const satisfies Field;

/** A text that the service returns with the events and callbacks of a job. */
export const callbackId = {
	displayName: 'Callback ID',
	name: 'callback_id',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1042',
	description: 'Your own text, which the service returns with the event when this job ends',
} as const satisfies Field;

/** A Callback ID with a limited length. */
export const createCallbackId = (what: string, maxLength: number) =>
	({
		...callbackId,
		description: `Your own text, which the service returns with the event when this ${what} ends, at most ${maxLength} characters`,
		schema: text(1, maxLength),
	}) as const satisfies Field;

/** Callback URL and Callback ID. */
export const callbackFields = [callbackUrl, callbackId] as const;

/** The Callback URL of a job for which the service sends no event. */
export const callbackUrlWithoutEvent = {
	...callbackUrl,
	description:
		'A public URL that the service calls once when this job ends. These calls have no signature: read the result again before you rely on one.',
} as const satisfies Field;

/** The Callback ID of a job for which the service sends no event. */
export const callbackIdWithoutEvent = {
	...callbackId,
	description: 'Your own text, which the service returns with the call when this job ends',
} as const satisfies Field;
