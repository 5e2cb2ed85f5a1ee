/** Links of the documents lead somewhere, and their commands exist and are run by something. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, parse, sep } from 'node:path';
import { projectRoot } from '../../tools/install';
import { listNodeFolders } from '../../tools/nodeFolders';
import { readTableCells } from '../../tools/pages';
import { anchorsOf, linksOf, proseOf } from '../markdown';

/** Folders that git ignores, such as node_modules or release: at their path, or anywhere. */
const ignored = readFileSync(join(projectRoot, '.gitignore'), 'utf8')
	.split('\n')
	.map((line) => line.replace(/\/$/, ''));

const filesIn = (folder: string): string[] =>
	readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		const fromRoot = relative(projectRoot, path).replaceAll(sep, '/');
		if (entry.name === '.git' || ignored.includes(entry.name) || ignored.includes(`/${fromRoot}`)) {
			return [];
		}
		return entry.isDirectory() ? filesIn(path) : [path];
	});
const documents = filesIn(projectRoot).filter((name) => name.endsWith('.md'));
const nameOf = (file: string) => relative(projectRoot, file);
const read = (...names: string[]) => readFileSync(join(projectRoot, ...names), 'utf8');

test('the documents are found', () => {
	const some = ['README.md', 'CONTRIBUTING.md', 'docs/nodes/README.md'];
	expect(documents.map(nameOf)).toEqual(expect.arrayContaining(some));
});

test.each(documents.map((file) => [nameOf(file), file]))(
	'all links of %s lead somewhere',
	(_, file) => {
		const broken = linksOf(readFileSync(file, 'utf8')).filter((target) => {
			// Other links lead to n8n's pages only; nothing is fetched here.
			if (/^[a-z]+:/.test(target)) return !target.startsWith('https://docs.n8n.io/');
			const [path = '', anchor] = target.split('#');
			const there = path === '' ? file : join(dirname(file), path);
			if (!existsSync(there)) return true;
			return anchor !== undefined && !anchorsOf(readFileSync(there, 'utf8')).includes(anchor);
		});
		const [missing] = broken.filter((target) => /^docs\/nodes\/VideoGen\w+\.md/.test(target));
		if (missing) throw new Error(`Run npm run generate: ${missing} is missing`);
		expect(broken).toEqual([]);
	},
);

