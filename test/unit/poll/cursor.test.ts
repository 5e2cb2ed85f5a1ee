/** Which entries of a list are new, and which cursor follows them. */
import type { IDataObject } from 'n8n-workflow';
import {
	advanceCursor,
	maxSeenIds,
	cursorOverlapSeconds,
	createNewEntryCollector,
	type Cursor,
	type NewEntryCollectorOptions,
} from '../../../nodes/shared/listCursor';

const now = 1_800_000_000;

const row = (id: string, created_at: unknown = now): IDataObject =>
	({ id, created_at }) as IDataObject;

/** Rows, newest first, N seconds apart. */
const newestFirst = (ids: string[], step = 60, newest = now) =>
	ids.map((id, i) => row(id, newest - i * step));

const ids = (count: number, name = 'e') => Array.from({ length: count }, (_, i) => `${name}${i}`);

const idOf = ({ id }: IDataObject) => (typeof id === 'string' ? id : undefined);

/** Reads a list in pages until the reader stops. */
function read(list: IDataObject[], options: Partial<NewEntryCollectorOptions> = {}, pageSize = 10) {
	const reader = createNewEntryCollector({ position: 0, maxEntries: 1000, idOf, now, ...options });
	let pages = 0;
	for (let at = 0; at < list.length || at === 0; at += pageSize) {
		pages++;
		if (reader.take(list.slice(at, at + pageSize))) break;
	}
	return { entries: reader.getEntries(), pages };
}

/** A trigger that polls a list, and keeps its cursor as n8n does. */
function createTrigger(most = 1000, pageSize = 10) {
	let position: Cursor | undefined;
	return {
		get position() {
			return position as Cursor;
		},
		poll(list: IDataObject[], time = now) {
			const from = position ?? cursorOverlapSeconds;
			const result = read(list, { position: from, maxEntries: most, now: time }, pageSize);
			const isFirst = position === undefined;
			const next = advanceCursor(position, result.entries, {}, time);
			position = JSON.parse(JSON.stringify(next)) as Cursor;
			return { ...result, ids: isFirst ? [] : result.entries.map(({ id }) => id) };
		},
	};
}

describe('the first poll', () => {
	test('reports no entry; later polls report each new one once', () => {
		const trigger = createTrigger();
		const old = newestFirst(ids(30));
		expect(trigger.poll(old).ids).toEqual([]);
		expect(trigger.poll(old).ids).toEqual([]);
		expect(trigger.poll([row('new', now + 5), ...old]).ids).toEqual(['new']);
		expect(trigger.poll([row('new', now + 5), ...old]).ids).toEqual([]);
	});

	test('of an empty list makes every later entry new', () => {
		const trigger = createTrigger();
		expect(trigger.poll([]).ids).toEqual([]);
		expect(trigger.poll([row('b', now), row('a', now - 9_000_000)]).ids).toEqual(['a', 'b']);
	});

	test('reads a long list only as far as needed', () => {
		expect(createTrigger().poll(newestFirst(ids(1000))).pages).toBeLessThan(5);
	});

	test('keeps only entries close to the newest, even if older ones come first', () => {
		const list = [row('a', now - 62), row('b', now - 61), row('c', now - 60), row('d')];
		const { entries } = read(list, { position: 60 }, 2);
		expect(entries.map(({ id }) => id)).toEqual(['c', 'd']);
	});

	test('reads a list to its end if its oldest entries come first', () => {
		const trigger = createTrigger();
		const old = newestFirst(ids(100)).reverse();
		expect(trigger.poll(old).pages).toBe(10);
		expect(trigger.position.floor).toBe(now - cursorOverlapSeconds);
		expect(trigger.poll([...old, row('new', now + 1)]).ids).toEqual(['new']);
	});
});

