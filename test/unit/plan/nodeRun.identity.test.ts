/** What the keys of a run are derived from, and what the ledger must not contain. */
import type { IDataObject } from 'n8n-workflow';
import { addRecord, begin, noErrors, storeContext, type NodeSettings } from './nodeRuns';

const url = 'https://n8n.example/webhook-waiting/7';
const token = '0123456789abcdef';
const randomId = /^[0-9a-f-]{36}$/;

const ledgerOf = (context: IDataObject) => context.videoGenLedger as IDataObject;

describe('without a token in the resume URL', () => {
	test.each([[undefined], [url], [`${url}?signature=`], [`${url}?mysignature=a`]])(
		'a random secret is stored: %s',
		(resumeUrl) => {
			const context: IDataObject = {};
			const { identity } = begin({ execution: '7', resumeUrl, context });
			expect(identity.run).toStrictEqual([expect.stringMatching(randomId)]);
			expect(ledgerOf(context).secret).toBe(identity.run[0]);
			const stored = storeContext(context);
			const later: NodeSettings[] = [{}, { execution: '8' }, { runIndex: 1 }];
			for (const settings of later) {
				const again = begin({ execution: '7', resumeUrl, context: stored, ...settings });
				expect(again.identity.run).toStrictEqual(identity.run);
			}
		},
	);

	test('executions with the same ID have different secrets', () => {
		const [one, other] = [1, 2].map(() => begin({ execution: '7', resumeUrl: url }));
		expect(one?.identity.run).not.toStrictEqual(other?.identity.run);
		expect(one?.getRowId(0)).not.toBe(other?.getRowId(0));
	});
});

describe('with a token in the resume URL', () => {
	test.each([`${url}?signature=${token}`, `${url}?a=b&signature=${token}&c=d`])(
		'the token is the secret, and the ledger does not contain it: %s',
		(resumeUrl) => {
			const context: IDataObject = {};
			const attempt = begin({ execution: '7', resumeUrl, context });
			expect(attempt.identity.run).toStrictEqual([token]);
			addRecord(attempt.state.creates, 'a', ['1.0']).key = 'key';
			attempt.end([], new Map([[0, { error: new Error('No') as never }]]));
			const stored = JSON.stringify(context);
			expect(ledgerOf(context)).not.toHaveProperty('secret');
			expect(stored).toContain(attempt.getRowId(0));
			expect(stored).not.toContain(token);
		},
	);

	test('another process derives the same keys', () => {
		const beginWith = (signature: string) =>
			begin({ execution: '7', resumeUrl: `${url}?signature=${signature}` });
		expect(beginWith('a').identity).toStrictEqual(beginWith('a').identity);
		expect(beginWith('a').getRowId(0)).toBe(beginWith('a').getRowId(0));
		expect(beginWith('a').identity).not.toStrictEqual(beginWith('b').identity);
	});
});

test.each<[string, NodeSettings, boolean]>([
	['the same', {}, true],
	['another run', { runIndex: 1 }, true],
	['another execution', { execution: '8' }, true],
	['another node', { id: 'other' }, false],
	['another workflow', { workflow: 'other' }, false],
	['another n8n', { instance: 'other' }, false],
	['another secret', { resumeUrl: `${url}?signature=b` }, false],
])('keys and row IDs in %s', (_, change, isSame) => {
	const settings = { execution: '7', resumeUrl: `${url}?signature=a` };
	const [one, other] = [begin(settings), begin({ ...settings, ...change })];
	const keysOf = ({ identity: { node, run, origins } }: typeof one) => [node, run, origins];
	const rowIds = [one.getRowId(0), other.getRowId(0)];
	if (isSame) expect(keysOf(other)).toStrictEqual(keysOf(one));
	else expect(keysOf(other)).not.toStrictEqual(keysOf(one));
	expect(rowIds[0] === rowIds[1]).toBe(isSame);
	expect(rowIds[0]).toMatch(/^n8n-[0-9a-f]{48}$/);
});

test('each item has its own row ID', () => {
	const attempt = begin({ execution: '7', inputs: [{ json: {} }, { json: {} }] });
	expect(attempt.getRowId(0)).not.toBe(attempt.getRowId(1));
	expect(attempt.getRowId(0)).toBe(attempt.getRowId(0));
});

test.each([[''], [undefined]])('runs with the execution ID %j are never continued', (execution) => {
	const context: IDataObject = {};
	const origins = [1, 2].map(() => {
		const attempt = begin({ execution, context });
		attempt.end([], noErrors);
		return attempt.identity.origins;
	});
	expect(origins).toStrictEqual([['1.0'], ['2.0']]);
});
