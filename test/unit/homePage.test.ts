/** The numbers of the home page are in the evidence that it links to. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../tools/install';

const siteFolder = join(projectRoot, 'site');
const home = readFileSync(join(siteFolder, 'home.md'), 'utf8');

const evidenceLink = /\((\.\.\/docs\/evidence\/\w+\.md)#([\w-]+)\)/;
const statements = home.split(/\n{2,}(?=\*\*[\d,]+)|\n<\/div>|\n## /).flatMap((text) => {
	const [whole, file = '', anchor = ''] = evidenceLink.exec(text) ?? [];
	const numbers = text.replace(whole ?? '', '').match(/\d[\d,.]*\d|\d/g) ?? [];
	return whole === undefined || numbers.length === 0 ? [] : [{ text, file, anchor, numbers }];
});

/** The section of a document below the heading with this anchor. */
function readSection(file: string, anchor: string): string {
	const sections = readFileSync(join(siteFolder, file), 'utf8').split(/^## /m);
	const toAnchor = (section: string) =>
		(section.split('\n')[0] ?? '').toLowerCase().replaceAll(' ', '-');
	return sections.find((section) => toAnchor(section) === anchor) ?? '';
}

const normalize = (text: string) => text.replace(/(\d),(?=\d{3})/g, '$1');

test('the statements are found', () => {
	expect(statements.length).toBe(7);
});

test.each(statements)('$anchor of $file has the numbers of the home page', (statement) => {
	const words = normalize(readSection(statement.file, statement.anchor)).match(/\d[\d.]*\d|\d/g);
	expect(words).toEqual(expect.arrayContaining(statement.numbers.map(normalize)));
});
