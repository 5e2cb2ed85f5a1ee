import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Image } from 'node-webpmux';
import type { Page } from 'playwright-core';
import { type Editor, inEditor, missingBrowser } from '../test/e2e/browser';
import { fail, createTemporaryFolder, timedLog as log } from './child';
import { readOptions } from './options';
import { type Example, findNote, loadExamples, picturesFolder } from './examples';
import { listNodeFolders } from './nodeFolders';
import { getFormPicture } from './nodePages';
import { loadNode } from './nodes';
import { buildTarball } from './pack';
import { packageName, type Stage, startStage, withCredential } from './stage';

const help = `Takes the screenshots of docs/pictures: the canvas of each example, the form of each node, a credential, an
error, a trigger that is published, a run with its video, and an animation of the first workflow. Needs Debian's
chromium. Check the pictures before you commit them.

  npm run pictures            all of them
  npm run pictures -- form    those with the word in their name`;

/** Size of the window, in CSS pixels. */
const size = { width: 1440, height: 900 };
const smallSize = { width: 1200, height: 720 };
/** Pixels per CSS pixel. With 2, pictures are sharp on screens with twice as many pixels. */
const deviceScaleFactor = 2;
/** Space around the nodes of a canvas, in pixels. */
const margin = 24;
/** The WebP quality at which text has no artifacts. */
const quality = 72;
const mostBytes = 6_000_000;
const mostAnimationBytes = 2_000_000;

/** Name of the workflow that contains every node as n8n adds it to the canvas. */
const allNodes = 'All nodes';
const mostFormBytes = 60_000;

/** Workflows on the home page. The text next to them is that of their main notes. */
const flows = [
	{ file: 'flow-names', example: '02-names-to-personal-videos' },
	{ file: 'flow-form', example: '21-form-to-video-by-mail' },
	{ file: 'flow-agent', example: '06-agent-with-tools' },
];

/** Pictures of the first example. */
const first = {
	example: '01-prompt-to-video',
	node: 'Generate Video',
	names: { video: 'run-video', animation: 'first-video', error: 'error' },
};
const credentialName = 'credential';
const publishName = 'publish-trigger';
const publishExample = '03-when-a-video-is-done';
/** Types of the empty credentials that prevent warnings in the nodes of other services. */
const accounts: Record<string, string> = {
	'n8n-nodes-base.gmail': 'gmailOAuth2',
	'n8n-nodes-base.googleSheets': 'googleSheetsOAuth2Api',
	'n8n-nodes-base.googleDrive': 'googleDriveOAuth2Api',
	'n8n-nodes-base.slack': 'slackApi',
	'n8n-nodes-base.telegram': 'telegramApi',
	'n8n-nodes-base.emailSend': 'smtp',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
};

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Captures a part of the window as WebP, by default at twice its size in CSS pixels. */
async function capture(page: Page, clip: Box, scale = deviceScaleFactor): Promise<Buffer> {
	const session = await page.context().newCDPSession(page);
	const { data } = await session.send('Page.captureScreenshot', {
		format: 'webp',
		quality,
		clip: { ...clip, scale },
	});
	await session.detach();
	return Buffer.from(data, 'base64');
}

function save(name: string, bytes: Buffer, { width, height }: { width: number; height: number }) {
	writeFileSync(join(picturesFolder, `${name}.webp`), bytes);
	log(`${name}.webp, ${Math.round(width)} × ${Math.round(height)}, ${bytes.length} bytes`);
}

async function take(page: Page, name: string, clip: Box): Promise<void> {
	save(name, await capture(page, clip), clip);
}

const takeWindow = async (page: Page, name: string) =>
	await take(page, name, { x: 0, y: 0, ...(page.viewportSize() ?? size) });

/** Styles that hide n8n's controls and notifications. */
const hidden = `
	[data-test-id="canvas-controls"], [data-test-id="canvas-minimap"], .vue-flow__controls,
	[class*="buttonsWrapper"], [data-test-id="canvas-chat-button"], [class*="executionButtons"],
	[data-test-id="canvas-handle-plus-wrapper"], .vue-flow__node button, #toast-container, .el-notification,
	[class*="ask-assistant"], [data-test-id*="assistant"] { visibility: hidden !important; }`;

/** Style that hides the warnings next to the empty fields of a new node. */
const hiddenIssues = '[data-test-id="parameter-issues"] { visibility: hidden !important; }';

const hiddenNotices = `
	#toast-container, .el-notification, [class*="ask-assistant"], [data-test-id*="assistant"] { display: none !important; }`;

