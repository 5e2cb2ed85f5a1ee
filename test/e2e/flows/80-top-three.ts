import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { example, runDraft, succeeded } from '../workflows';

export const flow: Flow = {
	name: 'example 24: the three best posts become one video, and a video that is late raises an alert',
	run: async (context) => {
		const { control } = context.simulator;
		const draft = example('24-top-three-posts-every-monday.json');
		const done = await runDraft(context, draft);
		const [video] = succeeded(done, 'Post Video');
		assert.match(String(video?.json.video_url), /^http/);
		assert.deepEqual(succeeded(done, 'One Item')[0]?.json.text, [
			'How we fix a chain in two minutes',
			'Five tips for winter tires',
			'Meet the team',
		]);
		assert.deepEqual(succeeded(done, 'Alert'), []);

		const create = draft.nodes.find(({ name }) => name === 'Create Video');
		assert.ok(create);
		assert.deepEqual(create.parameters.options, { waitTimeout: 120 });
		create.parameters = { ...create.parameters, options: { waitTimeout: 0.05 } };
		control.holdJobs(true);
		const late = await runDraft(context, draft).finally(() => control.holdJobs(false));
		const [alert] = succeeded(late, 'Alert');
		const session = control.jobs('session').at(-1) as { id: string };
		assert.match(String(alert?.json.error), /not finished after/);
		assert.ok(JSON.stringify(alert?.json).includes(session.id), 'the alert names the video');
	},
};
