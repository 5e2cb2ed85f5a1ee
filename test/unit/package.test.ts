/** Every node has what it needs in addition to its code: icons, codex, README row, tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VideoGenApi } from '../../credentials/VideoGenApi.credentials';
import { apiKeyHeader } from '../../nodes/core/http/credentials';
import { drawIcons } from '../../tools/icons';
import { projectRoot } from '../../tools/install';
import { getSiteUrl, placeholderDocumentationUrl, placeholderHomepage } from '../../tools/links';
import { listNodeFolders } from '../../tools/nodeFolders';

const path = (...parts: string[]) => join(projectRoot, ...parts);
const read = (...parts: string[]) => readFileSync(path(...parts), 'utf8');

const {
	name: packageName,
	homepage,
	bugs,
	n8n,
} = JSON.parse(read('package.json')) as {
	name: string;
	homepage: string;
	bugs?: unknown;
	n8n: Record<'nodes' | 'credentials', string[]>;
};
const credentials = readdirSync(path('credentials')).filter((name) => name.endsWith('.ts'));
const folders = listNodeFolders();
const drawn = drawIcons();
const sourceOf = (folder: string) => `nodes/${folder}/${folder}.node.ts`;

test.each([
	['nodes', folders.map(sourceOf)],
	['credentials', credentials.map((name) => `credentials/${name}`)],
] as const)('package.json ships all %s and no others', (key, sources) => {
	const wanted = sources.map((source) => `dist/${source.replace(/\.ts$/, '.js')}`);
	expect(wanted.length).toBeGreaterThan(0);
	nothingToDo([
		...wanted
			.filter((line) => !n8n[key].includes(line))
			.map((line) => `Add to package.json under n8n.${key}: "${line}"`),
		...n8n[key]
			.filter((line, i) => !wanted.includes(line) || n8n[key].indexOf(line) !== i)
			.map((line) => `Remove from package.json under n8n.${key}: "${line}"`),
	]);
});

test.each(credentials)('the icons of %s exist', (file) => {
	nothingToDo(missingIcons(`credentials/${file}`));
});

test('package.json has a homepage and no URL for bugs, and credentials the URL that the build replaces', () => {
	// n8n's rules require a URL: n8n's own page, or that of the documentation site.
	const site = getSiteUrl({ homepage });
	const line = `documentationUrl = '${placeholderDocumentationUrl}';`;
	nothingToDo([
		...(homepage === placeholderHomepage || site?.startsWith('https://')
			? []
			: ['Set homepage in package.json to the https:// URL of the documentation site']),
		...(bugs === undefined ? [] : ['Remove "bugs" from package.json: it comes from "repository"']),
		...credentials
			.filter((file) => !read('credentials', file).includes(line))
			.map((file) => `Write into credentials/${file}: ${line}`),
	]);
});

test('the icons are those that tools/icons.ts draws', () => {
	nothingToDo(
		[...drawn]
			.filter(([file, svg]) => !existsSync(path(file)) || read(file) !== svg)
			.map(([file]) => `Run npm run generate: ${file} differs from its drawing`),
	);
});

describe.each(folders)('%s', (folder) => {
	const source = read(sourceOf(folder));
	const displayName = literal(source, 'displayName');

	test('has icons, and a codex file that names it', () => {
		const codexFile = `nodes/${folder}/${folder}.node.json`;
		const codex = existsSync(path(codexFile))
			? (JSON.parse(read(codexFile)) as { node?: string; alias?: string[]; categories?: string[] })
			: {};
		const name = `${packageName}.${literal(source, 'name')}`;
		const icons = [`${folder}.svg`, `${folder}.dark.svg`];
		const rules: Array<[boolean, string]> = [
			[drawn.has(`nodes/${folder}/${folder}.svg`), 'Draw its symbol in tools/icons.ts'],
			[iconsIn(source).join() === icons.join(), `Name its icons file:${icons.join(', file:')}`],
			[
				codex.categories?.join() === 'Marketing & Content',
				`Give ${codexFile} the category "Marketing & Content": with AI, n8n's search hides it`,
			],
			[codex.node === name, `Write ${codexFile}, with "node": "${name}"`],
			[(codex.alias ?? []).length > 0, `Give ${codexFile} search words, under "alias"`],
		];
		const tasks = rules.filter(([holds]) => !holds).map(([, task]) => `${folder}: ${task}`);
		nothingToDo([...missingIcons(sourceOf(folder)), ...tasks]);
	});

	test('is in the table of nodes, with its page', () => {
		const row = `| [${displayName}](docs/nodes/${folder}.md) `;
		const task = `Add to the table under "Operations" in README.md: ${row}| … |`;
		nothingToDo(read('README.md').includes(`\n${row}`) ? [] : [task]);
	});

	// test/unit/layout.test.ts requires those of the nodes with operations.
	if (!existsSync(path('nodes', folder, 'operations'))) {
		test('has its tests', () => {
			const place = `test/integration/${folder.endsWith('Trigger') ? 'trigger' : 'wait'}`;
			const tests = readdirSync(path(place)).filter((name) => name.endsWith('.test.ts'));
			const mentions = new RegExp(`\\b${folder}\\b`);
			const isTested = tests.some((name) => mentions.test(read(place, name)));
			nothingToDo(isTested ? [] : [`Write the tests of the node in ${place}`]);
		});
	}
});

function nothingToDo(tasks: string[]): void {
	if (tasks.length > 0) throw new Error(tasks.join('\n'));
}

/** A text of the node's description. */
function literal(source: string, key: string): string {
	const found = new RegExp(`^\\t\\t${key}: '([^']+)'`, 'm').exec(source)?.[1];
	if (!found) throw new Error(`The description of the node has no ${key}: '…'`);
	return found;
}

function iconsIn(code: string): string[] {
	return [...code.matchAll(/'file:([^']+)'/g)].map((match) => match[1] ?? '');
}

function missingIcons(source: string): string[] {
	const named = iconsIn(read(source));
	if (named.length === 0) return [`Give ${source} an icon: { light: 'file:…', dark: 'file:…' }`];
	return named
		.filter((icon) => !existsSync(path(source, '..', icon)))
		.map((icon) => `${source} names the icon ${icon}, which does not exist`);
}

test('credentials import nothing, because n8n loads them at its start', async () => {
	for (const name of credentials) {
		expect([name, read('credentials', name).match(/^import (?!type ).*/gm)]).toEqual([name, null]);
	}
	const request = { url: 'https://api.example.com', headers: { accept: 'text/plain' } };
	expect(await new VideoGenApi().authenticate({ apiKey: 'key' }, request)).toEqual({
		...request,
		headers: { ...request.headers, [apiKeyHeader]: 'key' },
	});
});
