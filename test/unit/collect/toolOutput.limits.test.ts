/** How much of an item a language model receives, at the limits of each step. */
import type { IDataObject } from 'n8n-workflow';
import {
	createStillRunningResult,
	prepareToolOutput,
} from '../../../nodes/core/collect/toolOutput';
import { agentSessionJob, videoJob } from '../../../nodes/jobKinds/catalog';

/** Settings of a tool that the user has not changed. */
const unchanged = { getNodeParameter: (_: string, __: number, unset: unknown) => unset } as never;

const truncate = (...all: IDataObject[]) =>
	prepareToolOutput(
		unchanged,
		all.map((json) => ({ json })),
		false,
	).map(({ json }) => json);

const fill = (length: number, letter = 'x') => letter.repeat(length);
const list = (count: number, create: (i: number) => unknown = (i) => `w${i}`) =>
	Array.from({ length: count }, (_, i) => create(i));
const url = `https://files.example/${fill(600)}`;
/** Too long for the first step, but not for the second one. */
const long = { long: fill(8_000) };
const cut = { long: `${fill(500)}… (7500 more characters)` };

/** Creates items whose JSON has this length. */
function createItems(count: number, length: number): IDataObject[] {
	const rest = Array<IDataObject>(count - 1).fill({ a: '' });
	const items = [{ text: fill(length - JSON.stringify([...rest, { text: '' }]).length) }, ...rest];
	expect(JSON.stringify(items)).toHaveLength(length);
	return items;
}

test.each([
	[1, 8_000],
	[2, 3_500],
])('%i items of %i characters stay whole, and one more shortens them', (count, limit) => {
	// Empty texts are removed, so the items may be longer by their length.
	const removed = count === 1 ? 0 : '"a":""'.length;
	const [whole] = createItems(count, limit + removed);
	expect(truncate(...createItems(count, limit + removed))[0]).toStrictEqual(whole);
	const [shortened] = truncate(...createItems(count, limit + removed + 1));
	expect(String(shortened?.text)).toMatch(/^x{500}… \(\d+ more characters\)$/);
});

test('a text is cut if it has more than 500 characters, but no URL and no ID is', () => {
	const json = { a: fill(500), url, long_id: fill(600), ids: [fill(600)] };
	expect(truncate({ ...json, b: fill(501), ...long })).toStrictEqual([
		{ ...json, b: `${fill(500)}… (1 more characters)`, ...cut },
	]);
});

test.each<[string, unknown[], unknown[] | undefined]>([
	['20 entries', list(20), list(20)],
	['21 entries', list(21), [...list(20), '… (1 more)']],
	[
		'empty entries',
		list(22, (i) => (i < 2 ? '' : i)),
		[
			...list(20)
				.map((_, i) => i)
				.slice(2),
			'… (2 more)',
		],
	],
	['lists', [[1], [], [[2]]], [[1]]],
	[
		'25 objects with IDs',
		list(25, (video_id) => ({ video_id, title: 'T' })),
		list(25, (video_id) => (video_id < 20 ? { video_id, title: 'T' } : { video_id })),
	],
	[
		'25 objects, most of them with IDs',
		list(25, (i) => (i < 21 ? { video_id: i } : { title: 'T' })),
		[...list(21, (video_id) => ({ video_id })), '… (4 more)'],
	],
	['null and false', [null, false, undefined, {}], [false]],
	['only empty entries', [null, {}, ''], undefined],
])('a long list of %s is shortened', (_, entries, expected) => {
	const shortened = truncate({ entries, ...long } as IDataObject);
	expect(shortened).toStrictEqual([expected ? { entries: expected, ...cut } : cut]);
});

test('below three levels, only IDs are left', () => {
	const deep = { e_id: 5, list: ['x'], parts: [{ f_id: 6, name: 'F' }, 'x'], name: 'E' };
	const json = {
		a: { b: { c: { deep, c_id: 4, name: 'C', no: false }, list: ['x'], n: 1 }, k: ['x'] },
	};
	expect(truncate({ ...json, ...long })).toStrictEqual([
		{
			a: {
				b: { c: { deep: { e_id: 5, parts: [{ f_id: 6 }] }, c_id: 4 }, n: 1 },
				k: ['x'],
			},
			...cut,
		},
	]);
});

test('step by step, texts, lists and levels become shorter', () => {
	const entries = list(30, () => fill(450));
	const words = list(12);
	const json = { entries, words, a: { n: 1, b: { c: 1 } }, text: fill(450), url };
	expect(truncate(json)).toStrictEqual([
		{
			entries: [...list(10, () => `${fill(200)}… (250 more characters)`), '… (20 more)'],
			...{ words: [...list(10), '… (2 more)'], a: { n: 1 } },
			...{ text: `${fill(200)}… (250 more characters)`, url },
		},
	]);
});

test.each([
	[20, 80],
	[30, 40],
])('of %i items, texts have at most %i characters, and URLs are left out', (count, length) => {
	const rows = list(count, (i) => ({
		id: `v${i}`,
		text: fill(90, 'y'),
		url,
		a: { b: { b_id: 1, n: 2 } },
	}));
	const row = { text: `${fill(length, 'y')}…`, a: { b: { b_id: 1 } } };
	const few = truncate(...(rows as IDataObject[])).slice(0, 2);
	expect(few).toStrictEqual([
		{ id: 'v0', ...row },
		{ id: 'v1', ...row },
	]);
});

test('items keep their files and their origin, and are not changed themselves', () => {
	const item = { json: { id: 'v', ...long, empty: null }, binary: {}, pairedItem: 3 };
	const before = structuredClone(item);
	expect(prepareToolOutput(unchanged, [item], true)).toStrictEqual([
		{
			json: {
				...{ id: 'v', ...cut },
				repeated:
					'This is the result of your earlier call with the same values: nothing new was created or charged. Change a value to create another result.',
			},
			...{ binary: {}, pairedItem: 3 },
		},
	]);
	expect(item).toStrictEqual(before);
	expect(prepareToolOutput(unchanged, [], true)).toStrictEqual([
		{ json: { found: 0, note: 'Nothing was found.' } },
	]);
});

test('only a text is an error', () => {
	expect(truncate({ error: null, a: '' }, { error: 'No', a: '' })).toStrictEqual([
		{},
		{ error: 'No', a: '' },
	]);
});

test.each([
	['rendering', 'rendering'],
	[undefined, 'processing'],
])('a job that runs on with the status %j is %s', (status, shown) => {
	const started = { kind: agentSessionJob, id: 's' };
	const job = { kind: videoJob, id: 'v' };
	const outcome = { outcome: 'timeout', job, status, known: true, waited: 1 } as const;
	const again = createStillRunningResult(started, outcome, { payEachCall: true });
	expect(again.note).toContain('you would be charged again. Call Get later, with video_id "v".');
	expect(createStillRunningResult(started, outcome, {})).toStrictEqual({
		...{ session_id: 's', video_id: 'v', status: shown, finished: false },
		note: 'The video is still being created. Do not create it again with other values: call this tool again with exactly the same values. The tool then waits for the same video, at no further charge. After the user\'s next message, call Get, with video_id "v".',
		job: { kind: 'video', id: 'v' },
	});
});
