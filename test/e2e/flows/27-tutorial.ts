import assert from 'node:assert/strict';
import { join } from 'node:path';
import { projectRoot } from '../../../tools/install';
import { type Editor, inEditor, missingBrowser } from '../browser';
import type { Flow } from '../flow';
import { requireInGuides } from '../guides';

const example = join(projectRoot, 'examples', '02-names-to-personal-videos.json');

/** What the tutorial tells to press and what it shows, in the chapters about the sheet. */
const told = [
	'**… → Import → From file**',
	'Double-click **Create Batch**',
	'choose _From list_ instead of _By ID_',
	'click **Add option**, and choose **Check Only**',
	'The option is set to _Check Each Item_',
	'Point to **Check Only**, and click the trash icon',
	'click **View** below a file',
	'In the **Table** tab',
];

export const flow: Flow = {
	name: 'in the editor: the tutorial, from an imported sheet to checked rows and their videos',
	older: { cannot: 'its editor is another one' },
	missing: missingBrowser,
	run: async (context) => {
		requireInGuides(['docs/tutorial.md'], told);
		const stage = await context.startOwn({});
		const { control } = stage.simulator;
		const batches = () => control.requests({ method: 'POST', path: '/v3/videos/batches' }).length;
		await inEditor({ ...context, ...stage }, async (editor) => {
			await importSheet(editor);
			await chooseFromLists(editor);
			await checkRows(editor);
			assert.equal(batches(), 0, 'a check creates nothing');
			await createVideos(editor);
			assert.equal(batches(), 1);
		});
	},
};

async function importSheet({ page, part, openWorkflow, openNode, picture }: Editor): Promise<void> {
	await openWorkflow();
	await part('workflow-menu').click();
	await page.getByText('Import', { exact: true }).hover();
	const chooser = page.waitForEvent('filechooser');
	await page.getByText('From file', { exact: true }).click();
	await (await chooser).setFiles(example);
	await part('canvas-node').nth(1).waitFor();
	await picture('tutorial-imported');
	await openNode('Create Batch');
	await picture('tutorial-form');
}

async function chooseFromLists({ page, part, field, picture }: Editor): Promise<void> {
	for (const name of ['avatar_id', 'voice_id']) {
		await field(name).locator('[data-test-id="rlc-mode-selector"]').click();
		await page
			.locator('.el-select-dropdown__item:visible')
			.filter({ hasText: 'From list' })
			.click();
		await field(name).locator('[data-test-id="rlc-input"]').click();
		await part('rlc-item').first().click();
	}
	await picture('tutorial-chosen');
}

async function checkRows({ page, part, picture }: Editor): Promise<void> {
	await page.getByPlaceholder('Add option').click();
	await page.locator('.el-select-dropdown__item:visible').filter({ hasText: 'Check Only' }).click();
	await picture('tutorial-check-only');
	await part('node-execute-button').click();
	await page.getByText('30 items were checked, and no problems were found').waitFor();
	await picture('tutorial-checked');
}

async function createVideos({ page, part, field, picture }: Editor): Promise<void> {
	await field('checkOnly').hover();
	const option = page.locator('.parameter-item').filter({ has: field('checkOnly') });
	await option.last().locator('[data-icon="trash-2"]').click();
	await field('checkOnly').waitFor({ state: 'detached' });
	await part('node-execute-button').click();
	const output = part('output-panel');
	await output.getByText('Greeting for Ada.mp4').waitFor();
	await output.getByText('Table', { exact: true }).click();
	await output.getByText('video_url').first().waitFor();
	await output.getByText('ada@example.com').waitFor();
	await picture('tutorial-videos');
	await output.getByText('Binary', { exact: true }).click();
	await output.getByRole('button', { name: 'View' }).first().click();
	await page.locator('video').waitFor();
	await picture('tutorial-video');
}
