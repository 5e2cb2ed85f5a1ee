/** Reads a list's rows page by page, within the date range and the limit that the user sets. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../http/client';
import type { ServiceRequest } from '../http/sendWithRetries';
import type { PlannedRequest } from '../plan/groupRequests';
import { toUnixSeconds } from '../time';

/** Range of creation times in Unix seconds, including both ends. */
interface Period {
	after?: number;
	before?: number;
}

const isWithin = ({ after = -Infinity, before = Infinity }: Period, time: number | undefined) =>
	time !== undefined && time >= after && time <= before;

/**
 * Returns a function that detects when the remaining rows of a list are older than the date range.
 * Call it with each page, in order. The service does not document how lists are sorted, so the
 * function returns true only if the rows so far were sorted from new to old.
 */
function createPeriodEndDetector({ after }: Period) {
	let last: number | undefined;
	let falls = false;
	let isSorted = true;
	return (rows: readonly IDataObject[]): boolean => {
		for (const { created_at } of rows) {
			const time = toUnixSeconds(created_at, 'UTC');
			if (time === undefined) continue;
			if (last !== undefined && time > last) isSorted = false;
			if (last !== undefined && time < last) falls = true;
			last = time;
		}
		return after !== undefined && isSorted && falls && (last ?? Infinity) < after;
	};
}

export async function fetchListEntries(
	n8n: Pick<IExecuteFunctions, 'getTimezone'>,
	client: Client,
	request: ServiceRequest,
	{ operation: { list }, values }: Pick<PlannedRequest, 'operation' | 'values'>,
): Promise<IDataObject[]> {
	if (typeof list !== 'object') return await client.fetchRows(request);
	const limit = values.returnAll === true ? Infinity : Number(values.limit ?? 50);
	const zone = n8n.getTimezone();
	const period = {
		after: toUnixSeconds(values.createdAfter, zone),
		before: toUnixSeconds(values.createdBefore, zone),
	};
	const isPeriodOver = createPeriodEndDetector(period);
	const hasPeriod = period.after !== undefined || period.before !== undefined;
	const pageSize = hasPeriod ? list.pageSize : Math.min(list.pageSize, limit);
	let rows: IDataObject[] = [];
	for await (const page of client.fetchPages(request, pageSize)) {
		const selected = hasPeriod
			? page.rows.filter((row) => isWithin(period, toUnixSeconds(row.created_at, 'UTC')))
			: page.rows;
		rows = rows.concat(selected);
		if (rows.length >= limit || isPeriodOver(page.rows)) break;
	}
	return rows.slice(0, limit);
}
