import assert from 'node:assert/strict';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { chain, start, until } from '../workflows';

export const flow: Flow = {
	name: 'the stop button ends a wait at once; the log of n8n names the session that goes on',
	older: 'main',
	run: async ({ n8n, credential, simulator }) => {
		const { control } = simulator;
		control.holdJobs(true);
		try {
			const { id } = await n8n.createWorkflow(
				withCredential(
					chain('Endless', [
						start,
						{
							name: 'Create',
							type: 'agent',
							parameters: {
								operation: 'create',
								prompt: 'A welcome',
								mode: 'generate',
								waitForCompletion: true,
								options: { pollInterval: 1 },
							},
						},
					]),
					credential,
				),
			);
			const before = control.jobs('session').length;
			const execution = await n8n.start(id);
			await until('the session', () => control.jobs('session').length > before);
			const session = (control.jobs('session') as Array<{ id?: string }>).at(-1);
			await until(
				'a look at it',
				() => control.requests({ method: 'GET', path: new RegExp(`${session?.id}$`) }).length > 0,
			);
			await n8n.stopExecution(execution);
			const stopped = await n8n.waitForExecution(
				{ id: execution },
				{ until: ['canceled'], timeoutMs: 10_000 },
			);
			assert.equal(stopped.status, 'canceled');
			const named = new RegExp(`Stopped\\. These jobs exist.*${session?.id}`);
			await until('the session in the log', () => named.test(n8n.logs()));
			await new Promise((resolve) => setTimeout(resolve, 500));
			const asked = control.requests().length;
			await new Promise((resolve) => setTimeout(resolve, 4000));
			assert.equal(control.requests().length, asked, 'no look at the job any more');
		} finally {
			control.holdJobs(false);
		}
	},
};
