import assert from 'node:assert/strict';
import { createRandom } from '../../../simulator/faults';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { type Execution, itemsOf } from '../n8n';
import { rows, videoLink, waitingDraft } from '../waits';
import { chain, errorText, itemsNode, start, until } from '../workflows';

/** Number of rows, and of kills for each way. ROWS=300 is the long form. */
const rowCount = Number(process.env.ROWS ?? 40);
const kills = rowCount < 100 ? 1 : 3;

const jobsAtOnce = 10;
const jobSeconds = 3;

const statusesOfEnd = ['success', 'error', 'crashed', 'canceled'];

/** Two ways to make the rows into videos: one request for each, and batches. */
const ways = ['createAvatar', 'createBatch'] as const;

export const flow: Flow = {
	name: 'rows on an account at its cap, n8n killed at random moments: each row once, nothing paid twice',
	run: async (context) => {
		const { n8n, credential, simulator } = await context.startOwn({ simulator: { jobSeconds } });
		const { control } = simulator;
		control.setWorkspace({ jobsAtOnce });
		const random = createRandom(Number(process.env.SEED ?? 1));
		/** Milliseconds that the account needs at best. */
		const best = (rowCount / jobsAtOnce) * jobSeconds * 1_000;
		for (const operation of ways) {
			const created = () => control.jobs('video').length;
			const before = created();
			const more = {
				operation,
				...(operation === 'createBatch' ? { itemIs: 'avatar' } : {}),
				options: { callBackHere: true, payOncePer: 'request', mostJobs: rowCount },
			};
			const draft = waitingDraft(
				chain(operation, [
					start,
					...itemsNode(rows(rowCount)),
					// Each way has texts of its own: the same ones would be paid once for both.
					videoLink('Create', {
						...more,
						script: `=Hello number {{ $json.row }} of ${operation}, this is a long enough text.`,
					}),
				]),
				'Create',
			);
			const settings = { ...draft.settings, saveExecutionProgress: true };
			const workflow = (
				await n8n.createWorkflow(withCredential({ ...draft, settings }, credential))
			).id;
			const counts = { retries: 0, runs: 1, without: 0 };
			let id = await n8n.start(workflow);
			const statusOf = async () => (await n8n.execution(id)).status;
			/** Continues a crashed execution as the user does: with Retry, or with a new run. */
			const proceed = async () => {
				if ((await statusOf()) !== 'crashed') return void counts.without++;
				try {
					const again = await n8n.api<{ id: string }>('POST', `/executions/${id}/retry`, {
						loadWorkflow: false,
					});
					id = String(again.id);
					counts.retries++;
				} catch (error) {
					assert.match(String(error), /cannot be retried/);
					id = await n8n.start(workflow);
					counts.runs++;
				}
			};
			for (let kill = 0; kill < kills; kill++) {
				const moment = random() * (best / kills) * 1.2;
				await new Promise((resolve) => setTimeout(resolve, moment));
				const status = await statusOf();
				await n8n.kill();
				const made = created() - before;
				await n8n.restart();
				await until(
					'n8n to see what was cut',
					async () => (await statusOf()) !== 'running',
					30_000,
				);
				context.log(
					`  ${operation}, kill ${kill + 1}: ${made} of ${rowCount} created, the execution was ${status}, is ${await statusOf()}`,
				);
				if (status !== 'success') await proceed();
			}
			let ended: Execution | undefined;
			await until(
				'the end',
				async () => statusesOfEnd.includes((ended = await n8n.execution(id)).status),
				400_000,
			);
			assert.ok(ended);
			assert.equal(ended.status, 'success', errorText(ended));
			const done = itemsOf(ended, 'Done').map(({ json }) => json);
			assert.deepEqual(
				done.map(({ row, status }) => [row, status]),
				rows(rowCount).map(({ row }) => [row, 'completed']),
			);
			assert.equal(new Set(done.map(({ video_id }) => video_id)).size, rowCount, 'own videos');
			assert.equal(created() - before, rowCount, 'nothing is paid twice');
			context.log(
				`  ${operation}: ${rowCount} rows, ${kills} kills: ${counts.retries} needed Retry, ${counts.runs - 1} a new run, ${counts.without} continued or had ended`,
			);
		}
	},
};
