/* Writes the files that are generated from the nodes. */
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readCoverage } from './apiCoverage';
import { createTemporaryFolder, fail, runCommand, timedLog as log } from './child';
import { renderContract } from './contract';
import { contractFile, judgeProject, renderComplaints } from './contractChanges';
import { renderErrorsPage } from './errorsPage';
import { renderExamplesPage } from './examples';
import { drawIcons } from './icons';
import { projectRoot } from './install';
import { renderLimitsPage } from './limitsPage';
import { itemsFolder, renderNodePages } from './nodePages';
import { docsFolder, listNodeFolders, nodePagesFolder } from './nodeFolders';
import { nodeLimitsFile, renderNodeLimits } from './nodeLimits';
import { readOptions } from './options';
import { renderSimulatorPage } from './simulatorPage';
import { formatPage, isPageStale, listStaleLines, writePage } from './pages';
import { renderRequestTypes } from './apiTypes';

const help = `Writes the files that are made from the nodes and from simulator/openapi.yaml: the pages of docs/nodes, errors.md,
examples.md, contributing/api-coverage.md, contributing/limits-and-codes.md and contract.txt in docs/, REFERENCE.md
and requestTypes.ts in simulator/, and the icons of tools/icons.ts. Rejects changes that break saved workflows, unless
docs/contract-changes.json accepts them. Writes all files or, if there is a problem or if it is stopped, none. Only
nodes/apiLimits.ts is always written first, because the nodes are built with it.

  npm run generate                    runs each operation once for its output item, in about a minute
  npm run generate -- VideoGenVideo   runs the operations of this node only, in some seconds
  npm run generate -- --check         writes nothing; lists what is out of date`;

/**
 * Returns the generated pages, keyed by their path in docs/.
 *
 * @param items the folder of the example items
 */
export const renderPages = (items = itemsFolder): Map<string, string> =>
	new Map(
		[
			['errors.md', renderErrorsPage()] as const,
			['examples.md', renderExamplesPage()] as const,
			['contributing/api-coverage.md', readCoverage().text] as const,
			['contributing/limits-and-codes.md', renderLimitsPage()] as const,
			['../simulator/REFERENCE.md', renderSimulatorPage()] as const,
			...renderNodePages(items),
		].map(([path, text]) => [path, `${text.trimEnd()}\n`]),
	);

/** Returns the test files that check a node's example items. */
function findItemTests(node: string): string[] {
	const folder = join(projectRoot, 'test', 'integration');
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.map((name) => join(folder, name))
		.filter(
			(file) =>
				file.endsWith(`/${node}.test.ts`) ||
				(file.endsWith('.test.ts') &&
					readFileSync(file, 'utf8').includes(`expectOnPage('${node}'`)),
		);
}

/**
 * Runs the tests that check the nodes' example items. They compare the items with those in docs or, if
 * `items` is a folder, write them there.
 */
async function runItemTests(nodes: readonly string[], items?: string): Promise<void> {
	await runCommand(
		'jest',
		[...new Set(nodes.flatMap(findItemTests)), '-t', 'item on (its|the) page'],
		{
			cwd: projectRoot,
			label: 'Running each operation against the simulator',
			log,
			...(items !== undefined && { env: { KEEP_ITEMS: items } }),
		},
	);
	const missing = nodes
		.map((node) => join(items ?? itemsFolder, `${node}.json`))
		.filter((file) => !existsSync(file));
	if (missing.length > 0) throw new Error(`No test has written ${missing.join(', ')}`);
}

/** Returns the pages and example items of nodes that no longer exist. */
export const findOrphanedFiles = (pages: ReadonlyMap<string, string>): string[] => [
	...readdirSync(nodePagesFolder)
		.filter((name) => name.endsWith('.md') && !pages.has(`nodes/${name}`))
		.map((name) => join(nodePagesFolder, name)),
	...readdirSync(itemsFolder)
		.filter((name) => !pages.has(`nodes/${name.replace('.json', '.md')}`))
		.map((name) => join(itemsFolder, name)),
];

