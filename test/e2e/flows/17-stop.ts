import assert from 'node:assert/strict';
import type { INodeParameters } from 'n8n-workflow';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { chain, start, until } from '../workflows';

/** A workflow that waits for a session. */
const createsSession = (name: string, advanced: INodeParameters) =>
	chain(name, [
		start,
		{
			name: 'Create',
			type: 'agent',
			parameters: {
				operation: 'create',
				prompt: 'A welcome',
				mode: 'generate',
				waitForCompletion: true,
				advanced: { pollInterval: 1, ...advanced },
			},
		},
	]);

export const flow: Flow = {
	name: 'the stop button ends a wait at once; the log of n8n names the session that continues, or the option stops it',
	older: 'main',
	run: async ({ n8n, credential, simulator }) => {
		const { control } = simulator;
		control.holdJobs(true);
		try {
			const stopRequests = () => control.requests({ method: 'POST', path: /\/stop$/ });
			const { id } = await n8n.createWorkflow(
				withCredential(createsSession('Endless', {}), credential),
			);
			const before = control.jobs('session').length;
			const execution = await n8n.start(id);
			await until('the session', () => control.jobs('session').length > before);
			const session = (control.jobs('session') as Array<{ id?: string }>).at(-1);
			await until(
				'a status check',
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
			assert.equal(control.requests().length, asked, 'no more status checks');
			assert.equal(stopRequests().length, 0, 'the session itself is not stopped');
			assert.match(n8n.logs(), /To end them, use VideoGen Agent: Stop/);

			const { id: stopping } = await n8n.createWorkflow(
				withCredential(createsSession('Stopping', { stopJob: true }), credential),
			);
			const sessions = control.jobs('session').length;
			const second = await n8n.start(stopping);
			await until('the second session', () => control.jobs('session').length > sessions);
			const own = (control.jobs('session') as Array<{ id?: string }>).at(-1);
			await until(
				'a status check of the second session',
				() => control.requests({ method: 'GET', path: new RegExp(`${own?.id}$`) }).length > 0,
			);
			await n8n.stopExecution(second);
			await until('the request that stops it', () => stopRequests().length > 0);
			const ended = new RegExp(`Stopped\\. The service has also stopped session ${own?.id}`);
			await until('the stopped session in the log', () => ended.test(n8n.logs()));
			await new Promise((resolve) => setTimeout(resolve, 2000));
			assert.deepEqual(
				stopRequests().map(({ path }) => path),
				[`/v3/video-agents/${own?.id}/stop`],
				'one request to stop it',
			);
		} finally {
			control.holdJobs(false);
		}
	},
};
