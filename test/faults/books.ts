/** What ordinary use pays for: n8n's Retry button, error outputs that lead back, sheets that are finished later. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { INode, INodeParameters } from 'n8n-workflow';
import { withCredential, type Stage } from '../../tools/stage';
import { itemsOf, type Execution, type WorkflowDraft } from '../e2e/n8n';
import { byId, errorText, type Link } from '../e2e/workflows';
import { batch, continued, forItems, save, session, video, waiting } from './creates';
import { countJobs, jobColumns, jobRow } from './jobs';
import type { FaultContext, Row, Scenario } from './scenario';

export const title = 'How duplicate charges are normally avoided';
export const columns = jobColumns;

type Kind = 'video' | 'session';
type Wrong = Array<string | false>;

const toErrorOutput: Partial<INode> = { onError: 'continueErrorOutput' };
/** Tells the simulator's jobs of rows apart. */
const titled = { title: '=Row {{ $json.i }}' };
const sameRequest = { payOncePer: 'request' };
const oneByOne = { advanced: { ...waiting.advanced, requestsAtOnce: 1 } };
const createPath = { video: '/v3/videos', session: '/v3/video-agents' };

const waitingFor = (options: INodeParameters = {}) => ({ ...waiting, options });

/** Lets some creates pass, and rejects the next one. */
function rejectAfter(
	{ simulator: { control } }: Stage,
	path: string,
	passed: number,
	status = 402,
) {
	control.fail({ method: 'POST', path, delayMs: 1, times: passed });
	const code = status === 402 ? 'insufficient_credit' : 'invalid_parameter';
	control.fail({ method: 'POST', path, status, code, times: 1 });
}

/** The service carries out the create, and no attempt gets the response. */
const loseResponses = ({ simulator }: Stage, path: string | RegExp, times?: number) =>
	simulator.control.fail({ method: 'POST', path, cut: 'after', times });

const failTemporarily = ({ simulator }: Stage, count: number) => {
	const failure = { code: 'internal_error', message: 'The renderer has crashed' };
	for (let i = 0; i < count; i++) simulator.control.failNext('video', failure);
};

interface VideoRecord {
	id: string;
	title: string | null;
	ended: boolean;
}

/** Makes the first `times` videos of a row fail. Returns the function that stops it. */
function failRow({ simulator: { control } }: Stage, row: number, code: string, times = Infinity) {
	const failed = new Set<string>();
	const timer = setInterval(() => {
		for (const { id, title: name, ended } of control.jobs('video') as VideoRecord[]) {
			if (name !== `Row ${row}` || ended || failed.has(id) || failed.size >= times) continue;
			failed.add(id);
			control.failJob(id, code);
		}
	}, 50);
	return () => clearInterval(timer);
}

const outputItems = ({ data }: Execution, output: number) =>
	(data.resultData.runData.Create ?? []).flatMap((run) => run.data?.main?.[output] ?? []);

const succeeded = (execution: Execution, count: number): Wrong => {
	const items = itemsOf(execution, 'Create');
	return [
		execution.status !== 'success' && `it ended with ${execution.status}: ${errorText(execution)}`,
		items.length !== count && `${items.length} of ${count} items were output`,
		items.some(({ json }) => json.error) && 'an item is an error',
	];
};

/** Presses n8n's Retry button. */
export async function retry(
	{ n8n }: Stage,
	{ id, workflowId }: Execution,
	loadWorkflow = false,
): Promise<Execution> {
	await n8n.api('POST', `/executions/${id}/retry`, { loadWorkflow });
	return await n8n.waitForExecution({ workflowId, afterId: id });
}

async function runSaved(stage: Stage, id: string, draft: WorkflowDraft): Promise<Execution> {
	await stage.n8n.updateWorkflow(id, withCredential(draft, stage.credential));
	return await stage.n8n.run(id, { timeoutMs: 150_000 });
}

const count = async (stage: Stage, kind: Kind, ...executions: Execution[]) =>
	await countJobs(
		stage,
		kind,
		executions.map(({ id }) => id),
	);

/** n8n's Retry button after a create that was refused. */
async function retryButton(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	for (const [kind, label, create] of [
		['video', 'avatar videos', video],
		['session', 'agent sessions (no idempotency key)', session],
	] as const) {
		const stage = await context.shared();
		rejectAfter(stage, createPath[kind], 6);
		const id = await save(stage, forItems(10, create(oneByOne)));
		const first = await stage.n8n.run(id);
		const again = await retry(stage, first);
		rows.push(
			jobRow(
				`Y${rows.length + 1}`,
				`A workflow with default settings creates 10 ${label}. The seventh request is rejected (402), and then n8n's Retry button is pressed.`,
				10,
				await count(stage, kind, first, again),
				[first.status !== 'error' && 'the first run was not refused', ...succeeded(again, 10)],
			),
		);
	}
	return rows;
}

