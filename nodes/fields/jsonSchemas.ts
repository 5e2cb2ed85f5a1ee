/** Defines schemas for JSON values that the node validates only partly or not at all. */
import type { GenericValue } from 'n8n-workflow';
import { z } from 'zod';

/** Schema that accepts any JSON value. */
export const jsonValueSchema = z.custom<GenericValue>();

/** Schema that accepts any object. */
export const jsonObjectSchema = z.record(jsonValueSchema);

/**
 * Schema that accepts any object. Converts an empty object to `undefined`, so that the request
 * omits it.
 */
export const emptyObjectAsUndefinedSchema = jsonObjectSchema.transform((value) =>
	Object.keys(value).length > 0 ? value : undefined,
);

/** Creates a schema for objects that must match `shape` but may also have any other keys. */
export const createOpenObjectSchema = <const S extends z.ZodRawShape>(shape: S) =>
	z.object(shape).catchall(jsonValueSchema);
