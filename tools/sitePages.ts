/** The pages of the documentation site: documents of the repository, with links that work on the site. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Example, examplesFolder, loadExamples, picturesFolder, readNote } from './examples';
import { buildFileUrl } from './links';
import { projectRoot } from './install';
import { docsFolder, listNodeFolders } from './nodeFolders';

interface NavigationItem {
	text: string;
	link?: string;
	items?: NavigationItem[];
	collapsed?: boolean;
}

/** Documents outside docs/, by the paths of their pages. */
const otherDocuments: Readonly<Record<string, string>> = {
	'start.md': 'README.md',
	'changelog.md': 'CHANGELOG.md',
	'contributing.md': 'CONTRIBUTING.md',
	'security.md': 'SECURITY.md',
	'simulator.md': 'simulator/README.md',
};

/** Pages of docs/ by group of the sidebar, in reading order. Titles are those of the pages. */
const groups: ReadonlyArray<{ text: string; pages: readonly string[]; collapsed?: boolean }> = [
	{ text: 'Introduction', pages: ['start', 'installation', 'tutorial', 'tasks'] },
	{
		text: 'How to',
		pages: ['wait', 'trigger', 'rows', 'files', 'cost', 'retry', 'ai-agents', 'queue-mode'],
	},
	{ text: 'Explanation', pages: ['waiting', 'guarantees'] },
	{
		text: 'Reference',
		pages: [
			...['troubleshooting', 'errors', 'events', 'combinations'],
			...['compatibility', 'changelog', 'security'],
		],
	},
	{ text: 'Development', pages: ['evidence/index', 'simulator', 'contributing'], collapsed: true },
];

const listDocs = () =>
	['', 'contributing/', 'evidence/'].flatMap((folder) =>
		readdirSync(join(docsFolder, folder))
			.filter((name) => name.endsWith('.md'))
			.map((name) => folder + name),
	);

/** The page of docs/examples.md is in the folder of the examples' pages, because not every host has both. */
const getPage = (name: string) =>
	name === 'examples.md' ? 'examples/index.md' : name.replace(/README\.md$/, 'index.md');

/** Tables of proof and pages for contributors hide the guides from readers who search. */
const isSearched = (page: string) =>
	page === 'evidence/index.md' ||
	!/^(contributing\/|evidence\/|changelog|contributing\.md|simulator)/.test(page);

/** The file of the repository that each page shows, by the path of the page. */
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

/** The path of an example's page. */
const getExamplePage = (file: string) => `examples/${file}.md`;

const image = /!\[([^\]]*)\]\(([^)\s]+)\)/g;
const link = /(?<!!)\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)/g;

/**
 * Changes the relative links of a document to links of the site. Files that are not on the site become
 * links to the repository, or plain text while it has no URL.
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
			const page = pagesBySource.get(file);
			const suffix = anchor === undefined ? '' : `#${anchor}`;
			if (page !== undefined) return `[${text}](/${page}${suffix})`;
			return repository === undefined
				? text
				: `[${text}](${buildFileUrl(repository, file)}${suffix})`;
		});
}

/** The page of an example, with its workflow to copy. */
function renderExamplePage(example: Example, base: string): string {
	const { file, name } = example;
	return [
		`# ${name}`,
		existsSync(join(picturesFolder, `${file}.webp`))
			? `![The “${name}” workflow in the n8n editor](/pictures/${file}.webp)`
			: '',
		readNote(example),
		'## Workflow',
		'Copy the workflow, click on an empty canvas in n8n, and paste it with Ctrl+V (⌘V on a Mac). Then choose your credential in its VideoGen nodes.',
		'<div class="workflow">',
		`\`\`\`json\n${readFileSync(join(examplesFolder, `${file}.json`), 'utf8').trim()}\n\`\`\``,
		'</div>',
		`[Download ${file}.json](${base}examples/${file}.json){download target="_self"}`,
		'',
	].join('\n\n');
}

/** The title of a page: its first heading. */
const readTitle = (markdown: string) => /^# (.*)$/m.exec(markdown)?.[1] ?? '';

const toLink = (page: string) => `/${page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;

function renderHomePage(): string {
	const features = [
		[
			'Prompt to video',
			'Turn a form, a sheet row or a chat message into a finished video.',
			'start',
		],
		[
			`${listNodeFolders().length} nodes`,
			'Videos, avatars, voices, translations, clips, templates and more.',
			'nodes/',
		],
		['Ready-made workflows', 'Copy an example into n8n and run it.', 'examples/'],
		[
			'Paid once per execution',
			'Retries and lost replies do not pay twice. After a crash, a new run needs Pay Once Per.',
			'guarantees',
		],
		[
			'Waiting without memory',
			'A long wait suspends the execution. It survives a restart of n8n.',
			'waiting',
		],
		['Errors with a remedy', 'Each error says what happened and what to do.', 'errors'],
	];
	return [
		'---',
		'layout: home',
		'hero:',
		'  name: VideoGen for n8n',
		'  text: AI videos in your workflows',
		'  tagline: n8n community nodes for a Video Generation Service. No code needed.',
		'  image: { src: /icon.svg, alt: VideoGen }',
		'  actions:',
		'    - { theme: brand, text: Get started, link: /start }',
		'    - { theme: alt, text: Examples, link: /examples/ }',
		'features:',
		...features.map(
			([title, details, target]) =>
				`  - { title: ${title}, details: "${details}", link: /${target} }`,
		),
		'---',
		'',
	].join('\n');
}

/** Everything that the site generator reads, by path: texts of pages, and site.json. */
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
	// Links to a workflow lead to its page.
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
			(isSearched(page) ? '' : '---\nsearch: false\n---\n\n') +
				moveLinks(readFileSync(join(projectRoot, source), 'utf8'), source, pages, repository),
		);
	}
	for (const example of examples) {
		texts.set(getExamplePage(example.file), renderExamplePage(example, base));
	}
	const titleOf = (page: string) =>
		page === 'start.md' ? 'Getting started' : readTitle(texts.get(page) ?? '');
	const toItem = (page: string): NavigationItem => ({ text: titleOf(page), link: toLink(page) });

	const sidebar: NavigationItem[] = groups.map(({ text, pages: names, collapsed }) => ({
		text,
		items: names.map((name) => toItem(`${name}.md`)),
		...(collapsed === undefined ? {} : { collapsed }),
	}));
	const examplePages = examples.map(({ file }) => toItem(getExamplePage(file)));
	// After the introduction and the guides.
	sidebar.splice(
		2,
		0,
		{
			text: 'Nodes',
			items: ['index', ...listNodeFolders()].map((name) => toItem(`nodes/${name}.md`)),
			collapsed: true,
		},
		{ text: 'Examples', items: [toItem('examples/index.md'), ...examplePages], collapsed: true },
	);
	const nav: NavigationItem[] = [
		{ text: 'Get started', link: '/start' },
		{ text: 'Nodes', link: '/nodes/' },
		{ text: 'Examples', link: '/examples/' },
		{ text: 'Errors', link: '/errors' },
	];
	texts.set('index.md', renderHomePage());
	texts.set('site.json', JSON.stringify({ base, repository, nav, sidebar }, null, '\t'));
	return texts;
}
