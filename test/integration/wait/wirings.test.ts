/**
 * VideoGen Wait for Job, connected in every way that users connect it: each execution ends with every
 * row, and no job is created twice.
 */
import { WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IConnections,
	type INode,
	type INodeExecutionData,
	type IRun,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { avatar, createCalls, getValues, items } from '../support/calls';
import { clock } from '../support/core';
import {
	addType,
	buildWorkflow,
	createNode,
	describeType,
	prepareEngine,
	signedIn,
} from '../support/engine';
import { useService } from '../support/service';
import { withVirtualTime } from '../support/time';
import { waitNode } from '../support/waiting';

const service = useService({ jobSeconds: 100 });
const calls = createCalls(service);

const rowCount = 3;

/** A stand-in for n8n's Loop Over Items: one item at a time on `loop`, all of them on `done`. */
const loopType = 'n8n-nodes-base.splitInBatches';
addType(loopType, {
	description: { ...describeType(loopType), outputs: ['main', 'main'] },
	async execute() {
		const state = this.getContext('node') as {
			left?: INodeExecutionData[];
			done?: INodeExecutionData[];
		};
		const all = this.getInputData();
		if (state.left) state.done?.push(...all);
		else Object.assign(state, { left: [...all], done: [] });
		const next = state.left?.shift();
		return next ? [[], [next]] : [state.done ?? [], []];
	},
});

const to = (node: string) => ({ node, type: 'main' as const, index: 0 });

/** How the outputs Still Running and Finished are connected, and what else the workflow has. */
interface Wiring {
	name: string;
	/** Nodes connected to Still Running and to Finished. */
	outputs: [stillRunning: string[], finished: string[]];
	/** Other connections, in addition to Items → Create → Wait. */
	others?: IConnections;
	wait?: Partial<INode>;
	/** Whether the execution is suspended while the jobs run. */
	isSuspended?: boolean;
	/** Node that gets every row once; undefined if the workflow ends with the node. */
	end?: string;
}

const passing = ['Next', 'Other', 'Pass', 'Last'];

function buildNodes({ wait = {} }: Wiring) {
	return [
		createNode('Create', 'VideoGenVideo', avatar(), signedIn),
		createNode('Wait', waitNode, {}, { ...signedIn, ...wait }),
		createNode('Wait 2', waitNode, {}, { ...signedIn, ...wait }),
		createNode('Loop', loopType, {}),
		...passing.map((name) => createNode(name, 'passing', {})),
	];
}

const buildConnections = ({ outputs, others = {} }: Wiring): IConnections => ({
	Items: { main: [[to('Create')]] },
	Create: { main: [[to('Wait')]] },
	Wait: { main: outputs.map((names) => names.map(to)) },
	...others,
});

let executions = 0;

/** Runs a workflow to its end. Resumes it whenever its time has come, as n8n does. */
async function runToEnd(
	wiring: Wiring,
	input: INodeExecutionData[],
	{ mode, parent }: { mode: WorkflowExecuteMode; parent?: { shouldResume?: boolean } } = {
		mode: 'manual',
	},
): Promise<{ run: IRun; suspensions: number }> {
	await prepareEngine();
	const executionId = `wiring-${++executions}`;
	const build = () =>
		buildWorkflow(service, structuredClone(buildNodes(wiring)), buildConnections(wiring), {
			items: input,
			executionId,
		});
	const [node] = Object.values(build().workflow.nodes);
	let data = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [{ node: node as INode, data: { main: [input] }, source: null }],
		},
		...(parent && { parentExecution: { executionId: 'parent', workflowId: 'parent', ...parent } }),
	});
	for (let suspensions = 0; ; suspensions++) {
		const { workflow, additionalData } = build();
		const execution = new WorkflowExecute(additionalData, mode, data);
		const run = await withVirtualTime(
			service,
			async () => await execution.processRunExecutionData(workflow),
		);
		if (!run.waitTill) return { run, suspensions };
		if (suspensions > 20) throw new Error('The execution does not end');
		const left = new Date(run.waitTill).getTime() - clock.now();
		await withVirtualTime(service, async () => await clock.sleep(Math.max(left, 0)));
		data = structuredClone(run.data);
	}
}

/** The items that arrived at a node, in all of its runs. */
const readInput = ({ data }: IRun, name: string): INodeExecutionData[] =>
	(data.resultData.runData[name] ?? []).flatMap((task) => task.data?.main?.[0] ?? []);

/** What a parent gets from its sub-workflow: the first output of the last node. */
function readReturned({ data }: IRun): INodeExecutionData[] {
	const { lastNodeExecuted = '', runData } = data.resultData;
	return runData[lastNodeExecuted]?.at(-1)?.data?.main?.[0] ?? [];
}

const createdIds = () => calls.jobs('video').map(({ id }) => id);

function expectFinished(all: INodeExecutionData[], ids = createdIds()): void {
	expect(getValues(all, 'video_id')).toEqual(ids);
	expect(getValues(all, 'status')).toEqual(ids.map(() => 'completed'));
}

const looped: Wiring['outputs'] = [['Wait'], ['Next']];

