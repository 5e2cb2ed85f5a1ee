/** Which runs of a node continue an earlier one, and which progress they find. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Job } from '../../../nodes/core/jobs/types';
import { agentSessionJob, videoJob } from '../../../nodes/jobKinds/catalog';
import {
	addRecord,
	begin,
	createFailedRow,
	emptyState,
	good,
	noErrors,
	storeContext,
	wrong,
	type NodeSettings,
} from './nodeRuns';

const inputs = [0, 1].map((i) => ({ json: { i } }));

test.each([
	[true, true],
	[false, false],
	[undefined, false],
])('a first run with Retry On Fail %j has no progress', (retryOnFail, canBeRetried) => {
	expect(begin({ execution: '7', runIndex: 2, retryOnFail, inputs })).toStrictEqual({
		identity: {
			node: ['n8n', 'workflow', 'node'],
			run: [expect.any(String)],
			origins: ['1.0', '1.1'],
		},
		state: emptyState,
		begun: expect.any(Number),
		wait: undefined,
		canBeRetried,
		repeatsEarlierCall: false,
		getRowId: expect.any(Function),
		repeatsAllErrors: expect.any(Function),
		suspend: expect.any(Function),
		end: expect.any(Function),
	});
});

const job: Job = { kind: videoJob, id: 'v' };

/** Progress of a run that has sent both of its items together. */
const progress = () => ({
	...emptyState,
	jobs: new Map([[1, [job]]]),
	sentItems: new Set([0, 1]),
	creates: {
		a: {
			...{ origins: ['1.0', '1.1'], sizes: [1, 2], sent: ['1.0', '1.1'] },
			...{ key: 'key', rejections: 2, outcome: { result: { video_id: 'v' } } },
		},
	},
	failures: { '1.0': 1 },
	balance: { left: 5, unit: 'credits' },
	isStopHandled: true,
});

/** Begins a run, ends it with this progress, and begins another one. */
function runTwice({
	items,
	first = {},
	next = {},
}: {
	items?: INodeExecutionData[];
	first?: NodeSettings;
	next?: NodeSettings;
}) {
	const context: IDataObject = {};
	const one = begin({ execution: '7', inputs, context, ...first });
	const { creates, failures, ...others } = progress();
	Object.assign(one.state, others);
	Object.assign(one.state.creates, creates);
	Object.assign(one.state.failures, failures);
	one.end(items, noErrors);
	const second = begin({
		execution: '7',
		inputs,
		...first,
		context: storeContext(context),
		...next,
	});
	return { first: one, second };
}

describe('a run whose node threw an error', () => {
	test.each<[string, NodeSettings]>([
		['by the next attempt', {}],
		['by the Retry button', { execution: '8' }],
		['by the Retry button, after other runs', { execution: '8', runIndex: 3 }],
		['by the Retry button, with other items', { execution: '8', inputs: [good[0]!, ...inputs] }],
	])('is continued %s', (_, next) => {
		const { first, second } = runTwice({ next });
		// Another execution has its own stop button, and reads the balance again.
		const own = next.execution ? { balance: undefined, isStopHandled: undefined } : {};
		expect(second.state).toStrictEqual({ ...progress(), ...own });
		expect(second.identity.run).toStrictEqual(first.identity.run);
		const { origins = [] } = second.identity;
		expect(origins.slice(0, 2)).toStrictEqual(first.identity.origins);
		expect(origins).toHaveLength((next.inputs ?? inputs).length);
	});

	test('is continued several times, by attempts and by the Retry button', () => {
		const { second } = runTwice({ next: { execution: '8' } });
		const context: IDataObject = {};
		for (const execution of ['7', '7', '8', '9']) {
			const attempt = begin({ execution, inputs, context });
			const number = Object.keys(attempt.state.creates).length;
			addRecord(attempt.state.creates, `${number}`, ['1.0']).key = execution;
			attempt.end(undefined, noErrors);
			expect(attempt.identity.origins).toStrictEqual(second.identity.origins);
		}
		const { creates } = begin({ execution: '9', inputs, context }).state;
		expect(Object.values(creates).map(({ key }) => key)).toStrictEqual(['7', '7', '8', '9']);
	});

	test('is continued if it did not even end, because n8n crashed', () => {
		const context: IDataObject = {};
		begin({ execution: '7', inputs, context });
		const { identity } = begin({ execution: '8', inputs, context: storeContext(context) });
		expect(identity.origins).toStrictEqual(['1.0', '1.1']);
	});

	test('is not continued by the next run of the same execution, such as the next round of a loop', () => {
		const { second } = runTwice({ next: { runIndex: 1 } });
		expect(second.state).toStrictEqual({ ...emptyState, isStopHandled: true });
		expect(second.identity.origins).toStrictEqual(['2.0', '2.1']);
	});

	test('is not known to an execution with data of its own', () => {
		const { first, second } = runTwice({ next: { context: {} } });
		expect(second.state).toStrictEqual(emptyState);
		expect(second.identity.run).not.toStrictEqual(first.identity.run);
	});
});

