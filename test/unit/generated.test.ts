/** The generated pages of docs/ are up to date, and no others are left. */
import { join } from 'node:path';
import { waitNodeName } from '../../nodes/core/form/waitNode';
import { findOrphanedFiles, renderDocuments, renderPages } from '../../tools/generate';
import { docsFolder, loadNode } from '../../tools/nodes';
import { isPageStale, listStaleLines } from '../../tools/pages';
import { findStaleWaitNode, hasWaitNode, waitNodeFolder } from '../../tools/waitNode';

const pages = renderPages();

test('the nodes and documents agree with package.json about VideoGen Wait for Job', () => {
	expect(findStaleWaitNode()).toBeUndefined();
	if (hasWaitNode) expect(waitNodeName).toBe(loadNode(waitNodeFolder).description.displayName);
});

test.each([...new Map([...renderDocuments(), ...pages])])('docs/%s is up to date', (path, text) => {
	const file = join(docsFolder, path);
	if (!isPageStale(file, text)) return;
	throw new Error(
		[`Run npm run generate: docs/${path} is out of date`, ...listStaleLines(file, text)].join('\n'),
	);
});

test('no page, item or example is left of a node that was removed', () => {
	expect(findOrphanedFiles(pages)).toEqual([]);
});
