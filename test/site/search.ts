/** Searches the built site as a reader does, and counts how often the right page comes first. */
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { timedLog as log } from '../../tools/child';
import { projectRoot } from '../../tools/install';
import { miniSearch } from '../../site/.vitepress/search';
import { siteOutput } from '../../tools/site';

/** What readers type, with the beginnings of the right pages' paths. */
const searches: ReadonlyArray<[words: string, ...pages: string[]]> = [
	['webhook not working', 'troubleshooting', 'trigger'],
	['too many requests', 'troubleshooting', 'errors'],
	['how long does it take', 'troubleshooting', 'wait'],
	['download the video file', 'troubleshooting', 'files'],
	['pay twice', 'guarantees', 'troubleshooting', 'cost'],
	['sheet of names', 'rows', 'examples/02', 'examples/#from-names-to-personalized-videos'],
	['cancel', 'troubleshooting'],
	['self-hosted without public url', 'trigger', 'troubleshooting'],
	['AI agent tool', 'ai-agents'],
	['which node', 'tasks', 'nodes/'],
	['insufficient credit', 'errors'],
	['subtitles', 'nodes/VideoGenTranslation'],
	['Docker', 'installation'],
	['Check Only', 'cost', 'nodes/'],
	['Include Input Fields', 'rows', 'nodes/'],
	['queue mode', 'queue-mode'],
	['file names', 'files'],
	['credentials', 'credentials'],
	['uninstall', 'installation'],
	['form to video', 'examples/04', 'examples/#form-to-video'],
];

/** The goal: the right page comes first for 18 of 20 searches. */
const leastHits = 18;

interface Index {
	search(words: string, options: object): Array<{ id: string }>;
}

async function loadIndex(): Promise<Index> {
	const [file] = globSync('assets/chunks/@localSearchIndexroot*.js', { cwd: siteOutput });
	if (file === undefined) throw new Error('Build the site first: npm run site -- --build');
	const { default: text } = (await import(pathToFileURL(join(siteOutput, file)).href)) as {
		default: string;
	};
	const require = createRequire(join(projectRoot, 'site', 'package.json'));
	const loaded = require('minisearch') as { default?: unknown };
	const MiniSearch = (loaded.default ?? loaded) as {
		loadJSON(text: string, options: object): Index;
	};
	return MiniSearch.loadJSON(text, {
		fields: ['title', 'titles', 'text'],
		storeFields: ['title', 'titles'],
		...miniSearch.options,
	});
}

/** Reports the searches that find a wrong page first, if they are too many. */
export async function checkFirstHits(problems: string[]): Promise<void> {
	const index = await loadIndex();
	// VitePress's own options.
	const options = {
		...{ fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
		...miniSearch.searchOptions,
	};
	const misses = searches.flatMap(([words, ...pages]) => {
		const first = index.search(words, options)[0]?.id.replace(/^.*?\/videogen\//, '') ?? 'nothing';
		return pages.some((page) => first.startsWith(page)) ? [] : [`“${words}” finds ${first} first`];
	});
	const hits = searches.length - misses.length;
	log(`The right page comes first for ${hits} of ${searches.length} searches`);
	for (const miss of misses) log(miss);
	if (hits < leastHits) problems.push(...misses);
}
