import assert from 'node:assert/strict';
import type { IConnections, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { packageName, withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { type Execution, type RealN8n, type WorkflowDraft } from '../n8n';
import { rows, to, videoLink } from '../waits';
import { byId, chain, errorText, itemsNode, type Link, start } from '../workflows';

/** Longer than the wait before the first suspension. */
const jobSeconds = 40;

const rowCount = 3;

/** A workflow of one way to connect the outputs Still Running and Finished. */
interface Wiring {
	name: string;
	outputs: [stillRunning: string[], finished: string[]];
	/** Connections in addition to Items → Create → Wait. */
	others?: IConnections;
	/** The node that has every row at the end. */
	end?: string;
	wait?: Partial<INode>;
	/** Takes minutes: only in the long form. */
	isLong?: boolean;
}

const node = (
	name: string,
	type: string,
	parameters: INodeParameters = {},
	more: Partial<INode> = {},
): INode => ({ id: name, name, type, typeVersion: 1, position: [1600, 0], parameters, ...more });

const waitNode = (name: string, more: Partial<INode> = {}) =>
	node(
		name,
		`${packageName}.videoGenWait`,
		{ authentication: 'apiKey' },
		{ webhookId: crypto.randomUUID(), ...more },
	);

/** Nodes that a wiring may use. */
const others: Record<string, (more?: Partial<INode>) => INode> = {
	Wait: (more) => waitNode('Wait', more),
	'Wait 2': (more) => waitNode('Wait 2', more),
	Loop: () => node('Loop', 'n8n-nodes-base.splitInBatches', { options: {} }, { typeVersion: 3 }),
	Next: () => node('Next', 'n8n-nodes-base.noOp'),
	Other: () => node('Other', 'n8n-nodes-base.noOp'),
	Pass: () => node('Pass', 'n8n-nodes-base.noOp'),
};

const create = videoLink('Create', {
	script: '=Hello number {{ $json.row }}, this is a long enough text.',
	options: { includeInputFields: true },
});

function draftOf(wiring: Wiring, first: Link[] = [start, ...itemsNode(rows(rowCount))]) {
	const last = first.at(-1)?.name ?? '';
	const draft = chain(wiring.name, [...first, create]);
	const connections: IConnections = {
		...draft.connections,
		[last]: { main: [[to('Create')]] },
		Create: { main: [[to('Wait')]] },
		Wait: { main: wiring.outputs.map((names) => names.map((name) => to(name))) },
		...wiring.others,
	};
	const targets = Object.values(connections).flatMap(({ main }) =>
		(main ?? []).flatMap((ends) => (ends ?? []).map((end) => end.node)),
	);
	const used = Object.entries(others).filter(([name]) => targets.includes(name));
	return {
		...draft,
		nodes: [...draft.nodes, ...used.map(([, build]) => build(wiring.wait))],
		connections,
	};
}

/** One row after the other: Loop Over Items → Create → Wait. */
const oneByOne: IConnections = {
	Items: { main: [[to('Loop')]] },
	Loop: { main: [[to('Next')], [to('Create')]] },
};

const wirings: Wiring[] = [
	{ name: 'nothing', outputs: [[], []], end: 'Wait' },
	{ name: 'only Finished', outputs: [[], ['Next']] },
	{ name: 'only Still Running, onward', outputs: [['Next'], []] },
	{ name: 'exchanged', outputs: [['Next'], ['Wait']] },
	{ name: 'both onward', outputs: [['Other'], ['Next']] },
	{ name: 'both onward, the other way', outputs: [['Next'], ['Other']] },
	{ name: 'both to one node', outputs: [['Next'], ['Next']] },
	{ name: 'looped', outputs: [['Wait'], ['Next']] },
	{
		name: 'looped through another node',
		outputs: [['Pass'], ['Next']],
		others: { Pass: { main: [[to('Wait')]] } },
	},
	{
		name: 'two in a row',
		outputs: [['Wait'], ['Wait 2']],
		others: { 'Wait 2': { main: [[to('Wait 2')], [to('Next')]] } },
	},
	{
		name: 'two in a row, first outputs only',
		outputs: [['Wait 2'], []],
		others: { 'Wait 2': { main: [[to('Next')]] } },
	},
	{
		name: 'Loop Over Items, looped',
		outputs: [['Wait'], ['Loop']],
		others: oneByOne,
		isLong: true,
	},
	{ name: 'Loop Over Items, Finished', outputs: [[], ['Loop']], others: oneByOne, isLong: true },
	{
		name: 'Loop Over Items, Still Running',
		outputs: [['Loop'], []],
		others: oneByOne,
		isLong: true,
	},
	{
		name: 'looped, Always Output Data',
		outputs: [['Wait'], ['Next']],
		wait: { alwaysOutputData: true },
	},
	{
		name: 'exchanged, Always Output Data',
		outputs: [['Next'], ['Wait']],
		wait: { alwaysOutputData: true },
	},
];

/** Ends of a sub-workflow. */
const ends: Wiring[] = [
	{ name: 'nothing', outputs: [[], []] },
	{ name: 'looped, last', outputs: [['Wait'], []] },
	{ name: 'looped, onward', outputs: [['Wait'], ['Next']] },
];

const called: Link = {
	name: 'Called',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	parameters: { inputSource: 'passthrough' },
	more: { typeVersion: 1.1 },
};

const parentOf = (name: string, childId: string, mode: 'once' | 'each'): WorkflowDraft => {
	const run: Link = {
		name: 'Run',
		type: 'n8n-nodes-base.executeWorkflow',
		parameters: { workflowId: byId(childId), mode, options: {} },
		more: { typeVersion: 1.2 },
	};
	const next: Link = { name: 'Next', type: 'n8n-nodes-base.noOp' };
	return chain(`${name}, ${mode}`, [start, ...itemsNode(rows(rowCount)), run, next]);
};

/** All items of a node's runs: of the first output that has any. */
const readItems = (execution: Execution, name: string): INodeExecutionData[] =>
	(execution.data.resultData.runData[name] ?? []).flatMap(
		({ data }) => data?.main?.find((items) => items?.length) ?? [],
	);

/** Starts a workflow and waits for its end. */
async function runToEnd(n8n: RealN8n, id: string): Promise<Execution> {
	const execution = await n8n.start(id);
	return await n8n.waitForExecution(
		{ id: execution },
		{ until: ['success', 'error', 'crashed', 'canceled'], timeoutMs: 540_000 },
	);
}

function assertRows(name: string, execution: Execution, end: string): void {
	assert.equal(execution.status, 'success', `${name}: ${errorText(execution)}`);
	const items = readItems(execution, end);
	assert.deepEqual(
		items.map(({ json }) => [json.row, json.status]),
		rows(rowCount).map(({ row }) => [row, 'completed']),
		name,
	);
	assert.equal(new Set(items.map(({ json }) => json.video_id)).size, rowCount, name);
}

export const flow: Flow = {
	name: 'however the outputs of a wait are connected, every row arrives and is paid once',
	older: 'main',
	run: async (context) => {
		const short = await context.n8n.createWorkflow(
			withCredential(draftOf({ name: 'short', outputs: [['Wait'], ['Next']] }), context.credential),
		);
		const began = Date.now();
		assertRows('short jobs', await runToEnd(context.n8n, short.id), 'Next');
		const seconds = Math.round((Date.now() - began) / 1000);
		context.log(`  a looped wait for short jobs: ${seconds} s`);
		assert.ok(seconds < 30, 'short jobs end before the first suspension');

		const { n8n, credential, simulator } = await context.startOwn({ simulator: { jobSeconds } });
		simulator.control.setWorkspace({ jobsAtOnce: 5_000 });
		const save = async (draft: WorkflowDraft) =>
			(await n8n.createWorkflow(withCredential(draft, credential))).id;
		const runs: Array<{ name: string; end: string; id: string }> = [];
		for (const wiring of wirings.filter(({ isLong }) => context.isLong || !isLong)) {
			runs.push({ name: wiring.name, end: wiring.end ?? 'Next', id: await save(draftOf(wiring)) });
		}
		for (const wiring of ends) {
			const child = await save(draftOf(wiring, [called]));
			await n8n.activate(child);
			for (const mode of ['once', 'each'] as const) {
				const draft = parentOf(`sub-workflow: ${wiring.name}`, child, mode);
				runs.push({ name: draft.name, end: 'Next', id: await save(draft) });
			}
		}
		const results = await Promise.allSettled(
			runs.map(async ({ name, end, id }) => {
				const execution = await runToEnd(n8n, id);
				assertRows(name, execution, end);
			}),
		);
		const failures = results.flatMap((result, i) =>
			result.status === 'rejected' ? [`${runs[i]?.name}: ${String(result.reason)}`] : [],
		);
		assert.deepEqual(failures, []);
		assert.equal(simulator.control.jobs('video').length, runs.length * rowCount, 'paid once');
	},
};
