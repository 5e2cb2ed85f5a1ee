/** The pages of the nodes say of every operation whether the node retries it. */
import { getMethod } from '../../nodes/core/operationTraits';
import { loadOperations } from '../../tools/nodes';
import { readRetryRule } from '../../tools/retries';

// The tests of the nodes verify creates and updates.
const rows = loadOperations()
	.filter(({ operation }) => ['GET', 'DELETE'].includes(getMethod(operation)))
	.map(({ folder, operation }) => [folder, operation.value, operation] as const);

test.each(rows)('%s: %s only reads or deletes, so it is retried', (_folder, _value, operation) => {
	expect(readRetryRule(operation)).toEqual({
		safeBecause: 'same effect',
		afterServiceRejection: true,
		afterProxyRejection: true,
	});
});
