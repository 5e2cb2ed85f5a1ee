/** n8n is killed (SIGKILL) while jobs are created, awaited and downloaded. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { withCredential, type Stage } from '../../tools/stage';
import { itemsOf, type Execution, type WorkflowDraft } from '../e2e/n8n';
import { chain, errorText, itemsNode, start, until, type Link } from '../e2e/workflows';
import { retry } from './books';
import { download, forItems, now, save, session, video, waiting } from './creates';
import { countDoubts, countJobs, creates, foundByKeys, jobColumns, jobRow, logText } from './jobs';
import type { FaultContext, Row, Scenario } from './scenario';

export const title = 'Kills';
export const columns = [...jobColumns, 'In flight when n8n was killed'];

const perRun = 15;

/** Answers take so long, so that some are on their way when n8n is killed (milliseconds). */
const answerTime = 120;

const videos = (options: INodeParameters = {}, text = ''): Link =>
	video({
		script: `=Hello {{ $json.name }}${text}, this is a long enough text.`,
		waitForCompletion: true,
		options,
		advanced: { pollInterval: 1 },
	});

const itIsNow = `, it is ${now}`;

const sessions = session({ prompt: `=A welcome to {{ $json.name }}${itIsNow}`, ...waiting });

const rows = Array.from({ length: perRun }, (_, i) => ({ name: `Name ${i}` }));

/** Saves a workflow that is killed. */
const saved = async (stage: Stage, links: Link[]): Promise<string> =>
	await save(stage, chain('Killed', [start, ...itemsNode(rows), ...links]));

/** n8n writes its file a moment after it has printed a line (milliseconds). */
const fileLag = 300;

