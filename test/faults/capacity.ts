/** An account that runs as many jobs as it may: creates wait, also when n8n is killed meanwhile. */
import type { INode, INodeParameters } from 'n8n-workflow';
import { withCredential, type Stage } from '../../tools/stage';
import { itemsOf } from '../e2e/n8n';
import { chain, errorText, itemsNode, start, until, type Link } from '../e2e/workflows';
import { numbered, session, video } from './creates';
import { countDoubts, countJobs, creates, jobColumns, jobRow } from './jobs';
import type { FaultContext, Row, Scenario } from './scenario';

export const title = 'An account at its running-job limit';
export const columns = jobColumns;

const jobsAtOnce = 3;
const perRun = 8;
const jobSeconds = 2;

const translation = (more: INodeParameters = {}, node: Partial<INode> = {}): Link => ({
	name: 'Create',
	type: 'n8n-nodes-videogen.videoGenTranslation',
	parameters: {
		operation: 'create',
		video: { __rl: true, mode: 'url', value: '=https://videos.example/{{ $json.i }}.mp4' },
		output_languages: ['German'],
		waitForCompletion: false,
		...more,
	},
	more: node,
});

const kinds = [
	{ kind: 'video', path: '/v3/videos', label: 'videos', create: video },
	{ kind: 'session', path: '/v3/video-agents', label: 'agent sessions', create: session },
	{
		kind: 'translation',
		path: '/v3/video-translations',
		label: 'translations',
		create: translation,
	},
] as const;

const waiting = { waitForCompletion: true, download: [], advanced: { pollInterval: 1 } };

async function save({ n8n, credential }: Stage, link: Link): Promise<string> {
	const draft = chain('At the cap', [start, ...itemsNode(numbered(perRun)), link]);
	return (await n8n.createWorkflow(withCredential(draft, credential))).id;
}

/** Two runs at once on one account: one that waits for its jobs, and one that does not. */
async function runsAtTheCap(context: FaultContext): Promise<Row[]> {
	const stage = await context.startOwn({ simulator: { jobSeconds } });
	const { n8n, simulator } = stage;
	const rows: Row[] = [];
	for (const capacityRetryAfter of [null, 1]) {
		for (const { kind, path, label, create } of kinds) {
			simulator.control.reset();
			simulator.control.setWorkspace({ jobsAtOnce, capacityRetryAfter });
			const links = [create(), create(waiting)];
			const workflows = await Promise.all(links.map(async (link) => await save(stage, link)));
			const ended = await Promise.all(workflows.map(async (id) => await n8n.run(id)));
			const header = capacityRetryAfter === null ? 'no' : 'a';
			rows.push(
				jobRow(
					`W${rows.length + 1}`,
					`Two runs create ${perRun} ${label} each at the same time, and one of the runs waits for completion. The account runs ${jobsAtOnce} jobs at a time, and the service rejects any others with 429 and ${header} \`Retry-After\` header.`,
					2 * perRun,
					await countJobs(
						stage,
						kind,
						ended.map(({ id }) => id),
					),
					[
						...ended.map(
							(one) => one.status !== 'success' && `${one.status}: ${errorText(one).slice(0, 200)}`,
						),
						ended.some((one) => itemsOf(one, 'Create').length !== perRun) && 'items are missing',
						creates(stage, path).every(({ status }) => status !== 429) && 'the cap was not reached',
					],
				),
			);
		}
	}
	return rows;
}

/** Kills n8n while creates wait, and runs the workflow again until it finishes. */
async function killedAtTheCap(context: FaultContext): Promise<Row[]> {
	const stage = await context.startOwn({ simulator: { jobSeconds } });
	const { n8n, simulator } = stage;
	const rows: Row[] = [];
	for (const { kind, path, label, create } of kinds) {
		simulator.control.reset();
		simulator.control.setWorkspace({ jobsAtOnce, capacityRetryAfter: null });
		const isKeyed = kind !== 'session';
		const workflow = await save(
			stage,
			create(isKeyed ? { options: { payOncePer: 'request' } } : {}),
		);
		await n8n.start(workflow);
		const rejected = () => creates(stage, path).filter(({ status }) => status === 429).length;
		const made = () => simulator.control.jobs(kind).length;
		await until('creates that wait', () => rejected() > 0 && made() > jobsAtOnce, 60_000);
		await n8n.kill();
		const before = made();
		await n8n.restart();
		const again = await n8n.run(workflow);
		const count = await countJobs(stage, kind);
		const doubts = isKeyed ? 0 : countDoubts(stage);
		const row = jobRow(
			`W${7 + rows.length}`,
			isKeyed
				? `With Pay Once Per set to Unique Request, ${perRun} ${label} wait to be created on an account that runs ${jobsAtOnce} jobs at a time. n8n is killed when ${before} ${label} exist, and the workflow is run again until it finishes.`
				: `Without an idempotency key, ${perRun} ${label} wait to be created on an account that runs ${jobsAtOnce} jobs at a time. n8n is killed when ${before} sessions exist, and the workflow runs again. The log lists ${doubts} requests that received no response, each with its item and time but without an ID.`,
			perRun,
			{ ...count, lost: count.lost.slice(doubts) },
			[
				before >= perRun && 'n8n was killed too late',
				again.status !== 'success' && `the run after the kill ended with ${again.status}`,
				itemsOf(again, 'Create').length !== perRun && 'items are missing',
			],
		);
		const known =
			"a kill loses the execution's data, and without a key, the service cannot find the jobs";
		rows.push(isKeyed ? row : { ...row, known });
	}
	return rows;
}

export const scenario: readonly Scenario[] = [
	{ name: 'runs at the cap of running jobs', short: false, run: runsAtTheCap },
	{ name: 'killed at the cap of running jobs', short: false, run: killedAtTheCap },
];
