import { createRandom } from '../../../simulator/faults';
import { jobSeconds, killWhileRowsWait } from '../../e2e/rowsKilled';
import type { QueueFlow } from '../flow';
import { calledLink } from '../production';

export const flow: QueueFlow = {
	name: 'rows that are created and awaited, processes killed at random moments: each row once, nothing paid twice',
	short: false,
	run: async ({ startOwn, log, measured }) => {
		const cluster = await startOwn({}, { jobSeconds });
		const { n8n, workers, webhook } = cluster;
		const seed = Number(process.env.SEED ?? 1);
		const random = createRandom(seed + 1);
		const parts = [
			...workers.map((one) => ({ ...one, kill: async () => await one.end('SIGKILL') })),
			{ name: 'main process', kill: n8n.kill, launch: n8n.restart },
		];
		const result = await killWhileRowsWait(cluster, {
			log,
			// ROWS=300 KILLS=100 is the long form.
			rowCount: Number(process.env.ROWS ?? 20),
			kills: Number(process.env.KILLS ?? 2),
			seed,
			createStart: calledLink,
			async begin(workflow, { parameters }) {
				await n8n.activate(workflow);
				const last = (await n8n.executions({ workflowId: workflow })).at(-1)?.id ?? '0';
				const url = `${webhook.baseUrl}/webhook/${String(parameters?.path)}`;
				await fetch(url, { method: 'POST' });
				const { id } = await n8n.waitForExecution(
					{ workflowId: workflow, afterId: last },
					{ until: ['new', 'running', 'waiting'] },
				);
				return id;
			},
			async killAndRestart() {
				const part = parts[Math.floor(random() * parts.length)];
				await part?.kill();
				await part?.launch();
				return part?.name ?? '';
			},
			// Redis gives the execution of a killed worker to another one, and a new main process lists as crashed
			// what workers still run.
			hasNoticed: (statuses, time) =>
				time > 90_000 || (time > 20_000 && !statuses.includes('crashed')),
		});
		measured('Kills of processes while rows wait', result);
	},
};
