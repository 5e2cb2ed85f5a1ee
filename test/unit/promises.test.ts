/** The statements of the guides about money and loss are in a table, each with what shows that it holds. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../tools/install';
import { readTableCells } from '../../tools/pages';

const at = (...names: string[]) => path.join(projectRoot, ...names);
const read = (...names: string[]) => readFileSync(at(...names), 'utf8');
const onOneLine = (text: string) => text.replace(/\s+/g, ' ');

const rowId = /\b[A-Z]\d{1,2}\b/g;
const rows = readTableCells(read('docs', 'evidence', 'faults.md')).filter(([id]) =>
	/^[A-Z]\d+$/.test(id ?? ''),
);
const ids = rows.map(([id = '']) => id);

const [statementTables = ''] = read('docs', 'contributing', 'promises.md').split('\n## Details\n');
const promises = readTableCells(statementTables)
	.filter(([first = '']) => first !== 'Statement' && !/^-+$/.test(first))
	.map(([statement = '', page = '', shownBy = '']) => ({ statement, page, shownBy }));

/** The sentences of a text: a period in bold text ends one, too. */
const splitSentences = (text: string) => onOneLine(text).split(/(?<=[.!?])\s+(?=[A-Z*_])/);

test('every row of the failure tests holds or says why it does not, and has an ID of its own', () => {
	expect(rows.length).toBeGreaterThan(60);
	expect(new Set(ids).size).toBe(rows.length);
	const verdicts = rows.map((cells) => cells.at(-1) ?? '');
	const known = verdicts.filter((verdict) => /^does not hold: \w+/.test(verdict));
	expect(verdicts.filter((verdict) => verdict !== 'holds' && !known.includes(verdict))).toEqual([]);
	expect(known.length).toBeLessThan(8);
});

test('every statement is shown by rows or tests that exist', () => {
	expect(promises.length).toBeGreaterThan(60);
	const lacking = promises.filter(({ shownBy }) => {
		const cited = shownBy.match(rowId) ?? [];
		const tests = [...shownBy.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file);
		if ([...cited, ...tests].length === 0) {
			return shownBy !== 'not documented' && !shownBy.startsWith('[limits](');
		}
		return !cited.every((id) => ids.includes(id)) || !tests.every((file) => existsSync(at(file)));
	});
	expect(lacking).toEqual([]);
});

test('every row is cited by a statement', () => {
	const cited = new Set(promises.flatMap(({ shownBy }) => shownBy.match(rowId) ?? []));
	// They add to a row that is cited.
	const additional = ['B7', 'B8'];
	expect(ids.filter((id) => !cited.has(id) && !additional.includes(id))).toEqual([]);
});

test('every statement is on its page, word for word', () => {
	const missing = promises.filter(({ statement, page }) => {
		const [, target] = /\(([^)]+)\)/.exec(page) ?? [];
		if (target === undefined) return page !== '—';
		return !onOneLine(read('docs', 'contributing', target)).includes(statement);
	});
	expect(missing).toEqual([]);
});

test('every statement of the page on guarantees is in the table', () => {
	const page = read('docs', 'guarantees.md');
	const listed = [...page.matchAll(/^- ([^]*?)(?=\n- |\n\n)/gm)].flatMap(([, text = '']) =>
		splitSentences(text),
	);
	const cases = readTableCells(page)
		.map(([first = '']) => first)
		.filter((first) => first.endsWith('.'));
	const inTable = readTableCells(page)
		.filter(([first = '']) => /^_/.test(first))
		.map((cells) => cells.at(-1) ?? '');
	expect(listed.length + cases.length).toBeGreaterThan(30);
	expect(cases).toHaveLength(7);
	expect(inTable).toHaveLength(3);
	const known = promises.map(({ statement }) => statement);
	expect(
		[...listed, ...cases, ...inTable].filter((statement) => !known.includes(statement)),
	).toEqual([]);
});
