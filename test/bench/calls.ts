/** Calls to suspended executions with many rows: how long n8n and the node take to answer. */
import assert from 'node:assert/strict';
import type { Stage } from '../../tools/stage';
import { itemsOf, type WorkflowDraft } from '../e2e/n8n';
import { here, rows, videoLink, waitingDraft } from '../e2e/waits';
import { chain, itemsNode, start, type Link } from '../e2e/workflows';
import { save } from '../faults/creates';
import { median, times } from './rounds';
import type { BenchFile, Measure } from './section';

const rowCount = 300;

/** Calls one after the other, and calls at the same time. */
const oneByOne = 20;
const atOnce = 200;

/** Shows the URL at which n8n resumes the execution. */
const url: Link = {
	name: 'URL',
	type: 'n8n-nodes-base.set',
	parameters: { mode: 'raw', jsonOutput: '={{ { url: $execution.resumeUrl } }}', options: {} },
	more: { typeVersion: 3.4 },
};

const first = [start, url, ...itemsNode(rows(rowCount))];

function ours(): WorkflowDraft {
	const options = { ...here.options, mostJobs: rowCount };
	return waitingDraft(chain('Ours', [...first, videoLink('Create', { options })]), 'Create');
}

const theirs = (): WorkflowDraft =>
	chain('Theirs', [
		...first,
		{
			name: 'Wait',
			type: 'n8n-nodes-base.wait',
			parameters: { resume: 'webhook', httpMethod: 'POST', options: {} },
			more: { typeVersion: 1.1, webhookId: crypto.randomUUID() },
		},
		{ name: 'Done', type: 'n8n-nodes-base.noOp' },
	]);

/** Starts an execution and returns the URL that resumes it, on this machine. */
async function suspend({ n8n }: Stage, workflow: string, path = ''): Promise<URL> {
	const id = await n8n.start(workflow);
	const waiting = await n8n.waitForExecution({ id }, { until: ['waiting'], timeoutMs: 300_000 });
	const given = new URL(String(itemsOf(waiting, 'URL')[0]?.json.url));
	const { pathname, search } = given;
	return new URL(pathname + path + search, n8n.baseUrl);
}

/** Calls a URL and returns the milliseconds until the answer. */
async function call(target: URL, method: 'POST' | 'GET', status: number): Promise<number> {
	const began = performance.now();
	const response = await fetch(target, { method });
	await response.text();
	assert.equal(response.status, status);
	return performance.now() - began;
}

async function callAtOnce(target: URL, method: 'POST' | 'GET', status: number): Promise<number> {
	const answers = await Promise.all(times(atOnce, async () => await call(target, method, status)));
	return Math.max(...answers);
}

async function measure(stage: Stage): Promise<Measure[]> {
	const { control } = stage.simulator;
	control.holdJobs(true);
	control.setWorkspace({ jobsAtOnce: 5_000 });
	const own = await suspend(stage, await save(stage, ours()), '/videogen');
	const workflow = await save(stage, theirs());
	const others: URL[] = [];
	for (let i = 0; i < oneByOne; i++) others.push(await suspend(stage, workflow));
	const rested = await suspend(stage, workflow);

	const single = { ours: [] as number[], theirs: [] as number[] };
	await call(own, 'POST', 200);
	for (const other of others) {
		// The check of the jobs that the last call began has ended.
		await new Promise((resolve) => setTimeout(resolve, 1_000));
		single.ours.push(await call(own, 'POST', 200));
		single.theirs.push(await call(other, 'POST', 200));
	}
	const [one, other] = [median(single.ours), median(single.theirs)];
	// n8n's Wait node takes one call only. Calls with another method show what n8n itself needs.
	const floor = await callAtOnce(rested, 'GET', 404);
	const before = control.requests({ method: 'GET' }).length;
	const all = await callAtOnce(own, 'POST', 200);
	const reads = control.requests({ method: 'GET' }).length - before;
	control.holdJobs(false);
	return [
		{
			what: `Time to the answer of a call to an execution with ${rowCount} rows, median of ${oneByOne}`,
			beside: "n8n's Wait node, which it resumes",
			ours: `${one.toFixed(0)} ms`,
			theirs: `${other.toFixed(0)} ms`,
			value: one / other,
			goal: { most: 1.5 },
		},
		{
			what: `Time until ${atOnce} calls to it at the same moment are answered`,
			beside: "as many calls to n8n's Wait node that it refuses",
			ours: `${(all / 1000).toFixed(1)} s`,
			theirs: `${(floor / 1000).toFixed(1)} s`,
			value: all / floor,
			goal: { most: 1.5 },
		},
		{ what: `Reads of jobs for these ${atOnce} calls`, ours: String(reads) },
	];
}

export const bench: BenchFile = {
	title: 'Calls to suspended executions',
	how: 'An execution with 300 rows is suspended in VideoGen Wait for Job, or in n8n’s Wait node, and is called. n8n loads the whole execution for each call, which is the least that a call can cost.',
	short: false,
	run: async ({ startOwn }) => await measure(await startOwn()),
};
