import assert from 'node:assert/strict';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { itemsOf } from '../n8n';
import { chain, until } from '../workflows';

interface Endpoint {
	id: string;
	url: string;
	events: string[] | null;
}

export const flow: Flow = {
	name: 'the trigger repairs an old secret that a long run restores, a deleted endpoint, and outputs what was missed',
	older: 'main',
	run: async (context) => {
		const stage = await context.startOwn();
		const { n8n, simulator, credential } = stage;
		const { control } = simulator;
		const endpoints = () => control.endpoints() as Endpoint[];
		const call = async (method: string, path: string, body?: object) => {
			const headers = { 'x-api-key': simulator.apiKey, 'content-type': 'application/json' };
			const response = await fetch(`${simulator.baseUrl}${path}`, {
				method,
				headers,
				body: body && JSON.stringify(body),
			});
			assert.equal(response.status, 200, `${method} ${path}`);
		};
		let made = 0;
		const emit = (count = 1) =>
			Array.from({ length: count }, () => {
				const video = `v${++made}`;
				control.emit('avatar_video.success', { video_id: video });
				return video;
			});

		const draft = chain('Long Runs', [
			{ name: 'Event', type: 'trigger', parameters: { events: ['avatar_video.success'] } },
			{
				name: 'Count',
				type: 'n8n-nodes-base.code',
				parameters: {
					jsCode:
						"const data = $getWorkflowStaticData('global');\ndata.n = (data.n ?? 0) + 1;\nreturn $input.all();",
				},
				more: { typeVersion: 2 },
			},
			{
				name: 'Wait',
				type: 'n8n-nodes-base.wait',
				parameters: { amount: 12, unit: 'seconds' },
				more: { typeVersion: 1.1 },
			},
		]);
		const { id } = await n8n.createWorkflow(withCredential(draft, credential));
		await n8n.activate(id);
		const runs = async () => await n8n.executions({ workflowId: id });
		/** The videos that the trigger has output, once each run has ended. */
		const outputs = async () => {
			await until(
				'the end of all runs',
				async () => {
					const all = await runs();
					return all.length > 0 && all.every(({ status }) => status === 'success');
				},
				60_000,
			);
			const videos: unknown[] = [];
			for (const { id: execution } of await runs()) {
				const items = itemsOf(await n8n.execution(execution), 'Event');
				videos.push(...items.map(({ json }) => json.video_id));
			}
			return videos.sort();
		};

		// The workflow is published again while a run that changes the static data is waiting.
		const [first] = emit();
		await until('the first run', async () => (await runs()).length === 1);
		await new Promise((resolve) => setTimeout(resolve, 3_000));
		await n8n.deactivate(id);
		await n8n.activate(id);
		assert.deepEqual(await outputs(), [first]);
		const [second] = emit();
		await until('the repaired secret', async () => (await runs()).length === 2, 30_000);
		assert.deepEqual(await outputs(), [first, second]);
		assert.match(n8n.logs(), /the stored signing secret was outdated/);
		assert.equal(endpoints().length, 1);

		// The endpoint is deleted while n8n is off; the service delivers to another one.
		await n8n.kill();
		await call('POST', '/v3/webhooks/endpoints', { url: 'https://nobody.example/events' });
		await call('DELETE', `/v3/webhooks/endpoints/${endpoints()[0]?.id}`);
		const missed = emit(3);
		await n8n.restart();
		await until(
			'the missed events',
			async () => (await runs()).some(({ mode }) => mode === 'trigger'),
			60_000,
		);
		assert.deepEqual(await outputs(), [first, second, ...missed]);
		assert.match(
			n8n.logs(),
			/its webhook endpoint is missing in the service, and will be repaired/,
		);
		const [last] = emit();
		await until('a delivery to the new endpoint', async () => (await runs()).length >= 4, 30_000);
		assert.deepEqual(await outputs(), [first, second, ...missed, last]);

		// Unpublishing removes it, and nothing else.
		await n8n.deactivate(id);
		assert.deepEqual(
			endpoints().map(({ url }) => url),
			['https://nobody.example/events'],
		);
	},
};
