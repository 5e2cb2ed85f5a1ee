/** Which entries of a list are new, and where reading stands after them. */
import type { IDataObject } from 'n8n-workflow';
import {
	advanceCursor,
	maxSeenIds,
	cursorOverlap,
	createNewEntryReader,
	type Cursor,
	type EntryReaderOptions,
} from '../../../nodes/VideoGenPollingTrigger/cursor';

const now = 1_800_000_000;

const row = (id: string, created_at: unknown = now): IDataObject =>
	({ id, created_at }) as IDataObject;

/** Rows that fall in time by so many seconds each, the newest first. */
const falling = (ids: string[], step = 60, newest = now) =>
	ids.map((id, i) => row(id, newest - i * step));

const ids = (count: number, name = 'e') => Array.from({ length: count }, (_, i) => `${name}${i}`);

const idOf = ({ id }: IDataObject) => (typeof id === 'string' ? id : undefined);

/** Reads a list as far as it must be, in pages of so many; how many pages that took. */
function read(list: IDataObject[], options: Partial<EntryReaderOptions> = {}, pageSize = 10) {
	const reader = createNewEntryReader({ position: 0, maxEntries: 1000, idOf, now, ...options });
	let pages = 0;
	for (let at = 0; at < list.length || at === 0; at += pageSize) {
		pages++;
		if (reader.take(list.slice(at, at + pageSize))) break;
	}
	return { entries: reader.getEntries(), pages };
}

/** A trigger that polls, with a list that changes. */
function polling(most = 1000, pageSize = 10) {
	let position: Cursor | undefined;
	return {
		get position() {
			return position as Cursor;
		},
		poll(list: IDataObject[], time = now) {
			const found = read(
				list,
				{ position: position ?? cursorOverlap, maxEntries: most, now: time },
				pageSize,
			);
			const first = position === undefined;
			// Kept by n8n as JSON.
			position = JSON.parse(
				JSON.stringify(advanceCursor(position, found.entries, {}, time)),
			) as Cursor;
			return { ...found, ids: first ? [] : found.entries.map(({ id }) => id) };
		},
	};
}

describe('at the first look', () => {
	test('nothing is new, and what comes after it is', () => {
		const one = polling();
		const old = falling(ids(30));
		expect(one.poll(old).ids).toEqual([]);
		expect(one.poll(old).ids).toEqual([]);
		expect(one.poll([row('new', now + 5), ...old]).ids).toEqual(['new']);
		expect(one.poll([row('new', now + 5), ...old]).ids).toEqual([]);
	});

	test('into an empty list, all that comes is new', () => {
		const one = polling();
		expect(one.poll([]).ids).toEqual([]);
		expect(one.poll([row('b', now), row('a', now - 9_000_000)]).ids).toEqual(['a', 'b']);
	});

	test('a long list is not read to its end', () => {
		expect(polling().poll(falling(ids(1000))).pages).toBeLessThan(5);
	});

	test('a list that rises is', () => {
		const one = polling();
		const old = falling(ids(100)).reverse();
		expect(one.poll(old).pages).toBe(10);
		expect(one.position.floor).toBe(now - cursorOverlap);
		expect(one.poll([...old, row('new', now + 1)]).ids).toEqual(['new']);
	});
});

