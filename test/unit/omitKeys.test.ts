/** Copies without some keys. */
import { omitKeys } from '../../nodes/core/json';

test('the copy lacks the keys, and the original keeps them', () => {
	const original = { a: 1, b: 2, c: 3 };
	expect(omitKeys(original, 'a', 'c')).toEqual({ b: 2 });
	expect(original).toEqual({ a: 1, b: 2, c: 3 });
});