/** Commands of npm in blocks of code and between backticks. */
function commandsOf(text: string): string[] {
	const blocks = [...text.matchAll(/^ *```\n([^]*?)^ *```$/gm)].flatMap(([, block = '']) =>
		block.split('\n'),
	);
	const inline = [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
	return [...blocks, ...inline]
		.flatMap((line) => line.split(' && '))
		.map((line) => line.trim())
		.filter((line) => /^(npm|npx) /.test(line));
}

/** Runs until Ctrl-C; .ci/run has it with --once. */
const untested = 'npm run demo -- --reset';

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const ci = read('.ci', 'run').replace(/^\t+/gm, '');
const weekly = read('.github', 'workflows', 'long.yml');
const publish = read('.github', 'workflows', 'publish.yml');
const newestN8n = read('.github', 'workflows', 'newest-n8n.yml');
const untilCtrlC = read('test', 'e2e', 'flows', '02-until-ctrl-c.ts');
const testFiles = filesIn(join(projectRoot, 'test'))
	.filter((name) => name.endsWith('.ts') && name !== __filename)
	.map((name) => readFileSync(name, 'utf8'))
	.join('\n');
const testNames = filesIn(join(projectRoot, 'test')).map(nameOf);
const flows = readdirSync(join(projectRoot, 'test', 'e2e', 'flows'));

const sections = readdirSync(join(projectRoot, 'test', 'bench')).map((name) => parse(name).name);

const nodeNames = ['VideoGenX', ...listNodeFolders()];

/** Whether something runs a command, or at least names it. */
function isRun(command: string): boolean {
	if (command === untested || ci.includes(`\n${command}\n`)) return true;
	if ([publish, newestN8n].some((one) => one.includes(`- run: ${command}\n`))) return true;
	if (weekly.includes(`.ci/bare-debian ${command}\n`)) return true;
	if (ci.includes(`\n${command} -- "\${skip[@]}"\n`)) return true;
	// It serves the pages that this check builds.
	if (command === 'npm run site') return isRun('npm run site:check');
	const [, script = '', words = ''] = /^npm run (\S+)(?: -- (.*))?$/.exec(command) ?? [];
	// test/tools/help.test.ts runs every script.
	if (words === '--help' || words === '-h') return true;
	// .ci/run or the weekly workflow runs every flow; a word must select some of them.
	if (script === 'e2e' && !words.startsWith('--'))
		return flows.some((name) => name.includes(words.replaceAll(' ', '-')));
	if (script === 'generate' && nodeNames.includes(words)) return isRun('npm run generate');
	// The package of the simulator, whose main file the same test runs.
	if (command.startsWith('npx videogen-simulator')) return testFiles.includes(`'${command}'`);
	// Their tests run them in a copy of the project.
	if (testFiles.includes(`runScript(at(), '${script}.ts'`)) return true;
	if (testFiles.includes(`runScript(projectRoot, '${script}.ts'`)) return true;
	if (testFiles.includes(`'tools/${script}.ts', '--url', service.baseUrl`)) return true;
	// A test names them when what they write is out of date.
	if (script === 'generate') return testFiles.includes(command);
	// test/tools/simulator.test.ts runs them.
	if (script === 'simulator') return testFiles.includes(`'${command}'`);
	// `npm cit` in .ci/run; `npm run scan` and the flows pack in the same way.
	if (/^npm (test$|ci$|run lint)/.test(command) || script === 'package') return true;
	if (untilCtrlC.includes(`untilCtrlC('${script}'`) && words === '') return true;
	// The words choose sections of what runs once a week.
	if (script === 'bench' && words !== '') {
		return sections.includes(words) && isRun('npm run bench');
	}
	// Too long for .ci/run: once a week.
	if (weekly.includes(`\n          - ${command}\n`)) return true;
	// With another sample each week.
	if (script === 'mutate') return weekly.includes('- npm run mutate -- --seed ');
	// test/tools/installation.test.ts runs them.
	if (/^npm (un)?install .*--legacy-peer-deps/.test(command)) return true;
	if (/^npm ls /.test(command)) return testFiles.includes(`'${command}'`);
	// Parts of the suite.
	if (!command.startsWith('npx jest ')) return false;
	const paths = command.split(' ').filter((word) => word.startsWith('test/'));
	return paths.every((path) =>
		testNames.some((name) => name.startsWith(path.replace(/VideoGenX$/, ''))),
	);
}

test.each(documents.map((file) => [nameOf(file), readFileSync(file, 'utf8')]))(
	'the commands of %s exist, and something runs them',
	(_, text) => {
		const wrong = commandsOf(text).filter((command) => {
			const [, script] = /^npm run (\S+)/.exec(command) ?? [];
			return (script !== undefined && !(script in scripts)) || !isRun(command);
		});
		expect(wrong).toEqual([]);
	},
);

test('every script of package.json is in a table of CONTRIBUTING.md or docs/contributing/development.md', () => {
	const table = read('CONTRIBUTING.md') + read('docs', 'contributing', 'development.md');
	const internal = ['build', 'lint', 'test'];
	const names = Object.keys(scripts).filter((name) => !internal.includes(name));
	expect(names.filter((name) => !table.includes(`| \`npm run ${name}`))).toEqual([]);
});

test('CONTRIBUTING.md can be read in five minutes', () => {
	expect(read('CONTRIBUTING.md').split(/\s+/).length).toBeLessThan(900);
});

test('the table of troubleshooting explains messages that the nodes have', () => {
	const messages = readTableCells(read('docs', 'troubleshooting.md'))
		.map(([message = '']) => message)
		.filter((message) => !/^(Message|-+)$/.test(message));
	expect(messages.length).toBeGreaterThan(8);
	const code = filesIn(join(projectRoot, 'nodes'))
		.filter((name) => name.endsWith('.ts'))
		.map((name) => readFileSync(name, 'utf8').replace(/\\(['"])/g, '$1'))
		.join('\n');
	// A position, or the name of a field, is between the words.
	const pieces = messages.flatMap((message) =>
		message
			.split(/…|, (?=[A-Z"])|^The service (?=cannot)/)
			.map((piece) => piece.replace(/^" |"$|, $/g, '').trim())
			.filter((piece) => piece.length > 8),
	);
	expect(pieces.filter((piece) => !code.includes(piece))).toEqual([]);
});

/** Pages that people read. Those of the nodes are generated from the texts of the forms. */
const guides = documents
	.map((file) => [nameOf(file), readFileSync(file, 'utf8')] as const)
	.filter(([name]) =>
		/^(README|docs\/(evidence\/)?[\w-]+|docs\/contributing\/promises)\.md$/.test(name),
	);

test.each(guides)('no cell of a table in %s has more than 25 words', (_, text) => {
	const cells = readTableCells(text).flat();
	expect(cells.filter((cell) => cell.split(/\s+/).length > 25)).toEqual([]);
});

/** Users need neither the rows that show a statement nor the commands that measure. */
test.each(guides.filter(([name]) => /^docs\/[\w-]+\.md$/.test(name)))(
	'%s names no row of the failure tests and no command of contributors',
	(_, text) => {
		expect(proseOf(text).match(/\b[A-Z]\d{1,2}\b/g) ?? []).toEqual([]);
		const commands = commandsOf(text).filter((command) => command.startsWith('npm run '));
		const known = ['npm run demo', 'npm run package', 'npm run generate'];
		expect(commands.filter((command) => !known.includes(command))).toEqual([]);
	},
);

const howTos = ['wait', 'trigger', 'rows', 'files', 'cost', 'retry', 'ai-agents', 'queue-mode'];

test.each(howTos)(
	'docs/%s.md begins with a picture, ends with what can go wrong, and has at most 630 words',
	(name) => {
		const text = read('docs', `${name}.md`);
		expect(text).toMatch(/^# .*\n\n!\[/);
		expect([...text.matchAll(/^## (.*)$/gm)].at(-1)?.[1]).toBe('What can go wrong');
		expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(630);
	},
);

test.each([
	['tutorial', 620],
	['waiting', 750],
	['guarantees', 870],
])('docs/%s.md has at most %d words', (name, most) => {
	expect(read('docs', `${name}.md`).trim().split(/\s+/).length).toBeLessThanOrEqual(most);
});
