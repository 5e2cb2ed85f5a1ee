/** Converts and formats times and durations. */
import { tryToParseDateTime } from 'n8n-workflow';
import { isObject } from './json';

/** Maximum number that counts as Unix seconds (year 5138). Larger numbers are milliseconds. */
const maxUnixSeconds = 1e11;

/** Maximum length of a date in characters, enough for one with a time zone name. */
const maxDateLength = 100;

/**
 * Converts seconds, milliseconds, or any date that n8n can parse to Unix seconds. Returns undefined
 * for any other value.
 *
 * @param zone time zone of dates that do not specify one
 */
export function toUnixSeconds(time: unknown, zone?: string): number | undefined {
	if (time === undefined || time === null || time === '') return undefined;
	if (typeof time === 'string' && time.length > maxDateLength) return undefined;
	// The conversion of other values, such as objects, may throw.
	const number = ['string', 'number'].includes(typeof time) ? Number(time) : NaN;
	if (Number.isFinite(number)) return number > maxUnixSeconds ? number / 1000 : number;
	try {
		return tryToParseDateTime(time, zone).toSeconds();
	} catch {
		return undefined;
	}
}

/** Formats a duration, such as "45 seconds" or "12 minutes". */
export function formatDuration(seconds: number): string {
	const [count, unit] = seconds < 90 ? [seconds, 'second'] : [seconds / 60, 'minute'];
	const rounded = Math.round(count);
	return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`;
}

/** Keys whose values are times in the service's responses (service.md, Conventions). */
const timeKeys = new Set([
	'completed_at',
	'created_at',
	'expires_at',
	'resets_at',
	'started_at',
	'updated_at',
	'uploaded_at',
]);

/** Minimum number in a response that counts as Unix seconds (year 2001). */
const minUnixSeconds = 1e9;

const isUnixSeconds = (value: unknown): value is number =>
	typeof value === 'number' && value >= minUnixSeconds && value <= maxUnixSeconds;

/** Maximum nesting levels to convert. The service's responses have fewer than ten. */
const maxLevels = 50;

/**
 * Returns a copy of a response with its times as ISO 8601 text. Converts only numbers under keys
 * that are known to contain times, down to `levels` levels of nesting.
 */
export function convertTimesToIso<T>(value: T, levels = maxLevels): T {
	if (levels === 0) return value;
	if (Array.isArray(value)) return value.map((inner) => convertTimesToIso(inner, levels - 1)) as T;
	if (!isObject(value)) return value;
	const entries = Object.entries(value).map(([key, inner]) => [
		key,
		timeKeys.has(key) && isUnixSeconds(inner)
			? new Date(inner * 1000).toISOString()
			: convertTimesToIso(inner, levels - 1),
	]);
	return Object.fromEntries(entries) as T;
}
