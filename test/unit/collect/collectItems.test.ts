/** What the node outputs for each input item, and which error ends its run. */
import type { IExecuteFunctions, INode, INodeExecutionData, NodeError } from 'n8n-workflow';
import { createItemCollector } from '../../../nodes/core/collect/collectItems';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';

const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;
const noJobs = { of: () => [], others: () => [] };

/** Collects results for input items with the given numbers. */
function collect(
	inputs: INodeExecutionData[],
	continueOnFail = false,
	getRowId: (item: number) => string | undefined = () => undefined,
) {
	const n8n = {
		getInputData: () => inputs,
		getNode: () => node,
		getNodeParameter: () => true,
		continueOnFail: () => continueOnFail,
	};
	return createItemCollector(n8n as unknown as IExecuteFunctions, noJobs, getRowId, false);
}

const inputs = [0, 1, 2].map((i) => ({ json: { i } }));
const failure = (item: number) => ({
	item,
	error: createOperationError(node, `Failure ${item}`, 'Advice'),
	jobs: [],
});

function getError(run: () => void): NodeError {
	try {
		run();
	} catch (error) {
		return error as NodeError;
	}
	throw new Error('The run did not fail');
}

test.each([
	[[0], 'Advice'],
	[[0, 1, 2], 'Advice\n<br>Also:\n<br>Failure 1 [row 2]\n<br>Failure 2 [row 3]'],
])('the error that ends the run lists all failures of the request: %j', (items, description) => {
	const collector = collect(inputs);
	collector.add(items.map(failure));
	const error = getError(() => collector.throwFailure());
	expect([error.message, error.description]).toEqual(['Failure 0 [row 1]', description]);
});

test.each<[INodeExecutionData['pairedItem'], unknown]>([
	[undefined, 0],
	[1, 1],
	[{ item: 1 }, 1],
	[[{ item: 1 }], 1],
	[[{ item: 0 }, { item: 1 }], undefined],
])('an output item paired with %j gets the fields of that input item', (pairedItem, i) => {
	const collector = collect(inputs);
	collector.add([{ item: 0, output: { json: { id: 'a' }, pairedItem } }]);
	expect(collector.items().map(({ json }) => json.i)).toEqual([i]);
});

test('a failed request with Continue On Fail outputs an error item for each of its items', () => {
	const collector = collect(inputs, true);
	collector.add([{ ...failure(0), otherItems: [2] }]);
	collector.throwFailure();
	expect(collector.items().map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
		['Failure 0 [row 1]', { item: 0 }],
		['Failure 0 [row 3]', { item: 2 }],
	]);
});

describe('an error item', () => {
	const rows = [1, 2].map((item) => ({ item, index: item + 3 }));

	test('contains the node, the index of its item and the ID of its row', () => {
		const collector = collect(inputs, true, (item) => (item === 0 ? undefined : `id ${item}`));
		collector.add([failure(0), { ...failure(1), otherItems: [2] }]);
		const details = collector.items().map(({ json }) => json.details as object);
		expect(details[0]).not.toHaveProperty('row');
		expect(details.slice(1)).toMatchObject(
			[1, 2].map((item) => ({ row: { node: 'Node', item, id: `id ${item}` } })),
		);
	});

	test('of a batch row also contains the index of the row', () => {
		const collector = collect(inputs, true, (item) => `id ${item}`);
		collector.add([{ ...failure(1), otherItems: [2], rows }]);
		expect(collector.items().map(({ json }) => json.details)).toMatchObject(
			rows.map(({ item, index }) => ({ item_index: index, row: { item, id: `id ${item}` } })),
		);
	});
});

test('the failures of a run are listed by item: the first of each', () => {
	const collector = collect(inputs, true);
	const [first, second, shared] = [failure(0), failure(0), { ...failure(1), otherItems: [2] }];
	collector.add([first]);
	collector.add([second, shared]);
	expect(collector.failuresByItem()).toStrictEqual(
		new Map([
			[0, first],
			[1, shared],
			[2, shared],
		]),
	);
	expect(collect(inputs, true).failuresByItem()).toStrictEqual(new Map());
});
