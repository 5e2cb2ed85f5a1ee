/** A batch with a key from the log as Custom Key. */
import type { NodeRun } from '../../../nodes/core/ledger/ledger';
import { createIdempotencyKeyProvider } from '../../../nodes/core/plan/deriveIdempotencyKeys';
import { createHashedKey } from '../../../nodes/core/digest';
import type { PlannedRequest } from '../../../nodes/core/plan/groupRequests';
import { send, type Run } from './batches';

/** The key of the batch with these entries, in this order. */
const createKey = (entries: string[]) =>
	createIdempotencyKeyProvider(
		{ node: [], secret: '', origins: [], creates: {}, failures: {} } as unknown as NodeRun,
		{ items: [{ item: 0, values: {} }], values: {} } as unknown as PlannedRequest,
	).getKey({
		line: 'POST /batches',
		content: {},
		rows: entries.map((entry) => createHashedKey([{}, entry])),
	});
const key = createKey(['e', 'f']);
const own = { values: { payOncePer: 'ownKey', idempotencyKey: key } };

test.each<[string, string[], Run]>([
	['the rows of the key', ['e', 'f'], own],
	['other rows that an earlier attempt has sent', ['f'], { ...own, isSent: true }],
	['the failed rows of the batch', ['f'], { ...own, hasFailed: true }],
	[
		'other rows if the key is not used',
		['f'],
		{ values: { ...own.values, payOncePer: 'request' } },
	],
	['any rows with a key of another format', ['f'], { values: { idempotencyKey: 'order-7' } }],
])('is sent for %s', async (_, entries, run) => {
	const { posts } = await send(entries, run);
	expect(posts).toStrictEqual([
		[entries.map((__, i) => i), { videos: entries }, expect.anything()],
	]);
});

test.each([[['f', 'e']], [['e']], [['e', 'f', 'f']]])('is rejected for %j', async (entries) => {
	await expect(send(entries, own)).rejects.toMatchObject({
		message: `"Custom Key" is "${key}", which belongs to rows with different content or a different order`,
		description: expect.stringContaining('Nothing was sent to the service.'),
		context: { details: { code: 'invalid_value' } },
	});
});
