/** Error items that come back to the node's input, and what the ledger keeps for them. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import { adaptErrorOutput } from '../../../nodes/core/errors/n8n1Compat';
import type { Job } from '../../../nodes/core/jobs/types';
import type { FailedRow, NodeRun } from '../../../nodes/core/ledger/ledger';
import { videoJob } from '../../../nodes/jobKinds/catalog';
import {
	begin,
	createErrorItem,
	createFailedRow,
	good,
	noErrors,
	storeContext,
	wrong,
	type NodeSettings,
} from './nodeRuns';

afterEach(() => jest.restoreAllMocks());

const inputs = [0, 1, 2].map((i) => ({ json: { i } }));
const toJob = (id: string): Job => ({ kind: videoJob, id });
const failed = (message = 'No'): FailedRow => createFailedRow(message);

const sentRecords: NodeRun['creates'] = {
	a: { origins: ['1.0'], key: 'k', rejections: 1, sent: ['1.0'], outcome: { result: 0 } },
	b: { origins: ['1.2', '1.1'], sizes: [1, 1], rejections: 0, sent: ['1.2', '1.1'] },
};

/** Runs a node whose items with these indexes fail. */
function runOnce(errors: ReadonlyMap<number, FailedRow>, settings: NodeSettings = {}) {
	const context: IDataObject = {};
	const attempt = begin({ execution: '7', inputs, context, ...settings });
	const { state } = attempt;
	for (const item of inputs.keys()) {
		const origin = `1.${item}`;
		state.jobs.set(item, [toJob(`v${item}`)]);
		state.failures[origin] = item;
	}
	Object.assign(state.creates, sentRecords);
	state.balance = { left: 5, unit: 'credits' };
	attempt.end(good, errors);
	const getId = (item: number) => attempt.getRowId(item) ?? '';
	return { context: storeContext(context), getId };
}

/** Begins the next run with these input items. */
const beginNext = (context: IDataObject, items: INodeExecutionData[], more: NodeSettings = {}) =>
	begin({ execution: '7', runIndex: 1, inputs: items, context, ...more });

test('a returned item has its earlier origin, jobs and outcomes', () => {
	const { context, getId } = runOnce(new Map([[2, failed()]]));
	const items = [inputs[0]!, createErrorItem(getId(2))];
	const { identity, state } = beginNext(context, items);
	expect(identity.origins).toStrictEqual(['2.0', '1.2']);
	expect(state.jobs).toStrictEqual(new Map([[1, [toJob('v2')]]]));
	expect(state.sentItems).toStrictEqual(new Set([1]));
	expect(state.creates).toStrictEqual({ b: sentRecords.b });
	expect(state.failures).toStrictEqual({ '1.2': 2 });
	expect(state.balance).toBeUndefined();
});

test('of a run that ended, only what error items may need is kept', () => {
	const readLedger = (errors: ReadonlyMap<number, FailedRow>) => {
		const {
			creates,
			failures,
			jobs,
			errors: rows,
			...others
		} = runOnce(errors).context.videoGenLedger as IDataObject;
		expect(others).not.toHaveProperty('balance');
		return [creates, failures, jobs, Object.keys(rows as IDataObject).length];
	};
	const jobs = { '1.2': [{ kind: videoJob.name, id: 'v2' }] };
	expect(readLedger(new Map([[2, failed()]]))).toStrictEqual([
		...[{ b: sentRecords.b }, { '1.2': 2 }, jobs, 1],
	]);
	expect(readLedger(noErrors)).toStrictEqual([{}, {}, {}, 0]);
});

test.each<[string, (id: string, getId: (item: number) => string) => INodeExecutionData]>([
	['an unknown ID', () => createErrorItem('n8n-0')],
	['the ID of an item without an error', (_, getId) => createErrorItem(getId(1))],
	['an inherited name as its ID', () => createErrorItem('constructor')],
	['no ID', () => createErrorItem(undefined)],
	['no error', (id) => ({ json: { ...createErrorItem(id).json, error: undefined } })],
	['an empty error', (id) => createErrorItem(id, '')],
	['an error that is no text', (id) => createErrorItem(id, { message: 'No' })],
	['no details', () => ({ json: { error: 'No' } })],
	['an ID elsewhere', (id) => ({ json: { error: 'No', row: { id } } })],
])('an item with %s is new', (_, createItem) => {
	const { context, getId } = runOnce(new Map([[2, failed()]]));
	const { identity, state } = beginNext(context, [createItem(getId(2), getId)]);
	expect(identity.origins).toStrictEqual(['2.0']);
	expect([state.jobs.size, state.sentItems.size]).toStrictEqual([0, 0]);
});

test('an item is recognized by the text to which n8n 1 converts its details', () => {
	const { context, getId } = runOnce(new Map([[1, failed()]]));
	const n8n1 = { getNode: () => ({ onError: 'continueErrorOutput' }) as never };
	const [[item] = []] = adaptErrorOutput(n8n1, [[createErrorItem(getId(1))]]);
	expect(item?.json).not.toHaveProperty('details');
	expect(beginNext(context, [item!]).identity.origins).toStrictEqual(['1.1']);
});

test('an item may fail and return several times, and is a copy once it is successful', () => {
	const { context, getId } = runOnce(new Map([[1, failed()]]));
	const items = [createErrorItem(getId(1))];
	for (const runIndex of [1, 2, 3]) {
		const attempt = begin({ execution: '7', runIndex, inputs: items, context });
		expect(attempt.identity.origins).toStrictEqual(['1.1']);
		expect(attempt.getRowId(0)).toBe(getId(1));
		expect(attempt.state.jobs).toStrictEqual(new Map([[0, [toJob('v1')]]]));
		attempt.end(runIndex < 3 ? wrong : good, runIndex < 3 ? new Map([[0, failed()]]) : noErrors);
	}
	const { identity, state } = begin({ execution: '7', runIndex: 4, inputs: items, context });
	expect([identity.origins, state.jobs.size, [...state.copies]]).toStrictEqual([['1.1'], 0, [0]]);
});

