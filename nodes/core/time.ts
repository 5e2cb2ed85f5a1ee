/** Parses times of forms, expressions and the service. */
import { tryToParseDateTime } from 'n8n-workflow';

/** A larger number counts milliseconds: as seconds it would be in the year 5138. */
const maxUnixSeconds = 1e11;

/**
 * Unix seconds of a time in any form: a number of seconds or milliseconds, or a text in a format that
 * n8n knows. `undefined` if it is not a time.
 *
 * @param zone time zone of a text that names none
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
