import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../../simulator/faults';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { type Execution, itemsOf } from '../n8n';
import { create, done } from '../suspensions';
import { chain, errorText, itemsNode, start, until, type Link } from '../workflows';

/** Number of rows for each way, and of kills. ROWS=300 KILLS=200 is the long form. */
const rowCount = Number(process.env.ROWS ?? 20);
const kills = Number(process.env.KILLS ?? 2);

/** The account runs a third of a way's rows at once, for longer than the time in place. */
const jobsAtOnce = Math.ceil(rowCount / 3);
const jobSeconds = 75;

/** Longest time between two kills, in milliseconds. */
const longestPause = 30_000;

const statusesOfEnd = ['success', 'error', 'crashed', 'canceled'];

const rows = Array.from({ length: rowCount }, (_, row) => ({ row }));

const doneLink: Link = { ...done(), more: { typeVersion: 3.4 } };

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
		async function startWay(operation: string, round: number) {
			const batch = operation === 'createBatch' ? { itemIs: 'avatar' } : {};
			const { parameters, ...node } = create(`${operation} ${round}`);
			const options = { payOncePer: 'request', mostJobs: rowCount };
			const link = { ...node, parameters: { ...parameters, operation, ...batch, options } };
			const draft = chain(operation, [start, ...itemsNode(rows), link, doneLink]);
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

		const total = { kills: 0, rows: 0, retries: 0, runs: 0, continued: 0 };
		/** Kills n8n, starts it again, and continues what it has interrupted. */
		async function killOnce(all: ReadonlyArray<Awaited<ReturnType<typeof startWay>>>) {
			const before = await Promise.all(all.map(async ({ read }) => (await read()).status));
			await n8n.kill();
			total.kills++;
			const made = control.jobs('video').length - total.rows;
			await n8n.restart();
			const isSeen = async () =>
				(await Promise.all(all.map(async ({ read }) => (await read()).status))).every(
					(status) => status !== 'running',
				);
			// n8n may also resume a suspended execution at once.
			await until('n8n to list the interrupted execution as crashed', isSeen, 60_000);
			for (const [i, { operation, proceed }] of all.entries()) {
				if (before[i] === 'success') continue;
				context.log(
					`  kill ${total.kills}, ${made} of ${ways.length * rowCount} created: ${operation} was ${before[i]}, is ${await proceed()}`,
				);
			}
		}
		const hasEnded = ({ status }: Execution) => statusesOfEnd.includes(status);
		for (let round = 0; total.kills < kills; round++) {
			const all = await Promise.all(ways.map(async (way) => await startWay(way, round)));
			const areEnded = async () =>
				(await Promise.all(all.map(async ({ read }) => hasEnded(await read())))).every(Boolean);
			while (total.kills < kills && !(await areEnded())) {
				await sleep(random() * longestPause);
				await killOnce(all);
			}
			await until('the end', areEnded, 600_000);
			for (const { counts, read } of all) {
				const ended = await read();
				assert.equal(ended.status, 'success', errorText(ended));
				const out = itemsOf(ended, 'Done').map(({ json }) => json);
				assert.deepEqual(
					out.map(({ row, outcome }) => [row, outcome]),
					rows.map(({ row }) => [row, 'finished']),
				);
				assert.equal(new Set(out.map(({ job_id: id }) => id)).size, rowCount, 'own videos');
				total.retries += counts.retries;
				total.runs += counts.runs;
				total.continued += counts.continued;
			}
			total.rows += ways.length * rowCount;
			assert.equal(control.jobs('video').length, total.rows, 'nothing is paid twice');
		}
		context.log(
			`  ${total.rows} rows, ${total.kills} kills: ${total.retries} needed Retry, ${total.runs} a new run, ${total.continued} continued automatically`,
		);
	},
};
