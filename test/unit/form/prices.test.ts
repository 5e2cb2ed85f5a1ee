/** The form of every paid operation says what is known of its price. */
import { loadOperations } from '../../../tools/nodes';
import { isPaid, getFormFields } from '../../integration/support/core';

const paid = loadOperations().filter(({ operation }) => isPaid(operation));

test.each(paid.map((row) => [row.folder, row.operation.value, row.operation] as const))(
	'%s, %s',
	(_, __, operation) => {
		const hints = getFormFields(operation).map(({ hint }) => hint ?? '');
		const price = operation.price ?? 'The service publishes no price for it.';
		expect(hints.filter((hint) => hint.includes(price))).toHaveLength(1);
	},
);
