/** How the items of a tool are shortened for the language model. */
import type { IDataObject } from 'n8n-workflow';
import { truncateForModel } from '../../../nodes/core/collect/truncateForModel';

const truncate = (all: IDataObject[], repeats = false) =>
	truncateForModel(
		all.map((json) => ({ json })),
		repeats,
	).map(({ json }) => json);

const sizeOf = (all: IDataObject[]) => JSON.stringify(all).length;
const long = 'x'.repeat(3_000);
const longUrl = (i: number) => `https://files.example/${i}?signature=${'y'.repeat(400)}`;

test('a short item keeps all but its empty values', () => {
	const json = { video_id: 'v', title: 'Hello', parts: [{ a: 1 }], no: false, zero: 0 };
	expect(truncate([{ ...json, error: null, empty: '', none: [], nothing: {} }])).toEqual([json]);
});

test('an ID appears once, under the name that other tools take', () => {
	expect(truncate([{ video_id: 'v', id: 'v' }])).toEqual([{ video_id: 'v' }]);
	expect(truncate([{ id: 'v', folder_id: 'f' }])).toEqual([{ id: 'v', folder_id: 'f' }]);
});

test('no items become a note, as n8n would return an empty text to the model', () => {
	expect(truncate([])).toEqual([{ found: 0, note: 'Nothing was found.' }]);
});

test('a list of 20 has less than 4,000 characters, with each id, name and status', () => {
	const rows = Array.from({ length: 20 }, (_, i) => ({
		...{ video_id: `${'0'.repeat(30)}${i}`, id: `${'0'.repeat(30)}${i}`, folder_id: null },
		...{ title: `Film ${i}`, status: 'completed', created_at: 1_790_000_000, duration: 12.5 },
		...{ video_url: longUrl(i), thumbnail_url: longUrl(i), script: long },
	}));
	const all = truncate(rows);
	expect(all).toHaveLength(20);
	all.forEach((one, i) => {
		const { video_id, title, status } = rows[i]!;
		expect(one).toMatchObject({ video_id, title, status });
		expect(one).not.toHaveProperty('video_url');
	});
	expect(sizeOf(all)).toBeLessThan(4_000);
});

test('URLs of a single item stay whole, however long the rest is', () => {
	const [item] = truncate([
		{ video_id: 'v', video_url: longUrl(1), script: long.repeat(9), note: 'Short' },
	]);
	expect(item).toMatchObject({ video_id: 'v', video_url: longUrl(1), note: 'Short' });
	expect(item?.script).toMatch(/^x+… \([\d]+ more characters\)$/);
	expect(sizeOf([item!])).toBeLessThan(8_000);
});

test('no ID is lost, however deep it is and however long the list is', () => {
	const entries = Array.from({ length: 60 }, (_, i) => ({
		video_id: `v${i}`,
		about: { parts: [{ text: long, asset_id: `a${i}` }] },
		text: long,
	}));
	const [item] = truncate([{ batch_id: 'b', look_ids: ['l1', 'l2'], items: entries }]);
	const text = JSON.stringify(item);
	for (let i = 0; i < 60; i++) {
		expect(text).toContain(`"v${i}"`);
		expect(text).toContain(`"a${i}"`);
	}
	expect(item).toMatchObject({ batch_id: 'b', look_ids: ['l1', 'l2'] });
	expect(text.length).toBeLessThan(8_000);
});

test('a shortened list says how many entries are missing', () => {
	const words = Array.from({ length: 2_000 }, (_, i) => `word ${i}`);
	const [item] = truncate([{ id: 'i', words }]);
	const list = item?.words as string[];
	expect(list.slice(0, 2)).toEqual(['word 0', 'word 1']);
	expect(list.at(-1)).toBe(`… (${2_000 - (list.length - 1)} more)`);
});

test('errors keep the shape that n8n recognizes', () => {
	const error = { error: 'Refused', details: { description: long.repeat(9), code: null } };
	expect(truncate([error])).toEqual([error]);
	expect(truncate([error], true)).toEqual([error]);
});

test('a repeated call says that nothing new was made', () => {
	const [item] = truncate([{ video_id: 'v' }], true);
	expect(item).toEqual({
		video_id: 'v',
		repeated: expect.stringContaining('nothing new was made'),
	});
});