/** What the lines of a log name. In the file, which holds JSON, the signs around it are others. */
const namesIn = (log: string) =>
	[...log.matchAll(/VideoGen (?:sends POST \S+ \(key [^,]+|started \w+ \w+)/g)].map(
		([name]) => name,
	);

async function killed(context: FaultContext): Promise<Row[]> {
	const logFile = join('logs', 'n8n.log');
	const stage = await context.startOwn({
		// The setting that the documents recommend to keep the log.
		env: {
			N8N_LOG_OUTPUT: 'console,file',
			N8N_LOG_LEVEL: 'info',
			N8N_LOG_FILE_LOCATION: logFile,
		},
	});
	const { n8n, simulator } = stage;
	const paths = ['/v3/videos', '/v3/video-agents'] as const;
	for (const path of paths) {
		simulator.control.fail({ method: 'POST', path, delayMs: answerTime });
	}
	const workflows = [
		await saved(stage, [videos({}, itIsNow), download]),
		await saved(stage, [sessions]),
	];
	const rounds = context.short ? 1 : 3;
	const early = new Set<string>();
	const open = { '/v3/videos': 0, '/v3/video-agents': 0 };
	for (let round = 0; round < rounds; round++) {
		const printed = new Map<string, number>();
		const watch = setInterval(() => {
			const fresh = namesIn(n8n.logs()).filter((name) => !printed.has(name));
			for (const name of fresh) printed.set(name, Date.now());
		}, 50);
		const asked = () => paths.map((path) => creates(stage, path).length);
		const before = asked();
		for (const id of workflows) await n8n.start(id);
		await until('the first creates', () => asked().every((count, i) => count > (before[i] ?? 0)));
		const moment = 50 + context.random() * (round % 2 === 0 ? 600 : 4_000);
		await new Promise((resolve) => setTimeout(resolve, moment));
		for (const path of paths) {
			open[path] += creates(stage, path).filter(({ status }) => status === null).length;
		}
		clearInterval(watch);
		for (const [name, at] of printed) if (at < Date.now() - fileLag) early.add(name);
		await n8n.kill();
		// What was on its way is carried out by the service all the same.
		await new Promise((resolve) => setTimeout(resolve, 2 * answerTime));
		await n8n.restart();
	}
	const moments = `${rounds} random ${rounds === 1 ? 'moment' : 'moments'}`;
	const times = `At ${moments}, n8n is killed and restarted.`;
	const keys = new Set(creates(stage, '/v3/videos').map((one) => one.headers['idempotency-key']));
	const keyed = await countJobs(stage, 'video', undefined, await foundByKeys(stage, '/v3/videos'));
	const keyedRow = jobRow(
		'K1',
		`A workflow creates ${perRun} videos, waits for them, and downloads them. ${times} The Requested column counts only the videos that were requested before a kill.`,
		keys.size,
		keyed,
	);
	const unkeyed = await countJobs(stage, 'session');
	const told = countDoubts(stage);
	const untold = Math.max(unkeyed.lost.length - told, 0);
	const unkeyedRow = jobRow(
		'K2',
		`A workflow creates ${perRun} agent sessions (no idempotency key). ${times} The log lists ${told} requests that received no response, each with its item and time but without an ID.`,
		creates(stage, '/v3/video-agents').length,
		{ ...unkeyed, lost: unkeyed.lost.slice(0, untold) },
	);
	const shown = namesIn(logText(stage));
	const kept = readFileSync(join(n8n.userFolder, '.n8n', logFile), 'utf8');
	const missing = shown.filter((name) => !kept.includes(name));
	const lost = missing.filter((name) => early.has(name));
	return [
		{ ...keyedRow, cells: [...keyedRow.cells, open['/v3/videos']] },
		{ ...unkeyedRow, cells: [...unkeyedRow.cells, open['/v3/video-agents']] },
		{
			id: 'K3',
			what: `After these kills, n8n's log file contains ${shown.length - missing.length} of ${shown.length} lines that name jobs and keys (N8N_LOG_OUTPUT=console,file). Lines from the last ${fileLag / 1000} seconds before a kill may be missing from the file, but not from n8n's console output.`,
			cells: [],
			wrong: lost.length > 0 ? [`missing: ${lost.slice(0, 2).join(' ')}`] : [],
		},
	];
}

/** The same workflow run again after a kill, with Pay Once Per set to Unique Request. */
async function runAgain(context: FaultContext): Promise<Row[]> {
	const stage = await context.startOwn();
	const { n8n, simulator } = stage;
	simulator.control.fail({ method: 'POST', path: '/v3/videos', delayMs: answerTime });
	const workflow = await saved(stage, [videos({ payOncePer: 'request' }), download]);
	const rounds = context.short ? 1 : 2;
	for (let round = 0; round < rounds; round++) {
		await n8n.start(workflow);
		const least = 3 + Math.floor(context.random() * (perRun - 3));
		await until('some creates', () => creates(stage, '/v3/videos').length >= least);
		await n8n.kill();
		await n8n.restart();
	}
	const { status } = await n8n.run(workflow);
	const again = await n8n.run(workflow);
	const wrong = [
		status !== 'success' && `the run after the kill ended with ${status}`,
		itemsOf(again, 'Download').length !== perRun && 'not every video was downloaded',
	];
	const row = jobRow(
		'K4',
		`A workflow creates ${perRun} videos with Pay Once Per set to Unique Request. n8n is killed ${rounds === 1 ? 'once' : 'twice'} in the middle of a run, and then the workflow runs to completion twice.`,
		perRun,
		await countJobs(stage, 'video'),
		wrong,
	);
	return [row];
}

/** Rows of a workflow that is killed at a certain step. */
const perStep = 5;

/** Longer than any test holds a request (milliseconds). */
const heldMs = 300_000;

const createPath = { video: '/v3/videos', session: '/v3/video-agents' } as const;
const balancePath = '/v3/users/me';
const statusPath = /^\/v3\/(videos|video-agents)\//;

type Kind = keyof typeof createPath;

/** Step of a create at which n8n is killed. */
interface Step {
	what: string;
	hold(stage: Stage, path: string): void;
	/** Whether the step has been reached. */
	isReached(stage: Stage, kind: Kind): boolean;
}

/** Holds the third create request. By then, the responses to two others have arrived. */
const holdThird = (
	{ simulator }: Stage,
	path: string,
	fault: { delayMs?: number; lateMs?: number },
) => {
	simulator.control.fail({ method: 'POST', path, delayMs: 1, times: 2 });
	simulator.control.fail({ method: 'POST', path, times: 1, ...fault });
};

const whileWaiting: Step = {
	what: 'while the node waits for the five jobs',
	hold: ({ simulator }) => simulator.control.holdJobs(true),
	isReached: ({ simulator }, kind) =>
		simulator.control.jobs(kind).length === perStep &&
		simulator.control.requests({ method: 'GET', path: statusPath }).length > 0,
};

const steps: Step[] = [
	{
		what: 'before the first create request, while the node reads the balance',
		hold: ({ simulator }) =>
			simulator.control.fail({ method: 'GET', path: balancePath, delayMs: heldMs }),
		isReached: ({ simulator }) =>
			simulator.control.requests({ method: 'GET', path: balancePath }).length > 0,
	},
	{
		what: 'after the service has received, but not yet processed, the third create request',
		hold: (stage, path) => holdThird(stage, path, { delayMs: heldMs }),
		isReached: (stage, kind) => creates(stage, createPath[kind]).length === 3,
	},
	{
		what: 'after the service has processed the third create request, but before n8n receives the response',
		hold: (stage, path) => holdThird(stage, path, { lateMs: heldMs }),
		isReached: ({ simulator }, kind) => simulator.control.jobs(kind).length === 3,
	},
	whileWaiting,
];

/** How a workflow is set up, and what the user does after the kill. */
interface Recovery {
	kind: Kind;
	what: string;
	options?: INodeParameters;
	savesProgress?: boolean;
	/** Options of the run after the kill, if they differ. */
	optionsAfter?: INodeParameters;
	known?: string;
}

const recoveries: Recovery[] = [
	{
		kind: 'video',
		what: 'videos with Pay Once Per set to Unique Request',
		options: { payOncePer: 'request' },
	},
	{
		kind: 'video',
		what: 'videos with default settings and Save execution progress turned on',
		savesProgress: true,
	},
	{
		kind: 'session',
		what: 'agent sessions (no idempotency key) with Save execution progress turned on',
		savesProgress: true,
		known:
			"n8n saves an execution's progress only between nodes, and without a key, the service does not recognize a repeated request",
	},
];

const switchedLater: Recovery = {
	kind: 'video',
	what: 'videos with default settings, and Pay Once Per is set to Unique Request after the kill',
	optionsAfter: { payOncePer: 'request' },
	known:
		"n8n drops the execution's data, and Unique Request uses different keys than Execution. Find the jobs with the keys in the log",
};

/** Removes all jobs and faults, and lets the account run any number of jobs. */
function resetService({ simulator: { control } }: Stage) {
	control.reset();
	control.setWorkspace({ jobsAtOnce: 5_000 });
}

/** Kills n8n and starts it again. What the service holds is carried out in the meantime. */
async function killAndRestart({ n8n, simulator: { control } }: Stage) {
	await n8n.kill();
	control.clearFaults();
	await n8n.restart();
}

/** The execution as n8n lists it after a restart, once it is not running any more. */
async function readInterrupted({ n8n }: Stage, id: string): Promise<Execution> {
	let execution = await n8n.execution(id);
	const end = Date.now() + 15_000;
	while (execution.status === 'running' && Date.now() < end) {
		await new Promise((resolve) => setTimeout(resolve, 300));
		execution = await n8n.execution(id);
	}
	return execution;
}

/** Presses Retry. Undefined if n8n refuses. */
async function retryIfPossible(stage: Stage, execution: Execution): Promise<Execution | undefined> {
	return await retry(stage, execution).catch((error: Error) => {
		if (!error.message.includes('cannot be retried')) throw error;
		return undefined;
	});
}

/** Describes the jobs that exist when n8n is back, and who names them. */
async function describeJobs(stage: Stage, kind: Kind, doubts: number): Promise<string> {
	const byId = await countJobs(stage, kind);
	if (byId.made === 0) return 'No job exists after the kill.';
	const found = await countJobs(stage, kind, undefined, await foundByKeys(stage, createPath[kind]));
	const byKey = found.named - byId.named;
	const keyed = byKey > 0 ? ` and ${byKey} by key` : '';
	const unanswered =
		doubts > 0
			? `, and lists ${doubts} requests that received no response, each with its item and time but without an ID`
			: '';
	return `After the kill, ${byId.made} jobs exist. The log names ${byId.named} jobs by ID${keyed}${unanswered}.`;
}

const finished = (execution: Execution | undefined, node: string) => {
	if (!execution) return ['nothing continued'];
	const items = itemsOf(execution, node);
	return [
		execution.status !== 'success' && `it ended with ${execution.status}: ${errorText(execution)}`,
		items.length !== perStep && `${items.length} of ${perStep} items were output`,
		items.some(({ json }) => json.error) && 'an item is an error',
	];
};

/** Kills n8n at a step of a create, and does what the user can do then. */
async function killAtStep(stage: Stage, id: string, step: Step, recovery: Recovery): Promise<Row> {
	const { n8n, simulator, credential } = stage;
	const { kind, savesProgress = false } = recovery;
	const path = createPath[kind];
	const create = kind === 'video' ? video : session;
	const draft = (options: INodeParameters = {}): WorkflowDraft => {
		const advanced = { ...waiting.advanced, requestsAtOnce: 1, stopBelowBalance: 1 };
		const one = forItems(perStep, create({ ...waiting, options, advanced }));
		return { ...one, settings: { ...one.settings, saveExecutionProgress: savesProgress } };
	};
	resetService(stage);
	step.hold(stage, path);
	const doubtsBefore = countDoubts(stage);
	const workflow = await save(stage, draft(recovery.options));
	const first = await n8n.start(workflow);
	await until('the step', () => step.isReached(stage, kind), 30_000);
	// n8n prints a line a moment after the request is sent.
	await new Promise((resolve) => setTimeout(resolve, fileLag));
	const inFlight = creates(stage, path).filter(({ status }) => status === null).length;
	await killAndRestart(stage);
	const crashed = await readInterrupted(stage, first);
	simulator.control.holdJobs(false);
	const doubts = countDoubts(stage) - doubtsBefore;
	const jobs = await describeJobs(stage, kind, doubts);
	let last = await retryIfPossible(stage, crashed);
	const isRetried = last !== undefined;
	if (!isRetried) {
		if (recovery.optionsAfter) {
			await n8n.updateWorkflow(workflow, withCredential(draft(recovery.optionsAfter), credential));
		}
		last = await n8n.run(workflow);
	}
	const outcome = isRetried
		? 'and Retry runs it again'
		: 'and n8n offers no Retry, so the workflow is run again';
	const count = await countJobs(stage, kind, undefined, await foundByKeys(stage, path));
	const row = jobRow(
		id,
		`A workflow creates ${perStep} ${recovery.what}. n8n is killed ${step.what}. ${jobs} The execution is listed as ${crashed.status}, ${outcome}.`,
		perStep,
		{ ...count, lost: count.lost.slice(doubts) },
		finished(last, 'Create'),
	);
	return { ...row, cells: [...row.cells, inFlight], known: recovery.known };
}

const killedAt =
	(step: Step, firstId: number, cases: readonly Recovery[]): Scenario['run'] =>
	async (context) => {
		const stage = await context.startOwn();
		const found: Row[] = [];
		for (const recovery of cases) {
			found.push(await killAtStep(stage, `K${firstId + found.length}`, step, recovery));
		}
		return found;
	};

interface WaitKill {
	id: string;
	kind: Kind;
	what: string;
	/** Killed after the execution has resumed; otherwise while it is suspended. */
	isResumed: boolean;
}

const waitKills: WaitKill[] = [
	{ id: 'K18', kind: 'video', what: 'videos', isResumed: false },
	{ id: 'K19', kind: 'session', what: 'agent sessions (no idempotency key)', isResumed: false },
	{ id: 'K20', kind: 'video', what: 'videos', isResumed: true },
	{ id: 'K21', kind: 'session', what: 'agent sessions (no idempotency key)', isResumed: true },
];

/** A workflow whose execution is suspended, and which rests for some seconds when it has resumed. */
const suspended = (kind: Kind): WorkflowDraft => {
	const create = kind === 'video' ? video : session;
	return forItems(perStep, create({ waitForCompletion: true }), {
		name: 'Done',
		type: 'n8n-nodes-base.wait',
		parameters: { resume: 'timeInterval', amount: 8, unit: 'seconds' },
		more: { typeVersion: 1.1, webhookId: randomUUID() },
	});
};

/** Kills n8n while the create has suspended the execution, or when it has just resumed. */
async function killWait(context: FaultContext, one: WaitKill): Promise<Row> {
	const stage = await context.startOwn();
	const { n8n, simulator } = stage;
	resetService(stage);
	simulator.control.holdJobs(true);
	const workflow = await save(stage, suspended(one.kind));
	const id = await n8n.start(workflow);
	await n8n.waitForExecution({ id }, { until: ['waiting'], timeoutMs: 150_000 });
	if (one.isResumed) {
		simulator.control.holdJobs(false);
		const isRunning = async () => (await n8n.execution(id)).status === 'running';
		await until('the execution to resume', isRunning, 90_000);
	}
	await killAndRestart(stage);
	const interrupted = await readInterrupted(stage, id);
	simulator.control.holdJobs(false);
	const isCrashed = interrupted.status === 'crashed';
	const last = isCrashed
		? await retryIfPossible(stage, interrupted)
		: await n8n.waitForExecution({ id }, { timeoutMs: 120_000 });
	const wrong = finished(last, 'Done');
	const row = jobRow(
		one.id,
		`A workflow creates ${perStep} ${one.what}. n8n is killed ${one.isResumed ? 'just after the execution has resumed' : 'while the execution is suspended'}. The execution is listed as ${interrupted.status}, and ${isCrashed ? 'Retry finishes it' : 'continues automatically'}.`,
		perStep,
		await countJobs(stage, one.kind),
		wrong,
	);
	return { ...row, cells: [...row.cells, 0] };
}

export const scenario: readonly Scenario[] = [
	{
		name: 'videos and agent sessions, at random moments of create, wait and download',
		short: true,
		run: killed,
	},
	{ name: 'run again after a kill, per same request', short: false, run: runAgain },
	...steps.map((step, i) => ({
		name: `at every step: ${step.what}`,
		short: false,
		run: killedAt(step, 5 + 3 * i, recoveries),
	})),
	{
		name: 'at every step: Unique Request is selected after the kill',
		short: false,
		run: killedAt(whileWaiting, 17, [switchedLater]),
	},
	...waitKills.map((one) => ({
		name: `at every step: ${one.isResumed ? 'resumed' : 'suspended'}, ${one.what}`,
		short: false,
		run: async (context: FaultContext) => [await killWait(context, one)],
	})),
];
