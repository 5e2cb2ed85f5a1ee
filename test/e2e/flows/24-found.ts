import assert from 'node:assert/strict';
import type { INode, INodePropertyOptions } from 'n8n-workflow';
import { listNodeFolders } from '../../../tools/nodeFolders';
import { loadNode, readSearchWords } from '../../../tools/nodes';
import { packageName, withCredential } from '../../../tools/stage';
import { type Editor, inEditor, missingBrowser } from '../browser';
import type { Flow } from '../flow';
import type { RealN8n, WorkflowDraft } from '../n8n';
import { chain, type Link, start, until } from '../workflows';

export const flow: Flow = {
	name: 'in the editor: nodes are found by what people type, look like what they do, and a credential explains itself',
	older: { cannot: 'its editor is another one' },
	missing: missingBrowser,
	run: async (context) => {
		const { n8n, credential, simulator } = context;
		const panel = await n8n.createWorkflow(
			apart('Panel', [
				start,
				{ name: 'Assistant', type: '@n8n/n8n-nodes-langchain.agent', more: { typeVersion: 3 } },
			]),
		);
		const canvas = await n8n.createWorkflow(
			withCredential(apart('One of each', oneOfEach), credential),
		);

		await inEditor(context, async (editor) => {
			await findAll(editor, panel.id, context.isLong);
			await lookAtCanvas(editor, canvas.id);
			await chooseAction(editor, panel.id);
			await explainCredential(editor, n8n, simulator);
		});
	},
};

const nodes = listNodeFolders().map((folder) => ({ folder, ...loadNode(folder).description }));

const oneOfEach = nodes.map(({ name, displayName }): Link => ({
	name: displayName,
	type: `${packageName}.${name}`,
}));

/**
 * What people type, each with the names of the nodes that they are to find: the search words of
 * every node, and what these may not lose.
 */
function phrases(): Map<string, string[]> {
	const all = new Map([
		['videogen', ['VideoGen Video']],
		['video', ['VideoGen Video']],
	]);
	for (const { folder, displayName } of nodes) {
		for (const word of readSearchWords(folder)) {
			all.set(word, [...(all.get(word) ?? []), displayName]);
		}
	}
	const musts = [
		['text to video', 'VideoGen Agent'],
		['talking head', 'VideoGen Video'],
		['avatar', 'VideoGen Avatar'],
		['dubbing', 'VideoGen Translation'],
		['TTS', 'VideoGen Speech'],
		['mail merge', 'VideoGen Template'],
		['video finished', 'VideoGen Trigger'],
	] as const;
	for (const [word, name] of musts) assert.ok(all.get(word)?.includes(name), `${word}: ${name}`);
	return all;
}

/**
 * What people type who want a video. VideoGen Agent or VideoGen Video is the right node for all of
 * them, so that one of the two is the first of our nodes.
 */
const wantAVideo = [
	...['videogen', 'video', 'agent', 'videogen agent', 'videogen video', 'video agent'],
	...['make a video', 'make video', 'create a video', 'create video', 'generate a video'],
	...['generate video', 'video generator', 'ai video generator', 'ai video', 'prompt to video'],
	...['text to video', 'script to video', 'turn text into a video', 'video from a prompt'],
	...['video from text', 'video maker', 'video creator', 'video creation', 'video ad'],
	...['marketing video', 'explainer video', 'product video', 'promo video', 'welcome video'],
	...['training video', 'social media video', 'youtube video', 'tiktok video', 'avatar video'],
	...['talking head', 'talking photo', 'presenter', 'spokesperson', 'bulk video'],
];

/** Phrases that are typed in the short form too. */
const mostTyped = ['videogen', 'video', 'agent', 'make a video'];

/** The first of our nodes in a list of search results. */
const findFirstOfOurs = (listed: string[]) =>
	listed.map((name) => name.replace(/ Tool$/, '')).find((name) => name.startsWith('VideoGen '));

type Place = 'first step' | 'next step' | 'tools';

/**
 * Where nodes of n8n's own fill the top three, with the phrase among their search words too or at the
 * beginning of their names, and up to 100 points for what is popular; among tools its vector stores
 * stand before all others. No word has a higher score than the phrase itself, but for odd spellings
 * (30 points for a capital after a small letter, as in the "TtS" of VideoGen Speech). That one stands
 * above nodes that merely have these letters somewhere; those of chain and image would push away what
 * people mean by the words, and for file even the best one does not suffice. There our nodes are the
 * first among those of this package, and a line that is no longer needed turns this flow red.
 */
