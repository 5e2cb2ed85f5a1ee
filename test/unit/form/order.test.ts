/** The form shows the fields of an operation in their order, including those that operations share. */
import { getNonOptionFields } from '../../../nodes/core/operationTraits';
import { listNodeFolders } from '../../../tools/nodeFolders';
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
	const wanted = new Set(getNonOptionFields(operation).map(({ name }) => name));
	expect([...new Set(shown)].filter((name) => wanted.has(name))).toEqual([...wanted]);
});

test('a list that must have entries warns as long as it has none', () => {
	const required = listNodeFolders().flatMap((folder) =>
		loadNode(folder).description.properties.filter(
			({ type, required: isRequired }) => type === 'fixedCollection' && isRequired === true,
		),
	);
	expect(required.length).toBeGreaterThan(3);
	for (const { typeOptions } of required) expect(typeOptions?.minRequiredFields).toBe(1);
});

test('n8n gets no keys of a field that only this package knows', () => {
	const known = new Set<string>();
	const collectKeys = (options: readonly object[]): void => {
		for (const option of options) {
			for (const key of Object.keys(option)) known.add(key);
			const { options: inner = [], values = [] } = option as Record<string, object[]>;
			collectKeys([...inner, ...values]);
		}
	};
	for (const folder of listNodeFolders()) collectKeys(loadNode(folder).description.properties);
	expect(known).toContain('displayOptions');
	const own = ['schema', 'search', 'load', 'mapping', 'lookUp', 'contains', 'asset', 'inTools'];
	expect(
		[...own, 'unset', 'collection', 'in', 'afterWait'].filter((key) => known.has(key)),
	).toEqual([]);
});

test('One Item per Clip is between the switch that shows it and the files that it is needed for', () => {
	const names = loadNode('VideoGenClipping').description.properties.flatMap(
		({ name, displayOptions }) =>
			displayOptions?.show?.operation?.includes('create') === true ? [name] : [],
	);
	const places = ['waitForCompletion', 'splitIntoClips', 'download'].map((name) =>
		names.lastIndexOf(name),
	);
	expect(places).toEqual([...places].sort((a, b) => a - b));
	expect(places).not.toContain(-1);
});
