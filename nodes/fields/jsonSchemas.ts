/** Defines schemas for JSON values that the node validates only partly or not at all. */
import type { GenericValue } from 'n8n-workflow';
import { z } from 'zod';

/** Schema that accepts any JSON value. */
export const jsonValue = z.custom<GenericValue>();

/** Schema that accepts any object. */
export const jsonObject = z.record(jsonValue);

/**
 * Schema that accepts any object. An empty object becomes `undefined`, so that it is left out of
 * the request.
 */
export const emptyObjectAsUndefinedSchema = jsonObject.transform((value) =>
	Object.keys(value).length > 0 ? value : undefined,
);

/** Creates a schema for objects that must match `shape` but may also have any other keys. */
export const createOpenObject = <const S extends z.ZodRawShape>(shape: S) =>
	z.object(shape).catchall(jsonValue);
