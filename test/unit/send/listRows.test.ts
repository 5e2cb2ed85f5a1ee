/** The rows of a list: which pages are read, and which rows are in the period. */
import type { IDataObject } from 'n8n-workflow';
import type { Client, ListPage } from '../../../nodes/core/http/client';
import { operation } from '../../../nodes/core/operation';
import { readListRows } from '../../../nodes/core/send/listRows';

const list = operation({
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
	const rows = await readListRows(
		n8n,
		client,
		{ line: 'GET /v3/things' },
		{ operation: list, values },
	);
	return { times: rows.map(({ created_at }) => created_at), requests };
}

const falling = [
	[50, 40],
	[30, 20],
	[10, 5],
];

test.each<[string, unknown[][], IDataObject, unknown[], number]>([
	['of a list with the newest rows first', falling, { createdAfter: 35 }, [50, 40], 2],
	[
		'of a list with the oldest rows first',
		[
			[5, 10],
			[20, 30],
			[40, 50],
		],
		{ createdAfter: 35 },
		[40, 50],
		3,
	],
	[
		'of an unsorted list',
		[
			[10, 50],
			[1, 2],
			[40, 5],
		],
		{ createdAfter: 35 },
		[50, 40],
		3,
	],
	[
		'of a list that begins with equal times',
		[
			[5, 5],
			[5, 50],
			[60, 1],
		],
		{ createdAfter: 35 },
		[50, 60],
		3,
	],
	[
		'of a period, both ends included',
		falling,
		{ createdAfter: 30, createdBefore: 40 },
		[40, 30],
		2,
	],
	[
		'of a period, without rows that have no time',
		[
			[50, null],
			['x', 20],
		],
		{ createdBefore: 60 },
		[50, 20],
		2,
	],
	[
		'of all times, also those without a time',
		[
			[50, null],
			['x', 20],
		],
		{},
		[50, null, 'x', 20],
		2,
	],
])('reads the rows %s', async (_, pages, values, times, requests) => {
	expect(await read(pages, { returnAll: true, ...values })).toEqual({ times, requests });
});

test('stops at the limit, which counts only rows of the period', async () => {
	const result = await read(falling, { limit: 2, createdBefore: 45 });
	expect(result).toEqual({ times: [40, 30], requests: 2 });
});
