/** Several executions at once, and two n8n that count their executions alike. */
import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import type { INodeParameters } from 'n8n-workflow';
import { credentialType, type Stage } from '../../tools/stage';
import { times } from '../bench/rounds';
import { forItems, retried, save, video } from './creates';
import { countJobs, jobColumns, jobRow } from './jobs';
import type { FaultContext, Row, Scenario } from './scenario';

export const title = 'Several executions at once';
export const columns = jobColumns;

const perRun = 10;

const draft = (options: INodeParameters = {}) => forItems(perRun, video({ options }, retried));

/** Some creates are rejected, so that executions are retried at the same time. */
const disturb = ({ simulator }: Stage, times: number) =>
	simulator.control.fail({
		...{ method: 'POST', path: '/v3/videos', status: 400, code: 'voice_unavailable' },
		...{ probability: 0.2, times },
	});

async function executionsAtOnce(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	for (const [rowId, options, asked, words] of [
		['P1', {}, 5 * perRun, 'Execution, each execution creates its own videos.'],
		['P2', { payOncePer: 'request' }, perRun, 'Unique Request, the executions share the videos.'],
	] as const) {
		const stage = await context.shared();
		const { n8n } = stage;
		disturb(stage, 4);
		const workflow = await save(stage, draft(options));
		const ids = await Promise.all(times(5, async () => await n8n.start(workflow)));
		const ended = await Promise.all(ids.map(async (id) => await n8n.waitForExecution({ id })));
		const failed = ended.filter(({ status }) => status !== 'success').length;
		rows.push(
			jobRow(
				rowId,
				`Five executions run at once and create ${perRun} videos each. Some create requests are rejected and retried. With Pay Once Per set to ${words}`,
				asked,
				await countJobs(stage, 'video', ids),
				[failed > 0 && `${failed} executions failed`],
			),
		);
	}
	return rows;
}

/** The second is a copy of the first: same workflow, same node, same number of the execution. */
async function twoProcesses(context: FaultContext): Promise<Row[]> {
	const instance = () => ({ N8N_INSTANCE_ID: randomBytes(32).toString('hex') });
	const first = await context.startOwn({ env: instance() });
	const { n8n, credential } = first;
	const id = await save(first, draft());
	await n8n.stop();
	const copy = `${n8n.userFolder}-copy`;
	cpSync(n8n.userFolder, copy, { recursive: true });
	// An installation of its own has another identity.
	const [second] = await Promise.all([
		context.startOwn({ userFolder: copy, env: instance() }),
		n8n.restart(),
	]);
	const { baseUrl, apiKey } = first.simulator;
	await second.n8n.api('PATCH', `/credentials/${credential.id}`, {
		...{ name: credential.name, type: credentialType },
		data: { baseUrl, apiKey },
	});
	disturb(first, 4);
	const [one, two] = await Promise.all([n8n.run(id), second.n8n.run(id)]);
	const there = JSON.stringify(two.data.resultData.runData);
	return [
		jobRow(
			'P3',
			`Two n8n instances on one account run the same workflow at the same time, both as execution ${one.id}. Each instance creates ${perRun} videos.`,
			2 * perRun,
			await countJobs(first, 'video', [one.id], there),
			[
				one.id !== two.id && 'their executions are not numbered alike',
				[one, two].some(({ status }) => status !== 'success') && 'one of them failed',
			],
		),
	];
}

export const scenario: readonly Scenario[] = [
	{ name: 'executions at once', short: true, run: executionsAtOnce },
	{ name: 'two n8n', short: false, run: twoProcesses },
];