describe('nothing comes twice and nothing is skipped', () => {
	test('on more than one page', () => {
		const one = polling();
		const old = falling(ids(20));
		one.poll(old);
		const fresh = falling(ids(35, 'new'), 1, now + 100);
		const { ids: given, pages } = one.poll([...fresh, ...old]);
		expect(given).toEqual(ids(35, 'new').reverse());
		expect(pages).toBeLessThanOrEqual(6);
		expect(one.poll([...fresh, ...old]).ids).toEqual([]);
	});

	test('with equal times on both sides of a look', () => {
		const one = polling();
		const old = ids(15, 'old').map((id) => row(id));
		one.poll(old);
		const fresh = ids(15, 'new').map((id) => row(id));
		expect(one.poll([...fresh, ...old]).ids).toEqual(ids(15, 'new').reverse());
		expect(one.poll([...fresh, ...old]).ids).toEqual([]);
	});

	test.each([1, 7, 10])('with equal times where a portion of %d ends', (most) => {
		const one = polling(most);
		one.poll([row('first')]);
		const list = [...ids(23).map((id) => row(id, now + 60)), row('first')];
		const given: string[] = [];
		for (let i = 0; i < 30; i++) given.push(...one.poll(list).ids);
		expect(given).toEqual(ids(23).reverse());
	});

	test('after a week, in portions, the oldest first, whatever comes meanwhile', () => {
		const one = polling(100, 50);
		const old = falling(ids(10), 60, now - 7 * 86_400);
		one.poll(old);
		let list = [...falling(ids(950, 'week'), 600), ...old];
		const given: string[] = [];
		for (let i = 0; i < 12; i++) {
			const { ids: portion } = one.poll(list);
			expect(portion.length).toBeLessThanOrEqual(100);
			expect(portion.length < 100).toBe(i >= 9);
			given.push(...portion);
			list = [row(`late${i}`, now + i), ...list];
		}
		expect(given).toEqual([...ids(950, 'week').reverse(), ...ids(11, 'late')]);
	});

	test('when the entry that was the last has been deleted', () => {
		const one = polling();
		const old = falling(ids(5));
		one.poll(old);
		expect(one.poll([row('new', now + 1), ...old.slice(3)]).ids).toEqual(['new']);
		expect(one.poll([row('next', now + 2)]).ids).toEqual(['next']);
		expect(one.poll([]).ids).toEqual([]);
		expect(one.poll([row('last', now + 3)]).ids).toEqual(['last']);
	});

	test('when an entry comes late, with a time before those that were there', () => {
		const one = polling();
		const old = falling(ids(40), 60);
		one.poll(old);
		const late = row('late', now - cursorOverlap + 30);
		const list = [...old, late].sort((a, b) => Number(b.created_at) - Number(a.created_at));
		expect(one.poll(list).ids).toEqual(['late']);
		expect(one.poll(list).ids).toEqual([]);
		// Where it stands does not matter.
		expect(one.poll([row('later', now - 60), ...list]).ids).toEqual(['later']);
	});

	test('when pages shift while they are read', () => {
		const one = polling();
		one.poll([]);
		const list = falling(ids(20), 1);
		const reader = createNewEntryReader({ position: one.position, maxEntries: 100, idOf, now });
		reader.take(list.slice(0, 10));
		// One has come on top, so that the last of the first page is on the second, too.
		reader.take(list.slice(9, 20));
		expect(reader.getEntries().map(({ id }) => id)).toEqual(ids(20).reverse());
	});

	test.each([
		['n8n is a year behind', now - 365 * 86_400],
		['n8n is a year ahead', now + 365 * 86_400],
		['n8n begins at zero', 0],
	])('when clocks differ: %s', (_, time) => {
		const one = polling();
		let list = falling(ids(30));
		one.poll(list, time);
		for (let i = 0; i < 20; i++) {
			list = [row(`new${i}`, now + i * 300), ...list];
			expect(one.poll(list, time + i * 300).ids).toEqual([`new${i}`]);
		}
	});

	test('when an entry says that it is from the future', () => {
		const one = polling();
		const future = row('future', now + 10 * 365 * 86_400);
		const old = falling(ids(20));
		expect(one.poll([future, ...old]).ids).toEqual([]);
		expect(one.poll([row('new', now + 10), future, ...old], now + 60).ids).toEqual(['new']);
		expect(one.poll([row('new', now + 10), future, ...old], now + 3600).ids).toEqual([]);
		const another = row('another', now + 20 * 365 * 86_400);
		expect(one.poll([another, future, ...old], now + 3660).ids).toEqual(['another']);
		expect(one.poll([row('b', now + 3690), another, future], now + 3700).ids).toEqual(['b']);
	});

	test('when times are missing or no times', () => {
		const one = polling();
		const old = [
			row('a', null),
			row('b'),
			row('c', 'yesterday'),
			...falling(ids(30), 60, now - 60),
		];
		one.poll(old);
		const list = [row('x', undefined), row('y', {}), ...old];
		expect(one.poll(list).ids.sort()).toEqual(['x', 'y']);
		expect(one.poll(list).ids).toEqual([]);
		expect(one.poll([row('z', now + 5_000), ...list], now + 5_000).ids).toEqual(['z']);
	});

	test('in a list without any times', () => {
		const one = polling();
		const list = ids(25).map((id) => row(id, null));
		one.poll(list);
		expect(one.poll([...list, row('new', null)]).ids).toEqual(['new']);
		expect(one.poll([row('other', null), ...list, row('new', null)]).ids).toEqual(['other']);
	});

	test('in a list that is in no order', () => {
		const one = polling();
		const old = falling(ids(60), 3600);
		const mixed = (list: IDataObject[]) =>
			list.map((_, i) => list[(i * 37) % list.length]).filter((one) => one !== undefined);
		one.poll(mixed(old));
		const list = mixed([...falling(['p', 'q', 'r'], 3600, now + 9 * 3600), ...old]);
		expect(one.poll(list).ids).toEqual(['r', 'q', 'p']);
	});

	test('whatever an id is called', () => {
		const one = polling();
		one.poll([row('a')]);
		const names = ['__proto__', 'constructor', 'toString'];
		expect(one.poll([...names.map((id) => row(id)), row('a')]).ids.sort()).toEqual(names.sort());
		expect(one.poll([...names.map((id) => row(id)), row('a')]).ids.sort()).not.toContain(
			'constructor',
		);
	});
});

