/** What a language model receives of the items of its tool. */
import type { IDataObject, INode } from 'n8n-workflow';
import {
	createInvalidValuesError,
	createOperationError,
	createServiceError,
} from '../../../nodes/core/errors/nodeErrors';
import { toRunError } from '../../../nodes/core/collect/collectItems';
import { moveAdviceIntoMessage, prepareToolOutput } from '../../../nodes/core/collect/toolOutput';

/** As a tool with these settings outputs it. */
const prepare = (all: IDataObject[], settings: IDataObject, repeats = false) =>
	prepareToolOutput(
		{
			getNodeParameter: (name: string, _: number, unset: unknown) => settings[name] ?? unset,
		} as never,
		all.map((json) => ({ json })),
		repeats,
	).map(({ json }) => json);

const truncate = (all: IDataObject[], repeats = false) => prepare(all, {}, repeats);

const sizeOf = (all: IDataObject[]) => JSON.stringify(all).length;
const long = 'x'.repeat(3_000);
const createUrl = (i: number) => `https://files.example/${i}?signature=${'y'.repeat(400)}`;

test('a short item stays whole, without empty values', () => {
	const json = { video_id: 'v', title: 'Hello', parts: [{ a: 1 }], no: false, zero: 0 };
	expect(truncate([{ ...json, error: null, empty: '', none: [], nothing: {} }])).toEqual([json]);
});

test('an ID appears once, under the name that other tools use', () => {
	expect(truncate([{ video_id: 'v', id: 'v' }])).toEqual([{ video_id: 'v' }]);
	expect(truncate([{ id: 'v', folder_id: 'f' }])).toEqual([{ id: 'v', folder_id: 'f' }]);
});

test('an empty result is a note: n8n would send the model an empty text', () => {
	expect(truncate([])).toEqual([{ found: 0, note: 'Nothing was found.' }]);
});

test('a list of 20 has less than 4,000 characters, with each ID, name and status', () => {
	const rows = Array.from({ length: 20 }, (_, i) => ({
		...{ video_id: `${'0'.repeat(30)}${i}`, id: `${'0'.repeat(30)}${i}`, folder_id: null },
		...{ title: `Video ${i}`, status: 'completed', created_at: 1_790_000_000, duration: 12.5 },
		...{ video_url: createUrl(i), thumbnail_url: createUrl(i), script: long },
	}));
	const result = truncate(rows);
	expect(result).toHaveLength(20);
	result.forEach((one, i) => {
		const { video_id, title, status } = rows[i]!;
		expect(one).toMatchObject({ video_id, title, status });
		expect(one).not.toHaveProperty('video_url');
	});
	expect(sizeOf(result)).toBeLessThan(4_000);
});

test('the URLs of a single item stay whole, however long the rest is', () => {
	const kept = { video_id: 'v', video_url: createUrl(1), note: 'Short' };
	const [result] = truncate([{ ...kept, script: long.repeat(9) }]);
	expect(result).toMatchObject(kept);
	expect(result?.script).toMatch(/^x+… \([\d]+ more characters\)$/);
	expect(sizeOf([result!])).toBeLessThan(8_000);
});

test('the URLs of a short list stay, too', () => {
	const items = [1, 2].map((i) => ({ video_id: `v${i}`, video_url: createUrl(i) }));
	expect(truncate(items)).toEqual(items);
});

test('no ID is lost, however deeply nested and however long the list is', () => {
	const entries = Array.from({ length: 60 }, (_, i) => ({
		video_id: `v${i}`,
		about: { parts: [{ text: long, asset_id: `a${i}` }] },
		text: long,
	}));
	const [result] = truncate([{ batch_id: 'b', look_ids: ['l1', 'l2'], items: entries }]);
	const text = JSON.stringify(result);
	for (let i = 0; i < 60; i++) {
		expect(text).toContain(`"v${i}"`);
		expect(text).toContain(`"a${i}"`);
	}
	expect(result).toMatchObject({ batch_id: 'b', look_ids: ['l1', 'l2'] });
	expect(text.length).toBeLessThan(8_000);
});

test('omitted list entries are counted', () => {
	const words = Array.from({ length: 2_000 }, (_, i) => `word ${i}`);
	const [result] = truncate([{ id: 'i', words }]);
	const list = result?.words as string[];
	expect(list.slice(0, 2)).toEqual(['word 0', 'word 1']);
	expect(list.at(-1)).toBe(`… (${2_000 - (list.length - 1)} more)`);
});

/** An item that is too long, and how much of it an AI agent gets. */
const createRows = (count: number, create: (i: number) => unknown) =>
	Array.from({ length: count }, (_, i) => create(i));
const item = {
	script: 'x'.repeat(9_000),
	video_url: createUrl(1),
	clips: createRows(22, (i) => ({ id: i, n: i })),
	words: createRows(23, (n) => ({ n })),
	deep: { a: { b: { c: { d: 1, video_id: 'v' } } } },
	lists: [[[[1, { id: 2, n: 3 }]]]],
	flags: createRows(20, () => true),
} as IDataObject;

test('of a long item, the first 500 characters, 20 entries and 3 levels remain, and all IDs', () => {
	expect(truncate([item])).toStrictEqual([
		{
			script: `${'x'.repeat(500)}… (8500 more characters)`,
			video_url: item.video_url,
			clips: createRows(22, (i) => (i < 20 ? { id: i, n: i } : { id: i })),
			words: [...createRows(20, (n) => ({ n })), '… (3 more)'],
			deep: { a: { b: { c: { video_id: 'v' } } } },
			lists: [[[[{ id: 2 }]]]],
			flags: item.flags,
		},
	]);
});

