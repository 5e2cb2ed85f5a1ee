/** Converts values of unknown type, such as parts of a response, to the expected types. */
import type { IDataObject } from 'n8n-workflow';

/** Whether a value is an object, but not an array or null. */
export const isObject = (value: unknown): value is IDataObject =>
	value !== null && typeof value === 'object' && !Array.isArray(value);

/** Returns the value if it is an object, otherwise an empty object. */
export const readObject = (value: unknown): IDataObject => (isObject(value) ? value : {});

/** Returns an object's own property, never an inherited one such as `constructor`. */
export const getOwnProperty = <T>(
	record: Readonly<Record<string, T>>,
	key: string,
): T | undefined => (Object.hasOwn(record, key) ? record[key] : undefined);

export const filterEntries = <T>(
	record: Readonly<Record<string, T>>,
	isKept: (value: T, key: string) => boolean,
): Record<string, T> =>
	Object.fromEntries(Object.entries(record).filter(([key, value]) => isKept(value, key)));

export const readAtPath = (value: unknown, path: ReadonlyArray<string | number>): unknown =>
	path.reduce<unknown>(
		(inner, key) =>
			inner === null || typeof inner !== 'object'
				? undefined
				: (inner as Record<string | number, unknown>)[key],
		value,
	);

/** Returns the value if it is a non-empty string, otherwise undefined. */
export const readText = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;

/** Converts a value to text, and objects to JSON, because `String` throws for some objects. */
export const toText = (value: unknown): string =>
	typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Converts a value to a number, and objects to NaN, because `Number` throws for some objects. */
export const toNumber = (value: unknown): number =>
	typeof value === 'object' && value !== null ? NaN : Number(value);

/** Returns an ID as text, even if the service returned a number. */
export const readId = (value: unknown): string | undefined =>
	readText(typeof value === 'number' ? String(value) : value);

/** Unwraps the inner object of an object such as `{"video": {…}}`. Returns others unchanged. */
export function unwrapSingleProperty(value: IDataObject): IDataObject {
	const [only, ...others] = Object.values(value);
	return others.length === 0 && isObject(only) ? only : value;
}

export const toNonEmptyStrings = (parts: readonly unknown[]): string[] =>
	parts.map((part) => String(part).trim()).filter((part) => part !== '');

/** Returns a copy of a value, with `change` applied to every string at any depth. */
export function mapStrings<T>(value: T, change: (text: string) => string): T {
	if (typeof value === 'string') return change(value) as T;
	if (Array.isArray(value)) return value.map((entry: unknown) => mapStrings(entry, change)) as T;
	if (!isObject(value)) return value;
	const entries = Object.entries(value).map(([key, entry]) => [key, mapStrings(entry, change)]);
	return Object.fromEntries(entries) as T;
}

/** Returns the objects in an array, or an empty array for any other value. */
export const readObjects = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? value.filter(isObject) : [];

/**
 * Adds values directly after a key. The editor shows keys in the object's order, so users would not
 * find a video's URL at the end, below a long list of messages.
 */
export function insertAfterKey(value: IDataObject, key: string, added: IDataObject): IDataObject {
	const entries = Object.entries(value).flatMap((entry) =>
		entry[0] === key ? [entry, ...Object.entries(added)] : [entry],
	);
	return { ...Object.fromEntries(entries), ...added };
}

export function omitKeys<Value extends object, Key extends keyof Value>(
	value: Value,
	...keys: readonly Key[]
): Omit<Value, Key> {
	const copy = { ...value };
	for (const key of keys) delete copy[key];
	return copy;
}
