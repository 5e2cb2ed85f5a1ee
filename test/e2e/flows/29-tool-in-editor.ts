import assert from 'node:assert/strict';
import { withCredential } from '../../../tools/stage';
import { type Editor, inEditor, missingBrowser } from '../browser';
import type { Flow } from '../flow';
import { example, until } from '../workflows';

/** What the model will be told, as the form shows it. */
const told = async ({ field }: Editor) =>
	await field('toolDescription').locator('textarea').inputValue();

async function isTold(editor: Editor, what: RegExp) {
	await until(`a description like ${String(what)}`, async () => what.test(await told(editor)));
}

/** The choices of a list that is open. */
const choices = ({ page }: Editor) => page.locator('.el-select-dropdown__item:visible');

export const flow: Flow = {
	name: 'in the editor: a tool shows its description for the model, does not wait, and cannot delete',
	older: { cannot: 'its editor is another one' },
	missing: missingBrowser,
	run: async (context) => {
		const { n8n, credential } = context;
		const draft = withCredential(example('06-agent-with-tools.json'), credential);
		const { id } = await n8n.createWorkflow(draft);
		await inEditor(context, async (editor) => {
			await editor.openWorkflow(id);
			await editor.openNode('List Videos');
			await isTold(editor, /^Get many videos\. .*Only reads\./);

			await editor.field('operation').click();
			await choices(editor).first().waitFor();
			const offered = await choices(editor).allInnerTexts();
			assert.ok(
				offered.some((text) => text.startsWith('Create Avatar Video')),
				offered.join(),
			);
			assert.deepEqual(
				offered.filter((text) => /delete/i.test(text)),
				[],
			);

			// Another operation says something else; so does waiting.
			await choices(editor).filter({ hasText: 'Create Avatar Video' }).click();
			await isTold(editor, /^Create video of speaking avatar\. .*Costs money.*at most 30 minutes/);
			await editor.field('waitForCompletion').locator('.el-switch').click();
			await isTold(editor, /Costs money.*Does not wait/);
			assert.equal(await editor.field('download').count(), 0, 'files are not for models');

			// What somebody has written stays.
			await editor.field('toolDescription').locator('textarea').fill('Makes our videos');
			await editor.field('waitForCompletion').locator('.el-switch').click();
			await isTold(editor, /^Makes our videos$/);
		});
	},
};
