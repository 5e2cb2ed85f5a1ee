/** Error items on n8n 1. */
import type { INode } from 'n8n-workflow';
import { adaptErrorOutput } from '../../../nodes/core/errors/n8n1Compat';

const failed = {
	json: {
		error: 'The video failed',
		details: { code: 'render_failed', job: { kind: 'video', id: 'v1' }, description: 'Run again.' },
	},
	pairedItem: { item: 1 },
};
const made = { json: { error: 'of the row', details: 1, name: 'Ada' } };
const outputs = () => [[made, failed]];

const n8n = (onError: INode['onError'], more: object = {}) => ({
	getNode: () => ({ onError }) as INode,
	...more,
});

test('n8n 1 gets error items that it sends to the error output, with all details', () => {
	const [[row, error] = []] = adaptErrorOutput(n8n('continueErrorOutput'), outputs());
	expect(row).toBe(made);
	expect(error).toEqual({
		json: {
			error: 'The video failed',
			message: 'Run again.\ncode: "render_failed"\njob: {"kind":"video","id":"v1"}',
		},
		pairedItem: { item: 1 },
	});
});

test('items do not change if n8n accepts details, or has no error output', () => {
	const newer = n8n('continueErrorOutput', { isToolExecution: () => false });
	expect(adaptErrorOutput(newer, outputs())).toEqual(outputs());
	expect(adaptErrorOutput(n8n('continueRegularOutput'), outputs())).toEqual(outputs());
});
