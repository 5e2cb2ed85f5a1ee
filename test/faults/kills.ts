/** n8n is killed (SIGKILL) while jobs are created, awaited and downloaded. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import type { Stage } from '../../tools/stage';
import { itemsOf } from '../e2e/n8n';
import { chain, itemsNode, start, until, type Link } from '../e2e/workflows';
import { download, now, save, session, video, waiting } from './creates';
import { countDoubts, countJobs, creates, foundByKeys, jobColumns, jobRow, logText } from './jobs';
import type { FaultContext, Row, Scenario } from './scenario';

export const title = 'Kills';
export const columns = [...jobColumns, 'In flight at the kill'];

const perRun = 15;

/** Answers take so long, so that some are on their way when n8n is killed (milliseconds). */
const answerTime = 120;

const videos = (options: INodeParameters = {}, text = ''): Link =>
	video({
		script: `=Hello {{ $json.name }}${text}, this is a long enough text.`,
		waitForCompletion: true,
		options: { pollInterval: 1, ...options },
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
	const count = rounds === 1 ? 'once' : `${rounds} times`;
	const times = `; n8n is killed at a random moment and started again, ${count}`;
	const keys = new Set(creates(stage, '/v3/videos').map((one) => one.headers['idempotency-key']));
	const keyed = await countJobs(stage, 'video', undefined, await foundByKeys(stage, '/v3/videos'));
	const keyedRow = jobRow(
		'K1',
		`${perRun} videos are created, awaited and downloaded${times}. (A run requests only what it has reached by then.)`,
		keys.size,
		keyed,
	);
	const unkeyed = await countJobs(stage, 'session');
	const told = countDoubts(stage);
	const untold = Math.max(unkeyed.lost.length - told, 0);
	const unkeyedRow = jobRow(
		'K2',
		`${perRun} agent sessions (no key)${times}. The log lists ${told} requests without a response: item and time, but no ID`,
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
			what: `The log lines that name jobs and keys, in n8n's log file after these kills (N8N_LOG_OUTPUT=console,file): ${shown.length - missing.length} of ${shown.length}. Lines of the last ${fileLag / 1000} seconds before a kill may be missing in the file, but not in n8n's console output`,
			cells: [],
			wrong: lost.length > 0 ? [`missing: ${lost.slice(0, 2).join(' ')}`] : [],
		},
	];
}

/** The same workflow run again after a kill, with Pay Once Per set to Same Request. */
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
		`${perRun} videos with Pay Once Per: Same Request; n8n is killed ${rounds === 1 ? 'once' : 'twice'} in the middle, and the workflow runs again to its end, twice`,
		perRun,
		await countJobs(stage, 'video'),
		wrong,
	);
	return [row];
}

export const scenario: readonly Scenario[] = [
	{
		name: 'videos and agent sessions, at random moments of create, wait and download',
		short: true,
		run: killed,
	},
	{ name: 'run again after a kill, per same request', short: false, run: runAgain },
];