const crowded: Record<string, Place[]> = {
	chain: ['first step', 'next step'],
	cost: ['tools'],
	file: ['first step', 'next step'],
	image: ['first step', 'next step', 'tools'],
	matte: ['tools'],
	SRT: ['tools'],
	TTS: ['tools'],
};

/** So many of ours have it that one of them is among the top three, and all are among the top six. */
const shared = ['audio'];

/** Whether the nodes are among the top three of a list. */
function isFound(wanted: string[], phrase: string, place: Place, listed: string[]): boolean {
	const names = listed.map((name) => name.replace(/ Tool$/, ''));
	const holds = (list: string[], count: number) =>
		wanted.every((name) => list.slice(0, count).includes(name));
	if (crowded[phrase]?.includes(place)) {
		const own = names.filter((name) => name.startsWith('VideoGen '));
		return holds(own, 3) && !holds(names, 3);
	}
	if (shared.includes(phrase)) {
		return wanted.some((name) => names.slice(0, 3).includes(name)) && holds(names, 6);
	}
	return holds(names, 3);
}

/** Every nth phrase is typed in the short form. */
const shortStep = 8;

/** What once found nothing, or another node: also typed in the short form. */
const onceLost = [
	...['make a video', 'make video', 'generate a video', 'turn text into a video'],
	...['video from text', 'video ad', 'marketing video', 'talking photo', 'bulk video'],
	...['talking avatar', 'animate photo', 'ai avatar', 'video completed', 'video agent'],
	...['ai video generator', 'video maker', 'video creator', 'video creation', 'product video'],
	...['promo video', 'training video', 'social media video', 'tiktok video'],
	...['list videos', 'delete video', 'many videos', 'batch video', 'clone a voice', 'thumbnail'],
	...['video status', 'cost', 'when video is completed', 'new video', 'upload file'],
	...['upload image', 'sheet to video', 'edit video', 'approve video', 'avatar from photo'],
	'video batch',
];

/**
 * Types phrases where a node can be added, in three tabs at once: all of them in the long form.
 */
async function findAll(editor: Editor, workflowId: string, isLong: boolean): Promise<void> {
	const isTyped = (phrase: string, index: number) =>
		isLong ||
		index % shortStep === 0 ||
		[...Object.keys(crowded), ...shared, ...onceLost, ...mostTyped].includes(phrase);
	const all = [...phrases()].filter(([phrase], index) => isTyped(phrase, index));
	const wanted = wantAVideo.filter(isTyped);
	const isTool = (name: string) =>
		nodes.some(({ displayName, usableAsTool }) => displayName === name && usableAsTool);
	const forTools = all
		.map(([phrase, names]): [string, string[]] => [phrase, names.filter(isTool)])
		.filter(([, names]) => names.length > 0);
	const places = [
		{ what: 'first step', place: 'first', words: all },
		{ what: 'next step', place: { after: 'Start' }, words: all },
		{ what: 'tools', place: { toolOf: 'Assistant' }, words: forTools },
	] as const;

	const lost = await Promise.all(
		places.map(async ({ what, place, words }) => {
			const tab = await editor.another();
			await tab.openWorkflow(place === 'first' ? undefined : workflowId);
			await tab.openPanel(place);
			const missed: string[] = [];
			for (const [phrase, names] of words) {
				const listed = await lookFor(tab, phrase, (list) => isFound(names, phrase, what, list));
				if (listed) missed.push(`${what}: "${phrase}" gives ${listed.slice(0, 6).join(', ')}`);
			}
			for (const phrase of wanted) {
				const isRight = (list: string[]) =>
					['VideoGen Agent', 'VideoGen Video'].includes(findFirstOfOurs(list) ?? '');
				const listed = await lookFor(tab, phrase, isRight);
				if (listed) missed.push(`${what}: "${phrase}" begins with ${findFirstOfOurs(listed)}`);
			}
			await tab.page.close();
			return missed;
		}),
	);
	assert.deepEqual(lost.flat(), []);
}

/** Types a phrase; the list where the nodes are not found in it. */
async function lookFor(
	{ search, listed }: Editor,
	phrase: string,
	isFound: (listed: string[]) => boolean,
): Promise<string[] | undefined> {
	const found = async () => isFound(await listed());
	// The list follows the typing a moment later: what it shows already says nothing.
	if (await found()) {
		await search('');
		await until('the list without a search', async () => !(await found()));
	}
	await search(phrase);
	return await until(phrase, found, 5_000).then(
		() => undefined,
		async () => await listed(),
	);
}

