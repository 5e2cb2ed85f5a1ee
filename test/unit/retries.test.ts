/** The pages of the nodes say of every operation whether the node retries it. */
import { getMethod } from '../../nodes/core/operationTraits';
import { loadOperations } from '../../tools/nodes';
import { getOperationTitle, readRetryRules } from '../../tools/retries';

const operations = loadOperations();
const folders = [...new Set(operations.map(({ folder }) => folder))];

test.each(folders)('the page of %s has a rule for each operation', (folder) => {
	const rows = operations.filter((row) => row.folder === folder);
	const hasResources = new Set(rows.map(({ resource }) => resource)).size > 1;
	const rules = readRetryRules(folder);
	expect([...rules.keys()]).toEqual(
		rows.map(({ operation, resource }) =>
			getOperationTitle(operation, hasResources ? resource : undefined),
		),
	);
	// The tests of the nodes verify creates and updates; what only reads or deletes has one rule.
	const safe = {
		safeBecause: 'same effect',
		afterServiceRejection: true,
		afterProxyRejection: true,
	};
	for (const [i, rule] of [...rules.values()].entries()) {
		const operation = rows[i]?.operation;
		if (operation && ['GET', 'DELETE'].includes(getMethod(operation))) expect(rule).toEqual(safe);
	}
});
