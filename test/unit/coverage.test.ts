/** docs/api-coverage.md says what the nodes call, and they call what docs/endpoints.json lists. */
import { readFileSync } from 'node:fs';
import { coverage, pageFile } from '../../tools/coverage';

/** Prettier pads the columns of tables. */
const rowsOf = (text: string) =>
	text.split('\n').map((row) => row.replace(/ +/g, ' ').replace(/-+/g, '-'));

test('every endpoint is in the list and on the page, with what serves it', () => {
	const { text, missing } = coverage();
	const written = new Set(rowsOf(readFileSync(pageFile, 'utf8')));
	const rows = rowsOf(text);
	const stale = [
		...rows.filter((row) => !written.has(row)).map((row) => `+ ${row}`),
		...[...written].filter((row) => !rows.includes(row)).map((row) => `- ${row}`),
	];
	const tasks = [
		...missing,
		...(stale.length > 0
			? ['Run npm run coverage: docs/api-coverage.md is out of date', ...stale]
			: []),
	];
	if (tasks.length > 0) throw new Error(tasks.join('\n'));
});
