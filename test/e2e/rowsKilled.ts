/**
 * Rows that are created and awaited, while processes of n8n are killed at random moments. Each
 * execution that has crashed is then continued as docs/retry.md says.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../simulator/faults';
import type { Log } from '../../tools/child';
import { withCredential, type Stage } from '../../tools/stage';
import { itemsOf } from './n8n';
import { create, done } from './suspensions';
import { chain, errorText, itemsNode, until, type Link } from './workflows';

/** Seconds that a job takes: longer than a node waits in place, and than its first suspension. */
export const jobSeconds = 240;

/**
 * Longest time between two kills, in milliseconds. Longer than the time in place and a suspension
 * together, so that kills hit running and suspended executions.
 */
const longestPause = 150_000;

/** Of executions that a kill has ended. In queue mode, n8n may give up one that it has started twice. */
const interrupted = ['crashed', 'error'];
/** With which n8n gives up such an execution. Any other error is one of the nodes. */
const errorsOfN8n = /failed to be processed too many times|Driver not Connected|timeout exceeded/;
const statusesOfEnd = ['success', 'canceled', ...interrupted];

const doneLink: Link = { ...done(), more: { typeVersion: 3.4 } };

/** Two ways to make the rows into videos: one request for each, and batches. */
const ways = ['createAvatar', 'createBatch'] as const;

interface Killing {
	log: Log;
	/** Of each way. */
	rowCount: number;
	kills: number;
	seed: number;
	/** Creates the first node of a workflow. */
	createStart(): Link;
	/** Starts an execution of the workflow, and returns its ID. */
	begin(workflow: string, first: Link): Promise<string>;
	/** Kills something, and starts it again. Returns its name. */
	killAndRestart(): Promise<string>;
	/**
	 * Whether n8n has noticed what the kill has interrupted.
	 *
	 * @param statuses those of the executions
	 * @param time milliseconds since the restart
	 */
	hasNoticed(statuses: readonly string[], time: number): boolean;
}

/** Number of executions by how they have continued after a kill. */
interface Counts {
	retries: number;
	runs: number;
	continued: number;
}

/** Kills processes until the number is reached and all rows are finished, and checks every row. */
export async function killWhileRowsWait(
	{ n8n, credential, simulator: { control } }: Pick<Stage, 'n8n' | 'credential' | 'simulator'>,
	{ log, rowCount, kills, seed, createStart, begin, killAndRestart, hasNoticed }: Killing,
): Promise<string> {
	const rows = Array.from({ length: rowCount }, (_, row) => ({ row }));
	const random = createRandom(seed);
	const counts: Counts = { retries: 0, runs: 0, continued: 0 };
	const before = control.jobs('video').length;
	let finishedRows = 0;
	let killed = 0;

	/** An execution that is started, and continued after each kill as the user does. */
	async function startWay(operation: string, round: number) {
		const batch = operation === 'createBatch' ? { itemIs: 'avatar' } : {};
		const { parameters, ...node } = create(`${operation} ${round}`);
		const options = { payOncePer: 'request', mostJobs: rowCount };
		const link = { ...node, parameters: { ...parameters, operation, ...batch, options } };
		const first = createStart();
		const draft = chain(operation, [first, ...itemsNode(rows), link, doneLink]);
		const settings = { ...draft.settings, saveExecutionProgress: true };
		const { id: workflow } = await n8n.createWorkflow(
			withCredential({ ...draft, settings }, credential),
		);
		let id = await begin(workflow, first);
		let isRetry = false;
		const read = async () => await n8n.execution(id);
		/** Presses Retry, and returns the ID of the new execution. */
		async function retry(): Promise<string | undefined> {
			let rejection: string | undefined;
			// n8n answers when the retried execution has ended.
			n8n
				.api('POST', `/executions/${id}/retry`, { loadWorkflow: false })
				.catch((error: unknown) => (rejection = String(error)));
			const newest = async () => (await n8n.executions({ workflowId: workflow })).at(-1)?.id;
			await until(
				'the retry',
				async () => rejection?.includes('cannot be retried') === true || (await newest()) !== id,
				60_000,
			);
			return rejection === undefined ? await newest() : undefined;
		}
		const proceed = async () => {
			const execution = await read();
			const { status } = execution;
			if (status === 'error') assert.match(errorText(execution), errorsOfN8n);
			if (!interrupted.includes(status)) {
				counts.continued++;
				return status;
			}
			// If n8n has dropped the data of the execution, its retry fails like the execution itself.
			const retried = isRetry && status === 'error' ? undefined : await retry();
			isRetry = retried !== undefined;
			if (isRetry) counts.retries++;
			else counts.runs++;
			id = retried ?? (await begin(workflow, first));
			return status;
		};
		return { operation, read, proceed };
	}
	type Way = Awaited<ReturnType<typeof startWay>>;
	const statuses = async (all: readonly Way[]) =>
		await Promise.all(all.map(async ({ read }) => (await read()).status));

	async function untilNoticed(all: readonly Way[]) {
		const from = Date.now();
		await until(
			'n8n to notice what was interrupted',
			async () => hasNoticed(await statuses(all), Date.now() - from),
			240_000,
		);
	}

	/** Kills once, and continues what the kill has interrupted. */
	async function killOnce(all: readonly Way[]) {
		const earlier = await statuses(all);
		const made = control.jobs('video').length - before - finishedRows;
		const what = await killAndRestart();
		killed++;
		await untilNoticed(all);
		for (const [i, { operation, proceed }] of all.entries()) {
			if (earlier[i] === 'success') continue;
			const status = await proceed();
			log(
				`  kill ${killed} (${what}), ${made} of ${ways.length * rowCount} created: ${operation} was ${earlier[i]}, is ${status}`,
			);
		}
	}

	for (let round = 0; killed < kills; round++) {
		// In every second round, rows wait for the account's capacity, and the node stays in place longer.
		control.setWorkspace({ jobsAtOnce: round % 2 === 0 ? 5_000 : Math.ceil(rowCount / 3) });
		const all = await Promise.all(ways.map(async (way) => await startWay(way, round)));
		const areEnded = async () =>
			(await statuses(all)).every((status) => statusesOfEnd.includes(status));
		while (killed < kills && !(await areEnded())) {
			await sleep(random() * longestPause);
			await killOnce(all);
		}
		await until('the end', areEnded, 600_000);
		while ((await statuses(all)).some((status) => interrupted.includes(status))) {
			await untilNoticed(all);
			for (const { read, proceed } of all) {
				if (interrupted.includes((await read()).status)) await proceed();
			}
			await until('the end after Retry', areEnded, 600_000);
		}
		for (const { read } of all) {
			const ended = await read();
			assert.equal(ended.status, 'success', errorText(ended));
			const out = itemsOf(ended, 'Done').map(({ json }) => json);
			assert.deepEqual(
				out.map(({ row, outcome }) => [row, outcome]),
				rows.map(({ row }) => [row, 'finished']),
			);
			assert.equal(new Set(out.map(({ job_id: id }) => id)).size, rowCount, 'own videos');
		}
		finishedRows += ways.length * rowCount;
		assert.equal(control.jobs('video').length - before, finishedRows, 'nothing is paid twice');
	}
	const { retries, runs, continued } = counts;
	return `${finishedRows} rows, ${killed} kills: ${retries} needed Retry, ${runs} a new run, ${continued} continued automatically`;
}
