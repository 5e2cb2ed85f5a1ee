import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { onShutdown } from '../../tools/child';
import type { RealN8n } from './n8n';

export interface Editor {
	page: Page;
	/** Opens a workflow on the canvas. */
	openWorkflow(id: string): Promise<void>;
	/** Opens a node's panel by the node's name on the canvas. */
	openNode(name: string): Promise<void>;
	closeNode(): Promise<void>;
	screenshot(file: string): Promise<void>;
	close(): Promise<void>;
}

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const arguments_ = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-background-networking',
	'--disable-sync',
];

/** Opens n8n's editor in a headless browser, signed in. */
export async function openEditor(
	n8n: RealN8n,
	{ width = 1440, height = 900 }: { width?: number; height?: number } = {},
): Promise<Editor> {
	const executablePath = browsers.find((path) => existsSync(path));
	if (!executablePath) {
		throw new Error('No browser found: install Chromium (Debian: apt-get install chromium)');
	}
	const { chromium } = await import('playwright-core');
	const profile = mkdtempSync(join(tmpdir(), 'videogen-browser-'));
	const context = await chromium.launchPersistentContext(profile, {
		executablePath,
		headless: true,
		args: arguments_,
		viewport: { width, height },
	});
	const close = async () => {
		await context.close();
		rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
	};
	onShutdown(close);
	try {
		return { ...(await signIn(context, n8n)), close };
	} catch (error) {
		await close();
		throw error;
	}
}

async function signIn(context: BrowserContext, n8n: RealN8n): Promise<Omit<Editor, 'close'>> {
	const page = context.pages()[0] ?? (await context.newPage());
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
			// Lists from the service come later; the field says so in its placeholder.
			await page.waitForFunction(() => !document.querySelector('[placeholder^="Loading options"]'));
		},
		closeNode: async () => {
			await page.keyboard.press('Escape');
			await part('node-parameters').waitFor({ state: 'hidden' });
		},
		screenshot: async (file) => {
			mkdirSync(dirname(file), { recursive: true });
			await page.screenshot({ path: file });
		},
	};
}
