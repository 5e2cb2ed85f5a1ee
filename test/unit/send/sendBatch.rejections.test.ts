/** The rows that make the service reject a batch fail, and the other rows are sent again. */
import { failure, refuse, rows, send } from './rejections';

test('a batch that the service accepts is sent once, and an empty one is not sent', async () => {
	const all = rows('a', 'b');
	expect(await send(all, [])).toStrictEqual({
		accepted: [{ entries: all, reply: { number: 1 } }],
		failures: [],
		requests: [[0, 1]],
	});
	expect(await send([], [])).toStrictEqual({ accepted: [], failures: [], requests: [] });
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
		const { accepted, failures, requests } = await send(all, [rejection], false);
		expect([accepted, failures, requests]).toStrictEqual([[], [expected], [[0, 1]]]);
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
	const { accepted, failures, requests } = await send(all, [refuse('videos[4].url')]);
	expect(failures).toStrictEqual([failure(0, [2])]);
	expect([accepted, requests]).toStrictEqual([
		[{ entries: all.slice(0, 3), reply: { number: 2 } }],
		[
			[0, 0, 1, 2, 2],
			[0, 0, 1],
		],
	]);
});

describe('an error that does not name its row', () => {
	const all = [0, 0, 1, 2].map((item) => ({ item, entry: {} }));
	const somewhere = refuse('title');

	test('makes each item be sent alone, and only rejected ones fail', async () => {
		const { accepted, failures, requests } = await send(all, [somewhere, {}, somewhere]);
		expect(requests).toStrictEqual([[0, 0, 1, 2], [0, 0], [1], [2]]);
		expect(failures).toStrictEqual([failure(1, [0]), failure(2, [1])]);
		expect(accepted).toStrictEqual([{ entries: all.slice(3), reply: { number: 4 } }]);
	});

	test('makes the other rows be sent alone after a row was left out', async () => {
		const { failures, requests } = await send(all, [refuse('videos[2]'), somewhere]);
		expect(requests).toStrictEqual([[0, 0, 1, 2], [0, 0, 2], [0, 0], [2]]);
		expect(failures).toStrictEqual([failure(0, [1])]);
	});

	test.each([
		['without Continue On Fail', false, true, somewhere, [unnamed.replace('2', '3')]],
		['if rows must stay together', true, false, somewhere, [unnamed.replace('2', '3')]],
		['if it does not concern a row', true, true, refuse('title', { status: 402 }), []],
		['if the batch may exist', true, true, refuse('title', { uncertain: true }), []],
	])('fails all of them %s', async (_, continues, splits, rejection, hints) => {
		const { accepted, failures, requests } = await send(all, [rejection], continues, splits);
		expect(requests).toStrictEqual([[0, 0, 1, 2]]);
		expect(failures).toStrictEqual([failure(0, [0, 1, 2], hints)]);
		expect(accepted).toStrictEqual([]);
	});
});
