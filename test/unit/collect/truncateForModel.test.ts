/** What an AI model is given of the items of its tool. */
import type { IDataObject, INode } from 'n8n-workflow';
import { createOperationError, createServiceError } from '../../../nodes/core/errors/nodeErrors';
import {
	describeErrorForModel,
	truncateForModel,
} from '../../../nodes/core/collect/truncateForModel';

const given = (all: IDataObject[], repeats = false) =>
	truncateForModel(
		all.map((json) => ({ json })),
		repeats,
	).map(({ json }) => json);

const sizeOf = (all: IDataObject[]) => JSON.stringify(all).length;
const long = 'x'.repeat(3_000);
const address = (i: number) => `https://files.example/${i}?signature=${'y'.repeat(400)}`;

test('what is short stays whole, but for what says nothing', () => {
	const json = { video_id: 'v', title: 'Hello', parts: [{ a: 1 }], no: false, zero: 0 };
	expect(given([{ ...json, error: null, empty: '', none: [], nothing: {} }])).toEqual([json]);
});

test('an id is told once, by the name that other tools ask for', () => {
	expect(given([{ video_id: 'v', id: 'v' }])).toEqual([{ video_id: 'v' }]);
	expect(given([{ id: 'v', folder_id: 'f' }])).toEqual([{ id: 'v', folder_id: 'f' }]);
});

test('nothing found is said in words: n8n would tell the model an empty text', () => {
	expect(given([])).toEqual([{ found: 0, note: 'Nothing was found.' }]);
});

test('a list of 20 has less than 4,000 characters, with each id, name and status', () => {
	const rows = Array.from({ length: 20 }, (_, i) => ({
		...{ video_id: `${'0'.repeat(30)}${i}`, id: `${'0'.repeat(30)}${i}`, folder_id: null },
		...{ title: `Film ${i}`, status: 'completed', created_at: 1_790_000_000, duration: 12.5 },
		...{ video_url: address(i), thumbnail_url: address(i), script: long },
	}));
	const told = given(rows);
	expect(told).toHaveLength(20);
	told.forEach((one, i) => {
		const { video_id, title, status } = rows[i]!;
		expect(one).toMatchObject({ video_id, title, status });
		expect(one).not.toHaveProperty('video_url');
	});
	expect(sizeOf(told)).toBeLessThan(4_000);
});

test('of one thing, addresses stay whole however long the rest is', () => {
	const [told] = given([
		{ video_id: 'v', video_url: address(1), script: long.repeat(9), note: 'Short' },
	]);
	expect(told).toMatchObject({ video_id: 'v', video_url: address(1), note: 'Short' });
	expect(told?.script).toMatch(/^x+… \([\d]+ more characters\)$/);
	expect(sizeOf([told!])).toBeLessThan(8_000);
});

test('no id is lost, however deep it stands and however long the list is', () => {
	const entries = Array.from({ length: 60 }, (_, i) => ({
		video_id: `v${i}`,
		about: { parts: [{ text: long, asset_id: `a${i}` }] },
		text: long,
	}));
	const [told] = given([{ batch_id: 'b', look_ids: ['l1', 'l2'], items: entries }]);
	const text = JSON.stringify(told);
	for (let i = 0; i < 60; i++) {
		expect(text).toContain(`"v${i}"`);
		expect(text).toContain(`"a${i}"`);
	}
	expect(told).toMatchObject({ batch_id: 'b', look_ids: ['l1', 'l2'] });
	expect(text.length).toBeLessThan(8_000);
});

test('what is left out of a list is counted', () => {
	const words = Array.from({ length: 2_000 }, (_, i) => `word ${i}`);
	const [told] = given([{ id: 'i', words }]);
	const list = told?.words as string[];
	expect(list.slice(0, 2)).toEqual(['word 0', 'word 1']);
	expect(list.at(-1)).toBe(`… (${2_000 - (list.length - 1)} more)`);
});

test('errors stay what n8n recognises', () => {
	const error = { error: 'Refused', details: { description: long.repeat(9), code: null } };
	expect(given([error])).toEqual([error]);
	expect(given([error], true)).toEqual([error]);
});

test('a repeated call is told that nothing new was made', () => {
	const [told] = given([{ video_id: 'v' }], true);
	expect(told).toEqual({
		video_id: 'v',
		repeated: expect.stringContaining('nothing new was made'),
	});
});

const node = { name: 'Node', type: 'test', parameters: {} } as unknown as INode;

test('put what to do into the message, without the codes that only people need', () => {
	const refused = createServiceError(
		node,
		{ code: 'voice_unavailable', status: 400, request_id: 'req_1' },
		{ serviceMessage: 'It was deleted', hint: 'Choose another voice.' },
	);
	expect(refused.description).toContain('req_1');
	const { message } = describeErrorForModel(refused);
	expect(message).toMatch(/: It was deleted\. Choose another voice\.$/);
	expect(describeErrorForModel(createOperationError(node, 'Refused')).message).toBe('Refused.');
});

test('limit the length of a message', () => {
	const long = createOperationError(node, 'Refused', 'x'.repeat(9_000));
	expect(describeErrorForModel(long).message).toHaveLength(1_000);
});
