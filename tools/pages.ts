/** Pages of docs/ that are made of the nodes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { projectRoot } from './install';

/** Writes a file in the project's own format. */
export async function writePage(file: string, text: string): Promise<void> {
	// Here: jest, which asks for what is on a page, cannot load it.
	const { format, resolveConfig } = await import('prettier');
	const options = await resolveConfig(file);
	writeFileSync(file, await format(text, { ...options, filepath: file }));
	console.log(`Wrote ${relative(projectRoot, file)}`);
}

/** The lines of a page. Prettier pads the columns of its tables. */
const linesOf = (text: string) =>
	text.split('\n').map((line) => line.replace(/ +/g, ' ').replace(/-+/g, '-'));

/** A page without what its format adds: widths of columns, lines of JSON. */
const bare = (text: string) => text.replace(/\s+/g, '').replace(/-+/g, '-');

/** Whether a page is not as it should be. */
export const isPageStale = (file: string, text: string) =>
	bare(readFileSync(file, 'utf8')) !== bare(text);

/** What a page lacks (+) and what it should not have any more (-). */
export function listStaleLines(file: string, text: string): string[] {
	const written = new Set(linesOf(readFileSync(file, 'utf8')));
	const lines = linesOf(text);
	return [
		...lines.filter((line) => !written.has(line)).map((line) => `+ ${line}`),
		...[...written].filter((line) => !lines.includes(line)).map((line) => `- ${line}`),
	];
}

/** The cells of the tables of a page, row by row. */
export const readTableCells = (page: string): string[][] =>
	page
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);

const cell = (content: string | number) =>
	String(content).replace(/\|/g, '\\|').replace(/\n/g, ' ');

/** A table, for a page or a terminal. */
export function renderTable(
	head: readonly string[],
	rows: ReadonlyArray<ReadonlyArray<string | number>>,
): string {
	const lines = [head, head.map(() => '---'), ...rows];
	return lines.map((line) => `| ${line.map(cell).join(' | ')} |`).join('\n');
}
