/**
 * The package without VideoGen Wait for Job: removing its line from package.json and running
 * `npm run generate` leaves no text that names the node or needs it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type * as Examples from '../../tools/examples';
import type * as Generate from '../../tools/generate';
import { projectRoot } from '../../tools/install';
import type * as Nodes from '../../tools/nodes';
import type * as SitePages from '../../tools/sitePages';
import { renderPassages } from '../../tools/waitNode';
import { loadFreshModules } from '../freshModules';
import { anchorsOf, linksOf } from '../markdown';

type Tools = typeof Examples & typeof Generate & typeof Nodes & typeof SitePages;

/** What the tools write for the package without the node. */
const { folders, examples, documents, forms, site } = loadFreshModules(
	['nodes', 'tools'].map((name) => join(projectRoot, name)),
	() => {
		const tools = Object.assign(
			{},
			...['examples', 'generate', 'nodes', 'sitePages'].map(
				// eslint-disable-next-line @typescript-eslint/no-require-imports -- a copy of the module
				(name) => require(`../../tools/${name}`) as object,
			),
		) as Tools;
		const names = tools.listNodeFolders();
		return {
			folders: names,
			examples: tools.loadExamples(),
			documents: new Map([...tools.renderDocuments(), ...tools.renderPages()]),
			forms: names.map((name) => {
				const { description } = tools.loadNode(name);
				return [name, JSON.stringify(description, null, 1)] as const;
			}),
			site: tools.renderSite({ base: '/', repository: undefined }),
		};
	},
	{ [require.resolve('../../nodes/core/form/waitNode')]: { waitNodeName: undefined } },
);

/** Everything about the node: its names, what it outputs, and the option that needs it. */
const leftovers =
	/Wait for Job|VideoGenWait|videoGenWait|still_running|Still Running|Call Back This/;

const marks = /<!-- (with VideoGenWait|end|otherwise)/;

// The changelog may say that the node was removed.
const findLeftovers = (text: string) =>
	text
		.split('\n')
		.filter((line) => !line.startsWith('- Removed'))
		.filter((line) => leftovers.test(line) || marks.test(line));

const filesIn = (folder: string) =>
	readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
		.map((name) => `${folder}/${name}`)
		.filter((name) => /\.(ts|json)$/.test(name));

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

test('the variant lacks the node and nothing else', () => {
	const all = readdirSync(join(projectRoot, 'nodes')).filter((name) => /^VideoGen\w/.test(name));
	expect(folders).toEqual(all.filter((name) => name !== 'VideoGenWait').sort());
	expect(examples.length).toBeGreaterThan(15);
	expect(documents.size).toBeGreaterThan(folders.length + 20);
});

test.each([...documents])('docs/%s says nothing about the node', (_, text) => {
	expect(findLeftovers(text)).toEqual([]);
});

const anchors = new Map([...documents].map(([path, text]) => [path, anchorsOf(text)]));
const kept = new Set(examples.map(({ file }) => `${file}.json`));
const leftOut = [
	'nodes/VideoGenWait.md',
	...readdirSync(join(projectRoot, 'examples'))
		.filter((name) => !kept.has(name))
		.flatMap((name) => [`../examples/${name}`, `pictures/${name.replace('.json', '.webp')}`]),
];

test.each([...documents])('no link of docs/%s leads to what is left out', (path, text) => {
	const broken = linksOf(text).filter((link) => {
		const [name = '', anchor] = link.split('#');
		const target = name === '' ? path : posix.join(posix.dirname(path), name);
		const isMissing = anchor !== undefined && anchors.get(target)?.includes(anchor) === false;
		return leftOut.includes(target) || isMissing;
	});
	expect(broken).toEqual([]);
});

test.each(forms)('the form of %s does not name the node', (_, form) => {
	expect(findLeftovers(form)).toEqual([]);
	expect(form).not.toContain('callBackHere');
});

// The code of errors and hints, with its comments, which ship too.
test('no other file of the nodes names the node', () => {
	const files = filesIn('nodes').filter(
		(file) => !/^nodes\/(VideoGenWait\/|core\/form\/waitNode\.ts$)/.test(file),
	);
	expect(files.length).toBeGreaterThan(200);
	const named = /VideoGen Wait|Wait for Job|VideoGenWait|videoGenWait/;
	expect(files.filter((file) => named.test(read(file)))).toEqual([]);
});

test('no other node imports from its folder', () => {
	const files = filesIn('nodes').filter((file) => !file.startsWith('nodes/VideoGenWait/'));
	expect(files.filter((file) => /from '.*VideoGenWait/.test(read(file)))).toEqual([]);
});

test('the start page and the navigation of the site do not mention the node, and no page shows marks', () => {
	expect(site.get('index.md')).not.toMatch(/suspend/i);
	expect(site.get('site.json')).not.toMatch(leftovers);
	expect([...site].filter(([, text]) => marks.test(text)).map(([path]) => path)).toEqual([]);
});

test('marks are in pairs, and readers do not see them', () => {
	const names = [...documents.keys()].map((path) => join('docs', path));
	const unbalanced = names.filter((name) =>
		[true, false].some((isIncluded) => marks.test(renderPassages(read(name), [], isIncluded))),
	);
	expect(unbalanced).toEqual([]);
});

test.each([
	['a<!-- with VideoGenWait --> b<!-- end --> c', 'a b c', 'a c'],
	['a <!-- with VideoGenWait -->b<!-- otherwise: d --> c', 'a b c', 'a d c'],
	['- a<!-- with VideoGenWait -->\n- b<!-- end -->\n- c', '- a\n- b\n- c', '- a\n- c'],
	['| a |\n| Wait for Job |\n| c |\n', undefined, '| a |\n| c |\n'],
	['| a |\n| [b](x/18-b.json) |\n| c |\n', undefined, '| a |\n| c |\n'],
	['## A\n\nb\n\n## B\n\nVideoGenWait\n\nc\n\n## C\n', undefined, '## A\n\nb\n\n## C\n'],
])('%j is %j with the node, and %j without it', (text, withNode = text, without = '') => {
	expect(renderPassages(text, ['18-b'], true)).toBe(withNode);
	expect(renderPassages(text, ['18-b'], false)).toBe(without);
});
