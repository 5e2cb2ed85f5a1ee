import assert from 'node:assert/strict';
import { itemsOf } from '../../e2e/n8n';
import { videoLink, here, rows, waitingDraft } from '../../e2e/waits';
import { chain, errorText, itemsNode, until } from '../../e2e/workflows';
import { logText } from '../../faults/jobs';
import { workerOf } from '../cluster';
import type { QueueFlow } from '../flow';
import { calledLink, publish } from '../production';

export const flow: QueueFlow = {
	name: 'a worker is killed during a status check: n8n loses the execution data, the logs show its jobs',
	short: false,
	run: async (cluster) => {
		const { n8n, simulator, workers, measured } = cluster;
		const { control } = simulator;
		control.reset();
		control.holdJobs(true);
		// An account that may run them all: none ends while they are held.
		control.setWorkspace({ jobsAtOnce: 5_000 });
		const films = chain('Looks', [calledLink(), ...itemsNode(rows(3)), videoLink('Create', here)]);
		const look = await (await publish(cluster, waitingDraft(films, 'Create'))).begin(['waiting']);
		const made = itemsOf(look, 'Create').map(({ json }) => String(json.video_id));
		assert.equal(made.length, 3);
		control.fail({ method: 'GET', path: /videos/, delayMs: 5_000 });
		control.holdJobs(false);
		control.setWorkspace({ jobsAtOnce: 10 });
		const isLooking = async () => (await n8n.execution(look.id)).status === 'running';
		await until('the look', isLooking, 30_000);
		const worker = workerOf(cluster, look.id);
		await worker.end('SIGKILL');
		control.clearFaults();
		const killedAt = Date.now();
		const cut = await n8n.waitForExecution({ id: look.id }, { until: ['error', 'crashed'] });
		const seconds = (Date.now() - killedAt) / 1000;
		await worker.launch();
		// n8n replaces the execution data with its own error, so that a retry finds no jobs.
		const kept = Object.keys(cut.data.resultData.runData).length;
		measured(
			`A worker killed while it looks after 3 jobs: what n8n makes of the execution (noticed sooner than with its own settings)`,
			`${cut.status} after ${seconds.toFixed(0)} s, ${kept} of its nodes kept: ${errorText(cut).slice(0, 60)}…`,
		);
		const logs = workers.map((one) => logText({ n8n: one })).join('\n');
		for (const id of made) {
			assert.match(logs, new RegExp(`VideoGen started video ${id} \\(execution ${look.id},`));
		}
		assert.equal(control.jobs('video').length, 3, 'no job is created again');
	},
};
