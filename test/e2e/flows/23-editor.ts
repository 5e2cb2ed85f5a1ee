import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { packageName, type Simulator, withCredential } from '../../../tools/stage';
import { type Editor, inEditor, missingBrowser } from '../browser';
import type { Flow } from '../flow';
import { byId, chain, start, until } from '../workflows';

export const flow: Flow = {
	name: 'in the editor: the variables of a template are fields with lists, and a voice is found by search',
	older: { cannot: 'its editor is another one' },
	missing: missingBrowser,
	run: async (context) => {
		const { n8n, credential, simulator } = context;
		const draft = chain('In the editor', [
			start,
			{
				name: 'Generate',
				type: `${packageName}.videoGenTemplate`,
				parameters: {
					operation: 'generate',
					template_id: byId('template_004'),
					variablesFrom: 'form',
				},
			},
			{
				name: 'Create',
				type: 'video',
				parameters: { operation: 'createAvatar', speechFrom: 'text', script: 'Hello there.' },
			},
		]);
		const { id } = await n8n.createWorkflow(withCredential(draft, credential));
		const looks = [
			...(await namesOf(simulator, '/v3/avatars/looks?ownership=private')),
			...(await namesOf(simulator, '/v3/avatars/looks?ownership=public')),
		];
		const voices = [
			...(await namesOf(simulator, '/v3/voices?type=private')),
			...(await namesOf(simulator, '/v3/voices?type=public')),
		];

		const saved = async (name: string) => {
			const { nodes } = await n8n.api<typeof draft>('GET', `/workflows/${id}`);
			return nodes.find((node) => node.name === name)?.parameters as Record<string, IDataObject>;
		};

		await inEditor(context, async (editor) => {
			await editor.openWorkflow(id);
			await editor.openNode('Generate');
			await fillForm(editor, looks, voices);
			await editor.closeNode();
			await editor.openNode('Create');
			await searchVoice(editor, voices);
			await editor.closeNode();

			// The editor saves automatically: IDs, not the names that it shows.
			await until('the saved voice', async () => {
				const { voice_id: voice } = await saved('Create');
				return voice?.mode === 'list' && voice.value === 'voice_044';
			});
			const { variables } = await saved('Generate');
			assert.deepEqual(variables?.value, {
				presenter: 'look_002_2',
				speaker: 'voice_private_002',
			});
		});
	},
};

/** The names in a list of the service, from the service itself. */
async function namesOf({ baseUrl, apiKey }: Simulator, path: string): Promise<string[]> {
	const names: string[] = [];
	let token: string | null = '';
	while (token !== null) {
		const more: string = token && `&token=${encodeURIComponent(token)}`;
		const response = await fetch(`${baseUrl}${path}&limit=50${more}`, {
			headers: { 'x-api-key': apiKey },
		});
		assert.equal(response.status, 200, path);
		const page = (await response.json()) as {
			data: Array<{ name: string }>;
			next_token: string | null;
		};
		names.push(...page.data.map(({ name }) => name));
		token = page.next_token;
	}
	assert.ok(names.length > 0, path);
	return names;
}

/** The texts of a list; in each, facts in brackets follow the name. */
function assertListed(texts: string[], names: string[]): void {
	const shown = texts.map((text) => text.trim().replace(/ \([^()]*\)$/, ''));
	assert.deepEqual(shown, names);
}

/** Opens the template's form and chooses a presenter and a speaker. */
async function fillForm(editor: Editor, looks: string[], voices: string[]): Promise<void> {
	const { field, part } = editor;
	await field('speaker').waitFor();
	const labels = await part('resource-mapper-container')
		.locator('.parameter-item label')
		.allInnerTexts();
	const names = ['first_name', 'photo', 'clip', 'jingle', 'presenter', 'speaker'];
	const fields = await Promise.all(
		names.map(async (name, index) => {
			const input = field(name).locator('input');
			const dropdown = (await input.getAttribute('role')) === 'combobox';
			return [labels[index]?.split('\n')[0], dropdown ? 'dropdown' : await input.inputValue()];
		}),
	);
	assert.deepEqual(fields, [
		['first_name (e.g. “Ada”)', ''],
		['photo (image URL)', ''],
		['clip (video URL)', ''],
		['jingle (audio URL)', ''],
		['presenter (avatar look)', 'dropdown'],
		['speaker (voice)', 'dropdown'],
	]);
	assert.equal(labels.length, names.length, labels.join());

	assertListed(await choose(editor, 'presenter', 'Bea in the studio'), looks);
	assertListed(await choose(editor, 'speaker', 'Founder'), voices);
}

/** Chooses from a dropdown; what it lists. */
async function choose({ page, field }: Editor, name: string, wanted: string): Promise<string[]> {
	const input = field(name).locator('input');
	await input.click();
	const options = page
		.locator(`[id="${await input.getAttribute('aria-controls')}"]`)
		.getByRole('option');
	await options.first().waitFor();
	const texts = await options.allInnerTexts();
	await options.filter({ hasText: wanted }).click();
	await until(`${wanted} in the field`, async () => (await input.inputValue()).startsWith(wanted));
	return texts;
}

/** Opens the list of voices, looks for one, and takes it. */
async function searchVoice({ field, part }: Editor, voices: string[]): Promise<void> {
	const input = field('voice_id').locator('[data-test-id="rlc-input"]');
	const items = part('rlc-item');
	await input.click();
	// The account's own voices are the first page, the public ones the second.
	await until('all voices', async () => (await items.count()) === voices.length);
	assertListed(await items.allInnerTexts(), voices);

	await part('rlc-search').fill('oona (bri');
	await until('the voice that was searched for', async () => (await items.count()) === 1);
	assertListed(await items.allInnerTexts(), ['Oona (bright)']);
	await items.click();
	await until('the name of the voice', async () => /^Oona/.test(await input.inputValue()));
}
