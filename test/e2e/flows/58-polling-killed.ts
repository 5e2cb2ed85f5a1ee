import assert from 'node:assert/strict';
import { createRandom } from '../../../simulator/faults';
import { packageName, withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { itemsOf } from '../n8n';
import { chain, everyTenSeconds, until } from '../workflows';

/** Number of videos and of kills. JOBS=3000 KILLS=20 is the long form. */
const jobs = Number(process.env.JOBS ?? 150);
const kills = Number(process.env.KILLS ?? 2);

/**
 * Milliseconds within which n8n polls again after a kill. If it is killed while it publishes a
 * workflow, it waits for the end of its own lease of two minutes, and looks every 15 seconds
 * (`N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS`).
 */
const longestStart = 180_000;

const pause = async (milliseconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, milliseconds));

export const flow: Flow = {
	name: 'two polling triggers, n8n killed at random, and lists that grow while they are read: each video once',
	isWeekly: true,
	run: async (context) => {
		const { n8n, simulator, credential } = await context.startOwn();
		const { control } = simulator;
		control.setWorkspace({ jobsAtOnce: 100_000 });
		const random = createRandom(Number(process.env.SEED ?? 1));
		const created: string[] = [];
		const createVideo = async () => {
			const response = await fetch(`${simulator.baseUrl}/v3/videos`, {
				method: 'POST',
				headers: { 'x-api-key': simulator.apiKey, 'content-type': 'application/json' },
				body: JSON.stringify({
					type: 'avatar',
					avatar_id: 'look_001_1',
					voice_id: 'voice_001',
					script: 'Hello there, this is a long enough text.',
				}),
			});
			const { data } = (await response.json()) as { data: { video_id: string } };
			assert.equal(response.status, 200);
			created.push(data.video_id);
		};
		const polls = () => control.requests({ method: 'GET', path: '/v3/videos' }).length;

		const workflows: string[] = [];
		for (const name of ['First', 'Second']) {
			const type = `${packageName}.videoGenPollingTrigger`;
			const draft = chain(name, [
				{ name: 'Video', type, parameters: { source: 'videos', pollTimes: everyTenSeconds } },
				{ name: 'Done', type: 'n8n-nodes-base.noOp' },
			]);
			const before = polls();
			const { id } = await n8n.createWorkflow(withCredential(draft, credential));
			await n8n.activate(id);
			await until('the first poll', () => polls() > before);
			workflows.push(id);
		}

		const runs = async (workflowId: string) => await n8n.executions({ workflowId });
		const isRunning = ({ status }: { status: string }) => ['running', 'new'].includes(status);
		const retried = new Set<string>();
		/** Continues what was killed after it had begun, as the user does with Retry. */
		const retryCrashed = async (workflowId: string) => {
			for (const { id, status } of await runs(workflowId)) {
				if (status !== 'crashed' || retried.has(id)) continue;
				retried.add(id);
				await n8n.api('POST', `/executions/${id}/retry`, { loadWorkflow: false });
			}
		};
		const outputs = async (workflowId: string) => {
			const videos: string[] = [];
			for (const { id, status } of await runs(workflowId)) {
				if (status !== 'success') continue;
				const execution = await n8n.execution(id);
				videos.push(...itemsOf(execution, 'Done').map(({ json }) => String(json.video_id)));
			}
			return videos;
		};

		// Rows move between the pages of a list, because videos are created while it is read.
		let lateStarts = 0;
		const perKill = Math.ceil(jobs / kills);
		for (let kill = 0; kill < kills; kill++) {
			const before = polls();
			const isPolled = () => polls() > before;
			for (let i = 0; i < perKill / 2; i++) await createVideo();
			// The next poll of the schedule.
			const patient = Date.now() + longestStart;
			while (!isPolled() && Date.now() < patient) await pause(5);
			assert.ok(isPolled(), `a poll after kill ${kill}; n8n's log:\n${n8n.logs()}`);
			if (Date.now() > patient - longestStart + 60_000) lateStarts++;
			const moment = Date.now() + random() * 400;
			while (Date.now() < moment && created.length < jobs) await createVideo();
			await pause(Math.max(moment - Date.now(), 0));
			await n8n.kill();
			while (created.length < Math.min(perKill * (kill + 1), jobs)) await createVideo();
			await n8n.restart();
			context.log(`  kill ${kill + 1}: ${created.length} videos`);
		}
		for (const id of workflows) {
			await until(
				'all videos',
				async () => {
					await retryCrashed(id);
					if ((await runs(id)).some(isRunning)) return false;
					return (await outputs(id)).length >= created.length;
				},
				240_000,
			);
			assert.deepEqual([...(await outputs(id))].sort(), [...created].sort(), 'once each');
		}
		context.log(
			`  ${created.length} videos, ${kills} kills: ${retried.size} runs needed n8n's Retry; n8n published the triggers late ${lateStarts} times`,
		);
	},
};
