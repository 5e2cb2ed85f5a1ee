/** The generated files are up to date, and no other pages are left. */
import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as nodeLimits from '../../nodes/apiLimits';
import { findOrphanedFiles, renderPages } from '../../tools/generate';
import { projectRoot } from '../../tools/install';
import { docsFolder } from '../../tools/nodeFolders';
import { collectNodeLimits } from '../../tools/nodeLimits';
import { isPageStale, listStaleLines } from '../../tools/pages';

const pages = renderPages();

test.each([...pages])('docs/%s is up to date', (name, text) => {
	const file = join(docsFolder, name);
	const path = relative(projectRoot, file);
	if (!isPageStale(file, text)) return;
	throw new Error(
		[`Run npm run generate: ${path} is out of date`, ...listStaleLines(file, text)].join('\n'),
	);
});

test('the limits and values of the nodes are those of the description', () => {
	if (isDeepStrictEqual({ ...nodeLimits }, collectNodeLimits())) return;
	throw new Error('Run npm run generate: nodes/apiLimits.ts is out of date');
});

test('no page or item is left of a node that was removed', () => {
	expect(findOrphanedFiles(pages)).toEqual([]);
});
