/** Which entries of a batched status lookup belong to an item. */
import { selectEntries } from '../../../nodes/fields/statuses';

const inBatch = { video_id: 'v', batch_id: 'b', item_index: 0 };
const alone = { video_id: 'v' };
const other = { video_id: 'w', batch_id: 'c', item_index: 0 };

test('an ID has one entry if the service lists it alone, in its batch, or both', () => {
	const ids = { ids: ['v'], batches: [] };
	expect(selectEntries([inBatch, alone], ids)).toEqual([alone]);
	expect(selectEntries([inBatch], ids)).toEqual([inBatch]);
	expect(selectEntries([other], ids)).toEqual([{ video_id: 'v' }]);
});

test('a batch has all of its entries, and no others', () => {
	expect(selectEntries([inBatch, other], { ids: [], batches: ['c'] })).toEqual([other]);
});

test('an ID and its batch have every entry once', () => {
	const both = { ids: ['v'], batches: ['b'] };
	expect(selectEntries([inBatch], both)).toEqual([inBatch]);
	expect(selectEntries([alone, inBatch], both)).toEqual([alone, inBatch]);
});