/** Takes a picture of the part of the canvas that contains nodes. */
async function takeCanvas({ page, part }: Editor, name: string): Promise<void> {
	const style = await page.addStyleTag({
		content: `${hidden} button { visibility: hidden !important; }`,
	});
	await part('canvas-node').first().hover();
	await page.mouse.move(5, size.height - 5);
	// The canvas moves to fit the window.
	await page.waitForTimeout(1500);
	const boxes = await page.locator('.vue-flow__node, .vue-flow__edge path').evaluateAll((shapes) =>
		shapes.map((shape) => {
			const { x, y, width, height } = shape.getBoundingClientRect();
			// The name of a node is below it.
			const name = shape.matches('.vue-flow__node') && width < 120 ? 40 : 0;
			return { left: x, top: y, right: x + width, bottom: y + height + name };
		}),
	);
	const left = Math.max(Math.min(...boxes.map((box) => box.left)) - 3 * margin, 0);
	const top = Math.max(Math.min(...boxes.map((box) => box.top)) - margin, 0);
	const right = Math.min(Math.max(...boxes.map((box) => box.right)) + 4 * margin, size.width);
	const bottom = Math.min(Math.max(...boxes.map((box) => box.bottom)) + margin, size.height);
	await take(page, name, { x: left, y: top, width: right - left, height: bottom - top });
	await style.evaluate((element) => (element as HTMLElement).remove());
}

/** Takes a picture of a node's form, down to its last field. */
async function takeForm({ page, part, openNode, closeNode }: Editor, name: string, node: string) {
	await openNode(node);
	const style = await page.addStyleTag({ content: hidden + hiddenIssues });
	await page.mouse.move(5, size.height - 5);
	await page.waitForTimeout(2500);
	const form = part('node-parameters');
	const box = await form.boundingBox();
	if (!box) throw new Error(`No form of ${node}`);
	// Below the last field are empty space and a feedback link.
	const bottom = await form
		.locator('input, button, [class*="notice"]')
		.evaluateAll((fields) =>
			Math.max(
				...fields
					.filter((field) => !field.textContent?.includes('I wish'))
					.map((field) => field.getBoundingClientRect().bottom),
			),
		);
	const height = Math.min(bottom + margin, box.y + box.height, size.height) - box.y;
	await take(page, name, { ...box, height });
	const { size: bytes } = statSync(join(picturesFolder, `${name}.webp`));
	if (bytes > mostFormBytes) throw new Error(`${name}.webp is too large`);
	await style.evaluate((element) => (element as HTMLElement).remove());
	await closeNode();
}

/** Frames of an animation, with the time that each is shown. */
type Frames = Array<{ bytes: Buffer; ms: number }>;

async function saveAnimation(name: string, frames: Frames): Promise<void> {
	const built = await Promise.all(
		frames.map(({ bytes, ms }) => Image.generateFrame({ buffer: bytes, delay: ms })),
	);
	const bytes = await Image.save(null, { ...smallSize, frames: built, loops: 0 });
	save(name, bytes, smallSize);
	if (bytes.length > mostAnimationBytes) throw new Error(`${name}.webp is too large`);
}

const findBinaryTab = ({ part }: Pick<Editor, 'part'>) =>
	part('ndv-data-display-binary')
		.or(part('output-panel').getByText('Binary', { exact: true }))
		.first();

/** Opens the file of the output and plays it. */
async function playVideo({ page, part }: Editor): Promise<void> {
	await findBinaryTab({ part }).click();
	await part('ndv-view-binary-data').first().click();
	const video = page.locator('video');
	await video.waitFor();
	await video.evaluate(async (element) => {
		const player = element as HTMLVideoElement;
		player.muted = true;
		player.loop = true;
		await player.play();
	});
}

/** Takes pictures of the first workflow, from its form to the playing video. */
async function takeFirstRun(
	editor: Editor,
	id: string,
	title: string,
	wanted: (name: string) => boolean,
) {
	const { page, part } = editor;
	const { names, node } = first;
	await page.setViewportSize(smallSize);
	const frames: Frames = [];
	const addFrame = async (ms: number) => {
		frames.push({ bytes: await capture(page, { x: 0, y: 0, ...smallSize }, 1), ms });
	};
	await switchWorkflow(editor, id, title);
	await page.addStyleTag({ content: hiddenNotices });
	await page.waitForTimeout(2500);
	await addFrame(1500);
	await editor.openNode(node);
	await page.waitForTimeout(2000);
	await addFrame(2500);
	await part('node-execute-button').click();
	const finished = findBinaryTab(editor);
	for (let i = 0; i < 8 && !(await finished.isVisible()); i++) {
		await page.waitForTimeout(800);
		await addFrame(500);
	}
	await finished.waitFor({ timeout: 90_000 });
	await page.waitForTimeout(1000);
	await addFrame(2000);
	await playVideo(editor);
	for (let i = 0; i < 6; i++) {
		await page.waitForTimeout(300);
		await addFrame(600);
	}
	if (wanted(names.video)) await takeWindow(page, names.video);
	if (wanted(names.animation)) await saveAnimation(names.animation, frames);
	await page.setViewportSize(size);
}

