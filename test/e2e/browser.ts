import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { type Log, onShutdown } from '../../tools/child';
import type { RealN8n } from './n8n';

export interface Editor {
	page: Page;
	/** Opens a workflow on the canvas. */
	openWorkflow(id: string): Promise<void>;
	/** Opens a node's panel by the node's name on the canvas. */
	openNode(name: string): Promise<void>;
	closeNode(): Promise<void>;
	/** A field of the open node, by the parameter's name. */
	field(name: string): Locator;
	/** An element by n8n's test id. */
	part(id: string): Locator;
}

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const findBrowser = () => browsers.find((path) => existsSync(path));

/** What this machine lacks for a look at the editor. */
export const missingBrowser = () => (findBrowser() ? undefined : "needs Debian's chromium");

/** Shows n8n's editor to `look` in a headless browser, signed in; a failure leaves a screenshot. */
export async function inEditor(
	{ n8n, log }: { n8n: RealN8n; log: Log },
	look: (editor: Editor) => Promise<void>,
): Promise<void> {
	const { chromium } = await import('playwright-core');
	const profile = mkdtempSync(join(tmpdir(), 'videogen-browser-'));
	const removeProfile = () => rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
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
			// Ours stop n8n too, and playwright's would end the process before they have.
			handleSIGINT: false,
			handleSIGTERM: false,
			handleSIGHUP: false,
		});
		const page = context.pages()[0] ?? (await context.newPage());
		page.setDefaultTimeout(20_000);
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
	// n8n's test ids, which other projects write without the second hyphen.
	const part = (id: string) => page.locator(`[data-test-id="${id}"]`);

	await page.goto(`${n8n.editorUrl}/signin`);
	await page.locator('input[autocomplete="email"]').fill(n8n.email);
	await page.locator('input[type="password"]').fill(n8n.password);
	await part('form-submit-button').click();
	await page.waitForURL((url) => !url.pathname.startsWith('/signin'));

	return {
		page,
		openWorkflow: async (id) => {
			await page.goto(`${n8n.editorUrl}/workflow/${id}`);
			await part('canvas-node').first().waitFor();
		},
		openNode: async (name) => {
			await part('canvas-node')
				.and(page.locator(`[data-node-name="${name}"]`))
				.dblclick();
			await part('node-parameters').waitFor();
		},
		closeNode: async () => {
			await part('ndv-close-button').click();
			await part('node-parameters').waitFor({ state: 'hidden' });
		},
		field: (name) => part(`parameter-input-${name}`),
		part,
	};
}
