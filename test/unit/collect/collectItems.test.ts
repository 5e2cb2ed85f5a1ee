/** What the node outputs for each input item, and which error ends its run. */
import type { IExecuteFunctions, INode, INodeExecutionData, NodeError } from 'n8n-workflow';
import { createItemCollector } from '../../../nodes/core/collect/collectItems';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';

const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;
const noJobs = { of: () => [], others: () => [] };

/** Collects results for input items with the given numbers. */
function collect(inputs: INodeExecutionData[], continueOnFail = false) {
	const n8n = {
		getInputData: () => inputs,
		getNode: () => node,
		getNodeParameter: () => true,
		continueOnFail: () => continueOnFail,
	};
	return createItemCollector(n8n as unknown as IExecuteFunctions, noJobs);
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
	[[0, 1, 2], 'Advice\n<br>Also:\n<br>Failure 1 [item 1]\n<br>Failure 2 [item 2]'],
])('the error that ends the run lists all failures of the request: %j', (items, description) => {
	const collector = collect(inputs);
	collector.add(items.map(failure));
	const error = getError(() => collector.throwFailure());
	expect([error.message, error.description]).toEqual(['Failure 0 [item 0]', description]);
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
		['Failure 0 [item 0]', { item: 0 }],
		['Failure 0 [item 2]', { item: 2 }],
	]);
});
