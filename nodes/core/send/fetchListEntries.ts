/** Reads a list's rows page by page, within the date range and the limit that the user sets. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../http/client';
import type { ServiceRequest } from '../http/sendWithRetries';
import type { PlannedRequest } from '../plan/groupRequests';
import { toUnixSeconds } from '../time';

/**
 * Whether times are in descending order. Only then are the remaining rows of a list known to be
 * older than the last one, because the service does not document how it sorts lists.
 */
const isFalling = (times: readonly number[]) =>
	times.every((time, i) => time <= (times[i - 1] ?? Infinity)) && times[0] !== times.at(-1);

export async function fetchListEntries(
	n8n: Pick<IExecuteFunctions, 'getTimezone'>,
	client: Client,
	request: ServiceRequest,
	{ operation: { list }, values }: Pick<PlannedRequest, 'operation' | 'values'>,
): Promise<IDataObject[]> {
	if (typeof list !== 'object') return await client.fetchRows(request);
	const limit = values.returnAll === true ? Infinity : Number(values.limit ?? 50);
	const zone = n8n.getTimezone();
	const after = toUnixSeconds(values.createdAfter, zone) ?? -Infinity;
	const before = toUnixSeconds(values.createdBefore, zone) ?? Infinity;
	const hasPeriod = after > -Infinity || before < Infinity;
	const pageSize = hasPeriod ? list.pageSize : Math.min(list.pageSize, limit);
	const rows: IDataObject[] = [];
	/** Creation times of all rows so far, in Unix seconds, in the order of the list. */
	const times: number[] = [];
	for await (const page of client.fetchPages(request, pageSize)) {
		for (const row of page.rows) {
			const time = toUnixSeconds(row.created_at, 'UTC');
			if (time !== undefined) times.push(time);
			const isInPeriod = time !== undefined && time >= after && time <= before;
			if (!hasPeriod || isInPeriod) rows.push(row);
		}
		const isPeriodOver = (times.at(-1) ?? Infinity) < after && isFalling(times);
		if (rows.length >= limit || isPeriodOver) break;
	}
	return rows.slice(0, limit);
}