describe('every new entry is reported exactly once', () => {
	test('if new entries fill several pages', () => {
		const trigger = createTrigger();
		const old = newestFirst(ids(20));
		trigger.poll(old);
		const fresh = newestFirst(ids(35, 'new'), 1, now + 100);
		const { ids: reported, pages } = trigger.poll([...fresh, ...old]);
		expect(reported).toEqual(ids(35, 'new').reverse());
		expect(pages).toBeLessThanOrEqual(6);
		expect(trigger.poll([...fresh, ...old]).ids).toEqual([]);
	});

	test('if old and new entries have equal timestamps', () => {
		const trigger = createTrigger();
		const old = ids(15, 'old').map((id) => row(id));
		trigger.poll(old);
		const fresh = ids(15, 'new').map((id) => row(id));
		expect(trigger.poll([...fresh, ...old]).ids).toEqual(ids(15, 'new').reverse());
		expect(trigger.poll([...fresh, ...old]).ids).toEqual([]);
	});

	test.each([1, 7])('if portions of %d split entries with equal timestamps', (most) => {
		const trigger = createTrigger(most);
		trigger.poll([row('first')]);
		const list = [...ids(23).map((id) => row(id, now + 60)), row('first')];
		const reported: string[] = [];
		for (let i = 0; i < 30; i++) reported.push(...trigger.poll(list).ids);
		expect(reported).toEqual(ids(23).reverse());
	});

	test('if a week of entries is read in portions, oldest first, while new ones appear', () => {
		const trigger = createTrigger(100, 50);
		const old = newestFirst(ids(10), 60, now - 7 * 86_400);
		trigger.poll(old);
		let list = [...newestFirst(ids(950, 'week'), 600), ...old];
		const reported: string[] = [];
		for (let i = 0; i < 12; i++) {
			const { ids: portion } = trigger.poll(list);
			expect(portion.length).toBeLessThanOrEqual(100);
			expect(portion.length < 100).toBe(i >= 9);
			reported.push(...portion);
			list = [row(`late${i}`, now + i), ...list];
		}
		expect(reported).toEqual([...ids(950, 'week').reverse(), ...ids(11, 'late')]);
	});

	test('if known entries, the last one included, were deleted', () => {
		const trigger = createTrigger();
		const old = newestFirst(ids(5));
		trigger.poll(old);
		expect(trigger.poll([row('new', now + 1), ...old.slice(3)]).ids).toEqual(['new']);
		expect(trigger.poll([row('next', now + 2)]).ids).toEqual(['next']);
		expect(trigger.poll([]).ids).toEqual([]);
		expect(trigger.poll([row('last', now + 3)]).ids).toEqual(['last']);
	});

	test('if an entry appears late, with an earlier time than known entries', () => {
		const trigger = createTrigger();
		const old = newestFirst(ids(40), 60);
		trigger.poll(old);
		const late = row('late', now - cursorOverlapSeconds + 30);
		const list = [...old, late].sort((a, b) => Number(b.created_at) - Number(a.created_at));
		expect(trigger.poll(list).ids).toEqual(['late']);
		expect(trigger.poll(list).ids).toEqual([]);
		// Its position in the list does not matter.
		expect(trigger.poll([row('later', now - 60), ...list]).ids).toEqual(['later']);
	});

	test('if pages shift while they are read', () => {
		const trigger = createTrigger();
		trigger.poll([]);
		const list = newestFirst(ids(20), 1);
		const reader = createNewEntryCollector({
			position: trigger.position,
			maxEntries: 100,
			idOf,
			now,
		});
		reader.take(list.slice(0, 10));
		// A new entry at the top moves the last entry of the first page to the second page.
		reader.take(list.slice(9, 20));
		expect(reader.getEntries().map(({ id }) => id)).toEqual(ids(20).reverse());
	});

	test.each([
		['behind by a year', now - 365 * 86_400],
		['ahead by a year', now + 365 * 86_400],
		['at zero', 0],
	])('if the clock of n8n is %s', (_, time) => {
		const trigger = createTrigger();
		let list = newestFirst(ids(30));
		trigger.poll(list, time);
		for (let i = 0; i < 20; i++) {
			list = [row(`new${i}`, now + i * 300), ...list];
			expect(trigger.poll(list, time + i * 300).ids).toEqual([`new${i}`]);
		}
	});

	test('if an entry has a time in the future', () => {
		const trigger = createTrigger();
		const list = [row('future', now + 10 * 365 * 86_400), ...newestFirst(ids(20))];
		expect(trigger.poll(list).ids).toEqual([]);
		list.unshift(row('new', now + 10));
		expect(trigger.poll(list, now + 60).ids).toEqual(['new']);
		expect(trigger.poll(list, now + 3600).ids).toEqual([]);
		list.unshift(row('another', now + 20 * 365 * 86_400));
		expect(trigger.poll(list, now + 3660).ids).toEqual(['another']);
		expect(trigger.poll([row('b', now + 3690), ...list], now + 3700).ids).toEqual(['b']);
	});

	test('if times are missing or invalid', () => {
		const trigger = createTrigger();
		const untimed = [row('a', null), row('b'), row('c', 'yesterday')];
		const old = [...untimed, ...newestFirst(ids(30), 60, now - 60)];
		trigger.poll(old);
		const list = [row('x', undefined), row('y', {}), ...old];
		expect(trigger.poll(list).ids.sort()).toEqual(['x', 'y']);
		expect(trigger.poll(list).ids).toEqual([]);
		expect(trigger.poll([row('z', now + 5_000), ...list], now + 5_000).ids).toEqual(['z']);
	});

	test('if no entry has a time', () => {
		const trigger = createTrigger();
		const list = ids(25).map((id) => row(id, null));
		trigger.poll(list);
		expect(trigger.poll([...list, row('new', null)]).ids).toEqual(['new']);
		expect(trigger.poll([row('other', null), ...list, row('new', null)]).ids).toEqual(['other']);
	});

	test('if the list has no order', () => {
		const trigger = createTrigger();
		const old = newestFirst(ids(60), 3600);
		const shuffle = (list: IDataObject[]) => list.map((_, i) => list[(i * 37) % list.length]!);
		trigger.poll(shuffle(old));
		const list = shuffle([...newestFirst(['p', 'q', 'r'], 3600, now + 9 * 3600), ...old]);
		expect(trigger.poll(list).ids).toEqual(['r', 'q', 'p']);
	});

	test('if an ID is the name of a property of every object', () => {
		const trigger = createTrigger();
		trigger.poll([row('a')]);
		const names = ['__proto__', 'constructor', 'toString'];
		const list = [...names.map((id) => row(id)), row('a')];
		expect(trigger.poll(list).ids.sort()).toEqual(names.sort());
		expect(trigger.poll(list).ids).not.toContain('constructor');
	});
});

