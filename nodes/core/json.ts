/** The one place where JSON that comes in is narrowed: what something is not becomes nothing. */
import type { IDataObject } from 'n8n-workflow';

/** Whether it is a JSON object: no list, not null. */
export const isObject = (value: unknown): value is IDataObject =>
	value !== null && typeof value === 'object' && !Array.isArray(value);

/** The object, or an empty one. */
export const objectOf = (value: unknown): IDataObject => (isObject(value) ? value : {});

/** The text, unless it is empty. */
export const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;

/** The objects of a list, or none. */
export const objectsOf = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? value.filter(isObject) : [];