test('an error item that does not return is still known after other runs', () => {
	const { context, getId } = runOnce(new Map([[1, failed()]]));
	beginNext(context, inputs).end(good, noErrors);
	const { identity, state } = beginNext(context, [createErrorItem(getId(1))], { runIndex: 2 });
	expect(identity.origins).toStrictEqual(['1.1']);
	expect(state.jobs).toStrictEqual(new Map([[0, [toJob('v1')]]]));
});

test('the Retry button continues a run with returned items', () => {
	const { context, getId } = runOnce(new Map([[1, failed()]]));
	const items = [createErrorItem(getId(1)), inputs[0]!];
	const attempt = beginNext(context, items);
	attempt.state.jobs.set(1, [toJob('new')]);
	attempt.end(undefined, noErrors);
	const retry = beginNext(storeContext(context), items, { execution: '8' });
	expect(retry.identity).toStrictEqual(attempt.identity);
	expect(retry.identity.origins).toStrictEqual(['1.1', '2.1']);
	expect(retry.state.jobs).toStrictEqual(
		new Map([
			[0, [toJob('v1')]],
			[1, [toJob('new')]],
		]),
	);
});

describe('a loop of error items', () => {
	const both = (message = 'No') => new Map([0, 1].map((item) => [item, failed(message)]));

	/**
	 * Whether items that failed several times with some errors, and then with others, end the loop.
	 */
	function repeats({
		first = both(),
		between = [first, first],
		then = both(),
		items = [0, 1],
		fresh = [] as INodeExecutionData[],
		seconds = 1,
		failures = 0,
	}: {
		first?: ReadonlyMap<number, FailedRow>;
		between?: ReadonlyArray<ReadonlyMap<number, FailedRow>>;
		then?: ReadonlyMap<number, FailedRow>;
		items?: number[];
		fresh?: INodeExecutionData[];
		seconds?: number;
		failures?: number;
	} = {}) {
		const now = jest.spyOn(clock, 'now').mockReturnValue(1_000_000);
		const { context, getId } = runOnce(first);
		const returned = items.map((item) => createErrorItem(getId(item)));
		for (const [round, errors] of between.entries()) {
			const earlier = beginNext(context, returned, { runIndex: round + 1 });
			expect(earlier.repeatsAllErrors(errors)).toBe(false);
			earlier.end(wrong, errors);
		}
		const runIndex = between.length + 1;
		const attempt = beginNext(context, [...returned, ...fresh], { runIndex });
		if (failures > 0) attempt.state.failures['1.0'] = failures;
		now.mockReturnValue(1_000_000 + seconds * 1000);
		return attempt.repeatsAllErrors(then);
	}

	const hinted = (...hints: string[]) => new Map([[0, { ...failed(), hints }]]);
	const timeLimit = (code: string) =>
		new Map([[0, createFailedRow('No', { code, status: 'processing' })]]);
	const one = { items: [0], first: new Map([[0, failed()]]), then: new Map([[0, failed()]]) };

	test.each<[string, Parameters<typeof repeats>[0], boolean]>([
		['all items fail with the same message', {}, true],
		['one item fails with the same message', one, true],
		['only some items come back', { ...one, first: both(), between: [one.first, one.first] }, true],
		['all fail with the same message for the third time only', { between: [both()] }, false],
		['all fail with the same message for the second time only', { between: [] }, false],
		['the message was another one in between', { between: [both(), both('Other'), both()] }, false],
		[
			'the message was another one before',
			{ between: [both('Other'), both(), both(), both()] },
			true,
		],
		['all fail 59.999 s later', { seconds: 59.999 }, true],
		['all fail 60 s later', { seconds: 60 }, false],
		['all fail with another message', { then: both('Other') }, false],
		[
			'one of them fails with another message',
			{ then: new Map([...both(), [1, failed('Other')]]) },
			false,
		],
		['one of them is successful', { then: one.then }, false],
		['no item fails', { then: new Map() }, false],
		['a new item is among them', { fresh: inputs.slice(0, 1) }, false],
		[
			'a new item with the same error is among them',
			{ fresh: inputs.slice(0, 1), then: new Map([...both(), [2, failed()]]) },
			false,
		],
		['there are no items', { items: [], then: new Map() }, false],
		['the hints are the same', { ...one, first: hinted('a'), then: hinted('a') }, true],
		['the hints differ', { ...one, first: hinted('a'), then: hinted('b') }, false],
		[
			'the node waited in vain for a job',
			{ ...one, first: timeLimit('wait_timeout'), then: timeLimit('wait_timeout') },
			false,
		],
		[
			'the node waited in vain for capacity',
			{ ...one, first: timeLimit('not_started'), then: timeLimit('not_started') },
			false,
		],
		[
			'the code is another one',
			{ ...one, first: timeLimit('other'), then: timeLimit('other') },
			true,
		],
		['a job failed again with a temporary error', { failures: 1 }, false],
	])('if %s', (_, settings, isRepeated) => {
		expect(repeats(settings)).toBe(isRepeated);
	});

	test('does not end with the first error', () => {
		const attempt = begin({ execution: '7', inputs });
		expect(attempt.repeatsAllErrors(new Map([...inputs.keys()].map((i) => [i, failed()])))).toBe(
			false,
		);
	});
});
