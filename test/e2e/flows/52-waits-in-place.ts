import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { newestVersion } from '../../../tools/n8nVersions';
import type { Flow } from '../flow';
import { calledOnce, checkShape, inPlaceShapes, startShape, type Started } from '../suspensions';

export const flow: Flow = {
	name: 'where n8n would lose items or an answer, a create waits in place',
	older: 'main',
	run: async (context) => {
		const stage = await context.startOwn();
		const { n8n, simulator } = stage;
		const { control } = simulator;
		control.holdJobs(true);
		control.setWorkspace({ jobsAtOnce: 5_000 });
		const shapes = inPlaceShapes();
		if (n8n.line !== newestVersion) shapes.push(calledOnce());
		const started: Started[] = [];
		for (const shape of shapes) started.push(await startShape(stage, shape));
		// Longer than other nodes stay in place.
		await sleep(90_000);
		for (const { shape, id } of started) {
			const { status } = await n8n.execution(id);
			assert.ok(['running', 'new'].includes(status), `"${shape.name}" is ${status}`);
		}
		control.holdJobs(false);
		// The calls of "Run once for each item" follow one another.
		for (const one of started) {
			const execution = await n8n.waitForExecution({ id: one.id }, { timeoutMs: 200_000 });
			await checkShape(one, execution, simulator);
		}
	},
};
