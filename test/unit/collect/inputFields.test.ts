/** How the fields of a row and of an output item are combined. */
import type { IDataObject } from 'n8n-workflow';
import { mergeInputIntoOutput } from '../../../nodes/core/collect/collectItems';

const own = {
	video_id: 'v1',
	title: 'Hello',
	status: 'completed',
	job: { kind: 'video', id: 'v1' },
};

test.each<[string, IDataObject, IDataObject]>([
	['fields of its own', { name: 'Ada' }, { name: 'Ada' }],
	['equal fields', { title: 'Hello' }, {}],
	['a conflict', { title: 'Dr.' }, { input: { title: 'Dr.' } }],
	['a text with a question mark', { title: 'Hello?' }, { input: { title: 'Hello?' } }],
	['an empty conflict', { title: null }, { input: { title: null } }],
	[
		'a conflict and an object "input"',
		{ title: 'Dr.', input: { a: 1 } },
		{ input: { title: 'Dr.', a: 1 } },
	],
	[
		'a conflict that moved before',
		{ title: 'x', input: { title: 'Dr.' } },
		{ input: { title: 'Dr.' } },
	],
	[
		'a conflict and a text "input"',
		{ title: 'Dr.', input: '' },
		{ input: { title: 'Dr.', input: '' } },
	],
	['a list "input"', { input: [1] }, { input: [1] }],
	['an error', { error: false, details: 'mine' }, { input: { error: false }, details: 'mine' }],
	['an error item', { error: 'No', details: {} }, { input: { error: 'No', details: {} } }],
	['an earlier job', { job: { kind: 'session', id: 's1' }, status: 'thinking' }, {}],
	['a job that is none', { job: 'Baker' }, { input: { job: 'Baker' } }],
	['a job without a kind', { job: { id: 7 } }, { input: { job: { id: 7 } } }],
	['a status of its own', { status: 'VIP' }, { input: { status: 'VIP' } }],
	[
		'names of JavaScript',
		{ constructor: 'Ltd.', toString: 'x' },
		{ constructor: 'Ltd.', toString: 'x' },
	],
])('%s', (_, row, added) => {
	const combined = mergeInputIntoOutput(own, row);
	expect(combined).toEqual({ ...own, ...added });
	expect(Object.hasOwn(combined, 'constructor')).toBe(Object.hasOwn(row, 'constructor'));
});

test('an error item does not refer to the job of its row', () => {
	const row = { name: 'Ada', job: { kind: 'session', id: 's1' } };
	expect(mergeInputIntoOutput({ error: 'No', details: {} }, row)).toEqual({
		name: 'Ada',
		input: { job: row.job },
		error: 'No',
		details: {},
	});
});

test('a row cannot change the prototype of the item', () => {
	const row = JSON.parse('{"__proto__":{"admin":true},"title":"Dr."}') as IDataObject;
	const combined = mergeInputIntoOutput(own, row);
	expect(combined.admin).toBeUndefined();
	expect(combined.input).toEqual({ title: 'Dr.' });
});

test('fields of the node named "input" win', () => {
	expect(mergeInputIntoOutput({ input: 'own' }, { input: 'row', name: 'Ada' })).toEqual({
		name: 'Ada',
		input: 'own',
	});
});

test('URLs of the same file are equal although their signatures differ', () => {
	const url = (host: string, signature: string) => `https://${host}/a.mp4?signature=${signature}`;
	const item = { video_url: url('files.example', '2') };
	expect(mergeInputIntoOutput(item, { video_url: url('files.example', '1') })).toEqual(item);
	const other = { video_url: url('other.example', '1') };
	expect(mergeInputIntoOutput(item, other)).toEqual({ ...item, input: other });
});
