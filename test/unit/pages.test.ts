import { renderTableWithNotes } from '../../tools/pages';

test('a long cell keeps its beginning, and is a note below the table', () => {
	const long = Array.from({ length: 26 }, (_, i) => `word${i + 1}`).join(' ');
	const short = long.replace(/ \S+$/, '');
	const [head, line, first, second, ...notes] = renderTableWithNotes(
		['Row', 'What'],
		[
			['A1', short],
			['A2', long],
		],
	).split('\n');
	expect([head, line]).toEqual(['| Row | What |', '| --- | --- |']);
	expect(first).toBe(`| A1 | ${short} |`);
	expect(second).toMatch(/^\| A2 \| word1 .* word12 … \(note 1\) \|$/);
	expect(notes).toEqual(['', `1. ${long}`]);
});

test('without a long cell, there are no notes', () => {
	expect(renderTableWithNotes(['Row'], [['A1']])).toBe('| Row |\n| --- |\n| A1 |');
});
