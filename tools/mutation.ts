import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, onShutdown, spawnTracked, createTemporaryFolder, timedLog as log } from './child';
import { installOnce, projectRoot, runNpm } from './install';
import { readOptions } from './options';

const help = `Breaks the code of the nodes in a random sample of places and counts how many of the breaks the tests
notice. The same seed and the same source are the same sample, so two sets of tests can be compared.
docs/evidence/mutation.md says what the last sample showed.

  npm run mutate                           one place in 80, in about half an hour
  npm run mutate -- --changed              all places in the lines that differ from origin/main, with
                                           the unit tests and the tests for the changed nodes, for at
                                           most 5 minutes; --since names another commit
  npm run mutate -- nodes/core/http        other folders or files; \`client.ts:10-20\` is some of its lines
  npm run mutate -- --one-in 10            a larger sample; 1 takes all
  npm run mutate -- --seed 2               another sample
  npm run mutate -- --kinds Await,Order    only these kinds, as the results name them
  npm run mutate -- --tests test/unit      other tests than those of the nodes, separated by commas
  npm run mutate -- --minutes 90           a longer time limit than 60 minutes`;

/** All tests of the nodes. The other tests directly in `unit` read files of the repository. */
const nodeTests = [
	...['unit/*', 'integration/*'],
	...['unit/boundedMap.test.ts', 'unit/budget.test.ts', 'unit/clock.test.ts'],
	...['unit/inheritedNames.test.ts', 'unit/omitKeys.test.ts', 'unit/time.test.ts'],
	...['unit/time.iso.test.ts', 'unit/webhookSignature.test.ts'],
];

/** This test measures processor time, and code that contains all mutants needs more of it. */
const exclude = ['**/hugeTexts.test.ts'];

/** Changed texts would be most of the mutants. Checking texts is the task of reviewers. */
const excludedMutations = ['StringLiteral', 'Regex'];

const lineRange = /:\d+-\d+$/;

const folder = join(projectRoot, 'tools', 'mutation');
const modules = join(folder, 'node_modules');
/** Folder for a copy of the project with all mutants. In the project, so that it finds node_modules. */
const sandbox = join(projectRoot, '.mutation');

interface Result {
	place: string;
	/** The kind of the mutant and the first line of its code. */
	change: string;
	status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError';
}

async function main(): Promise<void> {
	const { flags, values, words } = readOptions(help, {
		flags: ['--changed'],
		valued: ['--one-in', '--seed', '--kinds', '--tests', '--minutes', '--since'],
		words: true,
	});
	const isChanged = flags.has('--changed');
	const minutes = readNumber(values.get('--minutes') ?? (isChanged ? '5' : '60'), '--minutes');
	const oneIn = readNumber(values.get('--one-in') ?? (isChanged ? '1' : '80'), '--one-in');
	const since = values.get('--since') ?? 'origin/main';
	const changed = isChanged ? listChangedLines(since) : [];
	if (isChanged && changed.length === 0) {
		console.log(`No line of the nodes differs from ${since}`);
		return;
	}
	const paths = isChanged ? changed : words.length > 0 ? words : ['nodes'];
	for (const path of paths) {
		const file = path.replace(lineRange, '');
		if (!existsSync(join(projectRoot, file))) throw new Error(`There is no ${file}.`);
	}
	const patterns = (
		values.get('--tests')?.split(',') ??
		(isChanged ? listTestsOfChange(changed) : nodeTests).map((name) => `test/${name}`)
	).map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));
	const tests = globSync(patterns, { cwd: projectRoot, exclude });
	if (tests.length === 0) throw new Error(`There are no tests in ${patterns.join(', ')}.`);

	await installOnce(folder, log, async () => {
		const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
		await runNpm(folder, args, { label: 'Installing Stryker (once)', log });
	});
	const { folder: work, remove: removeWork } = createTemporaryFolder('videogen-mutation-');
	const removeSandbox = () => rmSync(sandbox, { recursive: true, force: true, maxRetries: 3 });
	onShutdown(removeSandbox);
	try {
		removeSandbox();
		const config = join(work, 'stryker.json');
		writeFileSync(config, JSON.stringify(configure(paths, minutes)));
		const file = join(work, 'results');
		writeFileSync(file, '');
		const isComplete = await runStryker(config, minutes, {
			MUTATION_SEED: values.get('--seed') ?? '1',
			MUTATION_ONE_IN: String(oneIn),
			MUTATION_KINDS: values.get('--kinds') ?? '',
			MUTATION_RESULTS: file,
			MUTATION_TESTS: JSON.stringify(tests),
		});
		const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
		report(lines.map((line) => JSON.parse(line) as Result));
		if (!isComplete && isChanged) log(`Others were not tested within ${minutes} minutes`);
		else if (!isComplete) {
			throw new Error(
				`Stryker did not finish in ${minutes} minutes: this is no score to compare with another.`,
			);
		}
	} finally {
		removeSandbox();
		removeWork();
	}
}

