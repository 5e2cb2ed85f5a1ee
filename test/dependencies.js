// What jest --findRelatedTests cannot see in the import statements: nodes that are loaded by name, and
// resources and tables of the simulator, which all tests load and few of them use.
const { globSync, readFileSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
/** @param {string} pattern */
const find = (pattern) =>
	globSync(pattern, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
/** @param {string} file */
const read = (file) => readFileSync(path.join(root, file), 'utf8');

const nodes = find('nodes/VideoGen*/*.node.ts').map((file) => path.basename(file, '.node.ts'));
/** @param {string} node */
const sourceOf = (node) => `nodes/${node}/${node}.node.ts`;

/**
 * The beginnings of URLs such as `/v3/videos` in source code.
 *
 * @param {string} code
 */
const findUrls = (code) => new Set(code.match(/\/v\d+\/[\w-]+/g));
const urlsOfNodes = new Map(
	nodes.map((node) => [node, findUrls(find(`nodes/${node}/**/*.ts`).map(read).join('\n'))]),
);
const resources = find('simulator/resources/**/*.ts').map((file) => ({
	file,
	urls: findUrls(read(file)),
}));

/** @param {Set<string> | undefined} urls */
const findResources = (urls) =>
	resources.filter((one) => [...one.urls].some((url) => urls?.has(url))).map(({ file }) => file);

/**
 * @param {string} file
 * @param {string} code
 */
function findLoadedFiles(file, code) {
	// Loads all nodes: so do the tests that import it.
	if (file === 'tools/nodes.ts') return nodes.map(sourceOf);
	if (file.startsWith('test/integration/trigger/')) {
		return nodes.filter((node) => node.endsWith('Trigger')).map(sourceOf);
	}
	if (!file.endsWith('.test.ts')) return [];
	if (file.startsWith('test/simulator/')) return findResources(findUrls(code));
	// Tests of the core run some node as an example only: they are not tests of that node.
	const [node = ''] = path.basename(file).split('.');
	return nodes.includes(node) ? [sourceOf(node), ...findResources(urlsOfNodes.get(node))] : [];
}

module.exports = {
	/** @type {import('jest').DependencyExtractor['extract']} */
	extract(code, absolute, extractImports) {
		const file = path.relative(root, absolute).replaceAll(path.sep, '/');
		const found = extractImports(code, absolute);
		if (file === 'simulator/index.ts') found.delete('./resources');
		// The compiler finds the uses of a table that has changed.
		if (file === 'simulator/store.ts') found.delete('./rows');
		for (const loaded of findLoadedFiles(file, code)) found.add(path.join(root, loaded));
		return found;
	},
	// Extracted imports are cached by the content of their file alone.
	getCacheKey: () =>
		JSON.stringify([
			readFileSync(__filename, 'utf8'),
			...resources.map(({ file, urls }) => [file, ...urls]),
			...[...urlsOfNodes].map(([node, urls]) => [node, ...urls]),
		]),
};
