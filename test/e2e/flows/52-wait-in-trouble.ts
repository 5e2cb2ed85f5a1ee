import assert from 'node:assert/strict';
import type { INodeParameters } from 'n8n-workflow';
import { publicOrigin, withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { itemsOf, type WorkflowDraft } from '../n8n';
import { videoLink, here, rows, waitingDraft } from '../waits';
import { byId, chain, errorText, itemsNode, type Link, start, until } from '../workflows';

/** A workflow that runs another one with two items, and waits for what it gives out. */
const parentOf = (childId: string) =>
	chain('Parent', [
		start,
		...itemsNode(rows(2)),
		{
			name: 'Run',
			type: 'n8n-nodes-base.executeWorkflow',
			parameters: { workflowId: byId(childId), options: {} },
			more: { typeVersion: 1.2 },
		},
	]);

/** Begins a workflow that another one runs. */
const called: Link = {
	name: 'Called',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	parameters: { inputSource: 'passthrough' },
	more: { typeVersion: 1.1 },
};

export const flow: Flow = {
	name: 'suspended waits survive a kill, forged callbacks and bursts, and continue once each',
	isWeekly: true,
	older: 'main',
	run: async (context) => {
		const { n8n, credential, simulator } = await context.startOwn();
		const { control } = simulator;
		control.holdJobs(true);
		// An account that may run them all: none ends while they are held.
		control.setWorkspace({ jobsAtOnce: 5_000 });
		const save = async (draft: WorkflowDraft) =>
			(await n8n.createWorkflow(withCredential(draft, credential))).id;
		const suspended = async (id: string) => {
			const execution = await n8n.run(id, { until: ['waiting'] });
			assert.equal(execution.status, 'waiting', errorText(execution));
			return execution.id;
		};
		const statusOf = async (id: string) => (await n8n.execution(id)).status;
		/** So many videos that are waited for in a workflow of their own. */
		const videosOf = (count: number, more: INodeParameters, first: Link = start) => {
			const list = itemsNode(rows(count)).map((link) => ({
				...link,
				more: { ...link.more, executeOnce: true },
			}));
			return waitingDraft(chain('Videos', [first, ...list, videoLink('Create', more)]), 'Create');
		};
		/** The address that an execution gave to the service, on this machine. */
		const address = (id: string) => {
			const urls = control
				.requests({ method: 'POST' })
				.map(({ body }) => (body as { callback_url?: string }).callback_url ?? '')
				.filter((one) => one.includes(`/${id}/`));
			const url = new URL(String(urls[0]));
			assert.equal(url.origin, publicOrigin);
			return new URL(url.pathname + url.search, n8n.baseUrl);
		};
		const call = async (url: URL) => {
			const response = await fetch(url, { method: 'POST', body: '{"event_type":"done"}' });
			return { status: response.status, text: await response.text() };
		};
		const goesOn = async (id: string, count: number) => {
			const done = await n8n.waitForExecution({ id }, { timeoutMs: 200_000 });
			assert.equal(done.status, 'success', errorText(done));
			const made = itemsOf(done, 'Create');
			assert.equal(done.data.resultData.runData.Done?.length, 1, 'once');
			assert.deepEqual(
				itemsOf(done, 'Done').map(({ json }) => [json.row, json.video_id, json.status]),
				made.map(({ json }, row) => [row, json.video_id, 'completed']),
			);
			assert.equal(made.length, count);
		};
		const parentGoesOn = async (id: string) => {
			const done = await n8n.waitForExecution({ id }, { timeoutMs: 200_000 });
			assert.equal(done.status, 'success', errorText(done));
			assert.deepEqual(
				itemsOf(done, 'Run').map(({ json }) => [json.row, json.status]),
				[
					[0, 'completed'],
					[1, 'completed'],
				],
			);
		};

		// Put aside: thirty that the service calls for, one that nobody calls for, and a parent.
		// At the same time: n8n's timers resume them about a minute later, and none may run when n8n is killed.
		const childOf = async (more: INodeParameters) => {
			const id = await save(videosOf(2, more, called));
			await n8n.activate(id);
			return id;
		};
		// On n8n 1, a sub-workflow waits in place, and would not survive the kill.
		const parentDrafts = n8n.line.returnsOutputAfterWait ? [parentOf(await childOf({}))] : [];
		const drafts = [videosOf(30, here), videosOf(1, here), videosOf(1, {}), ...parentDrafts];
		const workflows = await Promise.all(drafts.map(save));
		const [many = '', other = '', alone = '', ...parents] = await Promise.all(
			workflows.map(suspended),
		);
		const [manyAddress, otherAddress] = [address(many), address(other)];

		// Calls that are forged, or too early.
		const [bare, foreign, elsewhere] = [manyAddress, manyAddress, manyAddress].map(
			(url) => new URL(url),
		) as [URL, URL, URL];
		bare.search = '';
		foreign.search = otherAddress.search;
		elsewhere.pathname = elsewhere.pathname.replace(/\/videogen$/, '');
		const rejected = [bare, foreign, elsewhere].map(async (url) => (await call(url)).status);
		// Where n8n's addresses hold no token, a call is let in, and the node believes it nothing.
		const stranger = n8n.line.signsResumeUrls ? 401 : 200;
		assert.deepEqual(await Promise.all(rejected), [stranger, stranger, 404]);
		const early = await call(manyAddress);
		assert.match(`${early.status} ${early.text}`, /^200 .*Received/);
		assert.equal(await statusOf(many), 'waiting');

		await n8n.kill();
		await n8n.restart();
		for (const id of [many, other, alone]) assert.equal(await statusOf(id), 'waiting');

		// All end at the same time: the service calls thirty times.
		const reads = () => control.requests({ method: 'GET' }).length;
		const before = reads();
		control.holdJobs(false);
		control.setWorkspace({ jobsAtOnce: 10 });
		await goesOn(many, 30);
		await goesOn(other, 1);
		const own = [manyAddress, otherAddress].map(({ pathname }) => pathname);
		const calls = control
			.deliveries()
			.filter(({ url, attempt }) => attempt === 1 && own.includes(new URL(url).pathname))
			.map(({ status, error = '' }) => status ?? (/timeout/.test(error) ? 'too late' : error));
		assert.ok(calls.length >= 31);
		// On a slow machine the one call that is looked after may have to come again.
		const comeAgain = [503, 'too late'];
		const later = calls.filter((status) => comeAgain.includes(status));
		assert.ok(later.length <= 2, calls.join());
		assert.deepEqual(
			calls.filter((status) => status !== 200 && !later.includes(status)),
			[],
		);
		// Once for the calls and once to give them out, with the lookups of many; not once for each call.
		assert.ok(reads() - before < 100, `${reads() - before} reads`);

		// None may be about to continue when n8n is killed again.
		await goesOn(alone, 1);
		for (const id of parents) await parentGoesOn(id);

		// Killed while a callback reads the jobs: the suspended execution continues automatically.
		control.holdJobs(true);
		control.setWorkspace({ jobsAtOnce: 5_000 });
		const cut = await suspended(await save(videosOf(1, here)));
		const cutAddress = address(cut);
		control.fail({ method: 'GET', path: /videos/, delayMs: 5_000 });
		const beforeCut = reads();
		assert.equal((await call(cutAddress)).status, 200);
		await until('the read', () => reads() > beforeCut);
		await n8n.kill();
		control.clearFaults();
		control.holdJobs(false);
		control.setWorkspace({ jobsAtOnce: 10 });
		await n8n.restart();
		await goesOn(cut, 1);

		// A parent gets what its child gives out at its end, whatever wakes the child.
		control.holdJobs(true);
		control.setWorkspace({ jobsAtOnce: 5_000 });
		const childCalled = await childOf(here);
		const parentWorkflow = await save(parentOf(childCalled));
		const parentCalled = await (n8n.line.returnsOutputAfterWait
			? suspended(parentWorkflow)
			: n8n.start(parentWorkflow));
		control.holdJobs(false);
		control.setWorkspace({ jobsAtOnce: 10 });
		await parentGoesOn(parentCalled);
	},
};
