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
		const videos = chain('Status checks', [
			calledLink(),
			...itemsNode(rows(3)),
			videoLink('Create', here),
		]);
		const suspended = await (
			await publish(cluster, waitingDraft(videos, 'Create'))
		).begin(['waiting']);
		const made = itemsOf(suspended, 'Create').map(({ json }) => String(json.video_id));
		assert.equal(made.length, 3);
		control.fail({ method: 'GET', path: /videos/, delayMs: 5_000 });
		control.holdJobs(false);
		control.setWorkspace({ jobsAtOnce: 10 });
		const isChecking = async () => (await n8n.execution(suspended.id)).status === 'running';
		await until('the status check', isChecking, 30_000);
		const worker = workerOf(cluster, suspended.id);
		await worker.end('SIGKILL');
		control.clearFaults();
		const killedAt = Date.now();
		const ended = await n8n.waitForExecution({ id: suspended.id }, { until: ['error', 'crashed'] });
		const seconds = (Date.now() - killedAt) / 1000;
		await worker.launch();
		// n8n replaces the execution data with its own error, so that a retry finds no jobs.
		const nodeCount = Object.keys(ended.data.resultData.runData).length;
		measured(
			`A worker killed while it checks 3 jobs: the execution afterwards (noticed sooner than with n8n’s own settings)`,
			`${ended.status} after ${seconds.toFixed(0)} s, ${nodeCount} of its nodes left: ${errorText(ended).slice(0, 60)}…`,
		);
		const logs = workers.map((one) => logText({ n8n: one })).join('\n');
		for (const id of made) {
			assert.match(logs, new RegExp(`VideoGen started video ${id} \\(execution ${suspended.id},`));
		}
		assert.equal(control.jobs('video').length, 3, 'no job is created again');
	},
};
