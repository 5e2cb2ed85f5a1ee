import assert from 'node:assert/strict';
import { packageName, withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { itemsOf } from '../n8n';
import { makeVideo } from '../triggerFlow';
import { chain, errorText, everyTenSeconds, succeeded, until } from '../workflows';

const type = `${packageName}.videoGenPollingTrigger`;

/** Milliseconds after which n8n is killed once it has asked the service: around the two writes. */
const kills = [0, 40];

const pause = async (milliseconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, milliseconds));

export const flow: Flow = {
	name: 'the polling trigger: 500 events from while n8n was off are output once each, whenever n8n is killed',
	run: async (context) => {
		const stage = await context.startOwn();
		const { n8n, simulator, credential } = stage;
		const { control } = simulator;
		// Nobody answers there: the service lists what it tried to deliver.
		const registered = await fetch(`${simulator.baseUrl}/v3/webhooks/endpoints`, {
			method: 'POST',
			headers: { 'x-api-key': simulator.apiKey, 'content-type': 'application/json' },
			body: JSON.stringify({ url: 'https://nobody.example/events' }),
		});
		assert.equal(registered.status, 200);
		let made = 0;
		const wanted: string[] = [];
		const emit = (count: number) => {
			for (let i = 0; i < count; i++) {
				const video = `v${++made}`;
				control.emit('avatar_video.success', { video_id: video });
				wanted.push(video);
			}
		};
		const asked = () => control.requests({ path: '/v3/webhooks/events' }).length;

		emit(20);
		const draft = chain('Poll', [
			{
				name: 'Event',
				type,
				parameters: { source: 'events', events: [], pollTimes: everyTenSeconds },
			},
			{ name: 'Done', type: 'n8n-nodes-base.noOp' },
		]);
		const { id } = await n8n.createWorkflow(withCredential(draft, credential));

		// In the editor, before it is published.
		const test = await n8n.run(id, { trigger: 'Event' });
		const shown = succeeded(test, 'Done').map(({ json }) => json.video_id);
		assert.deepEqual(shown, ['v20', 'v19', 'v18', 'v17', 'v16'], 'Fetch Test Event');

		await n8n.activate(id);
		await until('the first poll', () => asked() > 1);
		wanted.length = 0;

		const runs = async () =>
			(await n8n.executions({ workflowId: id })).filter(({ mode }) => mode !== 'manual');
		/** Whatever has gone on behind the trigger, in the order of the runs. */
		const given = async () => {
			const videos: unknown[] = [];
			for (const { id: execution, status } of await runs()) {
				if (status !== 'success') continue;
				videos.push(
					...itemsOf(await n8n.execution(execution), 'Done').map(({ json }) => json.video_id),
				);
			}
			return videos;
		};
		const ended = async () =>
			await until(
				'the end of all runs',
				async () => (await runs()).every(({ status }) => status !== 'running' && status !== 'new'),
				60_000,
			);

		await n8n.kill();
		emit(500);
		await n8n.restart();
		await until('the 500 events', async () => (await given()).length >= 500, 60_000);
		assert.deepEqual(await given(), wanted, 'once each, in order');

		// Killed around the two writes of n8n: that of the position and that of the run.
		let crashed = 0;
		const retried = new Set<string>();
		for (const late of kills) {
			emit(25);
			// The next poll of the schedule, and not the one with which it publishes.
			const before = asked();
			for (let waited = 0; asked() === before && waited < 90_000; waited += 2) await pause(2);
			assert.ok(asked() > before, 'a poll');
			await pause(late);
			await n8n.kill();
			await n8n.restart();
			await until(
				`all events after a kill ${late} ms after the poll`,
				async () => {
					await ended();
					for (const run of await runs()) {
						if (run.status !== 'crashed' || retried.has(run.id)) continue;
						// The execution had started, so n8n continues it with Retry.
						crashed++;
						retried.add(run.id);
						await n8n.api('POST', `/executions/${run.id}/retry`, { loadWorkflow: false });
					}
					await ended();
					return (await given()).length >= wanted.length;
				},
				60_000,
			);
			assert.deepEqual([...(await given())].sort(), [...wanted].sort(), `killed after ${late} ms`);
		}
		context.log(`${kills.length} kills around a poll: ${crashed} runs stood as crashed`);
		await n8n.deactivate(id);

		// Without any registered URL: uses the list of videos.
		const list = chain('List', [
			{ name: 'Video', type, parameters: { source: 'videos', pollTimes: everyTenSeconds } },
			{ name: 'Done', type: 'n8n-nodes-base.noOp' },
		]);
		const { id: ofList } = await n8n.createWorkflow(withCredential(list, credential));
		await n8n.activate(ofList);
		const video = await makeVideo(stage);
		const run = await n8n.waitForExecution({ workflowId: ofList }, { timeoutMs: 130_000 });
		assert.deepEqual(
			succeeded(run, 'Done').map(({ json }) => [json.video_id, json.event_type, json.status]),
			[[video, 'avatar_video.success', 'completed']],
		);

		// A revoked key: n8n shows a failed run for each poll, which says what to do.
		const rejected = { method: 'GET', path: '/v3/videos', status: 401, code: 'unauthorized' };
		control.fail(rejected);
		const failed = await n8n.waitForExecution(
			{ workflowId: ofList, afterId: run.id },
			{ timeoutMs: 130_000 },
		);
		assert.equal(failed.status, 'error');
		assert.match(errorText(failed), /credential/i);
		control.clearFaults();
		await n8n.deactivate(ofList);
	},
};
