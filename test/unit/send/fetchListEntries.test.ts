/** The rows of a list: which pages are read, and which rows are in the period. */
import type { IDataObject } from 'n8n-workflow';
import type { Client, ListPage } from '../../../nodes/core/http/client';
import { defineOperation } from '../../../nodes/core/operation';
import { fetchListEntries } from '../../../nodes/core/send/fetchListEntries';

const list = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many things',
	description: 'List things',
	request: 'GET /v3/things',
	fields: [],
	list: { pageSize: 2, dated: true },
});

/** Reads a list whose rows have these times, page by page. Counts the requests. */
async function read(pages: unknown[][], values: IDataObject) {
	let requests = 0;
	const client = {
		async *fetchPages(): AsyncGenerator<ListPage> {
			for (const times of pages) {
				requests++;
				yield { rows: times.map((created_at) => ({ created_at }) as IDataObject) };
			}
		},
	} as unknown as Client;
	const n8n = { getTimezone: () => 'Europe/Berlin' };
	const request = { line: 'GET /v3/things' };
	const rows = await fetchListEntries(n8n, client, request, { operation: list, values });
	return { times: rows.map(({ created_at }) => created_at), requests };
}

test('a list without pages is read in one request', async () => {
	const fetchRows = jest.fn(async () => await Promise.resolve([{ id: 1 }]));
	const operation = defineOperation({ ...list, list: 'unpaged' });
	const request = { line: 'GET /v3/things' };
	const n8n = { getTimezone: () => 'UTC' };
	const client = { fetchRows } as unknown as Client;
	const rows = await fetchListEntries(n8n, client, request, { operation, values: { limit: 0 } });
	expect([rows, fetchRows.mock.calls]).toStrictEqual([[{ id: 1 }], [[request]]]);
});

const falling = [
	[50, 40],
	[30, 20],
	[10, 5],
];

const limited = { returnAll: false, limit: 2, createdBefore: 45 };
const untimed = [
	[50, null],
	['x', 20],
];
const rising = [
	[5, 10],
	[20, 30],
	[40, 50],
];
const unsorted = [
	[10, 50],
	[1, 2],
	[40, 5],
];
const equalFirst = [
	[5, 5],
	[5, 50],
	[60, 1],
];

test.each<[string, unknown[][], IDataObject, unknown[], number]>([
	['with the newest rows first', falling, { createdAfter: 35 }, [50, 40], 2],
	['with the oldest rows first', rising, { createdAfter: 35 }, [40, 50], 3],
	['without an order', unsorted, { createdAfter: 35 }, [50, 40], 3],
	['that begins with equal times', equalFirst, { createdAfter: 35 }, [50, 60], 3],
	['in a period, both ends', falling, { createdAfter: 30, createdBefore: 40 }, [40, 30], 2],
	['in a period, without rows that have no time', untimed, { createdBefore: 60 }, [50, 20], 2],
	['of all times, also those without a time', untimed, {}, [50, null, 'x', 20], 2],
	['up to the limit, which counts only rows of the period', falling, limited, [40, 30], 2],
])('reads the rows of a list %s', async (_, pages, values, times, requests) => {
	expect(await read(pages, { returnAll: true, ...values })).toEqual({ times, requests });
});
