// What jest --findRelatedTests cannot see in the import statements: nodes that are loaded by name.
const { readdirSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const nodes = readdirSync(path.join(root, 'nodes')).filter((name) => name.startsWith('VideoGen'));

/** @param {string} file relative to the root */
function findLoadedNodes(file) {
	// Loads all nodes: so do the tests that import it.
	if (file === path.join('tools', 'nodes.ts')) return nodes;
	if (file.startsWith(path.join('test', 'integration', 'trigger'))) {
		return nodes.filter((node) => node.endsWith('Trigger'));
	}
	// Tests of the core run some node as an example only: they are not tests of that node.
	const [name = ''] = path.basename(file).split('.');
	return file.endsWith('.test.ts') && nodes.includes(name) ? [name] : [];
}

module.exports = {
	/** @type {import('jest').DependencyExtractor['extract']} */
	extract(code, file, extractImports) {
		const found = extractImports(code, file);
		for (const node of findLoadedNodes(path.relative(root, file))) {
			found.add(path.join(root, 'nodes', node, `${node}.node.ts`));
		}
		return found;
	},
	getCacheKey: () => nodes.join(),
};
