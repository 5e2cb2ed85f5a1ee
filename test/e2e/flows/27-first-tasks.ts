import assert from 'node:assert/strict';
import { inEditor, missingBrowser, type Editor } from '../browser';
import { clicking, type Clicking } from '../clicks';
import type { Flow, FlowContext } from '../flow';
import { toLocalUrl, openForm, submitForm } from '../forms';
import { succeeded, until } from '../workflows';

/**
 * The most clicks that each task may take, as the documents describe it. A drag counts as one, and the hands leave
 * the mouse to type: Enter chooses what a search found, and Escape closes a node.
 */
const most = { connect: 6, template: 12, trigger: 4 };

export const flow: Flow = {
	name: 'in the editor: an account is connected, a form fills a template by dragging, and a finished video starts a workflow',
	missing: missingBrowser,
	run: async (context) => {
		const stage = await context.startOwn({});
		const own = { ...context, ...stage };
		await inEditor(own, async (editor) => {
			for (const [task, act] of Object.entries({ connect, template, trigger })) {
				const hand = clicking();
				await act(editor, hand, own);
				const clicks = hand.count();
				context.log(`${task}: ${clicks} clicks`);
				assert.ok(clicks <= most[task as keyof typeof most], `${task}: ${clicks} clicks`);
			}
		});
	},
};

/** Adds a node by a search in the panel that is open. Enter chooses the node, and then its action. */
async function add(
	{ page, search, part, listed }: Editor,
	phrase: string,
	node: string,
	action: string,
) {
	await search(phrase);
	for (const first of [node, action]) {
		await until(`${first} is first in the list`, async () => (await listed())[0] === first);
		await page.keyboard.press('Enter');
	}
	await part('node-parameters').waitFor();
}

/** Closes the open node. */
async function closeByKey({ page, part }: Editor) {
	await page.keyboard.press('Escape');
	await part('node-parameters').waitFor({ state: 'hidden' });
}

/** From an n8n without any credential to one that n8n has tested. */
async function connect(
	editor: Editor,
	hand: Clicking,
	{ n8n, credential, simulator }: FlowContext,
): Promise<void> {
	const { page, part, field } = editor;
	await n8n.api('DELETE', `/credentials/${credential.id}`);
	await editor.openWorkflow();
	await hand.click(part('universal-add').getByRole('button').first());
	await hand.click(page.getByText('New credential', { exact: true }));
	await part('new-credential-type-select').locator('input').fill('VideoGen API');
	await page.getByText('VideoGen API', { exact: true }).first().waitFor();
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	await hand.click(page.getByRole('button', { name: 'Continue' }));
	await editor.picture('task-connect-form');
	for (const [name, value] of [
		['apiKey', simulator.apiKey],
		['baseUrl', simulator.baseUrl],
	] as const) {
		const input = field(name).locator('input');
		await hand.click(input);
		await input.fill(value);
	}
	await hand.click(part('credential-save-button'));
	await page.getByText('Connection tested successfully').waitFor();
	await editor.picture('task-connected');
}

/** From an empty workflow to a video of a template with the name that a form asked for. */
async function template(
	editor: Editor,
	hand: Clicking,
	{ n8n, simulator }: FlowContext,
): Promise<void> {
	const { page, part, field, openWorkflow, picture } = editor;
	await openWorkflow();
	await hand.click(part('canvas-plus-button'));
	await add(editor, 'n8n form', 'n8n Form', 'On new n8n Form event');
	await picture('task-form');
	await hand.click(field('formTitle').locator('input'));
	await field('formTitle').locator('input').fill('Your video');
	await picture('task-form-2');
	await hand.click(page.getByText('Add Form Element'));
	await picture('task-form-3');
	await hand.click(field('fieldLabel').locator('input'));
	await field('fieldLabel').locator('input').fill('First name');
	await page.keyboard.press('Tab');

	await hand.click(part('node-execute-button'));
	await page.getByText('Listening for a test form submission').waitFor();
	// n8n opens the form at its public URL, which does not work here, so it is filled in without
	// the editor.
	const address = await page
		.getByText(/\/form-test\//)
		.first()
		.innerText();
	await submitForm(await openForm(toLocalUrl(n8n, address)), { 'First name': 'Ada' });
	await part('ndv-run-data').or(part('output-panel')).getByText('Ada').first().waitFor();
	await picture('task-form-4');
	await closeByKey(editor);
	await hand.click(editor.plus('On form submission', 'main'));
	await add(editor, 'videogen template', 'VideoGen Template', 'Generate video from template');
	const list = field('template_id').locator('[data-test-id="rlc-input"]');
	await hand.click(list);
	await hand.click(part('rlc-item').filter({ hasText: 'Personal greeting' }).first());
	await field('first_name').waitFor();
	await picture('task-template');
	await hand.drag(
		part('run-data-schema-item')
			.filter({ hasText: 'First name' })
			.locator('[data-target="mappable"]'),
		field('first_name'),
	);
	await field('first_name').getByText("$json['First name']").waitFor();
	// n8n gives the field the focus a moment later, which would close a list that is open by then.
	await page
		.getByText('Anything inside')
		.waitFor({ timeout: 5_000 })
		.catch(() => undefined);
	await picture('task-template-dragged');
	await hand.click(part('node-execute-button'));
	await hand.click(page.getByRole('link', { name: 'Play the video' }));
	await picture('task-template-video');
	const [asked] = simulator.control.requests({
		method: 'POST',
		path: /\/templates\/[^/]+$/,
	});
	assert.match(JSON.stringify(asked?.body), /"first_name":\{[^}]*"Ada"/);
}

/** From an empty workflow to a published one that runs when a video is finished. */
async function trigger(
	editor: Editor,
	hand: Clicking,
	{ n8n, simulator }: FlowContext,
): Promise<void> {
	const { page, part, openWorkflow, search, listed, picture } = editor;
	await openWorkflow();
	await hand.click(part('canvas-plus-button'));
	await search('video finished');
	await until('the trigger is first', async () => (await listed())[0] === 'VideoGen Trigger');
	await page.keyboard.press('Enter');
	await hand.click(page.getByText('Add to workflow'));
	await part('node-parameters').waitFor();
	await picture('task-trigger');
	await closeByKey(editor);
	await hand.click(page.getByRole('button', { name: 'Publish' }));
	await picture('task-trigger-publish');
	await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Publish' }));
	await until('the registration', () => simulator.control.endpoints().length === 1);
	await picture('task-trigger-published');

	const answer = await fetch(`${simulator.baseUrl}/v3/videos`, {
		method: 'POST',
		headers: { 'x-api-key': simulator.apiKey, 'content-type': 'application/json' },
		body: JSON.stringify({
			...{ type: 'avatar', avatar_id: 'look_001_1', voice_id: 'voice_001' },
			script: 'Hello there, this is a long enough text.',
		}),
	});
	assert.equal(answer.status, 200);
	const { data } = (await answer.json()) as { data: { video_id: string } };
	const [workflow] = await n8n.api<Array<{ id: string }>>(
		'GET',
		'/workflows?sortBy=updatedAt:desc',
	);
	const execution = await n8n.waitForExecution({ workflowId: String(workflow?.id) });
	const [event] = succeeded(execution, 'VideoGen Trigger');
	assert.equal(event?.json.video_id, data.video_id);
	assert.equal(event?.json.status, 'completed');
}
