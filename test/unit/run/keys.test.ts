/** Idempotency keys. */
import { partKey } from '../../../nodes/core/run/keys';

test('the first request has the key of the user itself, the others are numbered', () => {
	expect(partKey('order-7', 1)).toBe('order-7');
	expect(partKey('order-7', 2)).toBe('order-7:part:2');
});

test('a numbered key is never longer than the service takes, and stays its own', () => {
	const long = 'k'.repeat(255);
	const second = partKey(long, 2);
	expect(second.length).toBeLessThanOrEqual(255);
	expect(second).toMatch(/^[A-Za-z0-9_:.-]+:part:2$/);
	expect(partKey(`${'k'.repeat(254)}x`, 2)).not.toBe(second);
});