test('of several long items, 80 characters remain, and all IDs', () => {
	const items = createRows(3, (i) => ({ ...item, video_id: `v${i}`, title: 'y'.repeat(81) }));
	expect(truncate(items as IDataObject[])[2]).toStrictEqual({
		script: `${'x'.repeat(80)}…`,
		clips: createRows(22, (id) => ({ id })),
		deep: { a: { b: { c: { video_id: 'v' } } } },
		lists: [[[[{ id: 2 }]]]],
		video_id: 'v2',
		title: `${'y'.repeat(80)}…`,
	});
});

test('errors keep the form that n8n recognizes', () => {
	const error = { error: 'Rejected', details: { description: long.repeat(9), code: null } };
	for (const repeats of [false, true]) expect(truncate([error], repeats)).toEqual([error]);
});

test('a repeated call reports that no new job was created', () => {
	const repeated = expect.stringContaining('nothing new was created');
	expect(truncate([{ video_id: 'v' }], true)).toEqual([{ video_id: 'v', repeated }]);
});

const node = { name: 'Node', type: 'test', parameters: {} } as unknown as INode;

test('the message explains the fix, without codes that only people need', () => {
	const rejected = createServiceError(
		node,
		{ code: 'voice_unavailable', status: 400, request_id: 'req_1' },
		{ serviceMessage: 'It was deleted', hint: 'Choose another voice.' },
	);
	expect(rejected.description).toContain('req_1');
	const { message } = moveAdviceIntoMessage(rejected);
	expect(message).toMatch(/: It was deleted\.\nChoose another voice\.$/);
	expect(moveAdviceIntoMessage(createOperationError(node, 'Rejected')).message).toBe('Rejected.');
});

test('the last line has the value to correct', () => {
	const rejected = createServiceError(
		node,
		{ code: 'invalid_parameter', status: 400, param: 'avatar_id' },
		{ serviceMessage: 'Avatar look x does not exist', labels: { avatar_id: 'Avatar Look' } },
	);
	const last = moveAdviceIntoMessage(rejected).message.split('\n').at(-1);
	expect(last).toBe(
		'Call again with another value for Avatar Look (avatar_id): Avatar look x does not exist',
	);
	const problem = '"Orientation" must be one of landscape, portrait, but is "wide"';
	const invalid = createInvalidValuesError(node, [problem, '"Prompt" is required']);
	expect(moveAdviceIntoMessage(invalid).message.split('\n').at(-1)).toBe(
		`Call again with correct values: ${problem}; "Prompt" is required`,
	);
});

test.each([
	['unauthorized', 401, "Tell the user that a person must check this node's credential"],
	['not_json', 200, "Tell the user that a person must check this node's credential"],
	[
		'some_code',
		404,
		'The ID may be mistyped, belong to another account, or refer to something that was deleted.',
	],
])('a model is not asked to change the credential: %s', (code, status, advice) => {
	const { message } = moveAdviceIntoMessage(createServiceError(node, { code, status }));
	expect(message).toContain(advice);
	expect(message).not.toMatch(/Base URL|Open the credential|API key/);
});

test('a model gets no HTML and no codes, also after a run has added to the error', () => {
	const rejected = createServiceError(node, { code: 'x', status: 404, request_id: 'req_1' });
	const error = toRunError({ item: 0, error: rejected, jobs: [] }, 1, []);
	expect(moveAdviceIntoMessage(error).message).not.toMatch(/<br>|req_1|HTTP status/);
});

test('a message has a maximum length, and keeps its first words and its last line', () => {
	const long = createOperationError(node, 'Rejected', 'x'.repeat(9_000));
	expect(moveAdviceIntoMessage(long).message).toMatch(/^Rejected\.\nx{700}$/);
	const rejected = createServiceError(
		node,
		{ code: 'invalid_parameter', status: 400, param: 'avatar_id' },
		{ serviceMessage: 'It is wrong. '.repeat(40).trim(), labels: { avatar_id: 'Avatar Look' } },
	);
	const { message } = moveAdviceIntoMessage(rejected);
	expect(message.length).toBeLessThanOrEqual(1_000);
	expect(message.split('\n').at(-1)).toMatch(
		/^Call again with another value for Avatar Look \(avatar_id\): It is wrong\..*wrong\.?$/,
	);
});

test('the output of a tool can be raw', () => {
	const json = { video_id: 'v', text: 'x'.repeat(20_000), empty: null };
	expect(prepare([json], { toolOutput: 'raw' })).toEqual([json]);
	expect(prepare([json], { toolOutput: 'raw' }, true)).toEqual([
		{ ...json, repeated: expect.stringContaining('nothing new was created') },
	]);
});

test('the output of a tool can have selected fields: IDs, errors and the named ones', () => {
	const settings = { toolOutput: 'selected', toolOutputFields: 'video_url, title' };
	const json = { video_id: 'v', video_url: 'u', title: 'x'.repeat(20_000), status: 'completed' };
	const [selected] = prepare([json], settings);
	expect(selected).toEqual({
		video_id: 'v',
		video_url: 'u',
		title: expect.stringContaining('more characters'),
	});
	const error = { error: 'No', details: { code: 'c' } };
	expect(prepare([error], settings)).toEqual([error]);
});
