/**
 * Two plugins of Stryker: the checker leaves out all mutants but a random sample, which is the same for
 * the same seed and the same source; the reporter writes each result to a file as soon as it is known.
 */
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { CheckStatus } from '@stryker-mutator/api/check';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

const { MUTATION_SEED, MUTATION_ONE_IN, MUTATION_RESULTS } = process.env;

/** Depends on the mutant alone, so that other tests or other paths do not change the sample. */
function isInSample(mutant) {
	const { fileName, location, replacement } = mutant;
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
	onMutantTested({ fileName, location, mutatorName, replacement, status }) {
		if (status === 'CompileError' || status === 'Ignored') return;
		const place = `${relative(process.cwd(), fileName)}:${location.start.line}`;
		const result = { place, mutatorName, replacement, status };
		appendFileSync(MUTATION_RESULTS, `${JSON.stringify(result)}\n`);
	},
};

export const strykerPlugins = [
	declareValuePlugin(PluginKind.Checker, 'sample', sample),
	declareValuePlugin(PluginKind.Reporter, 'results', results),
];
