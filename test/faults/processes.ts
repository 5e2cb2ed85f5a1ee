/** Several executions at once, and two n8n that count their executions alike. */
import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import type { INodeParameters } from 'n8n-workflow';
import { credentialType, withCredential, type Stage } from '../../tools/stage';
import type { WorkflowDraft } from '../e2e/n8n';
import { chain, itemsNode, start } from '../e2e/workflows';
import { numbered, video } from './creates';
import { countJobs, jobColumns, jobRow } from './jobs';
import type { FaultContext, Row, Scenario } from './scenario';

export const title = 'Several at once';
export const columns = jobColumns;

const perRun = 10;

const draft = (options: INodeParameters = {}): WorkflowDraft =>
	chain('Beside others', [
		start,
		...itemsNode(numbered(perRun)),
		video({ options }, { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 }),
	]);

/** Some creates are refused, so that executions are retried at the same time. */
const disturb = ({ simulator }: Stage, times: number) =>
	simulator.control.fail({
		...{ method: 'POST', path: '/v3/videos', status: 400, code: 'voice_unavailable' },
		...{ probability: 0.2, times },
	});

async function executionsAtOnce(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	for (const [id, options, asked, words] of [
		['P1', {}, 5 * perRun, 'Execution: each makes its own'],
		['P2', { payOncePer: 'request' }, perRun, 'Same Request: they share what is made'],
	] as const) {
		const stage = await context.shared();
		const { n8n, credential } = stage;
		disturb(stage, 4);
		const workflow = await n8n.createWorkflow(withCredential(draft(options), credential));
		const ids = await Promise.all(
			Array.from({ length: 5 }, async () => await n8n.start(workflow.id)),
		);
		const ended = await Promise.all(
			ids.map(async (one) => await n8n.waitForExecution({ id: one })),
		);
		const failed = ended.filter(({ status }) => status !== 'success').length;
		rows.push(
			jobRow(
				id,
				`5 executions at once, ${perRun} videos each, some creates refused and tried again. Pay Once Per: ${words}`,
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
	const { id } = await n8n.createWorkflow(withCredential(draft(), credential));
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
			`Two n8n on one account run the same workflow at the same time, both as execution ${one.id}: ${perRun} videos each`,
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
