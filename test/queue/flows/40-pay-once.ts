import assert from 'node:assert/strict';
import type { INode, INodeParameters } from 'n8n-workflow';
import { numbered, video } from '../../faults/creates';
import { itemsOf } from '../../e2e/n8n';
import { chain, errorText, itemsNode } from '../../e2e/workflows';
import { workerOf } from '../cluster';
import type { QueueFlow } from '../flow';
import { calledLink, publish, replace } from '../production';

const perRun = 5;

const draft = (options: INodeParameters, node: Partial<INode> = {}) =>
	chain('Pays', [
		calledLink(),
		...itemsNode(numbered(perRun)),
		video({ options, advanced: { requestsAtOnce: 1 } }, node),
	]);

export const flow: QueueFlow = {
	name: 'what is paid once: Retry On Fail on the same worker, the Retry button on another',
	short: true,
	run: async (cluster) => {
		const { n8n, simulator, workers } = cluster;
		const { control } = simulator;
		const videos = () => control.jobs('video').length;
		/** Makes the service reject the fourth create N times. */
		const rejectFourth = (times: number) => {
			const path = '/v3/videos';
			control.fail({ method: 'POST', path, delayMs: 1, times: 3 });
			control.fail({ method: 'POST', path, status: 402, code: 'insufficient_credit', times });
		};
		control.reset();

		// Another title at every try.
		const titled = { title: '=Video of {{ $now.toMillis() }}' };
		const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 };
		rejectFourth(1);
		const done = await (await publish(cluster, draft(titled, retried))).begin();
		assert.equal(done.status, 'success', errorText(done));
		assert.equal(itemsOf(done, 'Create').length, perRun);
		assert.equal(videos(), perRun, 'no video twice');

		// The button begins an execution of its own; by then the processes are others.
		control.reset();
		rejectFourth(1);
		const failing = await publish(cluster, draft({}));
		const failed = await failing.begin();
		assert.equal(failed.status, 'error');
		workerOf(cluster, failed.id);
		const made = videos();
		assert.ok(made < perRun);
		await replace(workers);
		await n8n.api('POST', `/executions/${failed.id}/retry`, { loadWorkflow: false });
		const second = await n8n.waitForExecution({ workflowId: failing.id, afterId: failed.id });
		assert.equal(second.status, 'success', errorText(second));
		assert.equal(itemsOf(second, 'Create').length, perRun);
		assert.equal(videos(), perRun, 'what was there is not paid again');
	},
};