describe('a run that ended with output', () => {
	test.each<[string, INodeExecutionData[], NodeSettings]>([
		['by another execution', good, { execution: '8' }],
		['by another execution, without items', [], { execution: '8' }],
		['by another execution, after an error item', wrong, { execution: '8' }],
		['by the next run of the execution', good, { runIndex: 1 }],
		['by the next run of the execution, after an error item', wrong, { runIndex: 1 }],
	])('is not continued %s', (_, items, next) => {
		for (const retryOnFail of [false, true]) {
			const { first, second } = runTwice({ items, first: { retryOnFail }, next });
			const isStopHandled = next.execution ? undefined : true;
			expect(second.state).toStrictEqual({ ...emptyState, isStopHandled });
			expect(second.identity.origins).toStrictEqual(['2.0', '2.1']);
			expect(second.identity.run).toStrictEqual(first.identity.run);
		}
	});

	test.each([[''], [0], [null], [false], [{}], ['No']])(
		'keeps its progress if n8n may try again, because the error of its first item is %j',
		(error) => {
			const items = [{ json: { id: 1, error } as IDataObject }];
			const { second } = runTwice({ items, first: { retryOnFail: true } });
			expect(second.state).toStrictEqual(progress());
			expect(second.identity.origins).toStrictEqual(['1.0', '1.1']);
		},
	);

	test.each([
		['without Retry On Fail', wrong, false],
		['after success', good, true],
		['without items', [], true],
	])('leaves nothing in the ledger: %s', (_, items, retryOnFail) => {
		const { second } = runTwice({ items, first: { retryOnFail } });
		expect(second.state).toStrictEqual({ ...emptyState, isStopHandled: true });
	});
});

test('an item that has left its record does not count as sent', () => {
	const context: IDataObject = {};
	const { state } = begin({ execution: '7', inputs, context });
	addRecord(state.creates, 'a', ['1.0', '1.1']).sent = ['1.1'];
	addRecord(state.creates, 'b', ['1.0']);
	const again = begin({ execution: '7', inputs, context: storeContext(context) });
	expect(again.state.sentItems).toStrictEqual(new Set([1]));
});

test('every run of an execution has origins of its own', () => {
	const context: IDataObject = {};
	const origins = [0, 1, 2].map((runIndex) => {
		const attempt = begin({ execution: '7', runIndex, inputs, context });
		attempt.end(good, noErrors);
		return attempt.identity.origins;
	});
	expect(origins).toStrictEqual([1, 2, 3].map((run) => [`${run}.0`, `${run}.1`]));
});

test('an error while reading the balance is not stored', () => {
	const context: IDataObject = {};
	const attempt = begin({ execution: '7', context });
	attempt.state.balance = createFailedRow('No').error;
	attempt.end(undefined, noErrors);
	expect(begin({ execution: '7', context }).state.balance).toBeUndefined();
});

describe('stored jobs', () => {
	/** Returns the jobs that the next attempt finds. */
	function reload(jobs: Job[]) {
		const context: IDataObject = {};
		const attempt = begin({ execution: '7', context });
		attempt.state.jobs.set(0, jobs);
		attempt.end(undefined, noErrors);
		return begin({ execution: '7', context: storeContext(context) }).state.jobs;
	}

	test('keep their kind, their earlier state and their parent', () => {
		const session: Job = { kind: agentSessionJob, id: 's', before: { digest: 'd' } };
		const jobs: Job[] = [
			{ ...job, partOf: session },
			{ ...session, before: { digest: 'd', follow_up_id: 'v' } },
			job,
		];
		expect(reload(jobs)).toStrictEqual(new Map([[0, jobs]]));
	});

	test('are left out if their kind is unknown', () => {
		const unknown = { kind: { ...videoJob, name: 'unknown' }, id: 'u' };
		expect(reload([unknown, job])).toStrictEqual(new Map([[0, [job]]]));
		expect(reload([{ ...job, partOf: unknown }])).toStrictEqual(new Map([[0, [job]]]));
		expect(reload([])).toStrictEqual(new Map());
	});
});
