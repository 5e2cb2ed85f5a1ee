/** Times, in the forms in which they come. */
import { tryToParseDateTime } from 'n8n-workflow';

/** Above this a number tells milliseconds: as seconds it would be the year 5138. */
const maxUnixSeconds = 1e11;

/** Unix seconds of what a form, an expression or the service gives; nothing where it is no time. */
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
