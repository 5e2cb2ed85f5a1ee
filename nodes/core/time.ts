/** Converts times from forms, expressions and the service to Unix seconds. */
import { tryToParseDateTime } from 'n8n-workflow';

/**
 * Largest number that is interpreted as Unix seconds: a date in the year 5138. Larger numbers are
 * interpreted as milliseconds.
 */
const maxUnixSeconds = 1e11;

/**
 * Converts a time to Unix seconds. Accepts seconds, milliseconds, and any date that n8n can parse.
 * Returns `undefined` for other values.
 *
 * @param zone time zone of dates that do not specify one
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
