/** The guesses in service.md have workarounds and existing places; comments cite existing sections. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findExceededLimit, receivedDataLimits } from '../../nodes/core/http/receivedDataLimits';
import { listOperations, readApi } from '../../simulator/api';
import { projectRoot } from '../../tools/install';
import { readTableCells } from '../../tools/pages';
import { nodesFolder } from '../../tools/nodeFolders';

const page = readFileSync(path.join(projectRoot, 'docs', 'contributing', 'service.md'), 'utf8');

/** The text below a heading, up to the next one. */
function section(heading: string): string {
	const from = page.indexOf(`\n${heading}\n`);
	if (from === -1) throw new Error(`docs/contributing/service.md has no ${heading}`);
	const rest = page.slice(from + heading.length + 1);
	return rest.slice(0, /\n##/.exec(rest)?.index ?? rest.length);
}

const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');

describe('Guesses', () => {
	const guesses = readTableCells(section('## Guesses')).filter(([number]) =>
		/^G\d+$/.test(number ?? ''),
	);

	test('each has its own number, a workaround, and a place that exists', () => {
		expect(guesses.map(([number]) => number)).toEqual(guesses.map((_, i) => `G${i + 1}`));
		for (const [number, , wayOut, place] of guesses) {
			expect([number, wayOut]).toEqual([number, expect.stringMatching(/\S/)]);
			const [known = ''] = quoted(place);
			for (const file of quoted(place)) {
				const folders = [projectRoot, nodesFolder, path.dirname(path.join(nodesFolder, known))];
				const found = folders.some((folder) => existsSync(path.join(folder, file)));
				expect([number, file, found]).toEqual([number, file, true]);
			}
		}
	});

	test('each says what would settle it, with requests that are described', () => {
		const lines = listOperations(readApi()).map(({ line }) => line);
		for (const [number, , , , response = ''] of guesses) {
			expect([number, response]).toEqual([number, expect.stringMatching(/\S/)]);
			const requests = quoted(response).filter((text) => /^[A-Z]+ \//.test(text));
			expect([number, requests.filter((line) => !lines.includes(line))]).toEqual([number, []]);
		}
	});

	test('cited guesses exist', () => {
		const cited = new Set(page.match(/\bG\d+\b/g));
		expect(guesses.map(([number]) => number)).toEqual(expect.arrayContaining([...cited]));
	});
});

test('the table of what is received has every limit', () => {
	const rows = readTableCells(section('## Limits on received data')).flat().join('\n');
	for (const [received, limits] of Object.entries(receivedDataLimits)) {
		for (const [unit, limit] of Object.entries(limits as Record<string, number>)) {
			const amount = findExceededLimit({ [unit]: Infinity }, { [unit]: limit });
			// Other units are seconds.
			const text = amount?.replace('more than ', '') ?? `${limit} seconds`;
			expect([received, unit, rows]).toEqual([received, unit, expect.stringContaining(text)]);
		}
	}
});

test('cited sections exist', () => {
	const headings = [...page.matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? '');
	const files = globSync('{nodes,credentials,simulator,tools,test}/**/*.ts', {
		cwd: projectRoot,
		exclude: ['**/node_modules/**'],
	}).map((name) => path.join(projectRoot, name));
	const cited = files.flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(/(?<![\w-])service\.md, ([A-Z][A-Za-z ]+)/g)].map(
			(match) => ({ file, section: match[1] ?? '' }),
		),
	);
	expect(cited.length).toBeGreaterThan(40);
	const wrong = cited.filter(({ section: name }) => !headings.some((one) => name.startsWith(one)));
	expect(wrong).toEqual([]);
});
