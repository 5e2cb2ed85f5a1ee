import assert from 'node:assert/strict';
import { packageName, withCredential } from '../../../tools/stage';
import { inEditor, missingBrowser } from '../browser';
import type { Flow } from '../flow';
import { byId, chain, start, until } from '../workflows';

export const flow: Flow = {
	name: 'in the editor: a template is calm before a choice, options are in two collections, and a form says what a run costs',
	older: { cannot: 'its editor is another one' },
	missing: missingBrowser,
	run: async (context) => {
		const { n8n, credential } = context;
		const draft = chain('Forms', [
			start,
			{
				name: 'Template',
				type: `${packageName}.videoGenTemplate`,
				parameters: { operation: 'generate' },
			},
			{
				name: 'Translate',
				type: `${packageName}.videoGenTranslation`,
				parameters: { operation: 'create', lookAndSound: { end_time: 0 } },
			},
			{
				name: 'Studio',
				type: 'video',
				parameters: {
					operation: 'createStudio',
					scenes: {
						scene: [
							{
								type: 'avatar_video',
								avatar_id: byId('look_001_1'),
								speech: 'text',
								script: 'Hello.',
							},
						],
					},
				},
			},
		]);
		const { id } = await n8n.createWorkflow(withCredential(draft, credential));

		await inEditor(context, async ({ openWorkflow, openNode, closeNode, part, picture, page }) => {
			await openWorkflow(id);
			await openNode('Template');
			await until('the calm line', async () =>
				(await part('empty-fields-notice').innerText()).includes('Choose a template'),
			);
			assert.equal(await part('mapping-mode-select').count(), 0);
			const form = part('node-parameters');
			assert.equal(await form.locator('[class*="danger"]').count(), 0);
			await picture('template-before-a-choice');
			await closeNode();

			await openNode('Translate');
			// A collection shows its fields a moment after the form.
			await until('both collections, what they hold, and what a run costs', async () => {
				const texts = (await form.innerText()).toLowerCase();
				return ['media settings', 'options', 'you are charged for each run', 'end time'].every(
					(wanted) => texts.includes(wanted),
				);
			});
			await picture('translate-with-options');
			await closeNode();

			await openNode('Studio');
			await page.getByText('Avatar Settings').first().waitFor();
			await picture('studio-scene');
			await closeNode();
		});
	},
};
