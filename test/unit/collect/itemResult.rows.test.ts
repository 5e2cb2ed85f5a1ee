/** What items and hints say about the rows of a run, and the cost of a single row. */
import type { INode } from 'n8n-workflow';
import {
	addCost,
	createRowReports,
	toOutcomeFields,
	type ItemFailure,
	type ItemResult,
} from '../../../nodes/core/collect/itemResult';
import type { ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { Balance } from '../../../nodes/core/operation';
import { videoJob } from '../../../nodes/jobKinds/catalog';

const node = { name: 'Node', type: 'n' } as INode;
const video = { kind: videoJob, id: 'v' };

const createOutput = (more: object = {}): ItemResult => ({
	...{ item: 4, output: { json: { id: 'v' } } },
	...more,
});

const createFailure = (
	details: ErrorDetails = {},
	more: Partial<ItemFailure> = {},
): ItemFailure => ({
	...{ item: 4, error: createOperationError(node, 'No.', 'Advice', details), jobs: [] },
	...more,
});

describe('the fields of a row', () => {
	test.each<[string, ItemResult, object]>([
		['an item is finished by default', createOutput(), { outcome: 'finished' }],
		['an item has its own outcome', createOutput({ outcome: 'running' }), { outcome: 'running' }],
		[
			'an item shows who has created it, after its outcome',
			createOutput({ creation: 'replayed' }),
			{ outcome: 'finished', creation: 'replayed' },
		],
		[
			'a failure has the outcome of its error, before anything else',
			createFailure({ outcome: 'failed', uncertain: true }, { outcome: 'finished' }),
			{ outcome: 'failed' },
		],
		[
			'an uncertain failure is unknown, whatever the row has had before',
			createFailure({ uncertain: true }, { outcome: 'failed' }),
			{ outcome: 'unknown' },
		],
		[
			'a certain failure has the outcome of the row',
			createFailure({ uncertain: false }, { outcome: 'finished', jobs: [video] }),
			{ outcome: 'finished' },
		],
		['a failure without a job is not started', createFailure(), { outcome: 'not_started' }],
		[
			'a failure with a job, but without an outcome, is unknown',
			createFailure({}, { jobs: [video] }),
			{ outcome: 'unknown' },
		],
		[
			'a failure shows who has created its job',
			createFailure({ outcome: 'failed' }, { creation: 'continued' }),
			{ outcome: 'failed', creation: 'continued' },
		],
	])('%s', (_, result, fields) => {
		expect(toOutcomeFields(result)).toStrictEqual(fields);
		expect(Object.keys(toOutcomeFields(result))).toStrictEqual(Object.keys(fields));
	});
});

describe('the report of a result', () => {
	const report = { item: 4, outcome: 'finished', creation: undefined };
	const part = (number: number) => ({ part: { number, count: 2 } });

	test.each<[string, ItemResult, object[]]>([
		['an item is one row', createOutput(), [report]],
		[
			'an item has its outcome and its creation',
			createOutput({ outcome: 'running', creation: 'created' }),
			[{ item: 4, outcome: 'running', creation: 'created' }],
		],
		['the first of several items is the row', createOutput(part(0)), [report]],
		['the other items are not', createOutput(part(1)), []],
		[
			'a failure has its reason, without the period',
			createFailure({}, { creation: 'created' }),
			[{ item: 4, outcome: 'not_started', creation: 'created', reason: 'No' }],
		],
		[
			'a failure of several items is a row for each',
			createFailure({}, { otherItems: [6, 7] }),
			[4, 6, 7].map((item) => ({
				...{ item, outcome: 'not_started', creation: undefined, reason: 'No' },
			})),
		],
		[
			'a failure of batch rows is a row for each of them',
			createFailure(
				{ outcome: 'failed' },
				{ otherItems: [9], rows: [4, 4, 5].map((item, index) => ({ item, index })) },
			),
			[4, 4, 5].map((item) => ({
				...{ item, outcome: 'failed', creation: undefined, reason: 'No' },
			})),
		],
	])('%s', (_, result, rows) => {
		expect(createRowReports(result)).toStrictEqual(rows);
	});
});

describe('the cost', () => {
	const dollars = (left: number) => ({ left, unit: 'USD' }) as Balance;
	const created = () => createOutput({ creation: 'created' });
	const split = (number: number) =>
		createOutput({ creation: 'created', part: { number, count: 2 } });
	const readCosts = (results: ItemResult[]) =>
		results.map((result) => ('output' in result ? result.output.json.cost : 'failure'));

	test('of a single row is the difference of the balances, without the errors of fractions', () => {
		const results = [created()];
		addCost(results, dollars(20.3), dollars(20.1));
		expect(results).toStrictEqual([
			createOutput({
				...{
					creation: 'created',
					output: { json: { id: 'v', cost: { amount: 0.2, unit: 'USD' } } },
				},
			}),
		]);
	});

	test('of a row that is split into several items is in each of them', () => {
		const results = [split(0), split(1)];
		addCost(results, dollars(20), dollars(18.5));
		const cost = { amount: 1.5, unit: 'USD' };
		expect(readCosts(results)).toStrictEqual([cost, cost]);
	});

	test('of a failed row is in no item', () => {
		const results = [createFailure({ outcome: 'failed' }, { creation: 'created' })];
		addCost(results, dollars(20), dollars(19));
		expect(results).toStrictEqual([createFailure({ outcome: 'failed' }, { creation: 'created' })]);
	});

	const error = new Error('No balance');
	test.each<[string, () => ItemResult[], Balance | Error | undefined, Balance | Error | undefined]>(
		[
			['of no row', () => [], dollars(20), dollars(19)],
			['of two rows', () => [created(), created()], dollars(20), dollars(19)],
			['of a row and a failure', () => [created(), createFailure()], dollars(20), dollars(19)],
			[
				'of a row that was created earlier',
				() => [createOutput({ creation: 'continued' })],
				...([dollars(20), dollars(19)] as const),
			],
			['of a row whose creation is unknown', () => [createOutput()], dollars(20), dollars(19)],
			['without a balance before', createSingle, undefined, dollars(19)],
			['without a balance after', createSingle, dollars(20), undefined],
			['if the balance before cannot be read', createSingle, error, dollars(19)],
			['if the balance after cannot be read', createSingle, dollars(20), error],
			['if the unit changes', createSingle, dollars(20), { left: 19, unit: 'credits' } as Balance],
			['if the balance does not change', createSingle, dollars(20), dollars(20)],
			['if the balance rises', createSingle, dollars(20), dollars(21)],
			['of less than a ten-thousandth', createSingle, dollars(20), dollars(19.99999)],
		],
	)('%s is unknown', (_, create, before, after) => {
		const results = create();
		addCost(results, before, after);
		expect(results).toStrictEqual(create());
	});

	function createSingle(): ItemResult[] {
		return [created()];
	}
});
