import assert from 'node:assert/strict';
import { startSimulator } from '../../../simulator';
import { credentialType } from '../../../tools/stage';
import type { Flow } from '../flow';
import { example, succeeded } from '../workflows';

export const flow: Flow = {
	name: 'example 25: each brand pays from its own account, and all videos are in one list',
	run: async ({ n8n, simulator, credential }) => {
		const south = await startSimulator({ jobSeconds: 1 });
		try {
			const ofSouth = await n8n.createCredential(credentialType, 'Account South', {
				...{ apiKey: south.apiKey, baseUrl: south.baseUrl },
			});
			const draft = example('25-two-accounts.json');
			const nodes = draft.nodes.map((node) => {
				if (!node.credentials) return node;
				const account = node.name === 'Account South' ? ofSouth : credential;
				return { ...node, credentials: { [credentialType]: account } };
			});
			const { id } = await n8n.createWorkflow({ ...draft, nodes });
			const count = () => simulator.control.jobs('session').length;
			const before = count();
			const videos = succeeded(await n8n.run(id), 'All Videos');
			assert.equal(count(), before + 2);
			assert.equal(south.control.jobs('session').length, 1);
			assert.deepEqual(
				videos.map(({ json }) => json.brand),
				['North', 'North', 'South'],
			);
			assert.ok(videos.every(({ json }) => /^http/.test(String(json.video_url))));
		} finally {
			await south.close();
		}
	},
};
