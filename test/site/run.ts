/* Opens every page of the built documentation site in a browser. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { errorCodes } from '../errorCodes';
import { findBrowser, missingBrowser } from '../e2e/browser';
import { fail, createTemporaryFolder, onShutdown, timedLog as log } from '../../tools/child';
import { examplesFolder } from '../../tools/examples';
import { readOptions } from '../../tools/options';
import { buildSite, siteOutput } from '../../tools/site';
import { renderSite } from '../../tools/sitePages';
import { checkFirstHits } from './search';
import { serveFolder } from './server';

const help = `Builds the documentation site and opens every page in a real browser, at 1440 and 390 pixels, light and
dark. Follows all links, searches ten words, copies a workflow and enlarges a picture. Fails on an error in the
browser's console, a link without a target, a page that is wider than the screen, and a column of a table that is
narrower than 120 pixels. Needs Debian's chromium.

  npm run site:check                                   builds it first
  npm run site:check -- --no-build                     checks the site that is in site/dist
  npm run site:check -- --no-skip                      fails if there is no chromium
  SCREENSHOTS=/tmp/site npm run site:check             keeps a picture of each page in this folder`;

/** As on GitHub Pages, where the site is not at the root. */
const base = '/videogen/';

const widths = [1440, 390];
const schemes = ['light', 'dark'] as const;

/** Columns that are narrower, in pixels, break words and lines. */
const leastColumnWidth = 120;
/** Pages that are opened at the same time. */
const tabCount = 3;

/** Words that readers search for, with the page that must be among the results. */
const searches: ReadonlyArray<[words: string, page: string]> = [
	['not_found', 'errors'],
	['insufficient credit', 'errors'],
	['subtitles', 'nodes/VideoGenTranslation'],
	['public URL', 'trigger'],
	['idempotency', 'guarantees'],
	['Docker', 'installation'],
	['Check Only', 'cost'],
	['Include Input Fields', 'rows'],
	['waiting for jobs', 'waiting'],
	['form', 'examples/04-form-to-video'],
];

/** The address of a page on the site, without the base. */
const toPath = (page: string) => page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '');

const listPages = () =>
	[...renderSite({ base, repository: undefined }).keys()]
		.filter((path) => path.endsWith('.md'))
		.map(toPath);

/** What a page links to and what can be linked in it. */
interface Anchors {
	links: string[];
	ids: Set<string>;
}

const readAnchors = (page: Page) =>
	page.evaluate(() => ({
		links: Array.from(document.querySelectorAll<HTMLAnchorElement>('a[href]'), ({ href }) => href),
		ids: Array.from(document.querySelectorAll('[id]'), ({ id }) => id),
	}));

/** The headings of columns that are too narrow. */
const readNarrowColumns = (page: Page) =>
	page.evaluate(
		(least) =>
			Array.from(document.querySelectorAll('.vp-doc th'))
				.map((cell) => ({ text: cell.textContent, width: cell.getBoundingClientRect().width }))
				.filter(({ width }) => Math.ceil(width) < least)
				.map(({ text, width }) => `“${text}” ${Math.round(width)}`),
		leastColumnWidth,
	);

/** Whether Vue has taken over the page: errors of its code are in the console by then. */
const waitForApp = (page: Page) =>
	page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));

async function checkLooks(page: Page, path: string, problems: string[]): Promise<void> {
	for (const scheme of schemes) {
		await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
		await page
			.waitForFunction(
				(isDark) => document.documentElement.classList.contains('dark') === isDark,
				scheme === 'dark',
			)
			.catch(() => problems.push(`/${path} does not become ${scheme}`));
		for (const width of widths) {
			await page.setViewportSize({ width, height: 900 });
			const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			if (excess > 0) {
				problems.push(`/${path} at ${width} pixels, ${scheme}: ${excess} pixels too wide`);
			}
			const narrow = width === widths[0] ? await readNarrowColumns(page) : [];
			if (narrow.length > 0) {
				problems.push(`/${path} at ${width} pixels has narrow columns: ${narrow.join(', ')}`);
			}
			const folder = process.env.SCREENSHOTS;
			if (!folder) continue;
			mkdirSync(folder, { recursive: true });
			const name = `${path.replaceAll('/', '-') || 'home'}-${width}-${scheme}.png`;
			await page.screenshot({ path: join(folder, name) });
		}
	}
}

/** Opens every page, and returns their links and anchors by path. */
async function openPages(
	tabs: readonly Page[],
	url: string,
	problems: string[],
): Promise<Map<string, Anchors>> {
	const seen = new Map<string, Anchors>();
	const remaining = listPages();
	const openRemaining = async (page: Page) => {
		for (let path = remaining.shift(); path !== undefined; path = remaining.shift()) {
			await page.goto(url + path);
			await waitForApp(page);
			const { links, ids } = await readAnchors(page);
			seen.set(path, { links, ids: new Set(ids) });
			await checkLooks(page, path, problems);
		}
	};
	await Promise.all(tabs.map(openRemaining));
	return seen;
}

