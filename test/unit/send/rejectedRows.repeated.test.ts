/** Batches that the service rejects several times. */
import { failure, refuse, rows, send } from './rejections';

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
	[9, 10, [9]],
	[10, 10, []],
	[10, 12, [10, 11]],
	[12, 13, [10, 11, 12]],
])('after %d rejections of a batch of %d rows, the rest is sent', async (...row) => {
	const [count, size, rest] = row;
	const all = rows(...Array.from({ length: size }, (__, i) => look(i)));
	const { failures, requests, accepted } = await send(all, Array(count).fill(inAvatar));
	expect(failures).toStrictEqual(all.slice(0, count).map(({ item }) => failure(item, [item])));
	expect(requests.slice(10)).toStrictEqual(rest.length > 1 ? rest.map((item) => [item]) : []);
	expect(accepted.map(({ entries }) => entries.map(({ item }) => item))).toStrictEqual(
		all.slice(count).map(({ item }) => [item]),
	);
});

test('a batch whose rows must stay together is sent until it is accepted', async () => {
	const all = rows(...Array.from({ length: 14 }, (__, i) => look(i)));
	const rejections = Array(12).fill(inAvatar) as Array<typeof inAvatar>;
	const { failures, requests, accepted } = await send(all, rejections, true, false);
	expect(failures).toHaveLength(12);
	expect(requests.map((items) => items.length)).toStrictEqual(
		Array.from({ length: 13 }, (_, i) => 14 - i),
	);
	expect(accepted).toStrictEqual([{ entries: all.slice(12), reply: { number: 13 } }]);
});
