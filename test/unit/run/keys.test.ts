/** Idempotency keys. */
import type { IDataObject } from 'n8n-workflow';
import { createIdempotencyKeys, numberKey } from '../../../nodes/core/plan/idempotencyKeys';

test('the first request has the key of the user itself, the others are numbered', () => {
	expect(numberKey('order-7', 1)).toBe('order-7');
	expect(numberKey('order-7', 2)).toBe('order-7:part:2');
});

test('a numbered key is never longer than the service takes, and stays its own', () => {
	const long = 'k'.repeat(255);
	const second = numberKey(long, 2);
	expect(second.length).toBeLessThanOrEqual(255);
	expect(second).toMatch(/^[A-Za-z0-9_:.-]+:part:2$/);
	expect(numberKey(`${'k'.repeat(254)}x`, 2)).not.toBe(second);
});

const place = { node: ['n8n', 'workflow', 'node'], run: ['execution', 0] };
const elsewhere = { ...place, run: ['execution', 1] };
const line = 'POST /things';
const ring = (
	values: IDataObject,
	more: Partial<Parameters<typeof createIdempotencyKeys>[4]> = {},
	at = place,
) => createIdempotencyKeys(at, [0], values, 1, { keys: new Map(), failures: new Map(), ...more });

test('per execution the place is the key: not what is in the request', () => {
	const key = ring({}).key({ line, content: 1 });
	expect(ring({}).key({ line, content: 2 })).toBe(key);
	expect(ring({ payOncePer: 'execution' }).key({ line, content: 1 })).toBe(key);
	expect(ring({}, {}, elsewhere).key({ line, content: 1 })).not.toBe(key);
	expect(ring({}).key({ line: 'POST /others', content: 1 })).not.toBe(key);
	expect(ring({}).key({ line, name: 'request 2', content: 1 })).not.toBe(key);
	expect(key).toMatch(/^[A-Za-z0-9_:.-]{1,255}$/);
});

test('per same request the content is the key, wherever it stands in the node', () => {
	const same = { payOncePer: 'request' };
	const key = ring(same).key({ line, content: 1 });
	expect(ring(same, {}, elsewhere).key({ line, content: 1 })).toBe(key);
	expect(ring(same).key({ line, content: 2 })).not.toBe(key);
});

test('an own key is the key of the request, and the beginning of those of its files', () => {
	const own = ring({ idempotencyKey: 'order-7' });
	expect(own.key({ line, content: 1 })).toBe('order-7');
	expect(own.key({ line, name: 'file 0 data', content: 1 })).toMatch(/^order-7:[0-9a-f]{12}$/);
	expect(
		ring({ payOncePer: 'execution', idempotencyKey: 'order-7' }).key({ line, content: 1 }),
	).toBe(ring({}).key({ line, content: 1 }));
});

test('the first key of a create stays its key, and each failure of its job numbers it', () => {
	const keys = new Map<string, string>();
	const same = { payOncePer: 'request' };
	const key = ring(same, { keys }).key({ line, content: 1 });
	expect(ring(same, { keys }).key({ line, content: 2 })).toBe(key);
	const failures = new Map([[ring(same).place({ line }), 2]]);
	expect(ring(same, { keys, failures }).key({ line, content: 3 })).toBe(`${key}:again:2`);
});
