/** Batches whose rows have keys that the user has entered. */
import {
	createHashedKey,
	createIdempotencyKeyProvider,
} from '../../../nodes/core/plan/deriveIdempotencyKeys';
import { line, pay, send, sort, type Run } from './batches';

const own = (keys: string[], more: Run = {}): Run => ({
	keys,
	values: { payOncePer: 'ownKey' },
	...more,
});
test('a row with the same key is recognized in every node', async () => {
	await pay(['a', 'b'], own(['k1', 'k2']));
	const later = own(['k2', 'k1', 'k1'], { place: 'other' });
	expect(await pay(['b', 'a', 'b'], later)).toStrictEqual(['b']);
});

test('identical rows are sent in the order of their keys', async () => {
	const { posts } = await send(['z', 'z', 'z'], own(['o2', 'o3', 'o1']));
	expect(posts).toStrictEqual([[[2, 0, 1], { videos: ['z', 'z', 'z'] }]]);
});

/** The key of the batch with these entries, in this order. */
const createKey = (entries: string[]) =>
	createIdempotencyKeyProvider(
		{ node: [], run: [] },
		{ items: [{ item: 0, values: {} }], values: {} },
		{
			keySalt: '',
			keys: new Map(),
			failures: new Map(),
		},
	).getKey({
		line,
		content: {},
		rows: entries.map((entry) => ({ digest: createHashedKey([{}, entry]) })),
	});
const sorted = sort(['e', 'f', 'g']);
const reversed = [...sorted].reverse();

test.each([
	['in the order of the sheet', reversed, reversed],
	['in the order of the hashes', reversed, sorted],
])('a key from the log sends exactly its batch again, %s', async (_, sheet, order) => {
	const key = createKey(order);
	const { posts, reads, paid } = await send(sheet, own([key, key, key]));
	const numbers = order.map((entry) => sheet.indexOf(entry));
	expect([posts, reads, paid]).toStrictEqual([[[numbers, { videos: order }]], 0, [undefined]]);
});

test('a key from the log is rejected for other rows', async () => {
	const key = createKey(['e']);
	const { failures, ...others } = await send(['f'], own([key])).catch((error: unknown) => ({
		failures: error,
	}));
	expect(others).toStrictEqual({});
	expect(failures).toMatchObject({
		message: `"Own Key" is "${key}", which belongs to a batch with different rows or a different order`,
		description: expect.stringContaining('Nothing was sent to the service.'),
		context: { details: { code: 'invalid_value' } },
	});
});
