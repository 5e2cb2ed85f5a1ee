/** The maps that the n8n process keeps in memory between executions. */
import { createBoundedMap } from '../../nodes/core/boundedMap';
import { clock } from '../../nodes/core/clock';

let seconds = 0;

beforeEach(() => {
	seconds = 0;
	jest.spyOn(clock, 'now').mockImplementation(() => seconds * 1000);
});
afterEach(() => jest.restoreAllMocks());

test('a full map removes the entry that was set first', () => {
	const map = createBoundedMap<number>(2, 10);
	map.set('a', 1);
	map.set('b', 2);
	map.set('a', 3);
	map.set('c', 4);
	expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([3, undefined, 4]);
});

test('an entry expires after its time, which begins again when it is set', () => {
	const map = createBoundedMap<number>(5, 10);
	map.set('a', 1);
	map.set('b', 2);
	seconds = 10;
	expect(map.get('a')).toBe(1);
	map.set('b', 3);
	seconds = 11;
	expect([map.get('a'), map.get('b')]).toEqual([undefined, 3]);
	// The clock of the machine may be set back.
	map.set('c', 4);
	seconds = 5;
	expect(map.get('a')).toBeUndefined();
});

test('an absent value is created once, and a deleted one is gone', () => {
	const map = createBoundedMap<object>(5, 10);
	const first = map.getOrCreate('a', () => ({}));
	expect(map.getOrCreate('a', () => ({}))).toBe(first);
	map.delete('a');
	expect(map.get('a')).toBeUndefined();
});
