import assert from 'node:assert/strict';
import type { INode } from 'n8n-workflow';
import { withCredential } from '../../../tools/stage';
import { logText } from '../../faults/jobs';
import type { Flow } from '../flow';
import { type Execution, itemsOf, type WorkflowDraft } from '../n8n';
import { videoLink, here, rows, to, waitingDraft } from '../waits';
import { chain, errorText, itemsNode, start, until } from '../workflows';

const films = (count: number) =>
	waitingDraft(
		chain('Videos', [start, ...itemsNode(rows(count)), videoLink('Create', here)]),
		'Create',
	);

/** The rows go two by two through a loop of n8n's, in which each pair is waited for. */
function looping(): WorkflowDraft {
	const draft = films(6);
	const loop: INode = {
		...{ id: 'loop', name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
		...{ position: [400, 200], parameters: { batchSize: 2, options: {} } },
	};
	return {
		...draft,
		nodes: [...draft.nodes, loop],
		connections: {
			...draft.connections,
			Items: { main: [[to('Loop')]] },
			Loop: { main: [[to('Done')], [to('Create')]] },
			Wait: { main: [[to('Wait')], [to('Loop')]] },
		},
	};
}

/** Waits for videos of which the IDs are known. */
function named(ids: string[]): WorkflowDraft {
	const draft = waitingDraft(
		chain('Named', [start, ...itemsNode(ids.map((id) => ({ id })))]),
		'Items',
	);
	const nodes = draft.nodes
		.filter(({ name }) => name !== 'Done')
		.map((node) => {
			if (node.name !== 'Wait') return node;
			const byId = { jobs: 'id', kind: 'video', job_id: '={{ $json.id }}' };
			return { ...node, parameters: { ...node.parameters, ...byId } };
		});
	return { ...draft, nodes, connections: { ...draft.connections, Wait: { main: [[to('Wait')]] } } };
}

/** What came out, once: each row with the video that was made for it. */
function assertOwn(execution: Execution, count: number): void {
	assert.equal(execution.status, 'success', errorText(execution));
	assert.equal(execution.data.resultData.runData.Done?.length, 1, 'once');
	const made = (execution.data.resultData.runData.Create ?? []).flatMap(
		({ data }) => data?.main?.[0] ?? [],
	);
	assert.deepEqual(
		itemsOf(execution, 'Done').map(({ json }) => [json.row, json.video_id, json.status]),
		made.map(({ json }, row) => [row, json.video_id, 'completed']),
	);
	assert.equal(made.length, count);
}

export const flow: Flow = {
	name: 'waits in an n8n loop, and n8n killed between create and wait and during a burst of callbacks',
	run: async (context) => {
		const { n8n, credential, simulator } = await context.startOwn();
		const { control } = simulator;
		const videos = () => control.jobs('video').length;
		const save = async (draft: WorkflowDraft) =>
			(await n8n.createWorkflow(withCredential(draft, credential))).id;
		const statusOf = async (id: string) => (await n8n.execution(id)).status;
		const retried = async (id: string) => {
			const { id: again } = await n8n.api<{ id: string }>('POST', `/executions/${id}/retry`, {
				loadWorkflow: false,
			});
			return await n8n.waitForExecution({ id: String(again) }, { timeoutMs: 200_000 });
		};

		assertOwn(await n8n.run(await save(looping()), { timeoutMs: 300_000 }), 6);

		// Killed while the videos are read, before the execution is suspended.
		const looks = () => control.requests({ method: 'GET', path: /videos/ }).length;
		const cutBetween = async (saveExecutionProgress: boolean) => {
			control.holdJobs(true);
			// An account that may run them all: none ends while they are held.
			control.setWorkspace({ jobsAtOnce: 5_000 });
			control.fail({ method: 'GET', path: /videos/, delayMs: 20_000 });
			const before = looks();
			const draft = films(2);
			const settings = { ...draft.settings, saveExecutionProgress };
			const id = await n8n.start(await save({ ...draft, settings }));
			await until('the first status check', () => looks() > before);
			await n8n.kill();
			control.clearFaults();
			await n8n.restart();
			await until(
				'n8n to list the interrupted execution as crashed',
				async () => (await statusOf(id)) === 'crashed',
			);
			control.holdJobs(false);
			control.setWorkspace({ jobsAtOnce: 10 });
			// Else they are waited for by n8n's timer, a minute each time.
			const all = () => control.jobs('video') as Array<{ ended: boolean }>;
			await until('the videos', () => all().every(({ ended }) => ended), 60_000);
			return id;
		};
		const made = videos();
		assertOwn(await retried(await cutBetween(true)), 2);
		assert.equal(videos(), made + 2, 'none is made twice');
		// n8n has nothing of the videos then: its log names them, and they are waited for by their IDs.
		await assert.rejects(retried(await cutBetween(false)), /cannot be retried/);
		const cut = (control.jobs('video') as Array<{ id: string }>).slice(-2).map(({ id }) => id);
		for (const id of cut) assert.ok(logText({ n8n }).includes(id), `the log names ${id}`);
		const found = await n8n.run(await save(named(cut)), { timeoutMs: 200_000 });
		assert.deepEqual(
			itemsOf(found, 'Wait', 1).map(({ json }) => [json.video_id, json.status]),
			cut.map((id) => [id, 'completed']),
		);
		assert.equal(videos(), made + 4, 'none is made twice');

		// Killed while the service calls twenty executions: most are being looked after.
		control.holdJobs(true);
		control.setWorkspace({ jobsAtOnce: 5_000 });
		const workflow = await save(films(1));
		const ids = await Promise.all(
			Array.from({ length: 20 }, async () => await n8n.start(workflow)),
		);
		for (const id of ids) {
			const { status } = await n8n.waitForExecution({ id }, { until: ['waiting'] });
			assert.equal(status, 'waiting');
		}
		const asked = videos();
		const calm = looks();
		control.fail({ method: 'GET', path: /videos/, delayMs: 3_000 });
		control.holdJobs(false);
		control.setWorkspace({ jobsAtOnce: 10 });
		await until('the callbacks', () => looks() > calm);
		await n8n.kill();
		control.clearFaults();
		await n8n.restart();
		const crashed = await Promise.all(
			ids.map(async (id) => {
				const ended = await n8n.waitForExecution({ id }, { timeoutMs: 300_000 });
				const isCrashed = ended.status === 'crashed';
				assertOwn(isCrashed ? await retried(id) : ended, 1);
				return isCrashed;
			}),
		);
		assert.equal(videos(), asked, 'none is made twice');
		context.log(`  ${crashed.filter(Boolean).length} of ${ids.length} needed n8n's Retry`);
	},
};
