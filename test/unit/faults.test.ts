/** Claims of docs/money.md cite rows of docs/evidence/faults.md. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../tools/install';
import { readTableCells } from '../../tools/pages';

const read = (...names: string[]) => readFileSync(path.join(projectRoot, ...names), 'utf8');

const rowId = /\b[A-Z]\d{1,2}\b/g;
const rows = readTableCells(read('docs', 'evidence', 'faults.md')).filter(([id]) =>
	/^[A-Z]\d+$/.test(id ?? ''),
);
const ids = rows.map(([id]) => id);
const money = read('docs', 'money.md');
const claims = readTableCells(money).filter(
	([first = '']) => !['Claim', 'Choice'].includes(first) && !/^-+$/.test(first),
);

test('every row holds or says why it does not, and has an ID of its own', () => {
	expect(rows.length).toBeGreaterThan(60);
	expect(new Set(ids).size).toBe(rows.length);
	const verdicts = rows.map((cells) => cells.at(-1) ?? '');
	const known = verdicts.filter((verdict) => /^does not hold: \w+/.test(verdict));
	expect(verdicts.filter((verdict) => verdict !== 'holds' && !known.includes(verdict))).toEqual([]);
	expect(known.length).toBeLessThan(8);
});

test('every claim cites rows that exist', () => {
	expect(claims.length).toBeGreaterThan(40);
	for (const cells of claims) {
		const cited = cells.at(-1)?.match(rowId) ?? [];
		expect({ claim: cells[0], cited: cited.length > 0 }).toEqual({ claim: cells[0], cited: true });
		expect(ids).toEqual(expect.arrayContaining(cited));
	}
});

test('every row is cited by a claim', () => {
	const cited = new Set(claims.flatMap((cells) => cells.at(-1)?.match(rowId) ?? []));
	// They add to a row that is cited.
	const additional = ['B7', 'B8'];
	expect(ids.filter((id = '') => !cited.has(id) && !additional.includes(id))).toEqual([]);
});
