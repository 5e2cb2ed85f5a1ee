import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { toLocalUrl, openForm, submitForm } from '../forms';
import { itemsOf } from '../n8n';
import { assertFile, example, succeeded } from '../workflows';
import { withCredential } from '../../../tools/stage';

export const flow: Flow = {
	name: 'example 13: a scene is changed only when the person behind the link asks for it',
	run: async ({ n8n, simulator, credential }) => {
		const { control } = simulator;
		const edits = () => control.requests({ method: 'POST', path: /^\/v3\/video-agents\/[^/]+$/ });
		const { id: workflowId } = await n8n.createWorkflow(
			withCredential(example('13-ask-before-an-edit.json'), credential),
		);
		const answer = async (answers: Record<string, string>) => {
			const asked = await n8n.run(workflowId, { until: ['waiting'] });
			const text = String(itemsOf(asked, 'Send to Reviewer')[0]?.json.text);
			assert.match(text, /Please look at the video: http\S+\/video\.mp4/);
			assert.match(text, /^2\. \S+/m, 'the scenes and their numbers');
			const before = edits().length;
			const [link = ''] = /https:\S+\/form-waiting\/\S+/.exec(text) ?? [];
			await submitForm(await openForm(toLocalUrl(n8n, link)), answers);
			const execution = await n8n.waitForExecution({ id: asked.id, workflowId });
			return { execution, made: edits().slice(before) };
		};

		const good = await answer({ Answer: 'Good as it is' });
		assert.deepEqual(good.made, [], 'no change is requested');
		await assertFile(n8n, succeeded(good.execution, 'Publish')[0], 'data', 'video.mp4');

		const changed = await answer({
			Answer: 'Change a scene',
			'Number of the scene': '2',
			'What to change': 'Begin with a steam engine',
		});
		const [sent, ...more] = changed.made;
		assert.deepEqual(more, []);
		const [scenes] = succeeded(changed.execution, 'Get Scenes');
		const [film] = succeeded(changed.execution, 'Publish');
		assert.notEqual(film?.json.video_id, scenes?.json.video_id, 'a new version');
		await assertFile(n8n, film, 'data', 'video.mp4');
		const { edit_plan } = sent?.body as Record<string, unknown>;
		const { scenes: read, edit_version } = scenes?.json as {
			scenes: Array<{ id: string }>;
			edit_version: string;
		};
		assert.deepEqual(edit_plan, [
			{
				scene_id: read[1]?.id,
				text: 'Begin with a steam engine',
				scene_snapshot_video_id: scenes?.json.video_id,
				edit_version,
			},
		]);
	},
};
