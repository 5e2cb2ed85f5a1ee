/** Which idempotency key each create has. */
import type { IDataObject } from 'n8n-workflow';
import { createIdempotencyKeys, createNumberedKey } from '../../../nodes/core/plan/idempotencyKeys';

test('the first request has the user-supplied key, the others have it with a number', () => {
	expect(createNumberedKey('order-7', 1)).toBe('order-7');
	expect(createNumberedKey('order-7', 2)).toBe('order-7:part:2');
});

test('a numbered key stays unique and within the maximum length of the service', () => {
	const long = 'k'.repeat(255);
	const second = createNumberedKey(long, 2);
	expect(second.length).toBeLessThanOrEqual(255);
	expect(second).toMatch(/^[A-Za-z0-9_:.-]+:part:2$/);
	expect(createNumberedKey(`${'k'.repeat(254)}x`, 2)).not.toBe(second);
});

const place = { node: ['n8n', 'workflow', 'node'], run: ['execution', 0] };
const elsewhere = { ...place, run: ['execution', 1] };
const line = 'POST /things';
const createKeys = (
	values: IDataObject,
	more: Partial<Parameters<typeof createIdempotencyKeys>[2]> = {},
	at = place,
) =>
	createIdempotencyKeys(
		at,
		{ itemIndexes: [0], values, part: 1 },
		{ keySalt: 'salt', keys: new Map(), failures: new Map(), ...more },
	);

test('the key depends on the place of the create, not on its content', () => {
	const key = createKeys({}).getKey({ line, content: 1 });
	expect(createKeys({}).getKey({ line, content: 2 })).toBe(key);
	expect(createKeys({ payOncePer: 'execution' }).getKey({ line, content: 1 })).toBe(key);
	expect(createKeys({}, {}, elsewhere).getKey({ line, content: 1 })).not.toBe(key);
	expect(createKeys({}, { keySalt: 'other' }).getKey({ line, content: 1 })).not.toBe(key);
	expect(createKeys({}).getKey({ line: 'POST /others', content: 1 })).not.toBe(key);
	expect(createKeys({}).getKey({ line, name: 'request 2', content: 1 })).not.toBe(key);
	expect(key).toMatch(/^[A-Za-z0-9_:.-]{1,255}$/);
});

test('for Same Request, the key depends on the content only', () => {
	const same = { payOncePer: 'request' };
	const key = createKeys(same).getKey({ line, content: 1 });
	expect(createKeys(same, { keySalt: 'other' }, elsewhere).getKey({ line, content: 1 })).toBe(key);
	expect(createKeys(same).getKey({ line, content: 2 })).not.toBe(key);
});

test('a user-supplied key is sent unchanged, and begins the keys of its files', () => {
	const own = createKeys({ idempotencyKey: 'order-7' });
	expect(own.getKey({ line, content: 1 })).toBe('order-7');
	expect(own.getKey({ line, name: 'file 0 data', content: 1 })).toMatch(/^order-7:[0-9a-f]{12}$/);
	expect(
		createKeys({ payOncePer: 'execution', idempotencyKey: 'order-7' }).getKey({ line, content: 1 }),
	).toBe(createKeys({}).getKey({ line, content: 1 }));
});

test('a create keeps its first key, with a number after each failure of its job', () => {
	const keys = new Map<string, string>();
	const same = { payOncePer: 'request' };
	const key = createKeys(same, { keys }).getKey({ line, content: 1 });
	expect(createKeys(same, { keys }).getKey({ line, content: 2 })).toBe(key);
	const failures = new Map([[createKeys(same).getPlace({ line }), 2]]);
	expect(createKeys(same, { keys, failures }).getKey({ line, content: 3 })).toBe(`${key}:again:2`);
});
