import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { itemsOf } from '../n8n';
import { example, readExample, succeeded } from '../workflows';
import { withCredential } from '../../../tools/stage';

const file = '23-news-item-to-video.json';

export const flow: Flow = {
	name: 'example 23: each item of a feed becomes one video, however often the feed shows it',
	run: async ({ n8n, simulator, credential }) => {
		const [first, ...others] = readExample(file).pinData?.['Read Feed'] ?? [];
		assert.ok(first && others.length === 2);
		const draft = example('23-news-item-to-video.json');
		const withFeed = (items: typeof others) =>
			withCredential({ ...draft, pinData: { 'Read Feed': items } }, credential);
		const sessions = () => simulator.control.jobs('session').length;
		const { id } = await n8n.createWorkflow(withFeed(others));
		const before = sessions();
		const posted = succeeded(await n8n.run(id), 'Post Video');
		assert.equal(posted.length, 2);
		assert.ok(posted.every(({ json }) => /^http/.test(String(json.video_url))));
		assert.equal(sessions(), before + 2);

		const edited = others.map(({ json }) => ({ json: { ...json, title: 'Edited' } }));
		await n8n.updateWorkflow(id, withFeed([first, ...edited]));
		const again = await n8n.run(id);
		assert.equal(itemsOf(again, 'Only New Items').length, 1);
		assert.equal(succeeded(again, 'Post Video').length, 1);
		assert.equal(sessions(), before + 3);
	},
};
