/** The form shows the fields of an operation in their order, including those that operations share. */
import { getFormFields } from '../../../nodes/core/operationTraits';
import { loadNode, loadOperations } from '../../../tools/nodes';

const rows = loadOperations().map((row) => ({
	...row,
	name: `${row.folder}, ${row.operation.name}`,
}));

test.each(rows)('$name', ({ folder, resource, operation }) => {
	const shown = loadNode(folder)
		.description.properties.filter(({ displayOptions: { show } = {} }) =>
			Boolean(
				show?.resource?.includes(resource.value) && show.operation?.includes(operation.value),
			),
		)
		.map(({ name }) => name);
	const wanted = new Set(getFormFields(operation).map(({ name }) => name));
	expect([...new Set(shown)].filter((name) => wanted.has(name))).toEqual([...wanted]);
});
