/** Suspended executions: their memory, and that each resumes with its own jobs. */
import type { INode, INodeParameters } from 'n8n-workflow';
import type { Log } from '../../tools/child';
import { packageName, type Stage } from '../../tools/stage';
import { freePort, itemsOf, type WorkflowDraft } from '../e2e/n8n';
import { chain, itemsNode, start, until, type Link } from '../e2e/workflows';
import { avatar, save } from '../faults/creates';
import { database, noOp, quiet } from '../faults/deliveries';

import { inspected, memoryInUse } from '../faults/inspector';
import type { BenchFile, Measure } from './section';
import { rows } from './workflows';

const MiB = 2 ** 20;
const kB = 1_000;

const script = 'Hello there, this is a long enough text.';
const talking = avatar({ script, waitForCompletion: true });
/** Each video has the ID of its execution as its title. */
const titled = { ...talking, options: { title: '={{ $execution.id }}' } };

const wait: Link = {
	name: 'Wait',
	type: `${packageName}.videoGenJob`,
	parameters: { resource: 'job', operation: 'wait' },
};

/** n8n's own Wait node, for as long as the measurement lasts. */
const resting: Link[] = [
	{
		name: 'Rest',
		type: 'n8n-nodes-base.wait',
		parameters: { resume: 'timeInterval', amount: 2, unit: 'hours' },
		more: { typeVersion: 1.1, webhookId: 'a9f5b9c2-6b0f-4f5e-9a1b-52a1b3b3c002' },
	},
];

/** Minutes during which the reads of suspended executions are counted. */
const minutesOfReads = 3;

const shuffled = <T>(list: readonly T[]): T[] =>
	list
		.map((one) => [Math.random(), one] as const)
		.sort(([a], [b]) => a - b)
		.map(([, one]) => one);

/** Jobs that have not ended. */
const running = ({ simulator: { control } }: Stage, kind: string) =>
	(control.jobs(kind) as Array<{ id: string; ended: boolean }>).filter(({ ended }) => !ended);

