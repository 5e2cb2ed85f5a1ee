import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { withCredential } from '../../../tools/stage';
import { times } from '../../faults/deliveries';
import type { Flow } from '../flow';
import { retryInterrupted } from '../n8n';
import { videoLink, rows, waitingDraft } from '../waits';
import { chain, itemsNode, start, until } from '../workflows';

const count = 20;

/** How long a look takes: while n8n is still starting, it may take a running execution for one that it was killed in (milliseconds). */
const lookTime = 3_000;

export const flow: Flow = {
	name: 'waits whose resume time passed while n8n was off continue when it starts, or with Retry, and none is lost',
	isWeekly: true,
	run: async (context) => {
		const stage = await context.startOwn();
		const { n8n, credential, simulator } = stage;
		const { control } = simulator;
		control.holdJobs(true);
		// An account that may run them all: none ends while they are held.
		control.setWorkspace({ jobsAtOnce: count });
		const draft = chain('Overdue', [start, ...itemsNode(rows(1)), videoLink('Create')]);
		const { id } = await n8n.createWorkflow(
			withCredential(waitingDraft(draft, 'Create'), credential),
		);
		await Promise.all(times(count, async () => await n8n.start(id)));
		const file = join(n8n.userFolder, '.n8n', 'database.sqlite');
		/** The executions in these states, and whether they have come to their end. */
		const having = (...wanted: string[]) => {
			const db = new DatabaseSync(file, { readOnly: true });
			const all = db
				.prepare(
					`SELECT e.id, e.status, d.data LIKE '%"Done"%' AS done FROM execution_entity e
					 JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ?`,
				)
				.all(id) as Array<{ id: number; status: string; done: number }>;
			db.close();
			return all.filter(({ status }) => wanted.includes(status));
		};
		await until(
			'all executions to be suspended',
			() => having('waiting').length === count,
			120_000,
		);
		await n8n.stop();

		// n8n's clock cannot be set, but the resume time can.
		const db = new DatabaseSync(file);
		db.exec(`UPDATE execution_entity SET waitTill = datetime('now', '-1 minute')`);
		db.close();
		control.holdJobs(false);
		control.fail({ method: 'GET', path: /videos/, delayMs: lookTime });
		await n8n.restart();
		const listed = having('crashed').length;
		// An execution that is listed as crashed while it runs gets its final status when it ends.
		const all = () => having('success').length === count;
		await until('the executions that continue automatically', all, 8 * lookTime).catch(
			() => undefined,
		);
		control.clearFaults();

		// An execution that is listed as crashed may still be running: check again when all is quiet.
		await new Promise((resolve) => setTimeout(resolve, 2 * lookTime));
		const crashed = having('crashed');
		context.log(
			`${listed} of ${count} were listed as crashed at first, ${crashed.length} stayed so; ${having('success').length} went on by themselves`,
		);
		assert.equal(having('success').length + crashed.length, count);
		for (const { id: execution } of crashed) {
			await retryInterrupted(n8n, String(execution));
		}
		await until('the retries', () => having('success').length === count, 60_000);
		assert.ok(having('success').every(({ done }) => done));
		assert.equal(control.jobs('video').length, count, 'no video twice');
	},
};