/** A workflow whose nodes stand side by side. */
function apart(name: string, links: Link[]): WorkflowDraft {
	const { nodes, ...draft } = chain(name, links);
	const spread = nodes.map((node, i): INode => ({
		...node,
		position: [(i % 6) * 240, Math.floor(i / 6) * 220],
	}));
	return { ...draft, nodes: spread, connections: {} };
}

/** Every node has an icon of its own, light and dark, and its subtitle is words. */
async function lookAtCanvas({ page, openWorkflow, part, node }: Editor, id: string): Promise<void> {
	/** Addresses of the icons that have come, by the name of the node. */
	const icons = async () =>
		Object.fromEntries(
			await part('canvas-node').evaluateAll((all) =>
				all.map((one) => {
					const image = one.querySelector('img');
					return [one.getAttribute('data-node-name'), image?.naturalWidth ? image.src : ''];
				}),
			),
		) as Record<string, string>;

	for (const [colorScheme, ending] of [
		['light', '.svg'],
		['dark', '.dark.svg'],
	] as const) {
		await page.emulateMedia({ colorScheme });
		await openWorkflow(id);
		await until(`the ${colorScheme} icons`, async () => {
			const shown = await icons();
			return nodes.every(({ folder, displayName }) =>
				shown[displayName]?.endsWith(`/${folder}/${folder}${ending}`),
			);
		});
	}
	await page.emulateMedia({ colorScheme: 'light' });

	for (const { displayName, properties } of nodes) {
		const operations = properties.find(({ name }) => name === 'operation')?.options;
		if (!operations) continue;
		const text = await node(displayName).innerText();
		const { action = '' } = (operations[0] ?? {}) as INodePropertyOptions;
		const subtitle = action.replace(/\b(an?|the) /g, '').toLowerCase();
		assert.ok(action !== '' && text.toLowerCase().includes(subtitle), `${displayName}: ${text}`);
	}
}

/** From the search to the form of what most people want, by clicks. */
async function chooseAction(
	{ page, openWorkflow, openPanel, search, listed, closeNode, node, field, part }: Editor,
	workflowId: string,
): Promise<void> {
	await openWorkflow(workflowId);
	await openPanel({ after: 'Start' });
	await search('create video');
	const agent = part('node-creator-item-name').filter({ hasText: 'VideoGen Agent' });
	await agent.click();
	const actions = await until('the actions, with the one that most people want first', async () => {
		const all = await listed();
		return all[0] === 'Generate video from prompt' && all;
	});
	assert.deepEqual(
		actions.filter((action) => /legacy/i.test(action)),
		[actions.filter((action) => !/style/i.test(action)).at(-1)],
		'the legacy way is the last of its resource',
	);

	await part('node-creator-item-name').first().click();
	await field('prompt').waitFor();
	assert.equal(await field('operation').locator('input').inputValue(), 'Generate Video');
	await closeNode();
	const text = await node('Generate video from prompt').innerText();
	assert.ok(text.includes('Generate Video from Prompt'), text);
	await page.goto('about:blank');
}

/** The form of a new credential, with a wrong key first. */
async function explainCredential(
	{ page, field, part }: Editor,
	{ editorUrl }: RealN8n,
	{ baseUrl, apiKey }: { baseUrl: string; apiKey: string },
): Promise<void> {
	await page.goto(`${editorUrl}/home/credentials/create`);
	const type = part('new-credential-type-select').locator('input');
	await type.fill('videogen');
	await part('new-credential-type-select-option').filter({ hasText: 'VideoGen API' }).click();
	await part('new-credential-type-button').click();
	await field('apiKey').waitFor();
	const labels = await part('credential-connection-parameter').allInnerTexts();
	assert.match(labels[0] ?? '', /^API Key/);
	assert.match(labels[1] ?? '', /^Base URL[^]*with or without \/v3/);

	await field('apiKey').locator('input').fill('not-a-key');
	await field('baseUrl').locator('input').fill(`${baseUrl}/v3/`);
	await part('credential-save-button').click();
	await page.getByText('More details').click();
	await page.getByText('The service does not accept this API key').waitFor();

	await field('apiKey').locator('input').fill(apiKey);
	await part('credential-save-button').click();
	await page.getByText('Connection tested successfully').waitFor();
}
