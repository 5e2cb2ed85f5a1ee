/** Which entry of a batch belongs to which row. */
import { matchEntriesToRows } from '../../../nodes/core/jobs/matchBatchEntries';
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

test('entries of which two have the same index belong to no row', () => {
	const items = [1, 1, 3].map((item_index, i) => ({ item_index, id: String(i) }));
	const rows = matchEntriesToRows(videoJob, { items }, 3);
	expect(rows.map((row) => row?.id ?? 'none')).toEqual(['none', 'none', 'none']);
});
