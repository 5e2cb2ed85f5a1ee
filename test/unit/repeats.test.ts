/** docs/repeats.md says of every create and update what the nodes do. */
import { listStaleLines } from '../../tools/pages';
import { loadOperations } from '../../tools/nodes';
import { pageFile, readSaid, repeats } from '../../tools/repeats';

test('the page is what the nodes say', () => {
	const stale = listStaleLines(pageFile, repeats());
	if (stale.length > 0) {
		throw new Error(['Run npm run repeats: docs/repeats.md is out of date', ...stale].join('\n'));
	}
});

test('every create and update is on it, once', () => {
	const writes = loadOperations().filter(({ operation }) =>
		/^(POST|PUT|PATCH) /.test(operation.request),
	);
	expect(readSaid().size).toBe(writes.length);
});
