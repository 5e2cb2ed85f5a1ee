/** The rows of a list: its time range, and what Simplify keeps. */
import type { IDataObject } from 'n8n-workflow';
import type { Client, Page } from '../../../nodes/core/http/client';
import { operation } from '../../../nodes/core/operation';
import { readListRows, simplifyRow } from '../../../nodes/core/collect/listRows';
import { toUnixSeconds } from '../../../nodes/core/time';

const list = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many things',
	description: 'List things',
	request: 'GET /v3/things',
	fields: [],
	list: { pageSize: 2, dated: true },
});

/** Reads a list whose pages hold rows of these times; returns the times and how many pages were read. */
async function read(pages: unknown[][], values: IDataObject) {
	let count = 0;
	const client = {
		async *fetchPages(): AsyncGenerator<Page> {
			for (const times of pages) {
				count++;
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
	return { times: rows.map(({ created_at }) => created_at), count };
}

const all = { returnAll: true };

test.each<[string, unknown[][], IDataObject, unknown[], number]>([
	[
		'a list with the newest first ends early',
		[
			[50, 40],
			[30, 20],
			[10, 5],
		],
		{ createdAfter: 35 },
		[50, 40],
		2,
	],
	[
		'a list with the oldest first is read to its end',
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
		'a list without order is read to its end',
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
		'rows with equal times say nothing about the order',
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
		'the range includes both ends',
		[
			[50, 40],
			[30, 20],
		],
		{ createdAfter: 30, createdBefore: 40 },
		[40, 30],
		2,
	],
	[
		'rows without a time are left out',
		[
			[50, null],
			['x', 20],
		],
		{ createdBefore: 60 },
		[50, 20],
		2,
	],
	[
		'without a range all rows are taken',
		[
			[50, null],
			['x', 20],
		],
		{},
		[50, null, 'x', 20],
		2,
	],
])('%s', async (_, pages, values, times, count) => {
	expect(await read(pages, { ...all, ...values })).toEqual({ times, count });
});

test('the limit ends it too, and counts only rows in the range', async () => {
	const pages = [
		[50, 40],
		[30, 20],
		[10, 5],
	];
	expect(await read(pages, { limit: 2, createdBefore: 45 })).toEqual({ times: [40, 30], count: 2 });
});

test.each([
	['Unix seconds', 1_794_884_580, 1_794_884_580],
	['Unix seconds as text', '1794884580', 1_794_884_580],
	['milliseconds', 1_794_884_580_000, 1_794_884_580],
	['a time without a zone', '2026-01-31T09:00:00', Date.UTC(2026, 0, 31, 8) / 1000],
	['a time with a zone of its own', '2026-01-31T09:00:00Z', Date.UTC(2026, 0, 31, 9) / 1000],
	['a day', '2026-01-31', Date.UTC(2026, 0, 30, 23) / 1000],
	['a word', 'yesterday', undefined],
	['true', true, undefined],
	['an empty text', '', undefined],
])('%s', (_, time, seconds) => {
	expect(toUnixSeconds(time, 'Europe/Berlin')).toBe(seconds);
});

test('Simplify keeps values that are not empty, inner ones by their own names, and times as text', () => {
	const row = {
		id: 'a',
		title: null,
		created_at: 0,
		updated_at: '2026-01-31T09:00:00+01:00',
		chat_at: 'noon',
		data: { video_id: 'v', url: 'https://files.example' },
	};
	const keys = [
		'id',
		'title',
		'gone',
		'created_at',
		'updated_at',
		'chat_at',
		'data.video_id',
		'id.x',
	];
	expect(simplifyRow(row, keys)).toEqual({
		id: 'a',
		created_at: '1970-01-01T00:00:00.000Z',
		updated_at: '2026-01-31T08:00:00.000Z',
		chat_at: 'noon',
		video_id: 'v',
	});
});