async function takeError(editor: Editor, id: string, title: string) {
	const { page, part } = editor;
	await page.setViewportSize(smallSize);
	await switchWorkflow(editor, id, title);
	await page.addStyleTag({ content: hiddenNotices });
	await editor.openNode(first.node);
	await part('node-execute-button').click();
	await part('node-error-message').first().waitFor({ timeout: 60_000 });
	await page.waitForTimeout(1000);
	await takeWindow(page, first.names.error);
	await page.setViewportSize(size);
}

async function takeCredential(editor: Editor, editorUrl: string, id: string) {
	const { page } = editor;
	await page.setViewportSize(smallSize);
	await page.goto(`${editorUrl}/home/credentials/${id}`);
	const dialog = page.locator('.el-dialog:visible').first();
	await dialog.waitFor();
	await page.addStyleTag({ content: hiddenNotices });
	await page.waitForTimeout(3000);
	const box = await dialog.boundingBox();
	await take(page, credentialName, box ?? { x: 0, y: 0, ...smallSize });
	await page.setViewportSize(size);
}

async function takePublishing(editor: Editor, id: string, title: string) {
	const { page, part } = editor;
	await page.setViewportSize(smallSize);
	await switchWorkflow(editor, id, title);
	await page.addStyleTag({ content: hiddenNotices });
	await page.waitForTimeout(1500);
	await part('workflow-open-publish-modal-button').first().click();
	await part('workflow-publish-button').waitFor();
	await page.waitForTimeout(800);
	await takeWindow(page, publishName);
	await page.setViewportSize(size);
}

/** Opens a workflow without loading the editor again, which takes most of the time. */
async function switchWorkflow(editor: Editor, id: string, title: string): Promise<void> {
	const { page } = editor;
	// Otherwise, n8n would load the workflow again, and close a node that is opened in the meantime.
	if (new URL(page.url()).pathname === `/workflow/${id}`) return;
	if (!page.url().includes('/workflow/')) {
		await editor.openWorkflow(id);
	} else {
		await page.evaluate((path) => {
			const state = { ...history.state, position: Number(history.state?.position ?? 0) + 1 };
			history.pushState(state, '', path);
			dispatchEvent(new PopStateEvent('popstate', { state }));
		}, `/workflow/${id}`);
	}
	// n8n sets the title when it has loaded the workflow.
	await page.waitForFunction((name) => document.title.includes(name), title);
}

/** Saves a workflow with the credential of the stage. Returns the workflow's ID. */
async function saveExample({ n8n, credential }: Stage, draft: object): Promise<string> {
	const workflow = draft as Parameters<typeof n8n.createWorkflow>[0];
	return (await n8n.createWorkflow(withCredential(workflow, credential))).id;
}

/** Returns a workflow with all nodes, each with the values that n8n gives a new node. */
function draftAllNodes() {
	const nodes = listNodeFolders().map((folder, i) => {
		const { displayName, name, version } = loadNode(folder).description;
		return {
			name: displayName,
			type: `${packageName}.${name}`,
			typeVersion: Math.max(...[version].flat()),
			parameters: {},
			position: [(i % 6) * 220, Math.floor(i / 6) * 180],
		};
	});
	return { name: allNodes, nodes, connections: {} };
}

/** Returns the workflows whose canvas is captured. */
function listCanvases(): Example[] {
	const examples = loadExamples();
	return examples.flatMap((example) => [
		example,
		...flows
			.filter((flow) => flow.example === example.file)
			.map(({ file }) => ({
				...example,
				file,
				name: file,
				nodes: example.nodes.filter((node) => node !== findNote(example)),
			})),
	]);
}

