import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../tools/install';
import { withCredential } from '../../../tools/stage';
import { type Editor, inEditor, missingBrowser } from '../browser';
import type { Flow, FlowContext } from '../flow';
import { requireInGuides } from '../guides';
import type { RealN8n, Reference, WorkflowDraft } from '../n8n';
import { until } from '../workflows';

const example = join(projectRoot, 'examples', '03-when-a-video-is-done.json');

/** What the guides tell a newcomer to press, step by step. */
const told = [
	'**New credential → VideoGen API**',
	'**More details** shows the reason',
	'**New workflow**. Click **Add first step**',
	'**… → Import → From file**',
	'using the menu next to **Published**',
];

export const flow: Flow = {
	name: 'in the editor: the buttons that the documents name exist, from the credential to the trigger',
	older: { cannot: 'its editor is another one' },
	missing: missingBrowser,
	run: async (context) => {
		const guides = ['README.md', 'docs/installation.md', 'docs/tutorial.md', 'docs/tasks.md'];
		requireInGuides(guides, told);
		const { n8n } = context;
		const known = {
			credentials: await idsOf(n8n, '/credentials'),
			workflows: await idsOf(n8n, '/workflows'),
		};
		try {
			await inEditor(context, async (editor) => {
				await connect(editor, context.simulator);
				await importExample(editor);
				await unpublish(editor, context);
			});
		} finally {
			// Other flows have one credential, which n8n selects automatically.
			for (const id of await idsOf(n8n, '/credentials')) {
				if (!known.credentials.includes(id)) await n8n.api('DELETE', `/credentials/${id}`);
			}
			for (const id of await idsOf(n8n, '/workflows')) {
				if (!known.workflows.includes(id)) await n8n.deleteWorkflow(id);
			}
		}
	},
};

const idsOf = async (n8n: RealN8n, path: string) =>
	(await n8n.api<Reference[]>('GET', path)).map(({ id }) => id);

const menuOf = async ({ page, part }: Editor, words: string) => {
	await part('universal-add').getByRole('button').first().click();
	await page.getByText(words, { exact: true }).click();
};

async function connect(editor: Editor, simulator: { baseUrl: string; apiKey: string }) {
	const { page, part, field } = editor;
	// The page after signing in is still redirecting to another URL.
	await editor.openWorkflow();
	await menuOf(editor, 'New credential');
	await part('new-credential-type-select').locator('input').fill('VideoGen');
	await page.getByText('VideoGen API', { exact: true }).first().click();
	await page.getByRole('button', { name: 'Continue' }).click();
	await field('apiKey').locator('input').fill('wrong');
	await field('baseUrl').locator('input').fill(simulator.baseUrl);
	await part('credential-save-button').click();
	await page.getByText('More details').click();
	await page.getByText('The service does not accept this API key').waitFor();
	await field('apiKey').locator('input').fill(simulator.apiKey);
	await part('credential-save-button').click();
	await page.getByText('Connection tested successfully').waitFor();
	await editor.picture('credential');
	await page.keyboard.press('Escape');
}

async function importExample(editor: Editor) {
	const { page, part } = editor;
	await menuOf(editor, 'New workflow');
	await page.getByText('Add first step').waitFor();
	await part('workflow-menu').click();
	await page.getByText('Import', { exact: true }).hover();
	const chooser = page.waitForEvent('filechooser');
	await page.getByText('From file', { exact: true }).click();
	await (await chooser).setFiles(example);
	await part('canvas-node').nth(1).waitFor();
	await editor.picture('imported');
}

async function unpublish(editor: Editor, { n8n, simulator, credential }: FlowContext) {
	const { page, part } = editor;
	const draft = JSON.parse(readFileSync(example, 'utf8')) as WorkflowDraft;
	const { id } = await n8n.createWorkflow(withCredential(draft, credential));
	await n8n.activate(id);
	const before = simulator.control.endpoints().length;
	assert.ok(before > 0, 'the trigger is registered');
	await editor.openWorkflow(id);
	await page.getByText('Published', { exact: true }).waitFor();
	await part('version-menu-button').click();
	await page.getByText('Unpublish', { exact: true }).click();
	await page.getByRole('button', { name: 'Unpublish' }).last().click();
	await until('the endpoint is gone', async () => simulator.control.endpoints().length < before);
}
