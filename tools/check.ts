/* Checks the files that a change touches, and lists what is left to do. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createTemporaryFolder, fail, spawnTracked } from './child';
import { projectRoot } from './install';
import { readOptions } from './options';
import { runOnChange } from './watch';

const help = `Checks the files that you have changed since the last commit: types, lint, format, and the tests that
import them. Ends with one list of what to do. \`npm test\` runs all tests.

  npm run check                       the changed files
  npm run check -- --watch            again after every change
  npm run check -- --since main       the files that differ from another commit or branch
  npm run check -- nodes/VideoGenX    these files and folders, changed or not`;

const watched = ['credentials', 'docs', 'examples', 'nodes', 'simulator', 'test'];
/** Tests that read files without importing them, so jest finds no link to a change. All of them run. */
const documentTests = globSync('test/unit/*.test.ts', { cwd: projectRoot });
/** Number of test files above which the files that cause them are named. */
const manyTests = 20;
const limitsFile = 'nodes/apiLimits.ts';
/** Maximum number of lines of a failed test's message: jest's difference, but no stack. */
const maxTestLines = 40;

export interface Task {
	/** Path of the file, with a line number if there is one. */
	place: string;
	text: string;
}

interface Output {
	code: number | null;
	stdout: string;
	/** Standard output and standard error together, for errors of the tool itself. */
	all: string;
}

async function runTool(command: string, args: readonly string[]): Promise<Output> {
	const child = spawnTracked(command, [...args], {
		cwd: projectRoot,
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: process.platform === 'win32',
	});
	const output: Output = { code: null, stdout: '', all: '' };
	child.stdout?.setEncoding('utf8').on('data', (text: string) => {
		output.stdout += text;
		output.all += text;
	});
	child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.all += text));
	output.code = await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', resolve);
	});
	return output;
}

const shorten = (path: string) => relative(projectRoot, path);

/** Returns a task for each error that the compiler reports. */
export const readTypeErrors = (stdout: string): Task[] =>
	[...stdout.matchAll(/^(\S+)\((\d+),(\d+)\): error (TS\d+): (.+(?:\n .+)*)/gm)].map(
		([, file, line, column, code, text]) => ({
			place: `${file}:${line}:${column}`,
			text: `${text} (${code})`,
		}),
	);

interface LintResult {
	filePath: string;
	messages: Array<{ line?: number; column?: number; message: string; ruleId: string | null }>;
}

/** Returns a task for each problem that eslint reports. */
export const readLintProblems = (json: string): Task[] =>
	(JSON.parse(json) as LintResult[]).flatMap(({ filePath, messages }) =>
		messages.map(({ line = 1, column = 1, message, ruleId }) => ({
			place: `${shorten(filePath)}:${line}:${column}`,
			text: `${message} (${ruleId ?? 'eslint'})`,
		})),
	);

interface TestResults {
	testResults: Array<{
		name: string;
		/** Why the file could not be run. */
		message: string;
		assertionResults: Array<{
			status: string;
			ancestorTitles: string[];
			title: string;
			failureMessages: string[];
		}>;
	}>;
}

