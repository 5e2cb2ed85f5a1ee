import assert from 'node:assert/strict';
import { inEditor, missingBrowser, type Editor } from '../browser';
import { clicking, type Clicking } from '../clicks';
import type { Flow } from '../flow';

/** Clicks of somebody who has a credential already, from an empty workflow to the video on the screen. */
const mostClicks = 10;

export const flow: Flow = {
	name: 'in the editor: from an empty workflow to a video that plays, in one node and at most 10 clicks',
	older: { cannot: 'its editor is another one' },
	missing: missingBrowser,
	run: async (context) => {
		await inEditor(context, async (editor) => {
			await editor.openWorkflow();
			const { count, click } = clicking();
			await makeVideo(editor, click);
			const clicks = count();
			context.log(`From the empty workflow to the video: ${clicks} clicks`);
			assert.ok(clicks <= mostClicks, `${clicks} clicks`);
		});
	},
};

async function makeVideo(editor: Editor, click: Clicking['click']) {
	const { page, part } = editor;
	await click(part('canvas-plus-button'));
	await editor.search('prompt to video');
	const agent = part('node-creator-item-name').filter({ hasText: 'VideoGen Agent' });
	await click(agent.first());
	const action = part('node-creator-item-name').filter({
		hasText: 'Generate video from prompt',
	});
	await click(action.first());
	await part('node-parameters').waitFor();
	await editor.picture('form');
	await click(editor.field('prompt').locator('textarea, [contenteditable]').first());
	await page.keyboard.type('A cheerful video that welcomes new customers');
	await click(editor.field('download'));
	await click(page.getByRole('option', { name: /^Video\b(?! With)/ }).first());
	await page.keyboard.press('Escape');
	await click(part('node-execute-button'));
	await click(
		part('ndv-data-display-binary')
			.or(page.getByText('Binary', { exact: true }))
			.first(),
	);
	await editor.picture('binary');
	await click(part('ndv-view-binary-data').first());
	const player = page.locator('video');
	await player.waitFor();
	await editor.picture('video');
	const seconds = await player.evaluate(
		async (video: HTMLVideoElement) =>
			await new Promise<number>((resolve, reject) => {
				if (video.readyState > 0) resolve(video.duration);
				video.addEventListener('loadedmetadata', () => resolve(video.duration));
				video.addEventListener('error', () => reject(new Error('The video does not play')));
			}),
	);
	assert.ok(seconds > 0, 'the video has a length');
}
