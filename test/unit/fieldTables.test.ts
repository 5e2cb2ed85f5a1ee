/** The generated tables of fields do not contradict themselves. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodePagesFolder } from '../../tools/nodeFolders';
import { readTableCells } from '../../tools/pages';

const rows = readdirSync(nodePagesFolder)
	.filter((name) => name.endsWith('.md'))
	.flatMap((page) =>
		readFileSync(join(nodePagesFolder, page), 'utf8')
			.split(/\n{2,}/)
			.filter((block) => /^\| [^|]+ \| If left out \|/.test(block))
			.flatMap((block) => readTableCells(block).slice(1))
			.filter(([name = '']) => !/^-+$/.test(name))
			.map(([name = '', withoutValue = '', text = '']) => ({ page, name, withoutValue, text })),
	);

type Row = Pick<(typeof rows)[number], 'withoutValue' | 'text'>;

/** The limit that the generator adds at the end of a description. */
const addedLimit = /(?:^|[.:] )(?:([\d,]+) or more|More than ([\d,]+)|([\d,]+) to [\d,]+)[^.]*\.$/;

function findContradiction({ withoutValue, text }: Row): string | undefined {
	if (withoutValue === '') return 'says nothing about the default';
	if (text === '') return 'has no description';
	const limit = addedLimit.exec(text);
	if (limit && /\b0 (means|lets)|\bUse 0\b/.test(text)) return 'allows 0 and excludes it';
	if (/(\b[\d,]+ or more)\b.*\1/.test(text)) return 'has two ranges';
	const [, least = '0', above = '-1', from = '0'] = limit ?? [];
	const toNumber = (digits: string) => Number(digits.replaceAll(',', ''));
	const value = toNumber(withoutValue);
	if (value < toNumber(least) || value <= toNumber(above) || value < toNumber(from))
		return 'has a default outside its limits';
	const choices = /Choices: ([^.]*)\./.exec(text)?.[1]?.split(', ');
	const isChoice = ['Required', 'Not sent', '—', 'Off'].includes(withoutValue);
	return choices && !isChoice && !choices.includes(withoutValue)
		? 'has a default that is not among its choices'
		: undefined;
}

test('no row contradicts itself', () => {
	expect(rows.length).toBeGreaterThan(300);
	const wrong = rows.flatMap((row) => {
		const problem = findContradiction(row);
		return problem === undefined ? [] : [`${row.page}: ${row.name} ${problem}: ${row.text}`];
	});
	expect(wrong).toEqual([]);
});

test.each([
	['', 'A title.', 'says nothing about the default'],
	['0', 'Jobs per run; 0 means no limit. 1 or more.', 'allows 0 and excludes it'],
	['Not sent', 'End; more than 0. Use 0 for the end. More than 0.', 'allows 0 and excludes it'],
	['Not sent', 'Start, 0 or more. 0 or more.', 'has two ranges'],
	['0', 'Number of results. 1 or more.', 'has a default outside its limits'],
	['0', 'Number of results. 1 to 50.', 'has a default outside its limits'],
	['Audio', 'Choices: Text, File.', 'has a default that is not among its choices'],
	['50', 'Number of results. 1 or more.', undefined],
])('%s and "%s": %s', (withoutValue, text, problem) => {
	expect(findContradiction({ withoutValue, text })).toBe(problem);
});

test('resolutions and levels are in their own order', () => {
	const texts = rows.map(({ text }) => text).join('\n');
	expect(texts).toContain('Choices: 4K, 1080p, 720p.');
	expect(texts).toContain('Choices: High, Medium, Low.');
});