describe('a position', () => {
	test('stays small, and right, with very many entries in little time', () => {
		const one = polling(1000, 100);
		let list = falling(ids(10));
		one.poll(list);
		const given: string[] = [];
		for (let hour = 0; hour < 12; hour++) {
			list = [...falling(ids(900, `m${hour}-`), 0.05, now + 60 * (hour + 1)), ...list];
			given.push(...one.poll(list, now + 60 * (hour + 1)).ids);
		}
		expect(new Set(given).size).toBe(12 * 900);
		expect(given).toHaveLength(12 * 900);
		expect(Object.keys(one.position.seen).length).toBeLessThanOrEqual(maxSeenIds + 1);
	});

	test('forgets what is older than the overlap', () => {
		const one = polling();
		one.poll(falling(ids(100)));
		one.poll([row('new', now + 86_400), ...falling(ids(100))], now + 86_400);
		expect(one.position).toEqual({
			floor: now + 86_400 - cursorOverlap,
			seen: { new: now + 86_400 },
		});
	});

	test('holds marks beside ids', () => {
		const next = advanceCursor(
			undefined,
			[{ id: 'a', time: now, row: {} }],
			{ mark: now - 5 },
			now,
		);
		expect(next.seen).toEqual({ a: now, mark: now - 5 });
		expect(
			advanceCursor(next, [{ id: 'b', time: now + 2_000, row: {} }], {}, now + 2_000).seen,
		).toEqual({ b: now + 2_000 });
	});

	test('never goes back', () => {
		const next = advanceCursor(
			{ floor: now, seen: {} },
			[{ id: 'a', time: now, row: {} }],
			{},
			now,
		);
		expect(next.floor).toBe(now);
	});
});

test('a row without an id is passed over', () => {
	const { entries } = read([{ created_at: now }, row('a'), { value: 7 }], {
		position: { floor: 0, seen: {} },
	});
	expect(entries.map(({ id }) => id)).toEqual(['a']);
});
