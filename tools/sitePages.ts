/**
 * Renders the pages of the documentation site from documents of the repository, and adapts their links.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Example, loadExamples, picturesFolder, readNote, readSummary } from './examples';
import { buildFileUrl } from './links';
import { projectRoot } from './install';
import { docsFolder, listNodeFolders } from './nodeFolders';

interface NavigationItem {
	text: string;
	link?: string;
	items?: NavigationItem[];
	collapsed?: boolean;
}

/** Documents outside docs/, or single chapters of them, keyed by the path of their page. */
const otherDocuments: Readonly<Record<string, string>> = {
	'index.md': 'site/home.md',
	'credentials.md': 'README.md#credentials',
	'changelog.md': 'CHANGELOG.md',
	'contributing.md': 'CONTRIBUTING.md',
	'security.md': 'SECURITY.md',
	'simulator.md': 'simulator/README.md',
};

/** A group of the sidebar: pages in reading order, whose titles are those of the pages. */
interface Group {
	text: string;
	pages: readonly string[];
	collapsed?: boolean;
}

const reference = 'Reference';

const groups: readonly Group[] = [
	{ text: 'Tutorial', pages: ['tutorial'] },
	{
		text: 'How-to',
		pages: [
			...['installation', 'wait', 'trigger', 'rows', 'files', 'cost', 'retry', 'ai-agents'],
			...['queue-mode', 'troubleshooting'],
		],
	},
	{
		text: reference,
		pages: [
			'tasks',
			'credentials',
			'errors',
			'events',
			'combinations',
			'compatibility',
			'changelog',
		],
	},
	{ text: 'Explanation', pages: ['waiting', 'guarantees', 'security', 'evidence/index'] },
	{ text: 'Contributing', pages: ['contributing', 'simulator'], collapsed: true },
];

const listDocs = () =>
	['', 'contributing/', 'evidence/'].flatMap((folder) =>
		readdirSync(join(docsFolder, folder))
			.filter((name) => name.endsWith('.md'))
			.map((name) => folder + name),
	);

/**
 * Returns the path of a document's page. docs/examples.md becomes the index page of examples/, because
 * not every host allows a page and a folder with the same name.
 */
const getPage = (name: string) =>
	name === 'examples.md' ? 'examples/index.md' : name.replace(/README\.md$/, 'index.md');

/** Whether the search includes a page. Evidence and pages for contributors would hide the guides. */
const isSearched = (page: string) =>
	page === 'evidence/index.md' ||
	!/^(contributing\/|evidence\/|changelog|contributing\.md|simulator)/.test(page);

/** Renders a page's settings. Tables of evidence need the space of the page's outline. */
const renderSettings = (page: string) =>
	isSearched(page) ? '' : '---\nsearch: false\naside: false\npageClass: wide\n---\n\n';

/** Returns the file of the repository that each page shows, keyed by the path of the page. */
export function listSources(): Map<string, string> {
	return new Map([
		...Object.entries(otherDocuments),
		...listDocs().map((name): [string, string] => [getPage(name), `docs/${name}`]),
		['nodes/index.md', 'docs/nodes/README.md'] as const,
		...listNodeFolders().map((folder): [string, string] => [
			`nodes/${folder}.md`,
			`docs/nodes/${folder}.md`,
		]),
	]);
}

const getExamplePage = (file: string) => `examples/${file}.md`;

const image = /!\[([^\]]*)\]\(([^)\s]+)\)/g;
const link = /(?<!!)\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)/g;

/**
 * Changes the relative links of a document to links within the site. Links to files that are not on the
 * site lead to the repository, or become plain text if it has no URL.
 *
 * @param source path of the document in the repository
 */
