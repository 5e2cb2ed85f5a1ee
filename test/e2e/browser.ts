import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { type Log, onShutdown, createTemporaryFolder } from '../../tools/child';
import type { RealN8n } from './n8n';
import { patience } from './process';
import { until } from './workflows';

export interface Editor {
	page: Page;
	/** Another tab of the same browser. */
	another(): Promise<Editor>;
	/** Opens a workflow on the canvas; without an id, an empty one. */
	openWorkflow(id?: string): Promise<void>;
	/** Opens the panel of nodes: for the first step, the next one, or a tool of an AI agent. */
	openPanel(place: { after: string } | { toolOf: string } | 'first'): Promise<void>;
	/** The handle on the canvas that opens the panel for what follows the node. */
	plus(name: string, type: string): Locator;
	/** Types into the search of the panel. */
	search(phrase: string): Promise<void>;
	/** What the panel lists, from the top. */
	listed(): Promise<string[]>;
	/** A node on the canvas, by its name. */
	node(name: string): Locator;
	/** Opens a node's panel by the node's name on the canvas. */
	openNode(name: string): Promise<void>;
	closeNode(): Promise<void>;
	/** A field of the open node, by the parameter's name. */
	field(name: string): Locator;
	/** An element by n8n's test id. */
	part(id: string): Locator;
	/** Keeps what the browser shows, if `SCREENSHOTS` names a folder. */
	picture(name: string): Promise<void>;
}

/** How long a busy machine may need for a page, in milliseconds. */
const pageTimeoutMs = 60_000 * patience;

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const findBrowser = () => browsers.find((path) => existsSync(path));

/** What this machine lacks for a look at the editor. */
export const missingBrowser = () => (findBrowser() ? undefined : "needs Debian's chromium");

/** Shows n8n's editor to `look` in a headless browser, signed in; a failure leaves a screenshot. */
export async function inEditor(
	{ n8n, log }: { n8n: RealN8n; log: Log },
	look: (editor: Editor) => Promise<void>,
	{
		timeoutMs = pageTimeoutMs,
		...options
	}: {
		viewport?: { width: number; height: number };
		deviceScaleFactor?: number;
		timeoutMs?: number;
	} = {},
): Promise<void> {
	const { chromium } = await import('playwright-core');
	const { folder: profile, remove: removeProfile } = createTemporaryFolder('videogen-browser-');
	let context: BrowserContext | undefined;
	const close = async () => {
		await context?.close();
		removeProfile();
	};
	onShutdown(close);
	try {
		context = await chromium.launchPersistentContext(profile, {
			executablePath: findBrowser(),
			headless: true,
			args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
			viewport: { width: 1440, height: 1200 },
			...options,
			// Ours stop n8n too, and playwright's would end the process before they have.
			handleSIGINT: false,
			handleSIGTERM: false,
			handleSIGHUP: false,
		});
		const page = context.pages()[0] ?? (await context.newPage());
		page.setDefaultTimeout(timeoutMs);
		try {
			await look(await signIn(page, n8n));
		} catch (error) {
			const picture = join(tmpdir(), `videogen-editor-${Date.now()}.png`);
			await page.screenshot({ path: picture }).then(
				() => log(`What the browser showed: ${picture}`),
				() => log('The browser showed nothing'),
			);
			throw error;
		}
	} finally {
		await close();
	}
}

async function signIn(page: Page, n8n: RealN8n): Promise<Editor> {
	await page.goto(`${n8n.editorUrl}/signin`);
	await page.locator('input[autocomplete="email"]').fill(n8n.email);
	await page.locator('input[type="password"]').fill(n8n.password);
	await partOf(page, 'form-submit-button').click();
	await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
	return editorOn(page, n8n);
}

/** An element by n8n's test id, which other projects write without the second hyphen. */
const partOf = (page: Page, id: string) => page.locator(`[data-test-id="${id}"]`);

function editorOn(page: Page, n8n: RealN8n): Editor {
	const part = (id: string) => partOf(page, id);
	const node = (name: string) =>
		part('canvas-node').and(page.locator(`[data-node-name="${name}"]`));
	const plus = (name: string, type: string) =>
		node(name)
			.locator(`[data-connection-type="${type}"]`)
			.locator('[data-test-id="canvas-handle-plus"]');

	/** As long as n8n does not know all its nodes, it opens the panel for a next step instead. */
	const openTools = async (handle: Locator) =>
		await until('the panel of tools', async () => {
			await handle.click();
			const panel = page.locator('.nodes-list-panel-ai_tool');
			const opened = await panel.waitFor({ timeout: 3_000 }).then(
				() => true,
				() => false,
			);
			if (!opened) await page.keyboard.press('Escape');
			return opened;
		});

	return {
		page,
		another: async () => {
			const tab = await page.context().newPage();
			tab.setDefaultTimeout(pageTimeoutMs);
			return editorOn(tab, n8n);
		},
		openWorkflow: async (id) => {
			await page.goto(`${n8n.editorUrl}/workflow/${id ?? 'new'}`);
			await part(id === undefined ? 'canvas-plus-button' : 'canvas-node')
				.first()
				.waitFor();
		},
		openPanel: async (place) => {
			if (place === 'first') await part('canvas-plus-button').click();
			else if ('after' in place) await plus(place.after, 'main').click();
			else await openTools(plus(place.toolOf, 'ai_tool'));
			await part('node-creator-search-bar').waitFor();
		},
		search: async (phrase) => {
			await part('node-creator-search-bar').fill(phrase);
		},
		listed: async () => {
			const names = await part('node-creator-item-name').allTextContents();
			return names.map((name) => name.trim());
		},
		node,
		plus,
		openNode: async (name) => {
			await node(name).dblclick();
			await part('node-parameters').waitFor();
		},
		closeNode: async () => {
			await part('ndv-close-button').click();
			await part('node-parameters').waitFor({ state: 'hidden' });
		},
		field: (name) => part(`parameter-input-${name}`),
		part,
		picture: async (name) => {
			const folder = process.env.SCREENSHOTS;
			if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
		},
	};
}
