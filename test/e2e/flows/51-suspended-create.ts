import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow';
import { until } from '../workflows';
import { calledOnce, checkShape, startShape, suspendedShapes, type Started } from '../suspensions';
import { newestVersion } from '../../../tools/n8nVersions';

/** Longer than the shortest suspension. */
const oneCheck = 75_000;

/** How long before the next check n8n is killed at the latest, in milliseconds. */
const timeToKill = 5_000;

export const flow: Flow = {
	name: 'creates that wait are suspended in every shape of a workflow, outlast a kill of n8n, and output each row once',
	older: 'main',
	run: async (context) => {
		const stage = await context.startOwn();
		const { n8n, simulator } = stage;
		const { control } = simulator;
		control.holdJobs(true);
		control.setWorkspace({ jobsAtOnce: 5_000 });
		const shapes = suspendedShapes();
		if (n8n.line === newestVersion) shapes.push(calledOnce());
		const started: Started[] = [];
		for (const shape of shapes) started.push(await startShape(stage, shape));
		/**
		 * n8n marks executions that run when it is killed as crashed, so none may be about to resume, nor
		 * may one that they have called.
		 */
		const areSuspended = async () => {
			const listed = await n8n.executions({ status: ['new', 'running', 'waiting'] });
			const ids = new Set([...started, ...listed].map(({ id }) => id));
			const all = await Promise.all([...ids].map(async (id) => await n8n.execution(id)));
			return all.every(
				({ status, waitTill }) =>
					status === 'waiting' && Date.parse(waitTill ?? '') > Date.now() + timeToKill,
			);
		};
		await until('all to be suspended', areSuspended, 200_000);
		await n8n.kill();
		await n8n.restart();
		await sleep(oneCheck);
		await until('all to be suspended again', areSuspended, 200_000);
		control.holdJobs(false);
		for (const one of started) {
			const execution = await n8n.waitForExecution({ id: one.id }, { timeoutMs: 400_000 });
			await checkShape(one, execution, simulator);
		}
		context.log(`  ${started.length} shapes, suspended at least twice, killed in between`);
	},
};
