/** The rows of a list: page by page, of the time that is asked for, and cut to what matters. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ServiceRequest } from '../http/serviceRequest';
import type { Client } from '../http/client';
import { toUnixSeconds } from '../time';
import type { PlannedRequest } from '../plan/groupRequests';

/** Unix seconds; both ends belong to it. */
interface Period {
	after?: number;
	before?: number;
}

const isWithin = ({ after = -Infinity, before = Infinity }: Period, time: number | undefined) =>
	time !== undefined && time >= after && time <= before;

/**
 * Tells when the rest of a list is older than the period. Where the service does not say that a list
 * is sorted, its rows so far must have been: each no newer than the one before, and not all alike.
 */
function createPeriodEnd({ after }: Period) {
	let last: number | undefined;
	let falls = false;
	let sorted = true;
	return (rows: readonly IDataObject[]): boolean => {
		for (const { created_at } of rows) {
			const time = toUnixSeconds(created_at);
			if (time === undefined) continue;
			if (last !== undefined && time > last) sorted = false;
			if (last !== undefined && time < last) falls = true;
			last = time;
		}
		return after !== undefined && sorted && falls && (last ?? Infinity) < after;
	};
}

/** The rows of an operation's list: those of its one answer, or page by page up to the limit. */
export async function readListRows(
	n8n: Pick<IExecuteFunctions, 'getTimezone'>,
	client: Client,
	call: ServiceRequest,
	{ operation, values }: Pick<PlannedRequest, 'operation' | 'values'>,
): Promise<IDataObject[]> {
	const { list } = operation;
	if (typeof list !== 'object') return await client.fetchRows(call);
	const limit = values.returnAll === true ? Infinity : Number(values.limit ?? 50);
	const zone = n8n.getTimezone();
	const period = {
		after: toUnixSeconds(values.createdAfter, zone),
		before: toUnixSeconds(values.createdBefore, zone),
	};
	const isOver = createPeriodEnd(period);
	const all = period.after === undefined && period.before === undefined;
	const pageSize = all ? Math.min(list.pageSize, limit) : list.pageSize;
	const rows: IDataObject[] = [];
	for await (const page of client.fetchPages(call, pageSize)) {
		rows.push(
			...(all
				? page.rows
				: page.rows.filter((row) => isWithin(period, toUnixSeconds(row.created_at)))),
		);
		if (rows.length >= limit || isOver(page.rows)) break;
	}
	return rows.slice(0, limit);
}

/** A time as text: lists give some as Unix seconds, some as ISO 8601. */
function toIsoTime(key: string, value: unknown): unknown {
	const seconds = key.endsWith('_at') ? toUnixSeconds(value) : undefined;
	return seconds === undefined ? value : new Date(seconds * 1000).toISOString();
}

/**
 * What Simplify leaves of a row: these keys, where they say something, and times in one form. A key
 * such as `event_data.video_id` is found inside and stands under its last part.
 */
export function simplifyRow(row: IDataObject, keys: readonly string[]): IDataObject {
	const entries = keys.flatMap((path): Array<[string, unknown]> => {
		const parts = path.split('.');
		const value = parts.reduce<unknown>(
			(inner, part) => (inner as IDataObject | null | undefined)?.[part],
			row,
		);
		const key = parts.at(-1) ?? path;
		return value === undefined || value === null ? [] : [[key, toIsoTime(key, value)]];
	});
	return Object.fromEntries(entries) as IDataObject;
}
