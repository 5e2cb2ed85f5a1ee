/** Which entry of a batch belongs to which row. */
import {
	matchEntriesToRows,
	readJobOfBatchEntry,
} from '../../../nodes/core/jobs/matchBatchEntries';
import { videoJob } from '../../../nodes/jobKinds/catalog';

test.each([
	[
		['1', '0'],
		['1', '0'],
	],
	[
		[' 1 ', 0],
		['1', '0'],
	],
	// Only a number can be an index: otherwise the row is unknown.
	[
		[1, ''],
		[undefined, '0'],
	],
	[
		[1, 'x'],
		[undefined, '0'],
	],
	[
		[1, null],
		[undefined, '0'],
	],
	// Without indexes, entries are in the order of the rows.
	[
		[undefined, undefined],
		['0', '1'],
	],
])('entries with the indexes %j belong to their rows', (indexes, expected) => {
	const items = indexes.map((item_index, i) => ({ item_index, id: String(i) }));
	const rows = matchEntriesToRows(videoJob, { items }, 2);
	expect(rows.map((row) => row?.id)).toEqual(expected);
});

test.each([
	['two entries with the same index', [0, 0, 2], ['a', 'b', 'c'], ['none', 'none', 'c']],
	['two entries with the same index, which is not the first', [1, 1, 3], ['a', 'b', 'c'], 'none'],
	['two entries with the same ID', [0, 1, 2], ['a', 'a', 'c'], ['none', 'none', 'c']],
	['an index beyond the last row', [0, 1, 3], ['a', 'b', 'c'], 'none'],
	['a negative index', [0, 1, -1], ['a', 'b', 'c'], 'none'],
])('%s belong to no row', (_, indexes, ids, expected) => {
	const items = indexes.map((item_index, i) => ({ item_index, id: ids[i] }));
	const rows = matchEntriesToRows(videoJob, { items }, 3).map((row) => row?.id ?? 'none');
	expect(rows).toStrictEqual(Array.isArray(expected) ? expected : Array(3).fill(expected));
});

test('a response for another number of rows matches none', () => {
	const items = [{ id: 'a' }, { id: 'b' }];
	const countMatches = (total_items: number, count?: number) =>
		matchEntriesToRows(videoJob, { items, total_items }, count).filter(Boolean).length;
	expect([countMatches(2, 2), countMatches(3, 2), countMatches(2)]).toStrictEqual([2, 0, 2]);
	expect(matchEntriesToRows(videoJob, { items })).toStrictEqual(items);
});

test('an entry names its job by the ID that all batches use, then by that of its kind', () => {
	const read = (entry: object) => readJobOfBatchEntry({ ...videoJob, id: 'own_id' }, { ...entry });
	expect(read({ video_id: 'a', own_id: 'b', id: 'c' })?.id).toBe('a');
	expect(read({ own_id: 'b', id: 'c' })?.id).toBe('b');
	expect(read({ id: 7 })?.id).toBe('7');
	expect(read({ status: 'failed' })).toBeUndefined();
});