interface LoopCase {
	id: string;
	what: string;
	link: Link;
	kind?: 'session';
	items: number;
	/** Jobs that the user wants; by default one per item. */
	wanted?: number;
	/** Number of jobs that may be created in place of failed ones. */
	replaced?: number;
	/** Items that are output as finished; by default all. */
	finished?: number;
	/** May return a function that is called at the end. */
	arrange: (stage: Stage) => (() => void) | void;
	/** A change while the workflow runs. */
	later?: { seconds: number; act: (stage: Stage) => void };
	/** Seconds after which the loop counts as endless; 60 by default. */
	longest?: number;
}

/** A loop is stopped when it has paid this many times for what is wanted. */
const mostRounds = 6;

/**
 * Runs a node whose error output leads back to its input. Returns the execution, and why it was
 * stopped if it did not end.
 */
async function runLoop(stage: Stage, one: LoopCase, most: number): Promise<[Execution, string]> {
	const { n8n, simulator } = stage;
	const { kind = 'video', longest = 60, later, link } = one;
	const draft = forItems(one.items, { ...link, more: { ...link.more, ...toErrorOutput } });
	draft.connections.Create = { main: [[], [{ node: 'Create', type: 'main', index: 0 }]] };
	const workflowId = await save(stage, draft);
	const id = await n8n.start(workflowId);
	const timer = later && setTimeout(() => later.act(stage), later.seconds * 1000);
	const started = Date.now();
	const isOpen = ({ status }: { status: string }) => ['new', 'running', 'waiting'].includes(status);
	let reason = '';
	while ((await n8n.executions({ workflowId })).some(isOpen)) {
		const seconds = Math.round((Date.now() - started) / 1000);
		if (seconds >= longest || simulator.control.jobs(kind).length >= most) {
			reason = `it did not end, and was stopped after ${seconds} s`;
			await n8n.stopExecution(id).catch(() => undefined);
			// Requests that are in flight belong to this row.
			await sleep(1_000);
			break;
		}
		await sleep(200);
	}
	clearTimeout(timer);
	return [await n8n.waitForExecution({ id, workflowId }, { timeoutMs: 30_000 }), reason];
}

async function loopRow(context: FaultContext, one: LoopCase): Promise<Row> {
	const { kind = 'video', items, wanted = items, replaced = 0, finished = items } = one;
	const stage = await context.shared();
	const { control } = stage.simulator;
	const end = one.arrange(stage);
	const [execution, stopped] = await runLoop(stage, one, mostRounds * wanted).finally(() => {
		end?.();
		control.clearFaults();
		control.holdJobs(false);
	});
	const done = outputItems(execution, 0).length;
	const kept = outputItems(execution, 1).some(({ json }) => json.error);
	// n8n keeps no data of an execution that it stops, so only its log names the jobs.
	const jobs = await countJobs(stage, kind, stopped ? undefined : [execution.id]);
	// Of an agent session whose response was lost, only the error says that it may exist.
	const unnamed = kind === 'session' && kept ? items - finished : 0;
	return jobRow(
		one.id,
		`The error output is connected back to the input. ${one.what}`,
		Math.min(Math.max(jobs.made, wanted), wanted + replaced),
		{ ...jobs, lost: jobs.lost.slice(unnamed) },
		stopped
			? [stopped]
			: [
					execution.status !== 'success' &&
						`it ended with ${execution.status}: ${errorText(execution)}`,
					done !== finished && `${done} of ${finished} items were output as finished`,
					finished < items && !kept && 'no item kept its error',
				],
	);
}

