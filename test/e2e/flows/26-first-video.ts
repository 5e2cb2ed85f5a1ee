import assert from 'node:assert/strict';
import { inEditor, missingBrowser, type Editor } from '../browser';
import { clicking, type Clicking } from '../clicks';
import type { Flow } from '../flow';

/** Clicks from an empty workflow to the playing video, as the README describes them. */
const mostClicks = 6;

export const flow: Flow = {
	name: 'in the editor: from an empty workflow to a playing video, in one node and 6 clicks',
	older: { cannot: 'its editor is another one' },
	missing: missingBrowser,
	run: async (context) => {
		await inEditor(context, async (editor) => {
			await editor.openWorkflow();
			const { count, click } = clicking();
			await createVideo(editor, click);
			const clicks = count();
			context.log(`From the empty workflow to the playing video: ${clicks} clicks`);
			assert.ok(clicks <= mostClicks, `${clicks} clicks`);
		});
	},
};

async function createVideo(editor: Editor, click: Clicking['click']) {
	const { page, part } = editor;
	await click(part('canvas-plus-button'));
	await editor.search('prompt to video');
	const agent = part('node-creator-item-name').filter({ hasText: 'VideoGen Agent' });
	await click(agent.first());
	const action = part('node-creator-item-name').filter({ hasText: 'Generate video from prompt' });
	await click(action.first());
	await part('node-parameters').waitFor();
	await editor.picture('form');
	await click(editor.field('prompt').locator('textarea, [contenteditable]').first());
	await page.keyboard.type('A cheerful video that welcomes new customers');
	await click(part('node-execute-button'));
	const link = page.getByRole('link', { name: 'Play the video' });
	await link.waitFor();
	await editor.picture('play');
	const [tab] = await Promise.all([page.context().waitForEvent('page'), click(link)]);
	const video = tab.locator('video');
	await video.waitFor();
	const seconds = await video.evaluate(
		async (element: HTMLVideoElement) =>
			await new Promise<number>((resolve, reject) => {
				if (element.readyState > 0) resolve(element.duration);
				element.addEventListener('loadedmetadata', () => resolve(element.duration));
				element.addEventListener('error', () => reject(new Error('The video does not play')));
			}),
	);
	assert.ok(seconds > 0, 'the video has a length');
}
