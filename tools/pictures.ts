import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Editor, inEditor, missingBrowser } from '../test/e2e/browser';
import { fail, createTemporaryFolder, timedLog as log } from './child';
import { readOptions } from './options';
import { loadExamples, picturesFolder } from './examples';
import { buildTarball } from './pack';
import { type Stage, startStage, withCredential } from './stage';

const help = `Takes the screenshots of docs/pictures: the canvas of each example, a finished execution, forms of nodes.
Needs Debian's chromium. Check the pictures before you commit them.

  npm run pictures            all of them, in about 3 minutes
  npm run pictures -- form    those with the word in their name`;

/** The window, in pixels. */
const size = { width: 1400, height: 900 };
/** Space around the nodes of a canvas, in pixels. */
const margin = 24;
/** The WebP quality at which text has no artifacts. */
const quality = 72;
const mostBytes = 2_000_000;

/** The nodes whose forms are shown. */
const forms = [
	{ name: 'form-agent', example: '04-form-to-video', node: 'Create Session' },
	{ name: 'form-template', example: '17-order-to-personal-video', node: 'Generate Video' },
	{ name: 'form-trigger', example: '10-tell-the-team', node: 'Video Finished or Failed' },
];
const flow = { name: 'flow', example: '02-names-to-personal-videos' };

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

async function take(page: Page, name: string, clip: Box): Promise<void> {
	const session = await page.context().newCDPSession(page);
	const { data } = await session.send('Page.captureScreenshot', {
		format: 'webp',
		quality,
		clip: { ...clip, scale: 1 },
	});
	await session.detach();
	const bytes = Buffer.from(data, 'base64');
	writeFileSync(join(picturesFolder, `${name}.webp`), bytes);
	log(
		`${name}.webp, ${Math.round(clip.width)} × ${Math.round(clip.height)}, ${bytes.length} bytes`,
	);
}

/** Styles that hide n8n's controls and notifications. */
const hidden = `
	[data-test-id="canvas-controls"], [data-test-id="canvas-minimap"], .vue-flow__controls,
	[class*="buttonsWrapper"], [data-test-id="canvas-chat-button"], [class*="executionButtons"],
	[data-test-id="canvas-handle-plus-wrapper"], .vue-flow__node button, #toast-container, .el-notification,
	[class*="ask-assistant"], [data-test-id*="assistant"] { visibility: hidden !important; }`;

/** Takes the part of the canvas that has nodes. */
async function takeCanvas({ page, part }: Editor, name: string): Promise<void> {
	await page.addStyleTag({ content: `${hidden} button { visibility: hidden !important; }` });
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
}

/** Takes the form of a node, down to its last field. */
async function takeForm({ page, part, openNode, closeNode }: Editor, name: string, node: string) {
	await openNode(node);
	await page.addStyleTag({ content: hidden });
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
	await closeNode();
}

async function takeAll({ n8n, credential }: Stage, wanted: (name: string) => boolean) {
	const ids = new Map<string, string>();
	for (const { file, ...draft } of loadExamples()) {
		const { id } = await n8n.createWorkflow(
			withCredential(draft as Parameters<typeof n8n.createWorkflow>[0], credential),
		);
		ids.set(file, id);
	}
	await inEditor({ n8n, log }, async (editor) => {
		await editor.page.setViewportSize(size);
		for (const [name, id] of [...ids].filter(([one]) => wanted(one))) {
			await editor.openWorkflow(id);
			await takeCanvas(editor, name);
		}
		for (const { name, example, node } of forms.filter((one) => wanted(one.name))) {
			await editor.openWorkflow(ids.get(example));
			await takeForm(editor, name, node);
		}
		if (wanted(flow.name)) {
			await editor.openWorkflow(ids.get(flow.example));
			await editor.part('execute-workflow-button').first().click();
			const done = editor.part('canvas-node-status-success');
			await done.nth(3).waitFor({ timeout: 60_000 });
			await editor.page.waitForTimeout(1500);
			await takeCanvas(editor, flow.name);
		}
	});
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
			simulator: { jobSeconds: 1 },
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

main().then(() => process.exit(), fail);
