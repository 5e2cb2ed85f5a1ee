/* The documentation site: writes its pages, and runs its generator, VitePress. */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Image } from 'node-webpmux';
import { fail, type Log, runCommand, spawnTracked, timedLog as log } from './child';
import { examplesFolder, picturesFolder } from './examples';
import { installOnce, projectRoot, runNpm } from './install';
import { readRepositoryUrl, readSiteUrl } from './links';
import { nodesFolder } from './nodeFolders';
import { readOptions } from './options';
import { renderSite } from './sitePages';
import { runOnChange } from './watch';

const help = `Shows the documentation site, which is made from docs/ and site/home.md, on this machine.

  npm run site                         serves it, and shows changes of docs/ at once
  npm run site -- --build              writes it into site/dist
  npm run site -- --build --base /a/   for a host that shows it under /a/`;

const siteFolder = join(projectRoot, 'site');
const pagesFolder = join(siteFolder, 'pages');
/** Folder of the built site. */
export const siteOutput = join(siteFolder, 'dist');
const bin = join(siteFolder, 'node_modules', '.bin', 'vitepress');

/** Returns the path in the site's URL, with which all links begin. */
function readBase(): string {
	const url = readSiteUrl(projectRoot);
	return url === undefined ? '/' : `${new URL(url).pathname.replace(/\/$/, '')}/`;
}

const installGenerator = (to: Log) =>
	installOnce(siteFolder, to, () =>
		runNpm(siteFolder, ['install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund'], {
			label: 'Installing the site generator (once)',
			log: to,
		}),
	);

/** Returns the size of each picture, keyed by its path on the site. Pages reserve this space for it. */
async function readPictureSizes(): Promise<Record<string, [width: number, height: number]>> {
	const sizes: Record<string, [number, number]> = {};
	for (const name of readdirSync(picturesFolder)) {
		const picture = new Image();
		await picture.load(join(picturesFolder, name));
		sizes[`/pictures/${name}`] = [picture.width, picture.height];
	}
	return sizes;
}

async function writePages(base: string): Promise<void> {
	for (const [path, text] of renderSite({ base, repository: readRepositoryUrl(projectRoot) })) {
		const file = join(pagesFolder, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	}
	writeFileSync(join(pagesFolder, 'pictures.json'), JSON.stringify(await readPictureSizes()));
	const files = join(pagesFolder, 'public');
	cpSync(picturesFolder, join(files, 'pictures'), { recursive: true });
	cpSync(examplesFolder, join(files, 'examples'), { recursive: true });
	cpSync(join(nodesFolder, 'videogen.svg'), join(files, 'icon.svg'));
}

/** Writes the site into `siteOutput`. Fails if a link leads to a page that does not exist. */
export async function buildSite(to: Log, base = readBase()): Promise<void> {
	await installGenerator(to);
	rmSync(pagesFolder, { recursive: true, force: true });
	await writePages(base);
	await runCommand(bin, ['build'], { cwd: siteFolder, label: 'Building the site', log: to });
}

async function serve(): Promise<void> {
	await installGenerator(log);
	rmSync(pagesFolder, { recursive: true, force: true });
	await writePages('/');
	runOnChange(['docs', 'examples', 'site/.', '.'], () => writePages('/'));
	const server = spawnTracked(bin, ['dev', '--host', '127.0.0.1'], {
		cwd: siteFolder,
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	await new Promise((resolve) => server.once('exit', resolve));
}

async function main(): Promise<void> {
	const { flags, values } = readOptions(help, { flags: ['--build'], valued: ['--base'] });
	if (!flags.has('--build')) return await serve();
	await buildSite(log, values.get('--base'));
	log(`The site is in ${siteOutput}`);
}

if (require.main === module) main().then(() => process.exit(), fail);
