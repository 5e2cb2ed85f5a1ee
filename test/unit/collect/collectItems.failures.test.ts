/** How a run reports failures: in the error that ends it, or in the error items of Continue On Fail. */
import type { IExecuteFunctions, INode, NodeError } from 'n8n-workflow';
import { createItemCollector } from '../../../nodes/core/collect/collectItems';
import type { ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import { videoJob } from '../../../nodes/jobKinds/catalog';
import type { ItemResult } from '../../../nodes/core/collect/itemResult';

const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;
const video = (id: string) => ({ kind: videoJob, id });

function collect(count: number, onError?: INode['onError']) {
	const n8n = {
		getInputData: () => Array.from({ length: count }, (_, i) => ({ json: { i } })),
		getNode: () => ({ ...node, onError }),
		getNodeParameter: () => true,
		continueOnFail: () => onError !== undefined,
	};
	const jobs = {
		of: (item: number) => [video(`of${item}`)],
		others: (item: number) => [{ item: item + 1, jobs: [video(`after${item}`)] }],
	};
	return createItemCollector(n8n as unknown as IExecuteFunctions, jobs, () => undefined, false);
}

const fail = (item: number, advice: string | string[] = 'Advice', details: ErrorDetails = {}) => ({
	...{ item, jobs: [video('none')] },
	error: createOperationError(node, `Failure ${item}`, advice, details),
});

/** Adds the results of several requests, and returns the error that ends the run. */
function endRun(count: number, ...requests: ItemResult[][]) {
	const collector = collect(count);
	for (const results of requests) collector.add(results);
	try {
		collector.throwFailure();
	} catch (thrown) {
		const { message, description, context } = thrown as NodeError;
		return { message, lines: description?.split('\n<br>'), context };
	}
	return undefined;
}

const started = [
	'Already started for this item: video of0',
	'Jobs started for other items: row 2: video after0. They are not lost and continue to run in the service.',
];
const details = {
	job: { kind: 'video', id: 'of0' },
	started: [{ item: 1, kind: 'video', id: 'after0' }],
};

test('the error has the jobs of the run, not those of the failure', () => {
	expect(endRun(1, [fail(0)])).toEqual({
		message: 'Failure 0',
		lines: ['Advice', ...started],
		context: { details, itemIndex: 0 },
	});
});

test('later requests are listed only if it is uncertain what they have done', () => {
	const uncertain = { uncertain: true };
	const error = endRun(
		9,
		[fail(0), fail(3)],
		[fail(5), fail(6), fail(7, ['Look it up.', 'Reason: x'], uncertain)],
		[fail(8, [], uncertain), fail(2, 'Advice', { uncertain: false })],
	);
	expect(error?.lines).toStrictEqual([
		...['Advice', ...started, 'Also:', 'Failure 3 [row 4]'],
		...['Row 8: Failure 7. Look it up.', 'Row 9: Failure 8. '],
	]);
});

test('a run without failures does not end with an error', () => {
	expect(endRun(1, [{ item: 0, output: { json: {} } }])).toBeUndefined();
});

test('items are in the order of the input items, whenever they arrive', () => {
	const collector = collect(3, 'continueRegularOutput');
	collector.add([{ item: 2, output: { json: { id: 'c' } } }, fail(1)]);
	collector.add([
		{ item: 0, output: { json: { id: 'a' }, pairedItem: [] } },
		{ item: 0, output: { json: { id: 'b' } } },
	]);
	collector.throwFailure();
	const description = 'Advice\nAlready started for this item: video none';
	expect(collector.items()).toStrictEqual([
		{ json: { id: 'a' }, pairedItem: [] },
		{ json: { i: 0, id: 'b' } },
		{
			json: {
				...{ i: 1, error: 'Failure 1 [row 2]' },
				details: { job: { kind: 'video', id: 'none' }, description },
			},
			pairedItem: { item: 1 },
		},
		{ json: { i: 2, id: 'c' } },
	]);
});

test('n8n itself adds the input fields at the error output', () => {
	const collector = collect(1, 'continueErrorOutput');
	collector.add([fail(0)]);
	expect(Object.keys(collector.items()[0]?.json ?? {})).toStrictEqual(['error', 'details']);
});