/** Imports these workflows, with credentials for all their nodes. Returns their IDs, keyed by file. */
async function importCanvases(stage: Stage): Promise<Map<string, string>> {
	const { n8n } = stage;
	const references = new Map<string, Awaited<ReturnType<typeof n8n.createCredential>>>();
	for (const type of new Set(Object.values(accounts))) {
		references.set(type, await n8n.createCredential(type, 'Your account', {}));
	}
	const ids = new Map<string, string>();
	for (const { file, ...draft } of listCanvases()) {
		const withAccounts = {
			...draft,
			nodes: draft.nodes.map((node) => {
				const type = accounts[node.type];
				const account = type && references.get(type);
				return type && account ? { ...node, credentials: { [type]: account } } : node;
			}),
		};
		ids.set(file, await saveExample(stage, withAccounts));
	}
	return ids;
}

export async function takeAll(stage: Stage, wanted: (name: string) => boolean) {
	const { n8n, credential } = stage;
	const ids = await importCanvases(stage);
	// The timeout is long, so that a busy machine can still take all pictures.
	const open = { viewport: size, deviceScaleFactor, timeoutMs: 90_000 };
	const titles = new Map(listCanvases().map(({ file, name }) => [file, name]));
	const takeExample = async (editor: Editor, name: string) => {
		await switchWorkflow(editor, ids.get(name) ?? '', titles.get(name) ?? '');
		await takeCanvas(editor, name);
	};
	await inEditor(
		{ n8n, log },
		async (editor) => {
			/** Errors of pictures that could not be taken. All other pictures are still taken. */
			const failures: string[] = [];
			const attempt = async (name: string, work: () => Promise<void>) => {
				if (!wanted(name)) return;
				await work().catch(async (error: Error) => {
					failures.push(`${name}: ${error.message}`);
					log(`${name} failed: ${error.message.split('\n')[0]}`);
					await editor.page.screenshot({ path: join(tmpdir(), `videogen-${name}.png`) });
				});
			};
			const { names } = first;
			const firstId = ids.get(first.example) ?? '';
			const firstTitle = titles.get(first.example) ?? '';
			const ofRun = [names.video, names.animation].filter(wanted);
			if (ofRun.length > 0) {
				await attempt(ofRun[0] ?? '', () => takeFirstRun(editor, firstId, firstTitle, wanted));
			}
			await attempt(publishName, () =>
				takePublishing(editor, ids.get(publishExample) ?? '', titles.get(publishExample) ?? ''),
			);
			await attempt(names.error, async () => {
				const draft = loadExamples().find(({ file }) => file === first.example);
				const nodes = (draft?.nodes ?? []).map((node) =>
					node.name === first.node
						? { ...node, parameters: { ...node.parameters, prompt: 'A BANNED topic' } }
						: node,
				);
				await takeError(editor, await saveExample(stage, { ...draft, nodes }), firstTitle);
			});
			const allNodesId = await saveExample(stage, draftAllNodes());
			for (const folder of listNodeFolders()) {
				const name = getFormPicture(folder);
				await attempt(name, async () => {
					await switchWorkflow(editor, allNodesId, allNodes);
					await takeForm(editor, name, loadNode(folder).description.displayName);
				});
			}
			for (const name of ids.keys()) await attempt(name, () => takeExample(editor, name));

			await attempt(credentialName, () => takeCredential(editor, n8n.editorUrl, credential.id));
			if (failures.length > 0) throw new Error(failures.join('\n'));
		},
		open,
	);
}

async function main(): Promise<void> {
	const { words } = readOptions(help, { words: true });
	const problem = missingBrowser();
	if (problem !== undefined) throw new Error(`This ${problem}`);
	const wanted = (name: string) => words.length === 0 || words.some((word) => name.includes(word));
	const { folder, remove } = createTemporaryFolder('videogen-pictures-');
	try {
		const tarball = await buildTarball(join(folder, 'package'), log);
		const stage = await startStage({
			userFolder: join(folder, 'n8n'),
			tarball,
			simulator: { jobSeconds: 2, renderVideos: true },
			log,
		});
		mkdirSync(picturesFolder, { recursive: true });
		if (words.length === 0) {
			for (const name of readdirSync(picturesFolder)) rmSync(join(picturesFolder, name));
		}
		await takeAll(stage, wanted).finally(stage.close);
	} finally {
		remove();
	}
	const bytes = readdirSync(picturesFolder).reduce(
		(sum, name) => sum + statSync(join(picturesFolder, name)).size,
		0,
	);
	log(`${bytes.toLocaleString('en')} bytes of pictures`);
	if (bytes > mostBytes) throw new Error(`That is more than ${mostBytes.toLocaleString('en')}`);
}

if (require.main === module) main().then(() => process.exit(), fail);
