import assert from 'node:assert/strict';
import { withCredential } from '../../../tools/stage';
import { inEditor, missingBrowser } from '../browser';
import type { Flow } from '../flow';
import { makeFinishedVideo } from '../triggerFlow';
import { example, until } from '../workflows';

const name = 'Video Finished or Failed';

export const flow: Flow = {
	name: 'in the editor: the polling trigger shows what fits its source, and fetches a test event',
	missing: missingBrowser,
	run: async (context) => {
		const { n8n, credential } = context;
		const video = await makeFinishedVideo(context);
		const { id } = await n8n.createWorkflow(
			withCredential(example('19-tell-the-team-by-polling.json'), credential),
		);
		await inEditor(context, async (editor) => {
			const { page, field } = editor;
			await editor.openWorkflow(id);
			assert.match(await editor.node(name).innerText(), /Videos ended/);
			await editor.openNode(name);
			await field('source').waitFor();
			assert.equal(await field('outcomes').count(), 1);
			assert.equal(await field('events').count(), 0);

			await page.getByRole('button', { name: 'Fetch Test Event' }).first().click();
			const output = editor.part('output-panel');
			await until('the video in the output', async () =>
				(await output.innerText()).includes(video),
			);
			await editor.picture('polling-trigger');

			await field('source').click();
			const choices = page.locator('.el-select-dropdown__item:visible');
			await choices.filter({ hasText: 'Delivered Events' }).click();
			await field('events').waitFor();
			assert.equal(await field('outcomes').count(), 0);
			await editor.picture('polling-trigger-events');
		});
	},
};