const wirings: Wiring[] = [
	{ name: 'nothing', outputs: [[], []] },
	{ name: 'only Finished', outputs: [[], ['Next']], end: 'Next' },
	{ name: 'only Still Running, onward', outputs: [['Next'], []], end: 'Next' },
	{ name: 'the two exchanged', outputs: [['Next'], ['Wait']], end: 'Next' },
	{ name: 'both onward, Finished to the end', outputs: [['Other'], ['Next']], end: 'Next' },
	{ name: 'both onward, Still Running to the end', outputs: [['Next'], ['Other']], end: 'Next' },
	{ name: 'both to the same node', outputs: [['Next'], ['Next']], end: 'Next' },
	{
		name: 'both to the same node, one through another node',
		outputs: [['Pass'], ['Next']],
		others: { Pass: { main: [[to('Next')]] } },
		end: 'Next',
	},
	{ name: 'both back', outputs: [['Wait'], ['Wait']], isSuspended: true },
	{ name: 'a loop', outputs: looped, isSuspended: true, end: 'Next' },
	{ name: 'a loop alone', outputs: [['Wait'], []], isSuspended: true },
	{
		name: 'a loop through another node',
		outputs: [['Pass'], ['Next']],
		others: { Pass: { main: [[to('Wait')]] } },
		isSuspended: true,
		end: 'Next',
	},
	{
		name: 'two in a row, looped',
		outputs: [['Wait'], ['Wait 2']],
		others: { 'Wait 2': { main: [[to('Wait 2')], [to('Next')]] } },
		isSuspended: true,
		end: 'Next',
	},
	{
		name: 'two in a row, first outputs only',
		outputs: [['Wait 2'], []],
		others: { 'Wait 2': { main: [[to('Next')]] } },
		end: 'Next',
	},
	{
		name: 'two in a row, the second back to the first',
		outputs: [[], ['Wait 2']],
		others: { 'Wait 2': { main: [[to('Wait')], [to('Next')]] } },
		end: 'Next',
	},
	{
		name: 'Still Running back to the create',
		outputs: [['Create'], ['Next']],
		end: 'Next',
	},
	{ name: 'Still Running back to the create, alone', outputs: [['Create'], []] },
	...(
		[
			['looped', [['Wait'], ['Loop']], true],
			['only Finished', [[], ['Loop']], false],
			['only Still Running', [['Loop'], []], false],
			['exchanged', [['Loop'], ['Wait']], false],
		] as const
	).map(([name, outputs, isSuspended]): Wiring => ({
		name: `Loop Over Items, ${name}`,
		outputs: [[...outputs[0]], [...outputs[1]]],
		others: { Items: { main: [[to('Loop')]] }, Loop: { main: [[to('Next')], [to('Create')]] } },
		isSuspended,
		end: 'Next',
	})),
];

const withAlwaysOutputData = wirings.map((wiring) => ({
	...wiring,
	name: `${wiring.name}, with Always Output Data`,
	wait: { alwaysOutputData: true },
}));

test.each([...wirings, ...withAlwaysOutputData])('every row arrives with $name', async (wiring) => {
	const { run, suspensions } = await runToEnd(wiring, items(rowCount));
	expect(run.data.resultData.error).toBeUndefined();
	expect(run.status).toBe('success');
	expect(calls.posts()).toHaveLength(rowCount);
	expect(suspensions > 0).toBe(wiring.isSuspended === true);
	if (wiring.end) return expectFinished(readInput(run, wiring.end));
	const outputs = run.data.resultData.runData.Wait?.at(-1)?.data?.main ?? [];
	expectFinished(outputs[1] ?? []);
});

describe('in a sub-workflow', () => {
	const called = { mode: 'integrated', parent: {} } as const;
	/** The node is the last one, or its output that has the finished items leads to the last one. */
	const ends = wirings.filter(({ name }) => !/^both|^Loop|alone$/.test(name));
	const all = [...ends, ...wirings.filter(({ name }) => name === 'a loop alone')];

	test.each(all)(
		'that is called with all items, the parent gets every row: $name',
		async (wiring) => {
			const { run, suspensions } = await runToEnd(wiring, items(rowCount), called);
			expect(run.status).toBe('success');
			expect(calls.posts()).toHaveLength(rowCount);
			expect(suspensions > 0).toBe(wiring.isSuspended === true);
			expectFinished(readReturned(run));
		},
	);

	test.each(all)('that is called for each item, nothing is suspended: $name', async (wiring) => {
		const returned: INodeExecutionData[] = [];
		for (const item of items(rowCount)) {
			const { run, suspensions } = await runToEnd(wiring, [item], called);
			expect(suspensions).toBe(0);
			returned.push(...readReturned(run));
		}
		expectFinished(returned);
	});

	test('that the parent does not wait for, one item is suspended too', async () => {
		const wiring: Wiring = { name: 'a loop', outputs: looped };
		const { run, suspensions } = await runToEnd(wiring, items(1), {
			mode: 'integrated',
			parent: { shouldResume: false },
		});
		expect(suspensions).toBeGreaterThan(0);
		expectFinished(readInput(run, 'Next'));
	});
});
