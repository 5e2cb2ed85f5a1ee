import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fail, createTemporaryFolder, timedLog as log } from '../../tools/child';
import { ensureN8n } from '../../tools/installN8n';
import { describeMachine } from '../../tools/machine';
import { readOptions } from '../../tools/options';
import { buildTarball } from '../../tools/pack';
import { renderTable } from '../../tools/pages';
import { patience } from '../e2e/process';
import { loadFlows, findFlows, report, runAll } from '../e2e/running';
import { type Cluster, type ClusterOptions, startCluster } from './cluster';
import type { QueueContext, QueueFlow } from './flow';
import { missingServers } from './servers';

const help = `Runs the flows of test/queue/flows on n8n in several processes that share the work: one main
process, two workers, one webhook process, with a Redis and a PostgreSQL of their own on this machine.

  npm run e2e:queue                 all of them, about 10 minutes; prints what docs/evidence/measurements.md tells
  npm run e2e:queue -- --short      a part of them, in about 3 minutes
  npm run e2e:queue -- trigger      those whose file name or name holds the word
  npm run e2e:queue -- --no-skip    that Redis or PostgreSQL is missing is a failure`;

/** Long enough for a job to be seen running. */
const jobSeconds = 2;

/**
 * n8n notices sooner that a worker is gone than with its own settings, which are a minute and half a minute
 * (milliseconds). Not for the short form, which kills no busy worker: on a machine that stalls, a slow worker must
 * not count as gone.
 */
const noticedSooner = {
	QUEUE_WORKER_LOCK_DURATION: String(10_000 * patience),
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

async function main(): Promise<void> {
	const { flags, words } = readOptions(help, { flags: ['--short', '--no-skip'], words: true });
	const short = flags.has('--short');
	const all = await loadFlows<QueueFlow>(join(__dirname, 'flows'));
	const flows =
		words.length > 0 ? findFlows(all, words) : all.filter((flow) => flow.short || !short);

	const missing = missingServers();
	if (missing !== undefined) {
		const skipped = flows.map(({ name }) => `${name} (${missing})`);
		const failed = flags.has('--no-skip') ? flows.length : 0;
		report({ passed: 0, failed, skipped: failed > 0 ? [] : skipped });
		return;
	}
	const { folder: work, remove: removeWork } = createTemporaryFolder('videogen-queue-');
	try {
		const tarball = await buildTarball(join(work, 'package'), log);
		await ensureN8n(log);
		const start = async (
			folder: string,
			env: Record<string, string> = {},
			simulator: ClusterOptions['simulator'] = {},
		) =>
			await startCluster({
				...{ folder, tarball, log, simulator: { jobSeconds, ...simulator } },
				env: { ...(short ? {} : noticedSooner), ...env },
			});
		const cluster = await start(join(work, 'shared'));
		const measures: Array<[string, string]> = [];
		const outcome = await runAll<QueueContext>(flows, {
			mustRun: flags.has('--no-skip'),
			log,
			use: async (index, run) => {
				const own: Cluster[] = [];
				const newFolder = (name: string) => {
					const folder = join(work, `${index}-${name}`);
					mkdirSync(folder, { recursive: true });
					return folder;
				};
				const context: QueueContext = {
					...cluster,
					short,
					startOwn: async (env, simulator) => {
						const started = await start(newFolder(`own-${own.length}`), env, simulator);
						own.push(started);
						return started;
					},
					newFolder,
					measured: (what, value) => void measures.push([what, value]),
					log,
				};
				await run(context).finally(async () => {
					for (const one of own) await one.close();
				});
			},
		}).finally(cluster.close);
		if (measures.length > 0) {
			const machine = describeMachine({
				n8n: 'PostgreSQL, four processes',
				run: 'all on one machine',
			});
			console.log(`\n${renderTable(['What', 'Measured'], measures)}\n\n${machine}\n`);
		}
		report(outcome, short ? [`${all.length - flows.length} not in the short form`] : []);
	} finally {
		removeWork();
	}
}

// A timer that somebody left behind must not keep a finished run from ending.
main().then(() => process.exit(), fail);