async function checkLinks(
	page: Page,
	url: string,
	seen: ReadonlyMap<string, Anchors>,
	problems: string[],
): Promise<number> {
	const origins = new Map<string, string>();
	for (const [path, { links }] of seen) {
		for (const link of links) if (link.startsWith(url)) origins.set(link, `/${path}`);
		const others = links.filter((link) => new URL(link).origin === new URL(url).origin);
		const outside = others.filter((link) => !link.startsWith(url));
		if (outside.length > 0) problems.push(`/${path} links to ${outside.join(', ')}`);
	}
	const linked = new Set<string>();
	for (const [link, origin] of origins) {
		const [address = '', anchor] = link.slice(url.length).split('#');
		linked.add(address);
		const target = seen.get(address);
		if (target === undefined) {
			const { status } = await page.request
				.get(url + address)
				.then((response) => ({ status: response.status() }));
			if (status !== 200) problems.push(`${origin} links to ${link}: ${status}`);
		} else if (anchor && !target.ids.has(decodeURIComponent(anchor))) {
			problems.push(`${origin} links to ${link}, which has no such heading`);
		}
	}
	for (const path of seen.keys()) {
		if (!linked.has(path)) problems.push(`No page links to /${path}`);
	}
	return origins.size;
}

async function checkSearch(page: Page, url: string, problems: string[]): Promise<void> {
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.goto(url);
	await waitForApp(page);
	for (const [words, expected] of searches) {
		await page.locator('.DocSearch-Button').first().click();
		await page.locator('.VPLocalSearchBox input').fill(words);
		const results = page.locator('.VPLocalSearchBox a.result');
		const found = results.and(page.locator(`[href^="${base}${expected}"]`)).first();
		await found.waitFor({ timeout: 5000 }).catch(async () => {
			const links = await results.evaluateAll((all) => all.map((a) => a.getAttribute('href')));
			problems.push(`A search for “${words}” finds ${links.join(', ')}, not ${expected}`);
		});
		await page.keyboard.press('Escape');
	}
}

async function checkCopy(page: Page, url: string, problems: string[]): Promise<void> {
	const file = '04-form-to-video';
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.goto(`${url}examples/${file}`);
	await waitForApp(page);
	const button = page.locator('.copy-workflow').first();
	await button.click();
	await button.getByText('Copied').waitFor();
	const copied = await page.evaluate(() => navigator.clipboard.readText());
	const workflow = readFileSync(join(examplesFolder, `${file}.json`), 'utf8');
	const isSame = copied.trim() === workflow.trim();
	if (!isSame) problems.push(`The copy button of ${file} copies something else than its workflow`);
}

/** A click shows the widest workflow at least as large as in n8n, on a phone too. */
async function checkEnlarging(page: Page, url: string, problems: string[]): Promise<void> {
	for (const width of widths) {
		await page.setViewportSize({ width, height: 900 });
		await page.goto(`${url}examples/`);
		await waitForApp(page);
		await page.locator('a.enlarge[href*="/18-"]').click();
		const picture = page.locator('.pswp__item[aria-hidden="false"] img.pswp__img').last();
		await picture.waitFor();
		// The picture grows from its place on the page.
		await page.waitForTimeout(600);
		const shown = (await picture.boundingBox())?.width ?? 0;
		const pixels = await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);
		const excess = pixels / 2 - Math.ceil(shown);
		if (excess > 0) problems.push(`At ${width} pixels, a picture is ${excess} pixels too small`);
		await page.keyboard.press('Escape');
		await picture.waitFor({ state: 'detached' });
	}
}

async function main(): Promise<void> {
	const { flags } = readOptions(help, { flags: ['--no-build', '--no-skip'] });
	const missing = missingBrowser();
	if (missing !== undefined) {
		if (flags.has('--no-skip')) throw new Error(`The check of the site ${missing}`);
		log(`Skipped: the check of the site ${missing}`);
		return;
	}
	if (!flags.has('--no-build')) await buildSite(log, base);

	const { chromium } = await import('playwright-core');
	const { url, close } = await serveFolder(siteOutput, base);
	const { folder: profile } = createTemporaryFolder('videogen-browser-');
	const context = await chromium.launchPersistentContext(profile, {
		executablePath: findBrowser(),
		headless: true,
		args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
	});
	onShutdown(() => context.close());
	const problems: string[] = [];
	const openTab = async (): Promise<Page> => {
		const tab = await context.newPage();
		tab.setDefaultTimeout(20_000);
		const report = (text: string) => problems.push(`${new URL(tab.url()).pathname}: ${text}`);
		tab.on('console', (message) => {
			if (['error', 'warning'].includes(message.type())) report(message.text());
		});
		tab.on('pageerror', (error) => report(error.message));
		tab.on('response', (response) => {
			if (response.status() >= 400) report(`${response.url()} is ${response.status()}`);
		});
		return tab;
	};
	const page = await openTab();
	const otherTabs = await Promise.all(Array.from({ length: tabCount - 1 }, openTab));

	log('Opening the pages …');
	const seen = await openPages([page, ...otherTabs], url, problems);
	await Promise.all(otherTabs.map(async (tab) => await tab.close()));
	const links = await checkLinks(page, url, seen, problems);
	const headings = seen.get('errors')?.ids;
	for (const { code } of errorCodes) {
		if (!headings?.has(code)) problems.push(`/errors has no heading for ${code}`);
	}
	log('Searching …');
	await checkSearch(page, url, problems);
	await checkFirstHits(problems);
	await checkCopy(page, url, problems);
	await checkEnlarging(page, url, problems);
	await context.close();
	close();

	if (problems.length > 0) throw new Error(problems.join('\n'));
	log(
		`${seen.size} pages opened, ${links} links followed, ${searches.length} searches, ${errorCodes.length} error codes`,
	);
}

main().then(() => process.exit(), fail);
