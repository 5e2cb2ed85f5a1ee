/** How idempotency keys are derived. */
import type { IDataObject } from 'n8n-workflow';
import { createIdempotencyKeys, numberKey } from '../../../nodes/core/plan/idempotencyKeys';

test('the first request has the key of the user, the others have a numbered one', () => {
	expect(numberKey('order-7', 1)).toBe('order-7');
	expect(numberKey('order-7', 2)).toBe('order-7:part:2');
});

test('a numbered key is never too long, and differs from that of any other key', () => {
	const long = 'k'.repeat(255);
	const second = numberKey(long, 2);
	expect(second.length).toBeLessThanOrEqual(255);
	expect(second).toMatch(/^[A-Za-z0-9_:.-]+:part:2$/);
	expect(numberKey(`${'k'.repeat(254)}x`, 2)).not.toBe(second);
});

const place = { node: ['n8n', 'workflow', 'node'], run: ['execution', 0] };
const elsewhere = { ...place, run: ['execution', 1] };
const line = 'POST /things';
const deriveKeys = (
	values: IDataObject,
	more: Partial<Parameters<typeof createIdempotencyKeys>[4]> = {},
	at = place,
) => createIdempotencyKeys(at, [0], values, 1, { keys: new Map(), failures: new Map(), ...more });

test('per execution, the key depends on the place of the request, not on its content', () => {
	const key = deriveKeys({}).key({ line, content: 1 });
	expect(deriveKeys({}).key({ line, content: 2 })).toBe(key);
	expect(deriveKeys({ payOncePer: 'execution' }).key({ line, content: 1 })).toBe(key);
	expect(deriveKeys({}, {}, elsewhere).key({ line, content: 1 })).not.toBe(key);
	expect(deriveKeys({}).key({ line: 'POST /others', content: 1 })).not.toBe(key);
	expect(deriveKeys({}).key({ line, name: 'request 2', content: 1 })).not.toBe(key);
	expect(key).toMatch(/^[A-Za-z0-9_:.-]{1,255}$/);
});

test('per same request, the key depends on the content, not on the execution', () => {
	const same = { payOncePer: 'request' };
	const key = deriveKeys(same).key({ line, content: 1 });
	expect(deriveKeys(same, {}, elsewhere).key({ line, content: 1 })).toBe(key);
	expect(deriveKeys(same).key({ line, content: 2 })).not.toBe(key);
});

test('an own key is the key of the request, and the prefix for its files', () => {
	const own = deriveKeys({ idempotencyKey: 'order-7' });
	expect(own.key({ line, content: 1 })).toBe('order-7');
	expect(own.key({ line, name: 'file 0 data', content: 1 })).toMatch(/^order-7:[0-9a-f]{12}$/);
	expect(
		deriveKeys({ payOncePer: 'execution', idempotencyKey: 'order-7' }).key({ line, content: 1 }),
	).toBe(deriveKeys({}).key({ line, content: 1 }));
});

test('the first key of a create stays, and each failure of its job numbers it', () => {
	const keys = new Map<string, string>();
	const same = { payOncePer: 'request' };
	const key = deriveKeys(same, { keys }).key({ line, content: 1 });
	expect(deriveKeys(same, { keys }).key({ line, content: 2 })).toBe(key);
	const failures = new Map([[deriveKeys(same).place({ line }), 2]]);
	expect(deriveKeys(same, { keys, failures }).key({ line, content: 3 })).toBe(`${key}:again:2`);
});
