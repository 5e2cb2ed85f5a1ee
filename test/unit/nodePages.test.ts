/** docs/nodes has a page for each node, and it says what the node says. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nodePages, pagesFolder } from '../../tools/node-pages';
import { isStale, staleLines } from '../../tools/pages';

const pages = nodePages();

test.each([...pages])('docs/nodes/%s is what the node says', (name, text) => {
	const file = join(pagesFolder, name);
	if (!existsSync(file)) throw new Error(`Run npm run docs: docs/nodes/${name} is missing`);
	if (!isStale(file, text)) return;
	throw new Error(
		[`Run npm run docs: docs/nodes/${name} is out of date`, ...staleLines(file, text)].join('\n'),
	);
});

test('there is no page of a node that has gone', () => {
	const written = readdirSync(pagesFolder).filter((name) => name.endsWith('.md'));
	expect(written.sort()).toEqual([...pages.keys()].sort());
});
