import assert from 'node:assert/strict';
import { createRandom } from '../../../simulator/faults';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { type Execution, itemsOf } from '../n8n';
import { rows, videoLink, waitingDraft } from '../waits';
import { chain, errorText, itemsNode, start, until } from '../workflows';

/** Number of rows for each way, and of kills. ROWS=300 is the long form. */
const rowCount = Number(process.env.ROWS ?? 40);
const kills = rowCount < 100 ? 1 : 3;

const jobsAtOnce = 10;
const jobSeconds = 2;

const statusesOfEnd = ['success', 'error', 'crashed', 'canceled'];

/** Two ways to make the rows into videos: one request for each, and batches. */
const ways = ['createAvatar', 'createBatch'] as const;

export const flow: Flow = {
	name: 'rows on an account at its job limit, n8n killed at random moments: each row once, nothing paid twice',
	isWeekly: true,
	run: async (context) => {
		const { n8n, credential, simulator } = await context.startOwn({ simulator: { jobSeconds } });
		const { control } = simulator;
		control.setWorkspace({ jobsAtOnce });
		const random = createRandom(Number(process.env.SEED ?? 1));

		/** An execution that is started, and continued after each kill as the user does. */
		async function startWay(operation: string) {
			const batch = operation === 'createBatch' ? { itemIs: 'avatar' } : {};
			const create = videoLink('Create', {
				...{ operation, ...batch },
				// Each way has texts of its own: the same ones would be paid once for both.
				script: `=Hello number {{ $json.row }} of ${operation}, this is a long enough text.`,
				options: { callBackHere: true, payOncePer: 'request', mostJobs: rowCount },
			});
			const draft = waitingDraft(
				chain(operation, [start, ...itemsNode(rows(rowCount)), create]),
				'Create',
			);
			const settings = { ...draft.settings, saveExecutionProgress: true };
			const { id: workflow } = await n8n.createWorkflow(
				withCredential({ ...draft, settings }, credential),
			);
			const counts = { retries: 0, runs: 0, continued: 0 };
			let id = await n8n.start(workflow);
			const read = async () => await n8n.execution(id);
			const proceed = async () => {
				const { status } = await read();
				if (status !== 'crashed') {
					counts.continued++;
					return status;
				}
				// n8n answers when the retried execution has ended.
				let rejection: string | undefined;
				n8n
					.api('POST', `/executions/${id}/retry`, { loadWorkflow: false })
					.catch((error: unknown) => (rejection = String(error)));
				const newest = async () => (await n8n.executions({ workflowId: workflow })).at(-1)?.id;
				await until(
					'the retry',
					async () => rejection?.includes('cannot be retried') === true || (await newest()) !== id,
					60_000,
				);
				if (rejection === undefined) {
					id = String(await newest());
					counts.retries++;
				} else {
					id = await n8n.start(workflow);
					counts.runs++;
				}
				return status;
			};
			return { operation, counts, read, proceed };
		}

		const all = await Promise.all(ways.map(startWay));
		/** Milliseconds that the account needs at best. */
		const best = ((ways.length * rowCount) / jobsAtOnce) * jobSeconds * 1_000;
		for (let kill = 0; kill < kills; kill++) {
			await new Promise((resolve) => setTimeout(resolve, random() * (best / kills) * 1.2));
			const before = await Promise.all(all.map(async ({ read }) => (await read()).status));
			await n8n.kill();
			const made = control.jobs('video').length;
			await n8n.restart();
			const isSeen = async () =>
				(await Promise.all(all.map(async ({ read }) => (await read()).status))).every(
					(status) => status !== 'running',
				);
			await until('n8n to list the interrupted execution as crashed', isSeen, 30_000);
			for (const [i, { operation, proceed }] of all.entries()) {
				if (before[i] === 'success') continue;
				context.log(
					`  kill ${kill + 1}, ${made} of ${ways.length * rowCount} created: ${operation} was ${before[i]}, is ${await proceed()}`,
				);
			}
		}
		for (const { operation, counts, read } of all) {
			let ended: Execution | undefined;
			await until(
				'the end',
				async () => statusesOfEnd.includes((ended = await read()).status),
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
			context.log(
				`  ${operation}: ${rowCount} rows, ${kills} kills: ${counts.retries} needed Retry, ${counts.runs} a new run, ${counts.continued} continued automatically`,
			);
		}
		assert.equal(control.jobs('video').length, ways.length * rowCount, 'nothing is paid twice');
	},
};
