import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fail, temporaryFolder, timedLog as log } from '../../tools/child';
import { ensureN8n } from '../../tools/install-n8n';
import { readOptions } from '../../tools/options';
import { build, pack } from '../../tools/pack';
import { type Stage, startStage } from '../../tools/stage';
import type { Flow, FlowContext } from './flow';

const help = `Runs the flows of test/e2e/flows on a real n8n with the packed package.

  npm run e2e                 all of them
  npm run e2e -- boots wait   those whose file name or name holds one of the words
  npm run e2e -- --no-skip    a flow that this machine cannot run is a failure`;

/** Long enough for a job of the shared simulator to be seen running. */
const jobSeconds = 2;

interface NamedFlow extends Flow {
	/** Its file's name without the ending. */
	file: string;
}

interface Outcome {
	/** Sentences about the flows that this machine cannot run. */
	skipped: string[];
	failed: number;
}

async function main(): Promise<void> {
	const { flags, words } = readOptions(help, { flags: ['--no-skip'], words: true });
	const flows = chosen(await loadFlows(), words);

	const { folder: work, remove: removeWork } = temporaryFolder('videogen-e2e-');
	try {
		await build(log);
		const tarball = await pack(join(work, 'package'), log);
		await ensureN8n(log);
		const shared = await startStage({
			userFolder: join(work, 'n8n'),
			tarball,
			simulator: { jobSeconds },
			log,
		});
		const mustRun = flags.has('--no-skip');
		const { failed, skipped } = await runAll(flows, { tarball, work, shared, mustRun }).finally(
			shared.close,
		);
		if (failed > 0) process.exitCode = 1;
		const counts = [`${flows.length - failed - skipped.length} passed`, `${failed} failed`];
		if (skipped.length > 0) counts.push(`${skipped.length} skipped`);
		for (const one of skipped) console.log(`Skipped: ${one}`);
		console.log(counts.join(', '));
	} finally {
		removeWork();
	}
}

async function loadFlows(): Promise<NamedFlow[]> {
	const folder = join(__dirname, 'flows');
	const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
	return await Promise.all(
		files.sort().map(async (name) => {
			const { flow } = (await import(join(folder, name))) as { flow: Flow };
			return { ...flow, file: basename(name, '.ts') };
		}),
	);
}

/** The flows that a word names; all of them without words. Each word must name one. */
function chosen(flows: NamedFlow[], words: string[]): NamedFlow[] {
	const named = (word: string) =>
		flows.filter(({ file, name }) => `${file} ${name}`.toLowerCase().includes(word.toLowerCase()));
	const nameless = words.filter((word) => named(word).length === 0);
	if (nameless.length > 0) {
		const list = flows.map(({ file, name }) => `  ${file.padEnd(32)}${name}`);
		throw new Error(`No flow has ${nameless.join(', ')} in its name:\n${list.join('\n')}`);
	}
	const wanted = new Set(words.flatMap(named));
	return words.length === 0 ? flows : flows.filter((flow) => wanted.has(flow));
}

async function runAll(
	flows: Flow[],
	{
		tarball,
		work,
		shared,
		mustRun,
	}: { tarball: string; work: string; shared: Stage; mustRun: boolean },
): Promise<Outcome> {
	let failed = 0;
	const skipped: string[] = [];
	for (const [index, flow] of flows.entries()) {
		const missing = flow.missing?.();
		if (missing !== undefined) {
			const verdict = mustRun ? 'FAIL' : 'SKIP';
			log(`${index + 1}/${flows.length}  ${verdict}  ${flow.name}: ${missing}`);
			if (mustRun) failed += 1;
			else skipped.push(`${flow.name} (${missing})`);
			continue;
		}
		const own: Stage[] = [];
		const newFolder = (name: string) => {
			const folder = join(work, `${index}-${name}`);
			mkdirSync(folder, { recursive: true });
			return folder;
		};
		const context: FlowContext = {
			...shared,
			tarball,
			log,
			newFolder,
			startOwn: async (options) => {
				const stage = await startStage({
					userFolder: newFolder(`n8n-${own.length}`),
					tarball,
					log,
					...options,
					simulator: { jobSeconds, ...options?.simulator },
				});
				own.push(stage);
				return stage;
			},
		};

		log(`${index + 1}/${flows.length}  ${flow.name} …`);
		const started = Date.now();
		let problem: unknown;
		try {
			await flow.run(context);
		} catch (error) {
			problem = error ?? new Error('A flow threw nothing');
		}
		for (const stage of own) await stage.close().catch((error: unknown) => (problem ??= error));
		const seconds = ((Date.now() - started) / 1000).toFixed(1);
		log(`${problem ? 'FAIL' : 'pass'}  ${flow.name} (${seconds} s)`);
		if (problem) {
			failed += 1;
			console.error(problem);
		}
	}
	return { failed, skipped };
}

// A timer that somebody left behind must not keep a finished run from ending.
main().then(() => process.exit(), fail);
