import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { credentialType, saveCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import type { Execution } from '../n8n';
import { checkShape, create, gathering, simple, startShape, type Started } from '../suspensions';
import { errorText, until } from '../workflows';

const shape = (name: string, more: Parameters<typeof simple>[2] = {}) =>
	simple(name, [create(name)], more);

export const flow: Flow = {
	name: 'suspended creates that are stopped, retried, overdue or without a credential, an outage, and jobs of several creates',
	run: async (context) => {
		const stage = await context.startOwn();
		const { n8n, simulator } = stage;
		const { control } = simulator;
		control.holdJobs(true);
		control.setWorkspace({ jobsAtOnce: 5_000 });
		const isWaiting = async (id: string) => (await n8n.execution(id)).status === 'waiting';
		const retry = async (id: string, loadWorkflow: boolean) =>
			await n8n.api<{ id: string }>('POST', `/executions/${id}/retry`, { loadWorkflow });
		const lost = await saveCredential(
			n8n,
			{ apiKey: simulator.apiKey, baseUrl: simulator.baseUrl },
			{ name: 'Deleted later', type: credentialType },
		);
		const stopped = await startShape(stage, shape('Stopped'));
		const others = [
			await startShape(stage, gathering()),
			await startShape(stage, shape('Overdue')),
			await startShape(stage, shape('On error')),
		];
		const forgotten = await startShape({ n8n, credential: lost }, shape('Forgotten'));
		const all = [stopped, ...others, forgotten];
		await until(
			'all suspended',
			async () =>
				(await Promise.all(all.map(async ({ id }) => await isWaiting(id)))).every(Boolean),
			150_000,
		);
		await n8n.api('DELETE', `/credentials/${lost.id}`);

		// Stop, and both ways of Retry.
		await n8n.stopExecution(stopped.id);
		assert.equal((await n8n.execution(stopped.id)).status, 'canceled');
		await assert.rejects(retry(stopped.id, true), /use Retry with original workflow/);

		// The time of the next check passes while n8n is off.
		await n8n.stop();
		const db = new DatabaseSync(join(n8n.userFolder, '.n8n', 'database.sqlite'));
		db.exec(
			`UPDATE execution_entity SET waitTill = datetime('now', '-1 minute') WHERE status = 'waiting'`,
		);
		db.close();
		await n8n.restart();

		// The service cannot be reached for two checks.
		control.fail({ method: 'GET', path: /videos/, status: 503, code: 'service_unavailable' });
		await sleep(150_000);
		control.clearFaults();
		control.holdJobs(false);
		const { id } = await retry(stopped.id, false);
		const end = async (one: Started): Promise<Execution> =>
			await n8n.waitForExecution({ id: one.id }, { timeoutMs: 400_000 });
		const again = { ...stopped, id: String(id) };
		await checkShape(
			{ ...again, shape: { ...stopped.shape, creation: 'continued' } },
			await end(again),
			simulator,
		);
		for (const one of others) await checkShape(one, await end(one), simulator);
		const failed = await end(forgotten);
		assert.equal(failed.status, 'error');
		assert.match(errorText(failed), /credential cannot be used/);
		const jobs = control.jobs('video') as Array<{ id: string }>;
		const made = jobs.filter((job) => JSON.stringify(job).includes('[Forgotten]'));
		assert.equal(made.length, 3);
		for (const job of made)
			assert.ok(errorText(failed).includes(job.id), 'the error names the job');
	},
};
