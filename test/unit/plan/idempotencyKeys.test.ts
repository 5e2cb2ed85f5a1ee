/** Idempotency keys. */
import type { IDataObject } from 'n8n-workflow';
import { createIdempotencyKeys, numberKey } from '../../../nodes/core/plan/idempotencyKeys';

test('send the key of the user first, and number the others', () => {
	expect(numberKey('order-7', 1)).toBe('order-7');
	expect(numberKey('order-7', 2)).toBe('order-7:part:2');
});

test('keep a numbered key unique and within the length that the service takes', () => {
	const long = 'k'.repeat(255);
	const second = numberKey(long, 2);
	expect(second.length).toBeLessThanOrEqual(255);
	expect(second).toMatch(/^[A-Za-z0-9_:.-]+:part:2$/);
	expect(numberKey(`${'k'.repeat(254)}x`, 2)).not.toBe(second);
});

const place = { node: ['n8n', 'workflow', 'node'], run: ['execution', 0] };
const elsewhere = { ...place, run: ['execution', 1] };
const line = 'POST /things';
const keysOf = (
	values: IDataObject,
	more: Partial<Parameters<typeof createIdempotencyKeys>[2]> = {},
	at = place,
) =>
	createIdempotencyKeys(
		at,
		{ itemIndexes: [0], values, part: 1 },
		{ keys: new Map(), failures: new Map(), ...more },
	);

test('make the key of the place of the create, not of its content', () => {
	const key = keysOf({}).getKey({ line, content: 1 });
	expect(keysOf({}).getKey({ line, content: 2 })).toBe(key);
	expect(keysOf({ payOncePer: 'execution' }).getKey({ line, content: 1 })).toBe(key);
	expect(keysOf({}, {}, elsewhere).getKey({ line, content: 1 })).not.toBe(key);
	expect(keysOf({}).getKey({ line: 'POST /others', content: 1 })).not.toBe(key);
	expect(keysOf({}).getKey({ line, name: 'request 2', content: 1 })).not.toBe(key);
	expect(key).toMatch(/^[A-Za-z0-9_:.-]{1,255}$/);
});

test('make the key of the content alone for Same Request', () => {
	const same = { payOncePer: 'request' };
	const key = keysOf(same).getKey({ line, content: 1 });
	expect(keysOf(same, {}, elsewhere).getKey({ line, content: 1 })).toBe(key);
	expect(keysOf(same).getKey({ line, content: 2 })).not.toBe(key);
});

test('send an own key, and begin the keys of its files with it', () => {
	const own = keysOf({ idempotencyKey: 'order-7' });
	expect(own.getKey({ line, content: 1 })).toBe('order-7');
	expect(own.getKey({ line, name: 'file 0 data', content: 1 })).toMatch(/^order-7:[0-9a-f]{12}$/);
	expect(
		keysOf({ payOncePer: 'execution', idempotencyKey: 'order-7' }).getKey({ line, content: 1 }),
	).toBe(keysOf({}).getKey({ line, content: 1 }));
});

test('keep the first key of a create, and number it after each failure of its job', () => {
	const keys = new Map<string, string>();
	const same = { payOncePer: 'request' };
	const key = keysOf(same, { keys }).getKey({ line, content: 1 });
	expect(keysOf(same, { keys }).getKey({ line, content: 2 })).toBe(key);
	const failures = new Map([[keysOf(same).getPlace({ line }), 2]]);
	expect(keysOf(same, { keys, failures }).getKey({ line, content: 3 })).toBe(`${key}:again:2`);
});