export function moveLinks(
	markdown: string,
	source: string,
	pages: ReadonlyMap<string, string>,
	repository: string | undefined,
): string {
	const pagesBySource = new Map([...pages].map(([page, file]) => [file, page]));
	const resolve = (target: string) => posix.join(posix.dirname(source), target);
	return markdown
		.replace(image, (whole, alt: string, target: string) =>
			/^[a-z]+:/.test(target) ? whole : `![${alt}](/${posix.relative('docs', resolve(target))})`,
		)
		.replace(link, (whole, text: string, target: string) => {
			if (/^([a-z]+:|#)/.test(target)) return whole;
			const [path = '', anchor] = target.split('#');
			const file = resolve(path);
			const suffix = anchor === undefined ? '' : `#${anchor}`;
			const chapter = pagesBySource.get(file + suffix);
			if (chapter !== undefined) return `[${text}](/${chapter})`;
			const page = pagesBySource.get(file);
			if (page !== undefined) return `[${text}](/${page}${suffix})`;
			return repository === undefined
				? text
				: `[${text}](${buildFileUrl(repository, file)}${suffix})`;
		});
}

const renderPicture = ({ file, name }: Example) =>
	existsSync(join(picturesFolder, `${file}.webp`))
		? `![The “${name}” workflow in the n8n editor](/pictures/${file}.webp)`
		: '';

const pasteHint =
	'Copy a workflow, click on an empty canvas in n8n, and paste it with Ctrl+V (⌘V on a Mac). Then choose your credential in its VideoGen nodes.';

const renderExamplePage = (example: Example): string =>
	[
		`# ${example.name}`,
		renderPicture(example),
		`<WorkflowButtons file="${example.file}" />`,
		readNote(example),
		'## Use the workflow',
		pasteHint,
		'',
	].join('\n\n');

/** Renders all examples with their pictures, in place of docs/examples.md. */
const renderGallery = (examples: readonly Example[]): string =>
	[
		'---\naside: false\npageClass: gallery\n---',
		'# Examples',
		`${pasteHint} Nodes for other services have pinned sample data or are deactivated, so you can run each example before you connect your accounts. Click a picture to enlarge it.`,
		'<div class="cards">',
		...examples.flatMap((example) => [
			'<article>',
			renderPicture(example),
			`## ${example.name}`,
			readSummary(example),
			`<WorkflowButtons file="${example.file}">\n\n[Set up](/${getExamplePage(example.file)})\n\n</WorkflowButtons>`,
			'</article>',
		]),
		'</div>',
		'',
	].join('\n\n');

const readTitle = (markdown: string) => /^# (.*)$/m.exec(markdown)?.[1] ?? '';

const toLink = (page: string) => `/${page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;

/** Reads a document. With an anchor of one word, reads only that chapter, as a separate document. */
function readSource(source: string): string {
	const [file = '', anchor] = source.split('#');
	const text = readFileSync(join(projectRoot, file), 'utf8');
	if (anchor === undefined) return text;
	const chapter = text
		.split(/^#(?=# )/m)
		.find((one) => one.toLowerCase().startsWith(`# ${anchor}\n`));
	if (chapter === undefined) throw new Error(`${file} has no chapter ${anchor}`);
	return chapter;
}

/** Returns everything that the site generator reads, keyed by path: texts of pages, and site.json. */
export function renderSite({
	base,
	repository,
}: {
	/** Path of the site on its host, such as `/name/`. */
	base: string;
	repository: string | undefined;
}): Map<string, string> {
	const sources = listSources();
	const examples = loadExamples();
	// Links to an example workflow lead to its page.
	const pages = new Map([
		...sources,
		...examples.map(({ file }): [string, string] => [
			getExamplePage(file),
			`examples/${file}.json`,
		]),
	]);
	const texts = new Map<string, string>();
	for (const [page, source] of sources) {
		texts.set(
			page,
			renderSettings(page) + moveLinks(readSource(source), source, pages, repository),
		);
	}
	texts.set('examples/index.md', renderGallery(examples));
	for (const example of examples)
		texts.set(getExamplePage(example.file), renderExamplePage(example));
	const toItem = (page: string): NavigationItem => ({
		text: page === 'tutorial.md' ? 'Getting started' : readTitle(texts.get(page) ?? ''),
		link: toLink(page),
	});
	const toGroup = (text: string, index: string, names: readonly string[]): NavigationItem => ({
		text,
		items: [index, ...names].map(toItem),
		collapsed: true,
	});

	const sidebar: NavigationItem[] = groups.map(({ text, pages: names, collapsed }) => ({
		text,
		items: [
			...(text === reference
				? [
						toGroup(
							'Nodes',
							'nodes/index.md',
							listNodeFolders().map((name) => `nodes/${name}.md`),
						),
						toGroup(
							'Examples',
							'examples/index.md',
							examples.map(({ file }) => getExamplePage(file)),
						),
					]
				: []),
			...names.map((name) => toItem(`${name}.md`)),
		],
		...(collapsed === undefined ? {} : { collapsed }),
	}));
	const nav: NavigationItem[] = [
		{ text: 'Get started', link: '/tutorial' },
		{ text: 'Examples', link: '/examples/' },
		{ text: 'Nodes', link: '/nodes/' },
		{ text: 'Errors', link: '/errors' },
	];
	texts.set('site.json', JSON.stringify({ base, repository, nav, sidebar }, null, '\t'));
	return texts;
}
