/** Many rows: one long sheet, and many sheets at the same time. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../../tools/stage';
import { withGrowth } from '../bench/rounds';
import { rows, theirCreate, theirGet } from '../bench/workflows';
import { itemsOf, type Execution, type WorkflowDraft } from '../e2e/n8n';
import { byId, chain, errorText, itemsNode, start, type Link } from '../e2e/workflows';
import { save, video } from '../faults/creates';
import { timeFactor, useFastTime } from './fastTime';
import type { LimitContext, LimitFile } from './section';

/** Seconds that a video takes, by the clock of the service. */
const jobSeconds = 60;

/** Videos that the account makes at the same time. */
const jobsAtOnce = 10;

const size = { rows: 10_000, executions: 50, rowsEach: 200 };

const count = (value: number) => value.toLocaleString('en');

const create = (most: number): Link =>
	video({
		script: '={{ $json.text }}',
		waitForCompletion: true,
		options: { mostJobs: most },
	});

const metadata: Link = {
	name: 'Metadata',
	type: 'video',
	parameters: { operation: 'get', video_id: byId('={{ $json.video_id }}') },
};

const notStarted =
	'Rows fail as “Not started and not charged” if no row starts for the time in Wait for Capacity.';

/** Create and wait, and read the metadata of each video. */
function sheet(name: string, most: number): WorkflowDraft {
	const draft = chain(name, [start, ...itemsNode(rows(most)), create(most), metadata]);
	// In this order, the execution is not suspended: n8n would resume it by its own clock.
	return { ...draft, settings: { ...draft.settings, executionOrder: 'v0' } };
}

/** Milliseconds that a node took, over all its runs. */
const timeOf = ({ data }: Execution, node: string) =>
	(data.resultData.runData[node] ?? []).reduce((sum, { executionTime }) => sum + executionTime, 0);

const sizeOf = (n8n: Stage['n8n']) =>
	['', '-wal'].reduce((sum, ending) => {
		const file = join(n8n.userFolder, '.n8n', `database.sqlite${ending}`);
		return sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
	}, 0);

const MB = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

/** What is wrong with the videos of these executions, each of which had so many rows. */
function findFaults(executions: readonly Execution[], each: number, made: number): string[] {
	const wrong: string[] = [];
	const ids = new Set<string>();
	for (const execution of executions) {
		if (execution.status !== 'success') {
			wrong.push(`an execution ended as ${execution.status}: ${errorText(execution)}`);
		}
		const created = itemsOf(execution, 'Create');
		const read = itemsOf(execution, 'Metadata');
		if (read.length !== each) wrong.push(`${read.length} of ${each} items came out`);
		for (const [i, { json }] of read.entries()) {
			const own = created[i]?.json.video_id;
			const isOwn = json.video_id === own && json.status === 'completed';
			if (!isOwn) wrong.push(`row ${i} has ${String(json.video_id)}, ${String(json.status)}`);
			ids.add(String(json.video_id));
		}
	}
	const rows = executions.length * each;
	if (ids.size !== rows || made !== rows) wrong.push(`${made} videos for ${rows} rows`);
	return [...new Set(wrong)].slice(0, 3);
}