async function manyAside(stage: Stage, port: number, count: number, log: Log): Promise<Measure[]> {
	const { n8n, simulator } = stage;
	const { control } = simulator;
	const aside = await save(
		stage,
		chain('Aside', [start, { name: 'Create', type: 'video', parameters: titled }, noOp('Done')]),
	);
	const inPlace = chain('Polling', [start, { name: 'Create', type: 'video', parameters: talking }]);
	// In this order, no execution can be suspended.
	const settings = { ...inPlace.settings, executionOrder: 'v0' as const };
	const polling = await save(stage, { ...inPlace, settings });
	const startAll = async (id: string, many: number) => {
		const ids: string[] = [];
		for (let left = many; left > 0; left -= 10) {
			const part = Array.from({ length: Math.min(left, 10) }, async () => await n8n.start(id));
			ids.push(...(await Promise.all(part)));
		}
		return ids;
	};
	const { count: begun, bytes } = database(stage);
	const waiting = async () =>
		await n8n.executions({ workflowId: aside, status: ['running', 'new'] });

	control.holdJobs(true);
	// An account that may run them all: none ends while they are held.
	control.setWorkspace({ jobsAtOnce: 5_000 });
	// n8n loads what it needs with its first executions.
	await startAll(aside, 50);
	await startAll(polling, 5);
	await until('the first', () => running(stage, 'video').length === 55, 120_000);
	for (const { id } of running(stage, 'video')) control.endJob(id);
	await quiet(stage, aside, 50, 0, 400_000);
	await quiet(stage, polling, 5);

	const before = await memoryInUse(port);
	let peak = 0;
	const sampling = setInterval(() => (peak = Math.max(peak, n8n.rssBytes())), 500);
	const ids = await startAll(aside, count);
	await until(
		'all to be put aside',
		async () => running(stage, 'video').length === count && (await waiting()).length === 0,
		600_000,
	);
	clearInterval(sampling);
	const suspended = await memoryInUse(port);
	const bytesAside = bytes(aside) / begun(aside);

	// n8n's own Wait node, as many times.
	const ownWait = await save(stage, chain('Own Wait', [start, ...resting]));
	await startAll(ownWait, count);
	await until(
		'all to rest',
		async () =>
			(await n8n.executions({ workflowId: ownWait, status: ['running', 'new'] })).length === 0 &&
			begun(ownWait) === count,
		600_000,
	);
	const rests = await memoryInUse(port);

	const reads = () => control.requests({ method: 'GET' }).length;
	const readsBefore = reads();
	await new Promise((resolve) => setTimeout(resolve, minutesOfReads * 60_000));
	const readsPerMinute = (reads() - readsBefore) / minutesOfReads;
	const from = Date.now();
	for (const { id } of shuffled(running(stage, 'video'))) {
		control.endJob(id);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	log(`  ${count} are put aside, and their videos have ended`);
	await quiet(stage, aside, begun(aside), 0, 900_000);
	const seconds = (Date.now() - from) / 1000;
	let own = 0;
	for (const id of ids) {
		const execution = await n8n.execution(id);
		const done = execution.data.resultData.runData.Done ?? [];
		const [item] = itemsOf(execution, 'Done');
		const isOwn = item?.json.title === String(id) && item.json.status === 'completed';
		if (done.length === 1 && isOwn) own++;
	}

	const rested = await memoryInUse(port);
	await startAll(polling, 200);
	await until('all to wait', () => running(stage, 'video').length === 200, 300_000);
	const polled = await memoryInUse(port);
	for (const { id } of running(stage, 'video')) control.endJob(id);
	await quiet(stage, polling, 205, 0, 300_000);
	control.holdJobs(false);
	control.setWorkspace({ jobsAtOnce: 10 });

	const eachAside = (suspended.heapUsed - before.heapUsed) / count;
	const eachOwnWait = (rests.heapUsed - suspended.heapUsed) / count;
	// What n8n holds for a running execution is not in its own heap alone.
	const eachPolling = Math.max(polled.heapUsed - rested.heapUsed, polled.rss - rested.rss) / 200;
	return [
		{
			what: `${count.toLocaleString('en')} suspended executions whose videos finish in random order: each continues once, with its own video`,
			ours: `${own}, in ${seconds.toFixed(0)} s`,
			value: own / count,
			goal: { least: 1 },
		},
		{
			what: `Memory per execution of ${count.toLocaleString('en')} suspended executions, after garbage collection`,
			beside: '200 executions that poll in place',
			ours: `${(eachAside / kB).toFixed(1)} kB`,
			theirs: `${(eachPolling / MiB).toFixed(2)} MiB`,
			value: eachAside / eachPolling,
			goal: { most: 0.01 },
		},
		{
			what: 'Memory per execution',
			beside: "the same number of executions suspended by n8n's Wait node",
			ours: `${(eachAside / kB).toFixed(1)} kB`,
			theirs: `${(eachOwnWait / kB).toFixed(1)} kB`,
		},
		{
			what: `Maximum growth of n8n's resident memory while ${count.toLocaleString('en')} executions start and are suspended, and the growth that remains afterward`,
			ours: `${((peak - before.rss) / MiB).toFixed(0)} MiB, ${((suspended.rss - before.rss) / MiB).toFixed(0)} MiB`,
		},
		{
			what: 'Data stored in the database per execution',
			beside: "n8n's Wait node",
			ours: `${(bytesAside / kB).toFixed(1)} kB`,
			theirs: `${(bytes(ownWait) / begun(ownWait) / kB).toFixed(1)} kB`,
		},
		{
			what: `Polls per minute of ${count.toLocaleString('en')} suspended executions, over ${minutesOfReads} minutes`,
			ours: readsPerMinute.toFixed(0),
		},
	];
}

const fifty = Array.from({ length: 50 }, (_, row) => ({ row }));

const create = (name: string, type: string, parameters: INodeParameters): INode => ({
	...{ id: name, name, typeVersion: 1, position: [0, 0] },
	type: `${packageName}.${type}`,
	parameters: { authentication: 'apiKey', ...parameters, waitForCompletion: false },
});

const creates = [
	create('Videos', 'videoGenVideo', talking),
	create('Batch', 'videoGenVideo', { ...talking, operation: 'createBatch', itemIs: 'avatar' }),
	create('Models', 'videoGenModelVideo', {
		...{ operation: 'textToVideo', prompt: '=Row {{ $json.row }}' },
		...{ modelFrom: 'name', model: 'model-1' },
	}),
	create('Sessions', 'videoGenAgent', {
		...{ resource: 'session', operation: 'create' },
		...{ prompt: '=Row {{ $json.row }}', mode: 'generate' },
	}),
	create('Translations', 'videoGenTranslation', {
		...{ resource: 'translation', operation: 'create', mode: 'speed' },
		video: { __rl: true, mode: 'url', value: 'https://files.example/talk.mp4' },
		output_languages: ['German'],
	}),
];

/** Fifty rows go to five creates, and all of their jobs to one wait. */
function gathering(): WorkflowDraft {
	const draft = chain('Gathering', [start, ...itemsNode(fifty)]);
	const to = (node: string, index = 0) => ({ node, type: 'main' as const, index });
	const merge: INode = {
		...{ id: 'Merge', name: 'Merge', type: 'n8n-nodes-base.merge', typeVersion: 3.2 },
		...{ position: [0, 0], parameters: { numberInputs: creates.length } },
	};
	const rest = chain('Rest', [wait, noOp('Done')]);
	return {
		...draft,
		nodes: [
			...draft.nodes,
			...creates,
			merge,
			...rest.nodes.map((one) => ({ ...one, id: one.name })),
		],
		connections: {
			...draft.connections,
			...rest.connections,
			Items: { main: [creates.map(({ name }) => to(name))] },
			...Object.fromEntries(creates.map(({ name }, i) => [name, { main: [[to('Merge', i)]] }])),
			Merge: { main: [[to('Wait')]] },
		},
	};
}

const kinds = ['video', 'model_video', 'session', 'translation'];

async function manyInOne(stage: Stage): Promise<Measure[]> {
	const { n8n, simulator } = stage;
	const { control } = simulator;
	control.reset();
	control.holdJobs(true);
	control.setWorkspace({ jobsAtOnce: 5_000 });
	const id = await n8n.start(await save(stage, gathering()));
	const aside = await n8n.waitForExecution({ id }, { until: ['waiting'], timeoutMs: 120_000 });
	const made = itemsOf(aside, 'Merge');
	const from = control.requests({ method: 'GET' }).length;
	const minutes = 3;
	await new Promise((resolve) => setTimeout(resolve, minutes * 60_000));
	const reads = (control.requests({ method: 'GET' }).length - from) / minutes;
	const jobs = shuffled(kinds.flatMap((kind) => running(stage, kind)));
	for (const job of jobs) {
		control.endJob(job.id);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	// The videos that sessions have led to.
	control.holdJobs(false);
	control.setWorkspace({ jobsAtOnce: 10 });
	const done = await n8n.waitForExecution({ id }, { timeoutMs: 600_000 });
	const ended = itemsOf(done, 'Done');
	const idOf = ({ json }: (typeof made)[number]) => (json.job as { id: string } | undefined)?.id;
	const right = ended.filter(
		(item, i) =>
			item.json.status === 'completed' &&
			(idOf(item) === idOf(made[i] ?? item) ||
				item.json.batch_id === (made[i]?.json.batch_id ?? null)) &&
			JSON.stringify(item.pairedItem) === JSON.stringify({ item: i }),
	).length;
	const runs = done.data.resultData.runData.Done?.length ?? 0;
	return [
		{
			what: `One execution with ${made.length} jobs of five kinds from five create nodes: continues once, in order, each job with its row`,
			ours: `${runs} time, ${right} of ${made.length} correct`,
			value: runs === 1 ? right / made.length : 0,
			goal: { least: 1 },
		},
		{
			what: 'Polls per minute, over three minutes after the execution was suspended',
			ours: reads.toFixed(1),
		},
	];
}

/** One execution whose rows all wait at once. */
async function manyRows(stage: Stage, count: number): Promise<Measure[]> {
	const { n8n, simulator } = stage;
	const { control } = simulator;
	control.reset();
	control.holdJobs(true);
	control.setWorkspace({ jobsAtOnce: 5_000 });
	const create: Link = {
		name: 'Create',
		type: 'video',
		parameters: { ...talking, options: { mostJobs: count } },
	};
	const workflow = await save(stage, chain('Rows', [start, ...itemsNode(rows(count)), create]));
	const id = await n8n.start(workflow);
	const lastSent = () => control.requests({ method: 'POST' }).at(-1)?.at ?? 0;
	const aside = await n8n.waitForExecution({ id }, { until: ['waiting'], timeoutMs: 300_000 });
	// The node stays in place for a minute after its last request.
	const toSuspend = Date.now() / 1000 - lastSent() - 60;
	const bytes = database(stage).bytes(workflow);
	for (const { id: job } of running(stage, 'video')) control.endJob(job);
	control.holdJobs(false);
	const done = await n8n.waitForExecution({ id }, { timeoutMs: 300_000 });
	const toResume = (Date.parse(done.stoppedAt ?? '') - Date.parse(aside.waitTill ?? '')) / 1000;
	const finished = itemsOf(done, 'Create').filter(({ json }) => json.outcome === 'finished').length;
	return [
		{
			what: `One execution with ${count.toLocaleString('en')} rows: finished`,
			ours: String(finished),
			value: finished / count,
			goal: { least: 1 },
		},
		{
			what: 'Data stored while the execution is suspended, and when it ends',
			ours: `${(bytes / kB).toFixed(0)} kB, ${(database(stage).bytes(workflow) / kB).toFixed(0)} kB`,
		},
		{
			what: 'Time to suspend the execution, and time from the end of the suspension to the output',
			ours: `${toSuspend.toFixed(1)} s, ${toResume.toFixed(1)} s`,
		},
	];
}

export const bench: BenchFile = {
	title: 'Suspended executions',
	how: 'Each execution creates a video and waits for it, and the node suspends the execution after a minute. Executions that poll in place use Execution Order v0, a workflow setting that rules out suspension. In the rows with 250 jobs, five nodes create the jobs without waiting, and VideoGen Job Status then waits for all jobs. Memory is the growth of n8n’s heap after a forced garbage collection, divided by the number of executions. For executions that poll in place, memory is the growth of the heap or of the resident memory, whichever is larger.',
	async run({ startOwn, log }) {
		const port = await freePort();
		const stage = await startOwn({ simulator: { jobSeconds: 0 }, env: inspected(port) });
		const many = await manyAside(stage, port, Number(process.env.ASIDE ?? 1_000), log);
		for (const { what, ours } of many) log(`  ${what}: ${ours}`);
		const one = await manyInOne(stage);
		for (const { what, ours } of one) log(`  ${what}: ${ours}`);
		const long = await manyRows(stage, 1_000);
		for (const { what, ours } of long) log(`  ${what}: ${ours}`);
		return [...many, ...one, ...long];
	},
};
