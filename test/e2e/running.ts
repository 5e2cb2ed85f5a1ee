/** Chooses and runs files that each export a `flow`, reports their results, and counts them. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Log } from '../../tools/child';

/** What a file of flows exports. */
export interface AnyFlow<Context> {
	/** What the user gets, as a short sentence. */
	name: string;
	/**
	 * What this machine lacks for it, such as `needs Debian's chromium`: then it is skipped, or
	 * fails where the run may skip none. `.ci/run` installs the packages that flows need.
	 */
	missing?(): string | undefined;
	run(context: Context): Promise<void>;
}

export type Named<F> = F & {
	/** Its file's name without the ending. */
	file: string;
};

export interface Outcome {
	passed: number;
	failed: number;
	/** Sentences about the flows that this machine cannot run. */
	skipped: string[];
}

/** The flows of a folder, by the names of their files. */
export async function loadFlows<F>(folder: string): Promise<Array<Named<F>>> {
	const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
	return await Promise.all(
		files.sort().map(async (name) => {
			const { flow } = (await import(join(folder, name))) as { flow: F };
			return { ...flow, file: basename(name, '.ts') };
		}),
	);
}

/** The flows with one of the words in their name. Throws for a word that is in no name. */
export function findFlows<F extends Named<{ name: string }>>(
	flows: readonly F[],
	words: readonly string[],
): F[] {
	const named = (word: string) =>
		flows.filter(({ file, name }) => `${file} ${name}`.toLowerCase().includes(word.toLowerCase()));
	const nameless = words.filter((word) => named(word).length === 0);
	if (nameless.length > 0) {
		const list = flows.map(({ file, name }) => `  ${file.padEnd(32)}${name}`);
		throw new Error(`No flow has ${nameless.join(', ')} in its name:\n${list.join('\n')}`);
	}
	const wanted = new Set(words.flatMap(named));
	return flows.filter((flow) => wanted.has(flow));
}

/**
 * Runs the flows, each in the first slot that is free; `use` makes a flow's context and cleans up
 * after it.
 */
export async function runAll<Context>(
	flows: ReadonlyArray<AnyFlow<Context>>,
	{
		mustRun,
		slots = 1,
		log,
		use,
	}: {
		/** None may be skipped. */
		mustRun: boolean;
		/** How many flows run at the same time. */
		slots?: number;
		log: Log;
		use(index: number, run: (context: Context) => Promise<void>, slot: number): Promise<void>;
	},
): Promise<Outcome> {
	const outcome: Outcome = { passed: 0, failed: 0, skipped: [] };
	const runOne = async (index: number, flow: AnyFlow<Context>, slot: number) => {
		const position = `${index + 1}/${flows.length}`;
		const missing = flow.missing?.();
		if (missing !== undefined) {
			log(`${position}  ${mustRun ? 'FAIL' : 'SKIP'}  ${flow.name}: ${missing}`);
			if (mustRun) outcome.failed += 1;
			else outcome.skipped.push(`${flow.name} (${missing})`);
			return;
		}
		log(`${position}  ${flow.name} …`);
		const started = Date.now();
		let problem: unknown;
		try {
			await use(index, async (context) => await flow.run(context), slot);
		} catch (error) {
			problem = error ?? new Error('A flow threw undefined');
		}
		const seconds = ((Date.now() - started) / 1000).toFixed(1);
		log(`${problem ? 'FAIL' : 'pass'}  ${flow.name} (${seconds} s)`);
		if (problem) {
			outcome.failed += 1;
			console.error(problem);
		} else {
			outcome.passed += 1;
		}
	};
	const waiting = [...flows.entries()];
	const runSlot = async (slot: number) => {
		for (let next = waiting.shift(); next; next = waiting.shift()) await runOne(...next, slot);
	};
	await Promise.all(Array.from({ length: slots }, async (_, slot) => await runSlot(slot)));
	return outcome;
}

/** The last lines of a run. `more` are counts of flows that it left out. */
export function report({ passed, failed, skipped }: Outcome, more: readonly string[] = []): void {
	if (failed > 0) process.exitCode = 1;
	for (const one of skipped) console.log(`Skipped: ${one}`);
	const counts = [`${passed} passed`, `${failed} failed`];
	if (skipped.length > 0) counts.push(`${skipped.length} skipped`);
	console.log([...counts, ...more].join(', '));
}
