/** Three plugins of Stryker: which mutants are tested, which tests run for them, and what is written down. */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { CheckStatus } from '@stryker-mutator/api/check';
import { declareFactoryPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { strykerPlugins as jestPlugins } from '@stryker-mutator/jest-runner';

const { MUTATION_SEED, MUTATION_ONE_IN, MUTATION_RESULTS, MUTATION_TESTS } = process.env;

/** Depends on the mutant and the seed alone: other tests or other paths do not change the sample. */
function isInSample({ fileName, location, replacement }) {
	const parts = [MUTATION_SEED, basename(fileName), location.start, location.end, replacement];
	const hash = createHash('sha256').update(JSON.stringify(parts)).digest();
	return hash.readUInt32BE() % Number(MUTATION_ONE_IN) === 0;
}

const sample = {
	init: async () => undefined,
	// All of them in one message: there are thousands.
	group: async (mutants) => [mutants.map(({ id }) => id)],
	check: async (mutants) =>
		Object.fromEntries(
			mutants.map((mutant) => [
				mutant.id,
				isInSample(mutant)
					? { status: CheckStatus.Passed }
					: { status: CheckStatus.CompileError, reason: 'Not in the sample' },
			]),
		),
};

const filesAtOnce = 6;

/**
 * Stryker's runner for jest, which would load every test file for every mutant and run all of them
 * after the first failure. This one runs the files whose tests reach the mutant, short ones first,
 * a few at once, until one fails.
 */
function createRunner(injector) {
	const runner = jestPlugins[0].factory(injector);
	const dryRun = runner.dryRun.bind(runner);
	const mutantRun = runner.mutantRun.bind(runner);
	let all;

	runner.dryRun = async (options) => {
		const result = await dryRun(options);
		writeFileSync(MUTATION_TESTS, JSON.stringify(result.tests ?? []));
		return result;
	};

	runner.mutantRun = async (options) => {
		all ??= JSON.parse(readFileSync(MUTATION_TESTS, 'utf8'));
		const { jestConfig } = runner;
		let nrOfTests = 0;
		try {
			for (const { files, ids } of inGroups(all, new Set(options.testFilter))) {
				runner.jestConfig = { ...jestConfig, testMatch: files };
				const result = await mutantRun({ ...options, testFilter: ids });
				if (result.status !== 'survived') return result;
				nrOfTests += result.nrOfTests;
			}
			return { status: 'survived', nrOfTests };
		} finally {
			runner.jestConfig = jestConfig;
		}
	};
	return runner;
}
createRunner.inject = jestPlugins[0].factory.inject;

function inGroups(tests, wanted) {
	const byFile = new Map();
	for (const { id, fileName, timeSpentMs } of tests) {
		if (!wanted.has(id)) continue;
		const file = byFile.get(fileName) ?? { fileName, ids: [], time: 0 };
		file.ids.push(id);
		file.time += timeSpentMs;
		byFile.set(fileName, file);
	}
	const files = [...byFile.values()].sort((one, other) => one.time - other.time);
	const groups = [];
	for (let i = 0; i < files.length; i += filesAtOnce) {
		const group = files.slice(i, i + filesAtOnce);
		groups.push({
			files: group.map(({ fileName }) => fileName),
			ids: group.flatMap(({ ids }) => ids),
		});
	}
	return groups;
}

const results = {
	onMutantTested({ fileName, location, mutatorName, replacement, status }) {
		if (status === 'CompileError' || status === 'Ignored') return;
		const place = `${relative(process.cwd(), fileName)}:${location.start.line}`;
		const change = `${mutatorName}: ${replacement.split('\n')[0]}`;
		const result = { place, change, status };
		appendFileSync(MUTATION_RESULTS, `${JSON.stringify(result)}\n`);
		console.log(`${status.padEnd(10)} ${place}  ${change}`);
	},
};

export const strykerPlugins = [
	declareValuePlugin(PluginKind.Checker, 'sample', sample),
	declareFactoryPlugin(PluginKind.TestRunner, 'reaching-tests', createRunner),
	declareValuePlugin(PluginKind.Reporter, 'results', results),
];
