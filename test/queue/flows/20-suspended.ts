import assert from 'node:assert/strict';
import { packageName } from '../../../tools/stage';
import { itemsOf } from '../../e2e/n8n';
import { makeVideo } from '../../e2e/triggerFlow';
import { videoLink, here, rows, to, waitingDraft } from '../../e2e/waits';
import { byId, chain, errorText, itemsNode, media, until } from '../../e2e/workflows';
import { workerOf } from '../cluster';
import type { QueueFlow } from '../flow';
import { calledLink, publish, replace, untilSuspended } from '../production';

/** Downloads a video, waits for a job of another execution, and uploads the video. */
function carrying(videoId: string) {
	const draft = chain('Carries a video', [
		calledLink(),
		{
			name: 'Download',
			type: 'video',
			parameters: {
				operation: 'download',
				video_id: byId('video_001'),
				files: ['video'],
				binaryPropertyName: 'data',
			},
		},
		{
			name: 'Wait',
			type: `${packageName}.videoGenWait`,
			parameters: { jobs: 'id', kind: 'video', job_id: videoId },
			more: { webhookId: crypto.randomUUID() },
		},
		{
			name: 'Upload',
			type: `${packageName}.videoGenAsset`,
			parameters: { operation: 'upload', binaryPropertyName: 'data' },
		},
	]);
	return {
		...draft,
		connections: { ...draft.connections, Wait: { main: [[to('Wait')], [to('Upload')]] } },
	};
}

const many = 10;

export const flow: QueueFlow = {
	name: 'suspended executions resume in other processes, after a callback and on time, with their files',
	short: true,
	run: async (cluster) => {
		const { n8n, simulator, workers, webhook } = cluster;
		const { control } = simulator;
		control.holdJobs(true);
		// An account that may run them all: none ends while they are held.
		control.setWorkspace({ jobsAtOnce: 5_000 });
		try {
			const held = await makeVideo(cluster);
			const videos = chain('Videos', [
				calledLink(),
				...itemsNode(rows(many)),
				videoLink('Create', here),
			]);
			const calling = await publish(cluster, waitingDraft(videos, 'Create'));
			const clocking = await publish(cluster, carrying(held));
			const [byCall, byClock] = await Promise.all([
				calling.begin(['waiting']),
				clocking.begin(['waiting']),
			]);
			for (const { id } of [byCall, byClock]) workerOf(cluster, id);
			await untilSuspended(cluster, [byCall.id, byClock.id]);
			await replace(workers);
			// On a slow machine, its timer has resumed it before the new workers run.
			await untilSuspended(cluster, [byCall.id]);
			const { waitTill } = await n8n.execution(byCall.id);

			control.holdJobs(false);
			control.setWorkspace({ jobsAtOnce: 10 });
			const called = await n8n.waitForExecution({ id: byCall.id }, { timeoutMs: 60_000 });
			assert.equal(called.status, 'success', errorText(called));
			const done = called.data.resultData.runData.Done;
			assert.equal(done?.length, 1, 'once');
			assert.ok(Number(done[0]?.startTime) < Date.parse(waitTill ?? ''), 'before its timer');
			assert.deepEqual(
				itemsOf(called, 'Done').map(({ json }) => [json.row, json.video_id, json.status]),
				itemsOf(called, 'Create').map(({ json }, row) => [row, json.video_id, 'completed']),
			);
			assert.equal(itemsOf(called, 'Done').length, many);
			// Resumed by a process that did not exist when the execution was suspended.
			workerOf(cluster, byCall.id);
			const calls = () => control.deliveries().filter(({ url }) => url.includes(`/${byCall.id}/`));
			await until('all callbacks sent', () => calls().length >= many, 60_000);
			assert.match(webhook.logs(), /Enqueued execution/);

			const { id } = byClock;
			const clocked = await n8n.waitForExecution({ id }, { timeoutMs: 150_000 });
			assert.equal(clocked.status, 'success', errorText(clocked));
			workerOf(cluster, id);
			const [uploaded] = itemsOf(clocked, 'Upload');
			const stored = await fetch(String(uploaded?.json.url));
			const bytes = Buffer.from(await stored.arrayBuffer());
			assert.ok(bytes.equals(media('video.mp4')), 'every byte of the video');
		} finally {
			control.holdJobs(false);
			control.setWorkspace({ jobsAtOnce: 10 });
		}
	},
};
