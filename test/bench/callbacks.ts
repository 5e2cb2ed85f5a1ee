/** What a callback to a suspended execution costs n8n. */
import assert from 'node:assert/strict';
import type { Stage } from '../../tools/stage';
import { itemsOf, type WorkflowDraft } from '../e2e/n8n';
import { here, rows, videoLink, waitingDraft } from '../e2e/waits';
import { chain, itemsNode, start, until } from '../e2e/workflows';
import { save } from '../faults/creates';
import { noOp } from '../faults/deliveries';
import { median } from './rounds';
import type { BenchFile } from './section';

const rowCount = 300;
const calls = 20;
/** Calls that arrive at the same time. */
const burst = 200;

const pause = async (milliseconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, milliseconds));

const items = [start, ...itemsNode(rows(rowCount))];

/** One execution per callback: n8n's Wait node continues at the first one. */
const ownWait: WorkflowDraft = chain("n8n's Wait", [
	...items,
	{
		name: 'Address',
		type: 'n8n-nodes-base.set',
		parameters: {
			mode: 'raw',
			jsonOutput: '={{ { row: $json.row, url: $execution.resumeUrl } }}',
			options: {},
		},
		more: { typeVersion: 3.4 },
	},
	{
		name: 'Wait',
		type: 'n8n-nodes-base.wait',
		parameters: { resume: 'webhook', httpMethod: 'POST', options: {} },
		more: { typeVersion: 1.1, webhookId: crypto.randomUUID() },
	},
	noOp('Done'),
]);

async function post(url: URL): Promise<void> {
	const response = await fetch(url, { method: 'POST', body: '{"event_type":"done"}' });
	await response.text();
	assert.equal(response.status, 200);
}

/** Sends calls one after the other; returns n8n's times for one call in milliseconds. */
async function measure({ n8n }: Stage, urls: readonly URL[]) {
	const cpu = n8n.cpuSeconds();
	const times: number[] = [];
	for (const url of urls) {
		const began = performance.now();
		await post(url);
		times.push(performance.now() - began);
		// What n8n does after the response counts too.
		await pause(500);
	}
	const idle = n8n.cpuSeconds();
	await pause(urls.length * 500);
	const busy = idle - cpu - (n8n.cpuSeconds() - idle);
	return { response: median(times), cpu: (busy * 1_000) / urls.length };
}

/** An address that n8n tells, on this machine. */
const onThisMachine = (told: string, baseUrl: string) => {
	const { pathname, search } = new URL(told);
	return new URL(pathname + search, baseUrl);
};

export const bench: BenchFile = {
	title: 'Callbacks',
	how: `An execution of ${rowCount} rows is suspended by VideoGen Wait for Job while all its jobs are running. It receives callbacks, and stays suspended. n8n's Wait node suspends ${calls} executions of ${rowCount} rows, and each of them continues when it is called. CPU time is that of n8n's main process, including what it does after the response, and without what it uses when idle.`,
	short: false,
	async run({ startOwn, log }) {
		const stage = await startOwn({ simulator: { jobSeconds: 0 } });
		const { n8n, simulator } = stage;
		const { control } = simulator;
		control.holdJobs(true);
		control.setWorkspace({ jobsAtOnce: 5_000 });
		const suspended = async (id: string) =>
			await n8n.waitForExecution({ id }, { until: ['waiting'], timeoutMs: 300_000 });

		const ours = await n8n.start(
			await save(
				stage,
				waitingDraft(chain('Ours', [...items, videoLink('Create', here)]), 'Create'),
			),
		);
		await suspended(ours);
		const [sent] = control.requests({ method: 'POST', path: '/v3/videos' });
		const told = (sent?.body as { callback_url: string }).callback_url;
		const callback = onThisMachine(told, n8n.baseUrl);

		const theirs = await save(stage, ownWait);
		const resumes: URL[] = [];
		for (let i = 0; i <= calls; i++) {
			const { data } = await suspended(await n8n.start(theirs));
			const [item] = data.resultData.runData.Address?.at(-1)?.data?.main?.[0] ?? [];
			resumes.push(onThisMachine(String(item?.json.url), n8n.baseUrl));
		}
		// n8n loads what it needs with the first call.
		await post(callback);
		await post(resumes.pop()!);
		await pause(5_000);

		const own = await measure(
			stage,
			Array.from({ length: calls }, () => callback),
		);
		const other = await measure(stage, resumes);
		const ended = async () =>
			(await n8n.executions({ workflowId: theirs, status: ['success'] })).length === calls + 1;
		await until("n8n's Wait to continue", ended, 60_000);
		log(`  a callback: ${own.response.toFixed(0)} ms, ${own.cpu.toFixed(0)} ms of CPU time`);

		const reads = () => control.requests({ method: 'GET' }).length;
		const before = reads();
		const began = performance.now();
		await Promise.all(Array.from({ length: burst }, async () => await post(callback)));
		const seconds = (performance.now() - began) / 1_000;
		await pause(5_000);
		const requests = reads() - before;

		control.holdJobs(false);
		const done = await n8n.waitForExecution({ id: ours }, { timeoutMs: 300_000 });
		const finished = itemsOf(done, 'Done');
		const right = finished.filter(({ json }, row) => json.row === row).length;
		return [
			{
				what: 'CPU time of n8n for one callback',
				beside: "n8n's Wait node",
				ours: `${own.cpu.toFixed(0)} ms`,
				theirs: `${other.cpu.toFixed(0)} ms`,
				value: own.cpu / other.cpu,
				goal: { most: 1 },
			},
			{
				what: 'Time until n8n has answered one callback',
				beside: "n8n's Wait node",
				ours: `${own.response.toFixed(0)} ms`,
				theirs: `${other.response.toFixed(0)} ms`,
				value: own.response / other.response,
				goal: { most: 1 },
			},
			{
				what: `${burst} callbacks at the same time: time until all are answered, and requests to the service`,
				ours: `${seconds.toFixed(1)} s, ${requests} requests`,
				value: requests / burst,
				goal: { most: 1 },
			},
			{
				what: 'Rows of the execution that continue in order after their jobs have ended',
				ours: `${right} of ${rowCount}`,
				value: right / rowCount,
				goal: { least: 1 },
			},
		];
	},
};
