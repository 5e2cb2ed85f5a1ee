import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { assertFile, example, runDraft, succeeded } from '../workflows';

export const flow: Flow = {
	name: 'example 11: a failed video is created again, one that cannot succeed is not, and somebody is notified in the end',
	run: async (context) => {
		const { n8n, simulator } = context;
		const { control } = simulator;
		const sessions = () => control.jobs('session') as Array<{ id: string }>;
		const fail = () =>
			control.failNext('session', { code: 'generation_failed', message: 'The video broke' });
		const run = async (prompt: string) => {
			const draft = example('11-try-a-failed-video-again.json');
			const node = draft.nodes.find(({ name }) => name === 'Generate Video');
			assert.ok(node);
			node.parameters = { ...node.parameters, prompt, advanced: { pollInterval: 1 } };
			node.waitBetweenTries = 500;
			const before = sessions().length;
			const execution = await runDraft(context, draft);
			return { execution, made: sessions().slice(before) };
		};

		fail();
		const again = await run('A second try');
		assert.equal(again.made.length, 2, 'created again once');
		const [video] = succeeded(again.execution, 'Send Video');
		assert.equal(video?.json.session_id, again.made[1]?.id);
		await assertFile(n8n, video, 'data', 'video.mp4');

		const forbidden = await run('BANNED');
		assert.equal(forbidden.made.length, 0);
		const [rejected] = succeeded(forbidden.execution, 'Tell Somebody');
		assert.match(
			String(rejected?.json.text),
			/^The video could not be made: The service's content policy does not allow this text or media/,
		);

		for (let i = 0; i < 3; i++) fail();
		const vain = await run('Three tries');
		assert.equal(vain.made.length, 3);
		const [told] = succeeded(vain.execution, 'Tell Somebody');
		assert.match(String(told?.json.text), /The video broke/);
		assert.equal(told?.json.session_id, vain.made[2]?.id);
	},
};
