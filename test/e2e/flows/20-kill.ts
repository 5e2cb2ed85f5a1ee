import assert from 'node:assert/strict';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, start, succeeded, until } from '../workflows';

export const flow: Flow = {
	name: 'n8n is killed while it waits; the same order run again is the same video, paid once',
	run: async (context) => {
		const { n8n, credential, simulator } = await context.startOwn();
		const { control } = simulator;
		control.holdJobs(true);
		const { id } = await n8n.createWorkflow(
			withCredential(
				chain('Order', [
					start,
					{
						name: 'Create',
						type: 'video',
						parameters: {
							operation: 'createAvatar',
							avatar_id: byId('look_001_1'),
							speechFrom: 'text',
							script: 'Hello there, this is a long enough text.',
							voice_id: byId('voice_001'),
							waitForCompletion: true,
							options: { idempotencyKey: 'order-1042' },
							advanced: { pollInterval: 1 },
						},
					},
				]),
				credential,
			),
		);
		await n8n.start(id);
		await until('the video', () => control.jobs('video').length === 1);
		await n8n.kill();
		await n8n.restart();
		control.holdJobs(false);
		const execution = await n8n.run(id);
		const [item] = succeeded(execution, 'Create');
		const [job] = control.jobs('video') as Array<{ id?: string }>;
		assert.equal(control.jobs('video').length, 1, 'one video was made');
		assert.equal(item?.json.video_id, job?.id);
		assert.equal(item?.json.status, 'completed');
	},
};
