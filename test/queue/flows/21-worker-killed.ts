import assert from 'node:assert/strict';
import { itemsOf } from '../../e2e/n8n';
import { filmLink, here, rows, waitingDraft } from '../../e2e/waits';
import { chain, errorText, itemsNode, until } from '../../e2e/workflows';
import { workerOf } from '../cluster';
import type { QueueFlow } from '../flow';
import { calledLink, publish } from '../production';

export const flow: QueueFlow = {
	name: 'a worker is killed in the middle: what n8n keeps of it',
	short: false,
	run: async (cluster) => {
		const { n8n, simulator, workers, measured } = cluster;
		const { control } = simulator;
		control.reset();
		control.holdJobs(true);
		const films = chain('Looks', [calledLink(), ...itemsNode(rows(3)), filmLink('Create', here)]);
		const look = await (await publish(cluster, waitingDraft(films, 'Create'))).begin(['waiting']);
		control.fail({ method: 'GET', path: /videos/, delayMs: 5_000 });
		control.holdJobs(false);
		await until(
			'the look',
			async () => (await n8n.execution(look.id)).status === 'running',
			30_000,
		);
		const worker = workerOf(cluster, look.id);
		await worker.end('SIGKILL');
		control.clearFaults();
		const killedAt = Date.now();
		const cut = await n8n.waitForExecution({ id: look.id }, { until: ['error', 'crashed'] });
		console.log(
			'cut',
			(Date.now() - killedAt) / 1000,
			cut.status,
			errorText(cut),
			Object.keys(cut.data.resultData.runData),
			JSON.stringify(cut.data.executionData).slice(0, 500),
		);
		await worker.launch();
		const again = await n8n
			.api('POST', `/executions/${look.id}/retry`, { loadWorkflow: false })
			.catch(String);
		console.log('retry', JSON.stringify(again).slice(0, 500));
		void [assert, itemsOf, workers, measured];
	},
};
