/* Writes the files of docs/ that are made from the nodes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readCoverage } from './apiCoverage';
import { fail, runCommand, timedLog as log } from './child';
import { renderContract } from './contract';
import { contractFile, judgeProject, renderComplaints } from './contractChanges';
import { renderErrorsPage } from './errorsPage';
import { renderExamplesPage } from './examples';
import { projectRoot } from './install';
import { itemsFolder, renderNodePages } from './nodePages';
import { docsFolder, listNodeFolders, nodePagesFolder } from './nodeFolders';
import { readOptions } from './options';
import { renderSimulatorPage } from './simulatorPage';
import { isPageStale, listStaleLines, writePage } from './pages';

const help = `Writes the files of docs/ that are made from the nodes: nodes/ (a page for each node), errors.md,
examples.md, api-coverage.md, contract.txt, and simulator/REFERENCE.md. Rejects changes that break saved workflows, unless
docs/contract-changes.json accepts them.

  npm run generate                    runs each operation once for its output item, in about a minute
  npm run generate -- VideoGenVideo   runs the operations of this node only, in some seconds
  npm run generate -- --check         writes nothing; lists what is out of date`;

/** The generated pages by their path in docs/, before formatting. */
export const renderPages = (): Map<string, string> =>
	new Map([
		['errors.md', renderErrorsPage()],
		['examples.md', renderExamplesPage()],
		['api-coverage.md', readCoverage().text],
		['../simulator/REFERENCE.md', renderSimulatorPage()],
		...renderNodePages(),
	]);

/** The test files that see the items of a node. */
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

/** Runs the tests that see the items of the nodes; unless it only checks, they write them. */
async function runItemTests(nodes: readonly string[], isCheck: boolean): Promise<void> {
	const files = nodes.map((node) => join(itemsFolder, `${node}.json`));
	if (!isCheck) {
		mkdirSync(itemsFolder, { recursive: true });
		for (const file of files) rmSync(file, { force: true });
	}
	await runCommand(
		'jest',
		[...new Set(nodes.flatMap(findItemTests)), '-t', 'item on (its|the) page'],
		{
			cwd: projectRoot,
			label: 'Running each operation against the simulator',
			log,
			...(isCheck ? {} : { env: { KEEP_ITEMS: '1' } }),
		},
	);
	for (const file of isCheck ? [] : files.filter(existsSync)) {
		await writePage(file, readFileSync(file, 'utf8'));
	}
	const missing = files.filter((file) => !existsSync(file));
	if (missing.length > 0) throw new Error(`No test has written ${missing.join(', ')}`);
}

/** Pages and items of nodes that do not exist anymore. */
export const findOrphanedFiles = (pages: ReadonlyMap<string, string>): string[] => [
	...readdirSync(nodePagesFolder)
		.filter((name) => name.endsWith('.md') && !pages.has(`nodes/${name}`))
		.map((name) => join(nodePagesFolder, name)),
	...readdirSync(itemsFolder)
		.filter((name) => !pages.has(`nodes/${name.replace('.json', '.md')}`))
		.map((name) => join(itemsFolder, name)),
];

async function main(): Promise<void> {
	const { flags, words } = readOptions(help, { flags: ['--check'], words: true });
	const isCheck = flags.has('--check');
	const all = listNodeFolders();
	const unknown = words.filter((word) => !all.includes(word));
	if (unknown.length > 0) {
		throw new Error(`There is no node ${unknown.join(', ')}. There are: ${all.join(', ')}`);
	}
	const problems: string[] = [];

	log('Running each operation against the simulator …');
	await runItemTests(words.length > 0 ? words : all, isCheck).catch((error: Error) => {
		problems.push(error.message);
	});

	log('Comparing the pages …');
	const pages = renderPages();
	for (const [path, text] of pages) {
		const file = join(docsFolder, path);
		if (!isPageStale(file, text)) continue;
		if (isCheck)
			problems.push([`docs/${path} is stale:`, ...listStaleLines(file, text)].join('\n'));
		else await writePage(file, text);
	}
	for (const file of findOrphanedFiles(pages)) {
		if (isCheck) problems.push(`${relative(projectRoot, file)} belongs to no node`);
		else rmSync(file);
	}
	problems.push(...readCoverage().tasks);

	log('Comparing the contract …');
	const { facts, verdict } = judgeProject({ committed: !isCheck });
	const complaints = renderComplaints(isCheck ? verdict : { ...verdict, unrecorded: [] });
	problems.push(...complaints);
	if (!isCheck && complaints.length === 0) {
		writeFileSync(join(projectRoot, contractFile), renderContract(facts));
		log(`The contract has ${facts.length} facts, ${verdict.unrecorded.length} of them new`);
	}

	if (problems.length > 0) throw new Error(problems.join('\n\n'));
	log(isCheck ? 'All generated files are up to date' : 'Done');
}

if (require.main === module) main().catch(fail);
