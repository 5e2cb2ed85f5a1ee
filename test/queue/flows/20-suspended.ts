import assert from 'node:assert/strict';
import { packageName } from '../../../tools/stage';
import { itemsOf } from '../../e2e/n8n';
import { create, done } from '../../e2e/suspensions';
import { makeVideo } from '../../e2e/triggerFlow';
import { byId, chain, errorText, itemsNode, media } from '../../e2e/workflows';
import { workerOf } from '../cluster';
import type { QueueFlow } from '../flow';
import { calledLink, publish, replace, untilSuspended } from '../production';

/** Downloads a video, waits for a job of another execution, and uploads the video. */
const carrying = (videoId: string) =>
	chain('Carries a video', [
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
			type: `${packageName}.videoGenJob`,
			parameters: { operation: 'wait', jobs: 'id', kind: 'video', job_id: videoId },
		},
		{
			name: 'Upload',
			type: `${packageName}.videoGenAsset`,
			parameters: { operation: 'upload', binaryPropertyName: 'data' },
		},
	]);

const many = 10;

export const flow: QueueFlow = {
	name: 'suspended executions resume in other processes, on time and with their files',
	short: true,
	run: async (cluster) => {
		const { n8n, simulator, workers } = cluster;
		const { control } = simulator;
		control.holdJobs(true);
		// An account that may run them all: none ends while they are held.
		control.setWorkspace({ jobsAtOnce: 5_000 });
		try {
			const held = await makeVideo(cluster);
			const before = control.jobs('video').length;
			const items = Array.from({ length: many }, (_, row) => ({ row }));
			const { name, type, parameters } = create('Queue');
			const videos = await publish(
				cluster,
				chain('Videos', [
					calledLink(),
					...itemsNode(items),
					{ name, type, parameters },
					{ ...done(), more: { typeVersion: 3.4 } },
				]),
			);
			const files = await publish(cluster, carrying(held));
			const suspended = await Promise.all(
				[videos, files].map(async (one) => await one.begin(['waiting'], 150_000)),
			);
			for (const { id } of suspended) workerOf(cluster, id);
			await untilSuspended(
				cluster,
				suspended.map(({ id }) => id),
			);
			await replace(workers);

			control.holdJobs(false);
			control.setWorkspace({ jobsAtOnce: 10 });
			const [made, carried] = await Promise.all(
				suspended.map(async ({ id }) => await n8n.waitForExecution({ id }, { timeoutMs: 300_000 })),
			);
			assert.ok(made && carried);
			assert.equal(made.status, 'success', errorText(made));
			assert.deepEqual(
				itemsOf(made, 'Done').map(({ json }) => [json.row, json.outcome]),
				items.map(({ row }) => [row, 'finished']),
			);
			assert.equal(control.jobs('video').length, before + many, 'nothing is paid twice');
			assert.equal(carried.status, 'success', errorText(carried));
			// Resumed by processes that did not exist when the executions were suspended.
			for (const { id } of suspended) workerOf(cluster, id);
			const [uploaded] = itemsOf(carried, 'Upload');
			const stored = await fetch(String(uploaded?.json.url));
			const bytes = Buffer.from(await stored.arrayBuffer());
			assert.ok(bytes.equals(media('video.mp4')), 'every byte of the video');
		} finally {
			control.holdJobs(false);
			control.setWorkspace({ jobsAtOnce: 10 });
		}
	},
};
