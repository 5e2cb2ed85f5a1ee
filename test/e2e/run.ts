/*
 * Runs the flows of test/e2e/flows on a real n8n with the packed package.
 *
 *   npm run e2e                 all of them
 *   npm run e2e -- boots wait   those whose file name or name holds one of the words
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onShutdown, timedLog as log } from '../../tools/child';
import { ensureN8n } from '../../tools/install-n8n';
import { build, pack } from '../../tools/pack';
import { type Stage, startStage } from '../../tools/stage';
import type { Flow, FlowContext } from './flow';

/** Long enough for a job of the shared simulator to be seen running. */
const jobSeconds = 2;

async function main(): Promise<void> {
	const flows = await loadFlows(process.argv.slice(2));
	if (flows.length === 0) throw new Error('No flow has such a name');

	const work = mkdtempSync(join(tmpdir(), 'videogen-e2e-'));
	const removeWork = () => rmSync(work, { recursive: true, force: true, maxRetries: 3 });
	onShutdown(removeWork);
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
		const { failed, skipped } = await runAll(flows, { tarball, work, shared }).finally(
			shared.close,
		);
		if (failed > 0) process.exitCode = 1;
		const counts = [`${flows.length - failed - skipped.length} passed`, `${failed} failed`];
		if (skipped.length > 0) counts.push(`${skipped.length} skipped: ${skipped.join('; ')}`);
		console.log(counts.join(', '));
	} finally {
		removeWork();
	}
}

async function loadFlows(words: string[]): Promise<Flow[]> {
	const folder = join(__dirname, 'flows');
	const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
	const loaded = await Promise.all(
		files.sort().map(async (file) => {
			const { flow } = (await import(join(folder, file))) as { flow: Flow };
			return { file: basename(file, '.ts'), flow };
		}),
	);
	return loaded
		.filter(({ file, flow }) => {
			const text = `${file} ${flow.name}`.toLowerCase();
			return words.length === 0 || words.some((word) => text.includes(word.toLowerCase()));
		})
		.map(({ flow }) => flow);
}

async function runAll(
	flows: Flow[],
	{ tarball, work, shared }: { tarball: string; work: string; shared: Stage },
): Promise<{ failed: number; skipped: string[] }> {
	let failed = 0;
	const skipped: string[] = [];
	for (const [index, flow] of flows.entries()) {
		const missing = flow.missing?.();
		if (missing !== undefined) {
			log(`${index + 1}/${flows.length}  SKIP  ${flow.name}: ${missing}`);
			skipped.push(`${flow.name} (${missing})`);
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

main()
	.catch((error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	})
	// A timer that somebody left behind must not keep a finished run from ending.
	.finally(() => process.exit());
