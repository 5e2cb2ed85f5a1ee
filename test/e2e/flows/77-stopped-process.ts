import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, itemsNode, start, succeeded, until } from '../workflows';

const names = ['Ada', 'Grace', 'Alan', 'Edsger'];

/** Longer than Wait for Capacity, as on a laptop that sleeps. */
const stoppedSeconds = 75;

export const flow: Flow = {
	name: `n8n stops for ${stoppedSeconds} seconds while rows wait for capacity: each row is still made`,
	older: 'main',
	isWeekly: true,
	run: async (context) => {
		const { n8n, credential, simulator } = await context.startOwn({
			simulator: { jobSeconds: 20 },
		});
		const { control } = simulator;
		control.setWorkspace({ jobsAtOnce: 1, capacityRetryAfter: null });
		const draft = chain('A laptop that sleeps', [
			start,
			...itemsNode(names.map((name) => ({ name }))),
			{
				name: 'Create',
				type: 'video',
				parameters: {
					operation: 'createAvatar',
					avatar_id: byId('look_001_1'),
					voice_id: byId('voice_001'),
					speechFrom: 'text',
					script: '=Hello {{ $json.name }}, welcome to the team.',
					waitForCompletion: false,
					advanced: { waitForCapacity: 1 },
				},
			},
		]);
		const { id: workflowId } = await n8n.createWorkflow(withCredential(draft, credential));
		const id = await n8n.start(workflowId);
		const creates = () => control.requests({ method: 'POST', path: '/v3/videos' });
		await until('the rejection of a row', () => creates().some(({ status }) => status === 429));

		const pid = n8n.pid();
		assert.ok(pid !== undefined);
		process.kill(pid, 'SIGSTOP');
		await sleep(stoppedSeconds * 1000);
		const before = creates().length;
		process.kill(pid, 'SIGCONT');

		const execution = await n8n.waitForExecution({ id }, { timeoutMs: 200_000 });
		const videos = succeeded(execution, 'Create').map(({ json }) => json.video_id);
		assert.equal(new Set(videos).size, names.length);
		assert.ok(creates().length > before);
		assert.equal(creates().filter(({ status }) => status === 200).length, names.length);
	},
};
