/** Which entries of a batched status lookup belong to an item. */
import { selectStatusRowsOfItem } from '../../../nodes/fields/statuses';

const inBatch = { video_id: 'v', batch_id: 'b', item_index: 0 };
const alone = { video_id: 'v' };
const other = { video_id: 'w', batch_id: 'c', item_index: 0 };

test('an ID has one entry if the service lists it alone, in its batch, or both', () => {
	const ids = { ids: ['v'], batches: [] };
	expect(selectStatusRowsOfItem([inBatch, alone], ids)).toEqual([alone]);
	expect(selectStatusRowsOfItem([inBatch], ids)).toEqual([inBatch]);
	expect(selectStatusRowsOfItem([other], ids)).toEqual([{ video_id: 'v' }]);
	const numbered = { video_id: 7 };
	expect(selectStatusRowsOfItem([numbered], { ids: ['7'], batches: [] })).toEqual([numbered]);
});

test('a batch has all of its entries, and no others', () => {
	expect(selectStatusRowsOfItem([inBatch, other], { ids: [], batches: ['c'] })).toEqual([other]);
});

test('an ID and its batch have every entry once', () => {
	const both = { ids: ['v'], batches: ['b'] };
	expect(selectStatusRowsOfItem([inBatch], both)).toEqual([inBatch]);
	expect(selectStatusRowsOfItem([alone, inBatch], both)).toEqual([alone, inBatch]);
});
