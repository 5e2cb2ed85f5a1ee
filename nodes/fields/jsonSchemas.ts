/** Schemas for JSON that the node passes on unchecked. */
import type { GenericValue } from 'n8n-workflow';
import { z } from 'zod';

/** Schema that accepts any value. */
export const jsonValue = z.custom<GenericValue>();

/** Schema that accepts any object. */
export const jsonObject = z.record(jsonValue);

/**
 * Schema that accepts any object, and turns an empty one into undefined, so that it is not sent.
 */
export const nonEmptyObject = jsonObject.transform((value) =>
	Object.keys(value).length > 0 ? value : undefined,
);

/** Creates a schema that accepts an object with these keys and any others. */
export const createOpenObject = <const S extends z.ZodRawShape>(shape: S) =>
	z.object(shape).catchall(jsonValue);
