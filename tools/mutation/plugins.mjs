/** Three plugins of Stryker: which mutants are tested, how the tests run, and what is written down. */
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { CheckStatus } from '@stryker-mutator/api/check';
import { declareClassPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { mutators } from './mutators.mjs';
// Stryker has no plugins for mutants, and exports no list of its own.
import { allMutators } from './node_modules/@stryker-mutator/instrumenter/dist/src/mutators/mutate.js';
import { BareNodeRunner } from './runner.mjs';

const { MUTATION_SEED, MUTATION_ONE_IN, MUTATION_KINDS, MUTATION_RESULTS } = process.env;

const kinds = MUTATION_KINDS.split(',').filter(Boolean);
const isWanted = ({ name }) => kinds.length === 0 || kinds.includes(name);
allMutators.splice(0, Infinity, ...[...allMutators, ...mutators].filter(isWanted));

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

const results = {
	onMutantTested({ fileName, location, mutatorName, replacement, status, static: isStatic }) {
		if (status === 'CompileError' || status === 'Ignored') return;
		// Code that runs when a file is loaded has run before the tests, without the mutant.
		if (isStatic) return;
		const place = `${relative(process.cwd(), fileName)}:${location.start.line}`;
		const change = `${mutatorName}: ${replacement.split('\n')[0]}`;
		const result = { place, change, status };
		appendFileSync(MUTATION_RESULTS, `${JSON.stringify(result)}\n`);
		console.log(`${status.padEnd(10)} ${place}  ${change}`);
	},
};

export const strykerPlugins = [
	declareValuePlugin(PluginKind.Checker, 'sample', sample),
	declareClassPlugin(PluginKind.TestRunner, 'bare-node', BareNodeRunner),
	declareValuePlugin(PluginKind.Reporter, 'results', results),
];
