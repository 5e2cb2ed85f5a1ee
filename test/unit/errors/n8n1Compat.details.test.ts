/** How n8n 1 shows the details of an error item. */
import type { IDataObject, INode } from 'n8n-workflow';
import { adaptErrorOutput, isN8n1, parseDetailsText } from '../../../nodes/core/errors/n8n1Compat';

const n8n1 = { getNode: () => ({ onError: 'continueErrorOutput' }) as INode };

test.each<[string, IDataObject, string]>([
	['without a description', { code: 'lost', description: null }, 'code: "lost"'],
	['with values that are missing', { status: null, code: undefined, n: 0 }, 'n: 0'],
	['with a description alone', { description: 'Run again.' }, 'Run again.'],
	['that are empty', {}, '-'],
])('details %s are a text', (_, details, message) => {
	const outputs = [[], [{ json: { details, error: 'No' }, pairedItem: 3 }]];
	expect(adaptErrorOutput(n8n1, outputs)).toStrictEqual([
		[],
		[{ json: { error: 'No', message }, pairedItem: 3 }],
	]);
});

test('items with fewer keys or with others are no error items', () => {
	const items = [
		{ json: { error: 'No' } },
		{ json: {} },
		{ json: { details: {}, error: 1, a: 1 } },
	];
	expect(adaptErrorOutput(n8n1, [items])).toStrictEqual([items]);
});

test('n8n 1 does not report whether a tool runs', () => {
	expect(isN8n1({})).toBe(true);
	expect(isN8n1({ isToolExecution: undefined })).toBe(false);
});

test.each<[string, IDataObject | undefined]>([
	[
		'Run again.\ncode: "lost"\nrow: {"node":"a: b","id":"r"}',
		{ code: 'lost', row: { node: 'a: b', id: 'r' } },
	],
	['Note: run again.\nn: 0', { n: 0 }],
	['Run again.', undefined],
	['-', undefined],
	['', undefined],
])('the details in the text %j are read', (text, details) => {
	expect(parseDetailsText(text)).toStrictEqual(details);
});
