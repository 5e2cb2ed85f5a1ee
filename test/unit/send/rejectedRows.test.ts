/** The rows that make the service reject a batch fail, and the other rows are sent again. */
import type { INode } from 'n8n-workflow';
import type { ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import {
	createOperationError,
	getErrorTextParts,
	type NodeError,
} from '../../../nodes/core/errors/nodeErrors';
import { sendUntilAccepted } from '../../../nodes/core/send/rejectedRows';

const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;

const rows = (...entries: unknown[]) => entries.map((entry, item) => ({ item, entry }));

/** Error details that refer to the batch entry with this index. */
const refuse = (param: string, more: ErrorDetails = {}) => ({ status: 404, param, ...more });

/**
 * Sends a batch that the service rejects with each of these errors in turn, and then accepts. Lists
 * the items of each request and the failures.
 */
async function send(
	all: ReadonlyArray<{ item: number; entry: unknown }>,
	rejections: ReadonlyArray<Record<string, unknown>>,
	continues = true,
) {
	const requests: number[][] = [];
	const errors: NodeError[] = rejections.map((details) =>
		createOperationError(node, 'No', [], details as ErrorDetails),
	);
	const result = await sendUntilAccepted(
		node,
		{ list: 'videos', continues },
		all,
		async (some) => {
			const number = requests.push(some.map(({ item }) => item));
			if (number <= errors.length) throw new Error(`${number - 1}`);
			return await Promise.resolve({ number });
		},
		(thrown) => errors[Number((thrown as Error).message)]!,
	);
	const failures = result.failures.map(({ item, otherItems = [], error, hints }) => ({
		items: [item, ...otherItems],
		error: errors.indexOf(error),
		hints,
	}));
	return { ...result, requests, failures, last: result.failures.at(-1) };
}

const failure = (error: number, items: number[], hints?: string[]) => ({ items, error, hints });

test('a batch that the service accepts is sent once, and an empty one is not sent', async () => {
	const all = rows('a', 'b');
	expect(await send(all, [])).toStrictEqual({
		entries: all,
		reply: { number: 1 },
		failures: [],
		requests: [[0, 1]],
		last: undefined,
	});
	expect(await send([], [])).toMatchObject({ entries: [], failures: [], requests: [] });
});

const unnamed =
	'All 2 items were sent in one request, and the service did not say which of them caused the error.';
const named =
	'Nothing was created: all 2 items were sent in one request, and the service rejected it because of this item.';

describe('an error that refers to a row', () => {
	test.each([
		['400', { status: 400 }, failure(0, [1], [named])],
		['499', { status: 499 }, failure(0, [1], [named])],
		['404 to a request that was not sent', { uncertain: false }, failure(0, [1], [named])],
		['399', { status: 399 }, failure(0, [0, 1], [])],
		['500', { status: 500 }, failure(0, [0, 1], [])],
		['401', { status: 401 }, failure(0, [0, 1], [])],
		['402', { status: 402 }, failure(0, [0, 1], [])],
		['429', { status: 429 }, failure(0, [0, 1], [])],
		['404 that may have had an effect', { uncertain: true }, failure(0, [0, 1], [])],
		['status of a job', { status: '404' }, failure(0, [0, 1], [])],
		['no status', { status: undefined }, failure(0, [0, 1], [])],
		['404 without a row', { param: undefined }, failure(0, [0, 1], [unnamed])],
		['404 with the number of no row', { param: 'videos[2]' }, failure(0, [0, 1], [unnamed])],
	])('blames that row, depending on the status: %s', async (_, details, expected) => {
		const all = rows({}, {});
		const rejection = { ...refuse('videos[1].avatar_id'), ...details };
		const { entries, failures, requests } = await send(all, [rejection], false);
		expect([entries, failures, requests]).toStrictEqual([[], [expected], [[0, 1]]]);
	});

	test.each([
		['in its only row', refuse('videos[0]'), 1],
		['in one of its two rows', refuse('videos[1]'), 2],
		['somewhere', refuse('title'), 2],
	])('has no hint if the batch has one item, and the error is %s', async (_, rejection, count) => {
		const all = Array.from({ length: count }, () => ({ item: 3, entry: {} }));
		const { failures } = await send(all, [rejection], false);
		expect(failures).toStrictEqual([failure(0, [3], [])]);
	});
});

test('all rows of an item fail together, and the others are sent again', async () => {
	const all = [0, 0, 1, 2, 2].map((item) => ({ item, entry: {} }));
	const { entries, reply, failures, requests } = await send(all, [refuse('videos[4].url')]);
	expect(failures).toStrictEqual([failure(0, [2])]);
	expect([entries, reply, requests]).toStrictEqual([
		all.slice(0, 3),
		{ number: 2 },
		[
			[0, 0, 1, 2, 2],
			[0, 0, 1],
		],
	]);
});

const look = (avatar_id: unknown, voice_id = 'v', name = 'n') => ({ avatar_id, voice_id, name });
const alike = [look('bad'), look('bad'), look('good'), look('bad')];
const inAvatar = refuse('videos[0].avatar_id', { code: 'a' });

test.each([
	['the same ID', alike, inAvatar, inAvatar, [1, 3]],
	[
		'the same URL deep in the row',
		['a', 'a', null, 'a', 'b'].map((url) => ({ image: url === null ? null : { url } })),
		refuse('videos[0].image.url'),
		refuse('videos[0].image.url'),
		[1, 3],
	],
	[
		'the same URL in a list',
		['a', 'a', 'b', 'a'].map((url) => ({ scenes: [{ url }] })),
		refuse('videos[0].scenes[0].url'),
		refuse('videos[0].scenes[0].url'),
		[1, 3],
	],
	['another ID', [look('x'), ...alike.slice(1)], inAvatar, inAvatar, [1]],
	['a number', [look(7), look(7), look(8), look(7)], inAvatar, inAvatar, [1]],
	['a text', alike, refuse('videos[0].name'), refuse('videos[0].name'), [1]],
	['another code', alike, inAvatar, { ...inAvatar, code: 'b' }, [1]],
	[
		'the same ID in another place',
		[look('good', 'bad'), ...alike.slice(1)],
		{ ...inAvatar, param: 'videos[0].voice_id' },
		inAvatar,
		[1],
	],
])(
	'after a second rejection of %s, exactly the rows with a rejected ID fail',
	async (_, entries, first, second, items) => {
		const { failures } = await send(rows(...entries), [first, second]);
		expect(failures).toStrictEqual([failure(0, [0]), failure(1, items)]);
	},
);

test('an ID counts as rejected before even if other IDs were rejected too', async () => {
	const all = rows(look('x'), ...alike);
	const { failures } = await send(all, [inAvatar, inAvatar, inAvatar]);
	expect(failures.map(({ items }) => items)).toStrictEqual([[0], [1], [2, 4]]);
});

test.each([
	[9, 10, 0],
	[10, 10, 0],
	[10, 12, 2],
])('after %d rejections of a batch of %d rows, %d rows are given up', async (...row) => {
	const [count, size, rest] = row;
	const all = rows(...Array.from({ length: size }, (__, i) => look(i)));
	const { failures, requests, reply, last } = await send(all, Array(count).fill(inAvatar));
	expect(failures.slice(0, count).map(({ items }) => items)).toStrictEqual(
		all.slice(0, count).map(({ item }) => [item]),
	);
	expect(failures).toHaveLength(rest > 0 ? count + 1 : count);
	expect([requests.length, reply]).toStrictEqual([10, count < 10 ? { number: 10 } : undefined]);
	if (rest === 0 || !last) return;
	expect([last.item, last.otherItems, last.hints]).toStrictEqual([10, [11], undefined]);
	expect([getErrorTextParts(last.error), last.error.context.details]).toStrictEqual([
		{
			message: 'Not created and not charged: the service rejected 10 other rows of the same batch',
			advice: [expect.stringMatching(/^Correct the rows that the service rejected/)],
			details: expect.anything(),
		},
		{ code: 'not_created' },
	]);
});
