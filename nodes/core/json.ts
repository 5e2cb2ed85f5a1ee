/** The one place where JSON that comes in is narrowed: what something is not becomes nothing. */
import type { IDataObject } from 'n8n-workflow';

/** Whether it is a JSON object: no list, not null. */
export const isObject = (value: unknown): value is IDataObject =>
	value !== null && typeof value === 'object' && !Array.isArray(value);

/** The object, or an empty one. */
export const readObject = (value: unknown): IDataObject => (isObject(value) ? value : {});

/** The text, unless it is empty. */
export const readText = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;

/** The parts as texts, without spaces around them and without empty ones. */
export const trimTexts = (parts: readonly unknown[]): string[] =>
	parts.map((part) => String(part).trim()).filter((part) => part !== '');

/** The value with every text in it changed. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
	if (typeof value === 'string') return change(value) as T;
	if (Array.isArray(value)) return value.map((one: unknown) => mapTexts(one, change)) as T;
	if (!isObject(value)) return value;
	const entries = Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]);
	return Object.fromEntries(entries) as T;
}

/** The objects of a list, or none. */
export const readObjects = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? value.filter(isObject) : [];
