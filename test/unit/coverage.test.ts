/** docs/api-coverage.md says what the nodes call, and they call what docs/endpoints.json lists. */
import { coverage, pageFile } from '../../tools/apiCoverage';
import { listStaleLines } from '../../tools/pages';

test('every endpoint is in the list and on the page, with what serves it', () => {
	const { text, missing } = coverage();
	const stale = listStaleLines(pageFile, text);
	const tasks = [
		...missing,
		...(stale.length > 0
			? ['Run npm run coverage: docs/api-coverage.md is out of date', ...stale]
			: []),
	];
	if (tasks.length > 0) throw new Error(tasks.join('\n'));
});
