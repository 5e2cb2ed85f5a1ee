import { z } from 'zod';
import type { Field } from '../core/form/field';
import { createTextSchema } from '../core/form/validation';

/** Form field for the URL that the service calls once when a job ends. */
export const callbackUrlField = {
	displayName: 'Callback URL',
	name: 'callback_url',
	collection: 'advanced',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/done',
	description:
		'A public URL that the service calls once when this job ends. The call is not signed, so a VideoGen Trigger is safer.',
	// Rejects other protocols such as `javascript:`, because a page may show the URL as a link.
	schema: z
		.string()
		.url()
		.regex(/^https?:\/\//i, 'must begin with http:// or https://'),
} as const satisfies Field;

/**
 * Form field for an identifier that the user chooses for a job. The service includes it in the
 * events and callbacks of that job.
 */
export const callbackIdField = {
	displayName: 'Callback ID',
	name: 'callback_id',
	collection: 'advanced',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1042',
	description:
		'Your own text, such as an order number. The service includes this text in the event that reports the end of the job.',
} as const satisfies Field;

/**
 * Creates a Callback ID form field with a maximum length.
 *
 * @param what noun for the job in the field description, such as `video`
 */
export const createCallbackIdField = (what: string, limit: { max: number }) =>
	({
		...callbackIdField,
		description: `Your own text, such as an order number, up to ${limit.max} characters. The service includes this text in the event that it sends when the ${what} ends.`,
		schema: createTextSchema(limit),
	}) as const satisfies Field;

export const callbackFields = [callbackUrlField, callbackIdField] as const;

/** Form field for the callback URL of a job whose end triggers no webhook event. */
export const eventlessJobCallbackUrlField = {
	...callbackUrlField,
	description:
		'A public URL that the service calls once when this job ends. The call is not signed, so verify it with a Get operation.',
} as const satisfies Field;

/** Form field for the callback ID of a job whose end triggers no webhook event. */
export const eventlessJobCallbackIdField = {
	...callbackIdField,
	description:
		'Your own text, such as an order number. The service includes this text in the callback when the job ends.',
} as const satisfies Field;
