/** docs/ has a page for each node, of the examples and of the errors, and they are as they should be. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { docsFolder, pages, pagesFolder } from '../../tools/nodePages';
import { isPageStale, listStaleLines } from '../../tools/pages';

const made = pages();

test.each([...made])('docs/%s is what it is made of', (name, text) => {
	const file = join(docsFolder, name);
	if (!existsSync(file)) throw new Error(`Run npm run docs: docs/${name} is missing`);
	if (!isPageStale(file, text)) return;
	throw new Error(
		[`Run npm run docs: docs/${name} is out of date`, ...listStaleLines(file, text)].join('\n'),
	);
});

test('there is no page of a node that has gone', () => {
	const written = readdirSync(pagesFolder).filter((name) => name.endsWith('.md'));
	expect(written.filter((name) => !made.has(`nodes/${name}`))).toEqual([]);
});