async function runOneSheet({ report }: LimitContext, stage: Stage): Promise<void> {
	const { n8n, simulator } = stage;
	const { control } = simulator;
	const { rows: most } = size;
	// n8n loads what it needs with its first execution.
	const first = await n8n.run(await save(stage, sheet('First', 5)), { timeoutMs: 120_000 });
	const firstFaults = findFaults([first], 5, control.jobs('video').length);
	if (firstFaults.length > 0) throw new Error(firstFaults.join('; '));
	control.reset();

	const id = await save(stage, sheet('Rows', most));
	const before = sizeOf(n8n);
	const started = Date.now();
	const { result: execution, grown } = await withGrowth(
		n8n,
		async () => await n8n.run(id, { timeoutMs: 3_600_000 }),
	);
	const seconds = (Date.now() - started) / 1000;
	const requests = control.requests({ path: /^\/v3\// });
	const posts = requests.filter(({ method }) => method === 'POST').length;
	const wrong = findFaults([execution], most, control.jobs('video').length);
	const name = `${count(most)} rows in one execution, on an account that makes ${jobsAtOnce} videos at a time`;
	const perRow = (number: number) => (number / most).toFixed(2);
	const each = (node: string) => `${(timeOf(execution, node) / most).toFixed(2)} ms`;
	report({
		what: `${name}: Create with Wait for Completion, Get`,
		figure: `all created, none twice, ${(((seconds * timeFactor) / 60 / most) * 1000).toFixed(0)} min per 1,000 videos of ${jobSeconds} s (best: ${((jobSeconds / jobsAtOnce / 60) * 1000).toFixed(0)} min)`,
		beyond: `The time grows with the rows. ${notStarted}`,
		wrong,
	});
	report({
		what: `${count(most)} rows with Wait for Completion: requests per video`,
		figure: `${perRow(requests.length)}; create requests: ${perRow(posts)} (rejected ones cost nothing)`,
		beyond: 'The number per video stays about the same with more rows.',
	});
	report({
		what: `${count(most)} rows with Wait for Completion: peak growth of n8n’s memory`,
		figure: MB(grown * 2 ** 20),
		beyond:
			'n8n holds all items of an execution in memory. Use Loop Over Items for more rows than fit, or raise --max-old-space-size.',
	});
	report({
		what: `${count(most)} rows with Wait for Completion: growth of the database`,
		figure: `${MB(sizeOf(n8n) - before)}, ${((sizeOf(n8n) - before) / most / 1000).toFixed(1)} kB per row`,
		beyond: 'n8n deletes executions after EXECUTIONS_DATA_MAX_AGE or _PRUNE_MAX_COUNT.',
	});

	// The same reads by n8n's own node, in the same n8n.
	const reads = chain('Reads', [start, ...itemsNode(rows(most)), theirGet(stage)]);
	const theirs = await n8n.run(await save(stage, reads), { timeoutMs: 600_000 });
	report({
		what: 'Time of our node per row: Get',
		figure: each('Metadata'),
		theirs: `Get by HTTP Request: ${(timeOf(theirs, 'Measured') / most).toFixed(2)} ms${theirs.status === 'success' ? '' : `, and ended as ${theirs.status}`}`,
		beyond: 'The time grows in proportion.',
	});

	control.reset();
	const onError = { onError: 'continueRegularOutput' } as const;
	const creates = chain('Creates', [
		...[start, ...itemsNode(rows(most))],
		theirCreate(stage, {}, onError),
	]);
	await n8n.run(await save(stage, creates), { timeoutMs: 600_000 });
	report({
		what: `The create requests of ${count(most)} rows`,
		figure: `${count(most - wrong.length)} of ${count(most)} created`,
		theirs: `HTTP Request with its default settings: ${count(control.jobs('video').length)} created, the others fail with 429`,
		beyond: notStarted,
	});
}

async function runManySheets({ report }: LimitContext, stage: Stage): Promise<void> {
	const { n8n, simulator } = stage;
	const { control } = simulator;
	const { executions: many, rowsEach } = size;
	control.reset();
	const id = await save(stage, sheet('Sheets', rowsEach));
	const started = Date.now();
	const { result, grown } = await withGrowth(n8n, async () => {
		const ids = await Promise.all(Array.from({ length: many }, async () => await n8n.start(id)));
		const ended: Execution[] = [];
		for (const one of ids) {
			ended.push(await n8n.waitForExecution({ id: one }, { timeoutMs: 3_600_000 }));
		}
		return ended;
	});
	const seconds = (Date.now() - started) / 1000;
	const total = many * rowsEach;
	const requests = control.requests({ path: /^\/v3\// }).length;
	report({
		what: `${many} executions of ${rowsEach} rows each at the same time, on the same account`,
		figure: `all ${count(total)} made, each row has its own; ${(((seconds * timeFactor) / 60 / total) * 1000).toFixed(0)} min per 1,000 videos, ${(requests / total).toFixed(2)} requests per video, memory + ${MB(grown * 2 ** 20)}`,
		beyond:
			'All executions of one n8n process share the queue of the account. Each running execution holds memory: limit them with N8N_CONCURRENCY_PRODUCTION_LIMIT.',
		wrong: findFaults(result, rowsEach, control.jobs('video').length),
	});
}

export const limits: LimitFile = {
	title: 'Rows',
	how: `The clocks of the service and the nodes run ${timeFactor} times faster than real time, so the account sets the limit, not the machine. As a result, requests appear to take ${timeFactor} times longer. Each video takes ${jobSeconds} seconds. The workflow setting Execution Order is v0, so the node waits in place.`,
	async run(context) {
		const time = useFastTime(context.newFolder('time'));
		const stage = await context.startOwn({ env: time.env, simulator: { jobSeconds } });
		const stop = time.keepPace(stage.simulator);
		try {
			await runOneSheet(context, stage);
			await runManySheets(context, stage);
		} finally {
			stop();
		}
	},
};
