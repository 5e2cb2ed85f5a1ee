/** Parses times from forms, expressions and the service. */
import { tryToParseDateTime } from 'n8n-workflow';

/** Largest number that is taken as seconds, in the year 5138. Larger numbers are milliseconds. */
const maxUnixSeconds = 1e11;

/**
 * Converts a time to Unix seconds. The time is a number of seconds or milliseconds, or a text in a
 * format that n8n knows. Returns `undefined` for other values.
 *
 * @param zone time zone for texts without one
 */
export function toUnixSeconds(time: unknown, zone?: string): number | undefined {
	if (time === undefined || time === null || time === '') return undefined;
	const number = typeof time === 'boolean' ? NaN : Number(time);
	if (Number.isFinite(number)) return number > maxUnixSeconds ? number / 1000 : number;
	try {
		return tryToParseDateTime(time, zone).toSeconds();
	} catch {
		return undefined;
	}
}
