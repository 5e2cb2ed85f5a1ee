import assert from 'node:assert/strict';
import { chain, errorText, itemsNode, until } from '../../e2e/workflows';
import { numbered, video } from '../../faults/creates';
import type { QueueFlow } from '../flow';
import { calledLink, publish } from '../production';

export const flow: QueueFlow = {
	name: 'an execution that runs again, because Redis restarts with older data, pays nothing twice',
	short: true,
	run: async (cluster) => {
		const { n8n, simulator, workers, webhook, redis } = cluster;
		const { control } = simulator;
		const draft = chain('Runs again', [
			calledLink(),
			...itemsNode(numbered(2)),
			video({
				waitForCompletion: true,
				options: { title: '={{ $now.toMillis() }}' },
				advanced: { pollInterval: 1 },
			}),
		]);
		const { id, path } = await publish(cluster, draft);
		control.reset();
		control.holdJobs(true);
		try {
			await Promise.all(workers.map(async (one) => await one.end('SIGTERM')));
			await fetch(webhook.baseUrl + path, { method: 'POST' });
			const [begun] = await until('the execution', async () => {
				const found = await n8n.executions({ workflowId: id });
				return found.length > 0 && found;
			});
			redis.save();
			await Promise.all(workers.map(async (one) => await one.launch()));
			await until('both videos', () => control.jobs('video').length === 2);
			await redis.kill();
			await redis.start();
			const started = () =>
				workers.flatMap((one) => one.logs().match(/Worker started execution \d+ /g) ?? []);
			await until('the second run', () => started().length >= 2, 60_000);
			await new Promise((resolve) => setTimeout(resolve, 3_000));
			assert.equal(control.jobs('video').length, 2, 'no video twice');
			control.holdJobs(false);
			const ended = await n8n.waitForExecution({ id: String(begun?.id) });
			assert.equal(ended.status, 'success', errorText(ended));
		} finally {
			control.holdJobs(false);
			redis.forget();
		}
	},
};
