/** Schemas for JSON that is taken as it comes. */
import type { GenericValue } from 'n8n-workflow';
import { z } from 'zod';

/** Any value. */
export const jsonValue = z.custom<GenericValue>();

/** An object, whatever is in it. */
export const jsonObject = z.record(jsonValue);

/** An object that says something; an empty one is not sent. */
export const nonEmptyObject = jsonObject.transform((value) =>
	Object.keys(value).length > 0 ? value : undefined,
);

/** An object with these keys, and whatever else is in it. */
export const createOpenObject = <const S extends z.ZodRawShape>(shape: S) =>
	z.object(shape).catchall(jsonValue);