describe('a cursor', () => {
	test('stays small and correct if many entries arrive within its overlap', () => {
		const trigger = createTrigger(1000, 100);
		let list = newestFirst(ids(10));
		trigger.poll(list);
		const reported: string[] = [];
		for (let hour = 0; hour < 12; hour++) {
			const time = now + 60 * (hour + 1);
			list = [...newestFirst(ids(900, `m${hour}-`), 0.05, time), ...list];
			reported.push(...trigger.poll(list, time).ids);
		}
		expect([reported.length, new Set(reported).size]).toEqual([12 * 900, 12 * 900]);
		expect(Object.keys(trigger.position.seen).length).toBeLessThanOrEqual(maxSeenIds + 1);
	});

	test('drops IDs and marks that are older than its overlap, and never moves back', () => {
		const entry = { id: 'a', time: now, row: {} };
		const first = advanceCursor(undefined, [entry], { mark: now - 5 }, now);
		expect(first).toEqual({ floor: now - cursorOverlapSeconds, seen: { a: now, mark: now - 5 } });
		const later = now + 2_000;
		const next = advanceCursor(first, [{ id: 'b', time: later, row: {} }], {}, later);
		expect(next).toEqual({ floor: later - cursorOverlapSeconds, seen: { b: later } });
		expect(advanceCursor({ floor: later, seen: {} }, [], {}, now).floor).toBe(later);
	});
});

test('pages are read up to the oldest entry that may appear late', () => {
	const position = { floor: now, seen: {} };
	const times = [now + 1, now - cursorOverlapSeconds, now - cursorOverlapSeconds - 1, now - 2_000];
	const list = times.map((time, i) => row(`e${i}`, time));
	expect(read(list, { position }, 1).pages).toBe(3);
});

test('a row without an ID is skipped', () => {
	const position = { floor: 0, seen: {} };
	const { entries } = read([{ created_at: now }, row('a'), { value: 7 }], { position });
	expect(entries.map(({ row: listed }) => listed)).toEqual([row('a')]);
});

describe('entries with equal timestamps', () => {
	const position = { floor: 0, seen: {} };
	const pair = [row('b'), row('c')];
	test.each([
		['newest first', [...pair, row('a', now - 2_000)], 'acb'],
		['oldest first', [row('a', now - 2_000), ...pair], 'abc'],
		['with little disorder', [row('a', now - cursorOverlapSeconds), ...pair], 'acb'],
		[
			'oldest first, with little disorder',
			[row('a', now - 2_000), ...pair, row('d', now - cursorOverlapSeconds)],
			'adbc',
		],
		['without order', [row('a', now - 2_000), ...pair, row('d', now - 4_000)], 'dacb'],
	])('are ordered as in a list %s', (_, list, expected) => {
		const { entries } = read(list, { position });
		expect(entries.map(({ id }) => id).join('')).toBe(expected);
	});
});
