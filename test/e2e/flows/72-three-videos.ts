import assert from 'node:assert/strict';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { itemsOf } from '../n8n';
import { example, succeeded } from '../workflows';

export const flow: Flow = {
	name: 'example 20: three videos of different kinds, made at the same time, end in one item',
	run: async ({ n8n, simulator, credential }) => {
		const { control } = simulator;
		const made = () => ['video', 'model_video', 'session'].map((kind) => control.jobs(kind).length);
		const before = made();
		control.holdJobs(true);
		const { id } = await n8n.createWorkflow(
			withCredential(example('20-three-videos-in-one-item.json'), credential),
		);
		const aside = await n8n.run(id, { until: ['waiting'] });
		const jobs = itemsOf(aside, 'All Three').map(({ json }) => json.job as { kind: string });
		assert.deepEqual(
			jobs.map(({ kind }) => kind),
			['video', 'model_video', 'session'],
		);
		control.holdJobs(false);
		const done = await n8n.waitForExecution({ id: aside.id }, { timeoutMs: 200_000 });
		const [kit, ...others] = succeeded(done, 'Launch Kit');
		assert.deepEqual(others, []);
		const { product, ...videos } = kit?.json ?? {};
		assert.equal(product, 'Sunrise coffee');
		assert.deepEqual(Object.keys(videos), ['presenter', 'mood', 'explainer']);
		for (const address of Object.values(videos)) {
			assert.equal((await fetch(String(address))).headers.get('content-type'), 'video/mp4');
		}
		assert.equal(new Set(Object.values(videos)).size, 3);
		assert.deepEqual(
			made().map((count, i) => count - (before[i] ?? 0)),
			[1, 1, 1],
		);
	},
};