/** Returns the message of a failed test, without its name, colors and stack. */
function cleanTestMessage(message: string): string {
	const lines = message
		.replace(/\u001b\[\d+m/g, '')
		.split('\n')
		.filter((line) => !/^\s+at /.test(line));
	// The runner puts the test's name above the message, and indents the message.
	const body = lines[1]?.startsWith('    ') ? lines.slice(1).map((line) => line.slice(4)) : lines;
	const rest = body.length - maxTestLines;
	const more = rest > 0 ? [`… and ${rest} more ${rest === 1 ? 'line' : 'lines'}`] : [];
	return [...body.slice(0, maxTestLines), ...more]
		.join('\n')
		.replaceAll(`${projectRoot}/`, '')
		.trim()
		.replace(/^Error: /, '');
}

/**
 * Returns a task for each failed test, and for each file that jest cannot run. Tests that ask for the
 * same command share a task.
 */
export function readTestFailures(json: string): Task[] {
	const { testResults } = JSON.parse(json) as TestResults;
	const commands = new Map<string, string[]>();
	const tasks = testResults.flatMap(({ name, message, assertionResults }): Task[] => {
		const place = shorten(name);
		if (assertionResults.length === 0 && message !== '') {
			return [{ place, text: cleanTestMessage(message) }];
		}
		return assertionResults
			.filter(({ status }) => status === 'failed')
			.flatMap(({ ancestorTitles, title, failureMessages }) => {
				const text = cleanTestMessage(failureMessages[0] ?? '');
				const [, command, file = ''] = /^(?:Error: )?Run (npm run \w+): (\S+)/.exec(text) ?? [];
				if (command === undefined)
					return [{ place, text: `${[...ancestorTitles, title].join(' › ')}\n${text}` }];
				commands.set(command, [...(commands.get(command) ?? []), file]);
				return [];
			});
	});
	return [
		...tasks,
		...[...commands].map(([command, files]) => ({
			place: command,
			text: `Out of date: ${[...new Set(files)].join(', ')}`,
		})),
	];
}

/** Renders the list of tasks. Commands are first, because they may fix what the other tasks name. */
export function renderTasks(tasks: readonly Task[]): string {
	if (tasks.length === 0) return 'Nothing to do';
	const isCommand = ({ place }: Task) => place.startsWith('npm run ');
	const sorted = [...tasks.filter(isCommand), ...tasks.filter((task) => !isCommand(task))];
	const entries = sorted.map(({ place, text }, index) =>
		[`${index + 1}. ${place}`, ...text.split('\n').map((line) => `   ${line}`)].join('\n'),
	);
	return [`${tasks.length} to do:`, ...entries].join('\n\n');
}

function readGit(...args: string[]): string {
	const { status, stdout, stderr } = spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' });
	if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr.trim()}`);
	return stdout;
}

const splitLines = (text: string) => text.split('\n').filter(Boolean);

/** Returns the files that differ from a commit, and the files that git does not track yet. */
function listChangedFiles(since: string): string[] {
	const changed = readGit('diff', '--name-only', '--merge-base', since);
	return splitLines(changed + readGit('ls-files', '--others', '--exclude-standard'));
}

/** Returns the repository's files under these paths. */
function listFiles(paths: readonly string[]): string[] {
	for (const path of paths) {
		if (!existsSync(join(projectRoot, path))) throw new Error(`There is no ${path}.`);
	}
	return splitLines(
		readGit('ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths),
	);
}

/** Throws an error unless the exit code is 0 (no problems found) or 1 (problems found). */
function expectToRun(name: string, { code, all }: Output): void {
	if (code !== 0 && code !== 1) throw new Error(`${name} did not work:\n${all}`);
}

async function checkTypes(): Promise<Task[]> {
	const args = ['--noEmit', '--incremental', '--pretty', 'false'];
	const output = await runTool(join('node_modules', 'typescript-7', 'bin', 'tsc'), args);
	const tasks = readTypeErrors(output.stdout);
	if (output.code !== 0 && tasks.length === 0) throw new Error(`tsc did not work:\n${output.all}`);
	return tasks;
}

async function lint(files: readonly string[]): Promise<Task[]> {
	const sources = files.filter((file) => /\.(?:ts|js|mjs)$/.test(file));
	if (sources.length === 0) return [];
	const cache = ['--cache', '--cache-strategy', 'content'];
	const output = await runTool('eslint', [
		...[...cache, '--cache-location', 'node_modules/.cache/eslint'],
		...['--format', 'json', '--no-warn-ignored', ...sources],
	]);
	expectToRun('eslint', output);
	return readLintProblems(output.stdout);
}

async function checkFormat(files: readonly string[]): Promise<Task[]> {
	const output = await runTool('prettier', ['--list-different', '--ignore-unknown', ...files]);
	// Exit code 2 means that a file has a syntax error, which the compiler also reports.
	expectToRun('prettier', output.code === 2 ? { ...output, code: 1 } : output);
	return splitLines(output.stdout).map((file) => ({
		place: file,
		text: `Format it: npx prettier --write ${file}`,
	}));
}

/**
 * Returns the request lines and schemas whose limits or values differ between two versions of
 * nodes/apiLimits.ts.
 */
export function findChangedLimits(before: string, after: string): string[] {
	const [old = [], current = []] = [before, after].map((text) => text.split(/^\t(?=[\w'])|^\}/m));
	const changed = [
		...old.filter((entry) => !current.includes(entry)),
		...current.filter((entry) => !old.includes(entry)),
	];
	return [...new Set(changed.map((entry) => /^'?([^':]+)/.exec(entry)?.[1] ?? ''))];
}

/**
 * Replaces nodes/apiLimits.ts, which all nodes import, with the files that use a changed limit: the tests
 * of other nodes cannot fail because of it.
 */
function replaceLimitsFile(files: readonly string[], since: string): string[] {
	const others = files.filter((file) => file !== limitsFile);
	if (others.length === files.length) return others;
	const base = readGit('merge-base', since, 'HEAD').trim();
	const before = readGit('show', `${base}:${limitsFile}`);
	const changed = findChangedLimits(before, readFileSync(join(projectRoot, limitsFile), 'utf8'));
	const users = globSync('nodes/**/*.ts', { cwd: projectRoot }).filter((file) => {
		const text = readFileSync(join(projectRoot, file), 'utf8');
		return text.includes("/apiLimits'") && changed.some((name) => text.includes(name));
	});
	return [...others, ...users];
}

/** Returns the test files that import one of these files. */
async function findTests(files: readonly string[]): Promise<string[]> {
	if (files.length === 0) return [];
	const output = await runTool('jest', ['--listTests', '--findRelatedTests', ...files]);
	if (output.code !== 0) throw new Error(`jest did not work:\n${output.all}`);
	return splitLines(output.stdout).map(shorten);
}

/** Prints which of the files have so many tests that the check takes minutes. */
async function explainTests(files: readonly string[]): Promise<void> {
	for (const file of files) {
		const { length } = await findTests([file]);
		if (length > manyTests) console.log(`  ${length} test files depend on ${file}`);
	}
}

async function runTests(tests: readonly string[]): Promise<Task[]> {
	const { folder, remove } = createTemporaryFolder('videogen-check-');
	try {
		const results = join(folder, 'results.json');
		const output = await runTool('jest', [
			...['--json', '--outputFile', results, '--silent'],
			...['--runTestsByPath', ...tests],
		]);
		if (!existsSync(results)) throw new Error(`jest did not work:\n${output.all}`);
		return readTestFailures(readFileSync(results, 'utf8'));
	} finally {
		remove();
	}
}

/** Waits for a step, prints how long it took, and returns its result. */
async function time<T>(name: string, step: Promise<T[]>): Promise<T[]> {
	const started = Date.now();
	const found = await step;
	const seconds = ((Date.now() - started) / 1000).toFixed(1);
	console.log(`  ${name.padEnd(8)} ${seconds.padStart(5)} s  ${found.length || 'ok'}`);
	return found;
}

/**
 * Runs all checks and prints the tasks. Returns whether there are none.
 *
 * @param since commit that the files differ from, if that is why they are checked
 */
async function check(all: readonly string[], since?: string): Promise<boolean> {
	const files = all.filter((file) => existsSync(join(projectRoot, file)));
	const names = all.length > 3 ? [...all.slice(0, 3), '…'] : all;
	const causes = since === undefined ? all : replaceLimitsFile(all, since);
	const related = await findTests(causes);
	const tests = [...new Set([...related, ...documentTests])];
	console.log(
		`Checking ${names.join(', ')} (${all.length} in all), with ${tests.length} test files`,
	);
	const explained = related.length > manyTests ? explainTests(causes) : undefined;
	const found = await Promise.all([
		time('types', checkTypes()),
		time('lint', lint(files)),
		time('format', checkFormat(files)),
		time('tests', runTests(tests)),
	]);
	await explained;
	const tasks = found.flat();
	console.log(`\n${renderTasks(tasks)}\n`);
	return tasks.length === 0;
}

async function main(): Promise<void> {
	const { flags, values, words } = readOptions(help, {
		flags: ['--watch'],
		valued: ['--since'],
		words: true,
	});
	const since = values.get('--since') ?? 'HEAD';
	const listAll = () => (words.length > 0 ? listFiles(words) : listChangedFiles(since));

	/** State of the files at the last check, because tests may write files that are watched. */
	let checked = '';
	const checkChanges = async () => {
		const files = listAll();
		const state = JSON.stringify(
			files.map((file) => [
				file,
				statSync(join(projectRoot, file), { throwIfNoEntry: false })?.mtimeMs,
			]),
		);
		if (state === checked) return true;
		checked = state;
		if (files.length > 0) return await check(files, words.length > 0 ? undefined : since);
		console.log(`No file differs from ${since === 'HEAD' ? 'the last commit' : since}`);
		return true;
	};

	const isClean = await checkChanges();
	if (!flags.has('--watch')) {
		process.exitCode = isClean ? 0 : 1;
		return;
	}
	runOnChange(watched, async () => void (await checkChanges()));
	console.log(`Watching ${watched.join(', ')}. Ctrl-C stops.`);
}

if (require.main === module) main().catch(fail);
