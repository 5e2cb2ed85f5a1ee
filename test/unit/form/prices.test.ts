/** The form of every paid operation says what is known of its price. */
import { loadNode, loadOperations } from '../../../tools/nodes';
import { isUnpaidCreate } from '../../../nodes/core/operationTraits';
import { isPaid, getNonOptionFields } from '../../integration/support/core';

const paid = loadOperations().filter(({ operation }) => isPaid(operation));

test.each(paid.map((row) => [row.folder, row.operation.value, row.operation] as const))(
	'%s, %s',
	(_, __, operation) => {
		const hints = getNonOptionFields(operation).map(({ hint }) => hint ?? '');
		const price =
			operation.price ?? 'You are charged for each run, but the price is not published.';
		expect(hints.filter((hint) => hint.includes(price))).toHaveLength(1);
	},
);

const unpriced = loadOperations().filter(({ operation }) => isUnpaidCreate(operation));

test.each(unpriced.map((row) => [row.folder, row.operation.action, row] as const))(
	'%s, %s: says that no price is published',
	(folder, _, { resource, operation }) => {
		const fields = loadNode(folder).description.properties.filter(({ displayOptions, hint }) => {
			const { resource: resources = [], operation: operations = [] } = displayOptions?.show ?? {};
			const isShown = resources.includes(resource.value) && operations.includes(operation.value);
			return isShown && hint?.endsWith('No price is published.');
		});
		expect(fields).toHaveLength(1);
	},
);