/** Returns the lines of the nodes that differ from a commit, such as `nodes/core/clock.ts:10-20`. */
function listChangedLines(since: string): string[] {
	const args = ['diff', '--unified=0', '--merge-base', since, '--', 'nodes'];
	const diff = execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' });
	return diff.split(/^diff /m).flatMap((part) => {
		const [, file] = /^\+\+\+ b\/(.*\.ts)$/m.exec(part) ?? [];
		if (file === undefined) return [];
		return [...part.matchAll(/^@@ \S+ \+(\d+)(?:,(\d+))? @@/gm)].flatMap(
			([, from, count = '1']) => {
				const to = Number(from) + Number(count) - 1;
				return count === '0' ? [] : [`${file}:${from}-${to}`];
			},
		);
	});
}

/** Returns the unit tests and the integration tests of the changed nodes. All others take too long. */
function listTestsOfChange(lines: readonly string[]): string[] {
	const nodes = lines.map((line) => /^nodes\/(VideoGen\w+)/.exec(line)?.[1] ?? '').filter(Boolean);
	const ofNodes = [...new Set(nodes)].map((node) =>
		/Trigger$/.test(node) ? 'integration/trigger' : `integration/nodes/${node}*.test.ts`,
	);
	return [...nodeTests.filter((name) => name.startsWith('unit/')), ...ofNodes];
}

function readNumber(text: string, flag: string): number {
	const number = Number(text);
	if (!(number > 0)) throw new Error(`${flag} needs a number above 0, not "${text}".`);
	return number;
}

function configure(paths: string[], minutes: number) {
	return {
		testRunner: 'bare-node',
		plugins: [pathToFileURL(join(folder, 'plugins.mjs')).href],
		mutate: paths.map((path) => (/\.ts(:|$)/.test(path) ? path : `${path}/**/*.ts`)),
		mutator: { excludedMutations },
		checkers: ['sample'],
		reporters: ['results'],
		// Only the tests that reach a mutant run for it.
		coverageAnalysis: 'perTest',
		// Mutants in code that runs once, when a file is loaded, would need all tests.
		ignoreStatic: true,
		// Half of these processes only choose the sample.
		concurrency: 4,
		dryRunTimeoutMinutes: minutes,
		timeoutMS: 20_000,
		tempDirName: sandbox,
		ignorePatterns: ['tools/*/node_modules', 'dist', 'coverage', '.demo', '.e2e', '.n8n'],
	};
}

/** Runs Stryker. Returns whether it succeeded within the time. */
async function runStryker(
	config: string,
	minutes: number,
	env: Record<string, string>,
): Promise<boolean> {
	const bin = join(modules, '@stryker-mutator', 'core', 'bin', 'stryker.js');
	const child = spawnTracked(process.execPath, [bin, 'run', config], {
		cwd: projectRoot,
		stdio: 'inherit',
		env: { ...process.env, ...env },
	});
	const limit = setTimeout(() => child.kill(), minutes * 60_000);
	const exitCode = await new Promise<number | null>((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', resolve);
	});
	clearTimeout(limit);
	return exitCode === 0;
}

function report(results: Result[]): void {
	const killed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout');
	const missed = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
	const counted = killed.length + missed.length;
	const share = Math.round((100 * killed.length) / (counted || 1));
	missed.sort((one, other) => one.place.localeCompare(other.place, 'en', { numeric: true }));
	console.log('\nNo test noticed:');
	for (const { place, change } of missed) console.log(`  ${place}  ${change}`);
	log(`${killed.length} of ${counted} mutants were noticed (${share} %)`);
}

main().catch(fail);
