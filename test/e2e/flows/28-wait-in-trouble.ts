import assert from 'node:assert/strict';
import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import { packageName, publicOrigin, withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { itemsOf, type WorkflowDraft } from '../n8n';
import { byId, chain, errorText, itemsNode, start } from '../workflows';

const waitType = `${packageName}.videoGenWait`;

const to = (node: string, index = 0) => ({ node, type: 'main' as const, index });

/** The nodes of a chain, with a wait behind them, and a node behind that. */
function waitingDraft(
	draft: WorkflowDraft,
	last: string,
	{ looped = true, parameters = {} }: { looped?: boolean; parameters?: INodeParameters } = {},
): WorkflowDraft {
	const nodes: INode[] = [
		...draft.nodes,
		{
			id: 'wait',
			name: 'Wait',
			type: waitType,
			typeVersion: 1,
			position: [1600, 0],
			webhookId: crypto.randomUUID(),
			parameters: { authentication: 'apiKey', ...parameters },
		},
		{
			id: 'done',
			name: 'Done',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			position: [1824, 0],
			parameters: {
				mode: 'raw',
				jsonOutput:
					'={{ { row: $("Items").item.json.row, video_id: $json.video_id, job: $json.job, status: $json.status } }}',
				options: {},
			},
		},
	];
	const connections: IConnections = {
		...draft.connections,
		[last]: { main: [[to('Wait')]] },
		Wait: { main: [looped ? [to('Wait')] : [], [to('Done')]] },
	};
	return { ...draft, nodes, connections };
}

const rows = (count: number) => Array.from({ length: count }, (_, row) => ({ row }));

const film = (name: string, more: INodeParameters = {}) => ({
	name,
	type: 'video',
	parameters: {
		operation: 'createAvatar',
		avatar_id: byId('look_001_1'),
		speechFrom: 'text',
		script: '=Hello number {{ $("Items").item.json.row }}, this is a long enough text.',
		voice_id: byId('voice_001'),
		waitForCompletion: false,
		...more,
	},
});

const here = { options: { callBackHere: true } };

export const flow: Flow = {
	name: 'waits that are put aside survive a kill, forged calls and bursts, and go on once each',
	run: async (context) => {
		const { n8n, credential, simulator } = await context.startOwn();
		const { control } = simulator;
		control.holdJobs(true);
		const save = async (draft: WorkflowDraft) =>
			(await n8n.createWorkflow(withCredential(draft, credential))).id;
		const suspended = async (draft: WorkflowDraft) => {
			const execution = await n8n.run(await save(draft), { until: ['waiting'] });
			assert.equal(execution.status, 'waiting', errorText(execution));
			return execution.id;
		};
		/** The address that the newest create gave to the service, on this machine. */
		const address = () => {
			const { body } = control.requests({ method: 'POST' }).at(-1) ?? {};
			const url = new URL(String((body as { callback_url?: string }).callback_url));
			assert.equal(url.origin, publicOrigin);
			return new URL(url.pathname + url.search, n8n.baseUrl);
		};
		const call = async (url: URL | string) => {
			const response = await fetch(url, { method: 'POST', body: '{"event_type":"done"}' });
			return { status: response.status, text: await response.text() };
		};

		const many = await suspended(
			waitingDraft(chain('Many', [start, ...itemsNode(rows(30)), film('Create', here)]), 'Create'),
		);
		const address1 = address();
		const alone = await suspended(
			waitingDraft(chain('Alone', [start, ...itemsNode(rows(1)), film('Create')]), 'Create'),
		);
		const other = await suspended(
			waitingDraft(chain('Other', [start, ...itemsNode(rows(1)), film('Create', here)]), 'Create'),
		);
		const address2 = address();

		const unwired = await n8n.run(
			await save(
				waitingDraft(chain('Unwired', [start, ...itemsNode(rows(2)), film('Create')]), 'Create', {
					looped: false,
				}),
			),
		);
		assert.equal(unwired.status, 'error');
		assert.match(errorText(unwired), /"Still Running" is not connected back/);
		for (const { json } of itemsOf(unwired, 'Create')) {
			assert.ok(errorText(unwired).includes(String(json.video_id)));
		}

		// Forged calls.
		const bare = new URL(address1);
		bare.search = '';
		const foreign = new URL(address1);
		foreign.search = address2.search;
		const elsewhere = new URL(address1);
		elsewhere.pathname = elsewhere.pathname.replace(/\/videogen$/, '');
		for (const [url, status] of [
			[bare, 401],
			[foreign, 401],
			[elsewhere, 404],
		] as const) {
			assert.equal((await call(url)).status, status, url.href);
		}
		const early = await call(address1);
		assert.deepEqual([early.status, /Not all jobs have ended/.test(early.text)], [200, true]);
		const lookUp = async (id: string) => (await n8n.execution(id)).status;
		assert.equal(await lookUp(many), 'waiting');

		await n8n.kill();
		await n8n.restart();
		for (const id of [many, alone, other]) assert.equal(await lookUp(id), 'waiting');

		const before = control.requests({ method: 'GET' }).length;
		const releasedAt = Date.now();
		control.holdJobs(false);
		for (const [id, count] of [
			[many, 30],
			[other, 1],
			[alone, 1],
		] as const) {
			const done = await n8n.waitForExecution({ id }, { timeoutMs: 150_000 });
			context.log(`${id} went on after ${Date.now() - releasedAt} ms`);
			assert.equal(done.status, 'success', errorText(done));
			const films = itemsOf(done, 'Done');
			const made = itemsOf(done, 'Create');
			assert.equal(done.data.resultData.runData.Done?.length, 1, 'once');
			assert.equal(films.length, count);
			films.forEach(({ json }, i) => {
				assert.equal(json.row, i);
				assert.equal(json.video_id, made[i]?.json.video_id);
				assert.equal(json.status, 'completed');
			});
		}
		context.log(`reads: ${control.requests({ method: 'GET' }).length - before}`);
		const calls = control
			.deliveries()
			.map(({ url, status, attempt }) => `${url.slice(-60, -50)} ${status} ${attempt}`);
		context.log(calls.join('\n'));

		// Killed in the middle of a look: n8n's Retry finishes it.
		control.holdJobs(true);
		const cut = await suspended(
			waitingDraft(chain('Cut', [start, ...itemsNode(rows(1)), film('Create', here)]), 'Create'),
		);
		const address3 = address();
		control.clock.advance(100);
		control.holdJobs(false);
		control.fail({ method: 'GET', path: /videos/, delayMs: 4_000 });
		context.log(JSON.stringify(await call(address3)));
		await new Promise((resolve) => setTimeout(resolve, 1500));
		context.log(await lookUp(cut));
		await n8n.kill();
		control.clearFaults();
		await n8n.restart();
		context.log(await lookUp(cut));
		const retried = await n8n
			.api<{ id: string }>('POST', `/executions/${cut}/retry`, { loadWorkflow: false })
			.catch((e: unknown) => ({ id: String(e) }));
		context.log(JSON.stringify(retried).slice(0, 300));
		const after = await n8n.waitForExecution({
			workflowId: (await n8n.execution(cut)).workflowId,
			afterId: cut,
		});
		context.log(`${after.status} ${JSON.stringify(itemsOf(after, 'Done'))}`);

		// Sub-workflow.
		control.holdJobs(true);
		const child = waitingDraft(
			chain('Child', [
				{
					name: 'Called',
					type: 'n8n-nodes-base.executeWorkflowTrigger',
					parameters: { inputSource: 'passthrough' },
					more: { typeVersion: 1.1 },
				},
				...itemsNode(rows(2)),
				film('Create', here),
			]),
			'Create',
		);
		const childId = await save(child);
		await n8n.activate(childId).catch((e: unknown) => context.log(String(e)));
		const parentId = await save(
			chain('Parent', [
				start,
				{
					name: 'Run',
					type: 'n8n-nodes-base.executeWorkflow',
					parameters: { workflowId: { __rl: true, mode: 'id', value: childId }, options: {} },
					more: { typeVersion: 1.2 },
				},
				{ name: 'End', type: 'n8n-nodes-base.noOp' },
			]),
		);
		const parent = await n8n.run(parentId, { until: ['waiting'] });
		context.log(`parent ${parent.status}`);
		control.holdJobs(false);
		const parentDone = await n8n.waitForExecution({ id: parent.id }, { timeoutMs: 100_000 });
		context.log(
			`parent ${parentDone.status} ${errorText(parentDone)} ${JSON.stringify(itemsOf(parentDone, 'Run')).slice(0, 1500)}`,
		);
		const [childRun] = await n8n.executions({ workflowId: childId });
		context.log(JSON.stringify(childRun));
		context.log(
			n8n
				.logs()
				.split('\n')
				.filter((line) => /VideoGen|rror/.test(line))
				.slice(0, 40)
				.join('\n'),
		);
	},
};