const holdJobs = ({ simulator }: Stage) => simulator.control.holdJobs(true);
const releaseJobs = ({ simulator }: Stage) => simulator.control.holdJobs(false);
const clearFaults = ({ simulator }: Stage) => simulator.control.clearFaults();
const failFiles = ({ simulator }: Stage) =>
	simulator.control.fail({ method: 'GET', path: /^\/media\//, status: 404 });

/** In minutes: three seconds. */
const shortWait = waitingFor({ waitTimeout: 0.05 });
const withFile = { ...waiting, download: ['video'] };

const longJobs: LoopCase[] = [
	{
		id: 'Y3',
		what: 'Three videos take longer than Wait Timeout.',
		link: video(shortWait),
		items: 3,
		arrange: holdJobs,
		later: { seconds: 12, act: releaseJobs },
	},
	{
		id: 'Y4',
		what: 'Three agent sessions (no idempotency key) take longer than Wait Timeout.',
		link: session(shortWait),
		kind: 'session',
		items: 3,
		arrange: holdJobs,
		later: { seconds: 12, act: releaseJobs },
	},
];

const otherLoops: LoopCase[] = [
	{
		id: 'Y5',
		what: 'The files of two videos can never be downloaded.',
		link: video(withFile),
		items: 2,
		finished: 0,
		arrange: failFiles,
	},
	{
		id: 'Y6',
		what: 'The files of two videos cannot be downloaded for a few seconds.',
		link: video(withFile),
		items: 2,
		arrange: failFiles,
		later: { seconds: 15, act: clearFaults },
	},
	{
		id: 'Y7',
		what: 'One of four videos always fails with a temporary error. The Requested column counts at most 4 videos and 2 replacements.',
		link: video(waitingFor(titled)),
		items: 4,
		replaced: 2,
		finished: 3,
		arrange: (stage) => failRow(stage, 2, 'internal_error'),
	},
	...([402, 400] as const).map((status, i): LoopCase => ({
		id: `Y${8 + i}`,
		what: `One of three create requests is rejected once (${status}).`,
		link: video({ ...waiting, ...oneByOne }),
		items: 3,
		arrange: (stage) => rejectAfter(stage, createPath.video, 1, status),
	})),
	{
		id: 'Y10',
		what: 'The response to one of three create requests for agent sessions (no idempotency key) is lost, and the item still ends with an error.',
		link: session({ ...waiting, ...oneByOne }),
		kind: 'session',
		items: 3,
		finished: 2,
		arrange: (stage) => loseResponses(stage, createPath.session, 1),
	},
	{
		id: 'Y11',
		what: 'The response to a batch of 5 rows is lost in all attempts of the first round.',
		link: batch(waiting),
		items: 5,
		arrange: (stage) => loseResponses(stage, '/v3/videos/batches', 10),
		longest: 120,
	},
	{
		id: 'Y12',
		what: 'For 40 seconds, the status response for a batch of 5 rows contains no entries for these rows.',
		link: batch(waiting),
		items: 5,
		arrange: ({ simulator }) =>
			simulator.control.fail({
				...{ method: 'GET', path: /^\/v3\/videos\/batches\// },
				data: { items: [] },
			}),
		later: { seconds: 40, act: clearFaults },
		longest: 120,
	},
	{
		id: 'Y13',
		what: 'Six kinds of errors occur for 10 videos: a look that does not exist, a create request that is rejected once (402), a create response without an ID, a job that fails once with a temporary error, a job that fails permanently, and jobs that take longer than Wait Timeout. The Requested column counts 9 videos and 1 replacement.',
		link: video({
			...waitingFor({ ...titled, waitTimeout: 0.05 }),
			...oneByOne,
			avatar_id: byId("={{ $json.i === 4 ? 'look_bad' : 'look_001_1' }}"),
		}),
		items: 10,
		wanted: 10,
		finished: 8,
		arrange: (stage) => {
			const { control } = stage.simulator;
			const path = createPath.video;
			control.fail({ method: 'POST', path, delayMs: 1, times: 2 });
			control.fail({ method: 'POST', path, without: ['video_id'], times: 1 });
			rejectAfter(stage, path, 3);
			holdJobs(stage);
			const ends = [failRow(stage, 7, 'content_policy_violation')];
			ends.push(failRow(stage, 8, 'internal_error', 1));
			return () => ends.forEach((end) => end());
		},
		later: { seconds: 15, act: releaseJobs },
		longest: 90,
	},
];

const loops =
	(cases: LoopCase[]): Scenario['run'] =>
	async (context) => {
		const rows: Row[] = [];
		for (const one of cases) rows.push(await loopRow(context, one));
		return rows;
	};

/** Batches with Unique Request. The next run has one more row. */
async function longerSheets(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	for (const [items, what, arrange, between] of [
		[
			30,
			'The response is lost on every attempt',
			(stage: Stage) => loseResponses(stage, /^\/v3\/videos/),
			(stage: Stage) => clearFaults(stage),
		],
		[5, 'n8n restarts', () => undefined, async ({ n8n }: Stage) => await n8n.restart()],
	] as const) {
		const stage = await context.shared();
		const draft = (length: number) => forItems(length, batch({ ...waiting, options: sameRequest }));
		arrange(stage);
		const id = await save(stage, draft(items));
		const first = await stage.n8n.run(id, { timeoutMs: 150_000 });
		await between(stage);
		const second = await runSaved(stage, id, draft(items + 1));
		rows.push(
			jobRow(
				`Y${14 + rows.length}`,
				`A batch of ${items} rows is created with Pay Once Per set to Unique Request. ${what}, and the next run has ${items + 1} rows.`,
				items + 1,
				await count(stage, 'video', first, second),
				succeeded(second, items + 1),
			),
		);
	}
	return rows;
}

/** Jobs that failed with a temporary error, and a second run. */
async function failedJobs(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	for (const [what, link, again] of [
		[
			'the workflow runs again. Pay Once Per is set to Unique Request',
			video({ ...waiting, options: sameRequest }, continued),
			async ({ n8n }: Stage, { workflowId }: Execution) => await n8n.run(workflowId),
		],
		["n8n's Retry button is pressed. All settings have their defaults", video(waiting), retry],
	] as const) {
		const stage = await context.shared();
		failTemporarily(stage, 3);
		const first = await stage.n8n.run(await save(stage, forItems(10, link)));
		// A job of the last seconds may be a new one that has failed at once.
		await sleep(3_000);
		const second = await again(stage, first);
		rows.push(
			jobRow(
				`Y${16 + rows.length}`,
				`Three of 10 videos fail with internal_error, and then ${what}. The Requested column counts 10 videos and 3 replacements.`,
				13,
				await count(stage, 'video', first, second),
				succeeded(second, 10),
			),
		);
	}
	return rows;
}

/** A sheet with 2 bad rows and 3 failed jobs, finished after a restart of n8n. */
async function finishedSheets(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	const bad = { avatar_id: byId("={{ $json.i % 20 === 5 ? 'look_bad' : 'look_001_1' }}") };
	const sheet = 'Of 30 rows, 2 are bad, and 3 fail with a temporary error.';
	const ending = 'The bad rows are corrected, n8n restarts';
	for (const [create, label] of [
		[video, 'single create requests'],
		[batch, 'a batch'],
	] as const) {
		const stage = await context.shared();
		const draft = (more: INodeParameters) =>
			forItems(30, create({ ...waiting, ...more, options: sameRequest }, toErrorOutput));
		failTemporarily(stage, 3);
		const id = await save(stage, draft(bad));
		const first = await stage.n8n.run(id);
		await stage.n8n.restart();
		const second = await runSaved(stage, id, draft({}));
		const failed = outputItems(first, 1).length;
		rows.push(
			jobRow(
				`Y${18 + rows.length}`,
				`${sheet} The node uses ${label}, the error output, and Pay Once Per: Unique Request. ${ending}, and the workflow runs again. The Requested column counts 28 rows, 2 corrected rows and 3 replacements.`,
				33,
				await count(stage, 'video', first, second),
				[failed !== 5 && `${failed} rows failed in the first run`, ...succeeded(second, 30)],
			),
		);
	}
	const stage = await context.shared();
	failTemporarily(stage, 3);
	const draft = (more: INodeParameters) => forItems(30, video({ ...waiting, ...more }));
	const id = await save(stage, draft(bad));
	const runs = [await stage.n8n.run(id)];
	await stage.n8n.updateWorkflow(id, withCredential(draft({}), stage.credential));
	await stage.n8n.restart();
	// The first Retry may meet the jobs that fail.
	for (let last = runs[0]; last?.status === 'error' && runs.length < 3; last = runs.at(-1)) {
		runs.push(await retry(stage, last, true));
	}
	rows.push(
		jobRow(
			'Y20',
			`${sheet} The node uses one create request per row, and default settings. ${ending}, and n8n's Retry button is pressed until the run succeeds, at most twice.`,
			33,
			await count(stage, 'video', ...runs),
			runs.slice(-1).flatMap((last) => succeeded(last, 30)),
		),
	);
	return rows;
}

export const scenario: readonly Scenario[] = [
	{ name: 'the Retry button after a refused create', short: true, run: retryButton },
	{ name: 'an error output back to the input, long jobs', short: true, run: loops(longJobs) },
	...otherLoops.map((one) => ({
		name: `an error output back to the input, ${one.id}`,
		short: one.id === 'Y8',
		run: loops([one]),
	})),
	{ name: 'batches of a sheet that grows', short: false, run: longerSheets },
	{ name: 'jobs that failed, and a second run', short: true, run: failedJobs },
	{ name: 'a sheet that a second run finishes', short: false, run: finishedSheets },
];
