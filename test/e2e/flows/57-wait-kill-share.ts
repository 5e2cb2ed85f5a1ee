import assert from 'node:assert/strict';
import { createRandom } from '../../../simulator/faults';
import { withCredential } from '../../../tools/stage';

import type { Flow } from '../flow';
import { type Execution, itemsOf } from '../n8n';
import { here, rows, videoLink, waitingDraft } from '../waits';
import { chain, errorText, itemsNode, start, until } from '../workflows';

/** How often n8n is killed. KILLS=200 is the long form. */
const kills = Number(process.env.KILLS ?? 2);

/** Suspended executions at each kill. */
const atOnce = 16;

/** Latest moment of a kill, in milliseconds after the first call. */
const latest = 2_500;

function assertOwn(execution: Execution): void {
	assert.equal(execution.status, 'success', errorText(execution));
	const [created] = itemsOf(execution, 'Create');
	assert.deepEqual(
		itemsOf(execution, 'Done').map(({ json }) => [json.video_id, json.status]),
		[[created?.json.video_id, 'completed']],
	);
}

export const flow: Flow = {
	name: 'n8n killed at random moments during a burst of callbacks: how many suspended executions need Retry',
	isWeekly: true,
	run: async (context) => {
		const { n8n, credential, simulator } = await context.startOwn();
		const { control } = simulator;
		const random = createRandom(Number(process.env.SEED ?? 1));
		const draft = waitingDraft(
			chain('Videos', [start, ...itemsNode(rows(1)), videoLink('Create', here)]),
			'Create',
		);
		const workflow = (await n8n.createWorkflow(withCredential(draft, credential))).id;
		const reads = () => control.requests({ method: 'GET', path: /videos/ }).length;
		const all: string[] = [];
		const crashed = new Set<string>();
		/** Executions that were killed after what follows the wait had run. */
		let followed = 0;
		for (let kill = 0; kill < kills; kill++) {
			control.holdJobs(true);
			control.setWorkspace({ jobsAtOnce: 100_000 });
			const ids: string[] = [];
			for (let i = 0; i < atOnce; i++) ids.push(await n8n.start(workflow));
			for (const id of ids) {
				const { status } = await n8n.waitForExecution({ id }, { until: ['waiting'] });
				assert.equal(status, 'waiting');
			}
			const before = reads();
			control.fail({ method: 'GET', path: /videos/, delayMs: 300 });
			control.holdJobs(false);
			await until('the callbacks', () => reads() > before);
			await new Promise((resolve) => setTimeout(resolve, random() * latest));
			await n8n.kill();
			control.clearFaults();
			await n8n.restart();
			for (const id of ids) {
				if ((await n8n.execution(id)).status === 'crashed') crashed.add(id);
			}
			all.push(...ids);
			context.log(`  kill ${kill + 1}: ${crashed.size} of ${all.length} executions crashed`);
		}
		const suspended = ['waiting', 'running', 'new'];
		const finish = async (id: string) => {
			let ended = await n8n.execution(id);
			await until(
				`execution ${id}`,
				async () => !suspended.includes((ended = await n8n.execution(id)).status),
				400_000,
			);
			return ended;
		};
		for (const id of all) {
			const ended = await finish(id);
			if (ended.status !== 'crashed') {
				assertOwn(ended);
				continue;
			}
			crashed.add(id);
			if (ended.data.resultData.runData.Done) followed++;
			const { id: again } = await n8n.api<{ id: string }>('POST', `/executions/${id}/retry`, {
				loadWorkflow: false,
			});
			assertOwn(await finish(String(again)));
		}
		assert.equal(control.jobs('video').length, all.length, 'none is made twice');
		context.log(
			`  ${kills} kills, ${all.length} executions: ${crashed.size} needed n8n's Retry, ${followed} of them after the wait`,
		);
	},
};
