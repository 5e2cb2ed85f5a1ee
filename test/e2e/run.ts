import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fail, createTemporaryFolder, timedLog as log } from '../../tools/child';
import { ensureN8n } from '../../tools/installN8n';
import { type N8nVersion, findN8nVersion, newestVersion } from '../../tools/n8nVersions';
import { readOptions } from '../../tools/options';
import { buildTarball } from '../../tools/pack';
import { type Stage, startStage } from '../../tools/stage';
import type { Flow, FlowContext } from './flow';
import { findLeaks } from './leaks';
import { patience } from './process';
import { loadFlows, type Named, findFlows, report, runAll } from './running';

const help = `Runs the flows of test/e2e/flows on a real n8n with the packed package.

  npm run e2e                     all of them in the short form that every change must pass
  npm run e2e -- --long           all of them in the long form of the weekly workflow
  npm run e2e -- boots wait       those whose file name or name holds one of the words
  npm run e2e -- --no-skip        a flow that this machine cannot run is a failure
  npm run e2e -- --at-once 2      two at the same time, each on an n8n of its own
  PATIENCE=4 npm run e2e          with longer timeouts, on a machine that does other work
  npm run e2e -- --n8n 1.123.81   the main ones on the older line of n8n; all with --long,
                                  and with words, any of them. Another version is locked
                                  and installed first`;

const simulatorSettings = {
	/** Long enough for a job of the shared simulator to be seen running. */
	jobSeconds: 2,
	/** The service waits 10 seconds for an answer to a delivery. */
	receiverTimeoutSeconds: 10 * patience,
};

const isMain = ({ older }: Flow) => older === 'main';
const cannotRun = ({ older }: Flow) => typeof older === 'object';

/** The flows of a run, and how many are left out for which reason. */
function chosen(flows: Array<Named<Flow>>, words: string[], isLong: boolean, line: N8nVersion) {
	const regular = flows.filter(({ isWeekly }) => isLong || isWeekly !== true);
	const asked = words.length === 0 ? regular : findFlows(flows, words);
	const weekly = words.length === 0 && !isLong ? [`${flows.length - regular.length} weekly`] : [];
	if (line === newestVersion) return { run: asked, left: weekly };
	const able = asked.filter((flow) => !cannotRun(flow));
	const run = words.length === 0 && !isLong ? able.filter(isMain) : able;
	for (const { name, older } of asked) {
		if (typeof older === 'object')
			console.log(`Not on n8n ${line.version}: ${name} (${older.cannot})`);
	}
	const left = [...weekly, `${asked.length - able.length} not for n8n ${line.version}`];
	if (able.length > run.length) left.push(`${able.length - run.length} not among the main ones`);
	return { run, left };
}

/**
 * Starts with the flows that wait for minutes, and distributes those that need a browser evenly among
 * the others: they keep the processor busy, so few of them should run at the same time.
 */
function order<F extends Flow>(flows: readonly F[]): F[] {
	const [busy, calm] = [true, false].map((isBusy) =>
		flows.filter((flow) => !flow.startsFirst && (flow.missing !== undefined) === isBusy),
	);
	const distributed = [busy, calm]
		.flatMap((list = []) => list.map((flow, i) => ({ flow, position: (i + 0.5) / list.length })))
		.sort((a, b) => a.position - b.position)
		.map(({ flow }) => flow);
	return [...flows.filter(({ startsFirst }) => startsFirst), ...distributed];
}

async function main(): Promise<void> {
	const { flags, values, words } = readOptions(help, {
		flags: ['--no-skip', '--long'],
		valued: ['--n8n', '--at-once'],
		words: true,
	});
	const line = findN8nVersion(values.get('--n8n') ?? newestVersion.version);
	const slots = Number(values.get('--at-once') ?? 1);
	if (!(slots >= 1))
		throw new Error('--at-once needs a number: how many flows run at the same time');
	const all = await loadFlows<Flow>(join(__dirname, 'flows'));
	const isLong = flags.has('--long');
	const flows = chosen(all, words, isLong, line);

	const { folder: work, remove: removeWork } = createTemporaryFolder('videogen-e2e-');
	try {
		const tarball = await buildTarball(join(work, 'package'), log);
		await ensureN8n(log, line);
		const shared = await Promise.all(
			Array.from({ length: slots }, async (_, slot) => {
				const userFolder = join(work, `n8n-${slot}`);
				return await startStage({ line, userFolder, tarball, simulator: simulatorSettings, log });
			}),
		);
		const outcome = await runAll<FlowContext>(order(flows.run), {
			mustRun: flags.has('--no-skip'),
			slots,
			log,
			use: async (index, run, slot) => {
				const own: Stage[] = [];
				const newFolder = (name: string) => {
					const folder = join(work, `${index}-${name}`);
					mkdirSync(folder, { recursive: true });
					return folder;
				};
				const startOwn: FlowContext['startOwn'] = async (options) => {
					const stage = await startStage({
						line,
						userFolder: newFolder(`n8n-${own.length}`),
						tarball,
						log,
						...options,
						simulator: { ...simulatorSettings, ...options?.simulator },
					});
					own.push(stage);
					return stage;
				};
				let problem: unknown;
				await run({ ...shared[slot]!, tarball, isLong, log, newFolder, startOwn }).catch(
					(error: unknown) => (problem = error),
				);
				for (const stage of [...own, shared[slot]!]) {
					const leaks = findLeaks(stage);
					if (leaks.length > 0) problem ??= new Error(`Secrets leaked:\n${leaks.join('\n')}`);
				}
				for (const stage of own) await stage.close().catch((error: unknown) => (problem ??= error));
				if (problem !== undefined) throw problem;
			},
		}).finally(async () => await Promise.all(shared.map(async ({ close }) => await close())));
		report(outcome, flows.left);
	} finally {
		removeWork();
	}
}

// A timer that somebody left behind must not keep a finished run from ending.
main().then(() => process.exit(), fail);