/**
 * Creates a folder with all example items: those of the given nodes from their tests, all others from
 * docs.
 */
async function collectItems(nodes: readonly string[]): Promise<string> {
	const { folder } = createTemporaryFolder('videogen-items-');
	for (const name of readdirSync(itemsFolder)) {
		if (!nodes.includes(name.replace('.json', ''))) {
			copyFileSync(join(itemsFolder, name), join(folder, name));
		}
	}
	await runItemTests(nodes, folder);
	return folder;
}

const createLimits = async () => await formatPage(nodeLimitsFile, renderNodeLimits());

/** Writes the limits before the nodes are loaded, so that all other files are made with them. */
async function writeLimits(): Promise<void> {
	const text = await createLimits();
	if (!isPageStale(nodeLimitsFile, text)) return;
	await writePage(nodeLimitsFile, text);
	log('If a node lacks a limit or value now, npm run check says where');
}

const typesFile = join(projectRoot, 'simulator', 'requestTypes.ts');
const createTypes = async () => await formatPage(typesFile, await renderRequestTypes());

function expectNoProblems(problems: readonly string[]): void {
	if (problems.length > 0) throw new Error(problems.join('\n\n'));
}

async function checkFiles(nodes: readonly string[]): Promise<void> {
	const problems: string[] = [];
	log('Running each operation against the simulator …');
	await runItemTests(nodes).catch((error: Error) => problems.push(error.message));
	log('Comparing the files …');
	const pages = renderPages();
	for (const [path, text] of pages) {
		const file = join(docsFolder, path);
		if (!isPageStale(file, text)) continue;
		problems.push([`docs/${path} is stale:`, ...listStaleLines(file, text)].join('\n'));
	}
	if (isPageStale(typesFile, await createTypes())) problems.push('The types of the API are stale');
	if (isPageStale(nodeLimitsFile, await createLimits()))
		problems.push('The limits for the nodes are stale');
	for (const file of findOrphanedFiles(pages)) {
		problems.push(`${relative(projectRoot, file)} belongs to no node`);
	}
	const { verdict } = judgeProject({ committed: false });
	expectNoProblems([...problems, ...readCoverage().tasks, ...renderComplaints(verdict)]);
	log('All generated files are up to date');
}

async function writeFiles(nodes: readonly string[]): Promise<void> {
	await writeLimits();
	log('Running each operation against the simulator …');
	const items = await collectItems(nodes);
	const pages = renderPages(items);
	const types = await createTypes();
	const { facts, verdict } = judgeProject({ committed: true });
	expectNoProblems([...readCoverage().tasks, ...renderComplaints({ ...verdict, unrecorded: [] })]);
	const files = new Map([
		...[...drawIcons()].map(([path, svg]) => [join(projectRoot, path), svg] as const),
		...readdirSync(items).map(
			(name) => [join(itemsFolder, name), readFileSync(join(items, name), 'utf8')] as const,
		),
		...[...pages].map(([path, text]) => [join(docsFolder, path), text] as const),
		[join(projectRoot, contractFile), renderContract(facts)] as const,
		[typesFile, types] as const,
	]);
	// Nothing can stop this process between two of these calls, except a kill.
	for (const [file, text] of files) {
		if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
		console.log(`Wrote ${relative(projectRoot, file)}`);
	}
	for (const file of findOrphanedFiles(pages)) rmSync(file);
	log(`The contract has ${facts.length} facts, ${verdict.unrecorded.length} of them new`);
}

async function main(): Promise<void> {
	const { flags, words } = readOptions(help, { flags: ['--check'], words: true });
	const all = listNodeFolders();
	const unknown = words.filter((word) => !all.includes(word));
	if (unknown.length > 0) {
		throw new Error(`There is no node ${unknown.join(', ')}. There are: ${all.join(', ')}`);
	}
	const nodes = words.length > 0 ? words : all;
	if (flags.has('--check')) await checkFiles(nodes);
	else await writeFiles(nodes);
}

if (require.main === module) main().then(() => process.exit(), fail);
