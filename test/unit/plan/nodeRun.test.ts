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

/** Status checks that have failed. */
const failedReads = { since: 1, cause: '503', doubtful: 0, doubtfulSince: 1 };
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
		hasUsedTries: false,
		repeatsEarlierCall: false,
		rejected: [],
		uploads: {},
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

describe('a run that has suspended its execution', () => {
	const wait = { suspensions: 1, streaks: { 'video a': failedReads } };

	/** Suspends a run whose request has been sent, and runs the node again. */
	function suspendAndResume(next: NodeSettings = {}) {
		const context: IDataObject = {};
		const first = begin({ execution: '7', inputs, context });
		const record = addRecord(first.state.creates, 'a', ['1.0', '1.1']);
		Object.assign(record, {
			...{ sent: ['1.0', '1.1'], isNew: true, outcome: { result: 1 } },
			wait: { since: 5, isOver: true },
		});
		first.state.jobs.set(1, [job]);
		first.state.failures['1.0'] = 1;
		first.state.balance = { left: 5, unit: 'credits' };
		first.suspend(wait);
		const stored = storeContext(context);
		const again = begin({ execution: '7', inputs, context: stored, ...next });
		return { first, again, stored };
	}
	const ledgerOf = ({ videoGenLedger }: IDataObject) => videoGenLedger as IDataObject;

	test.each<[string, NodeSettings]>([
		['under the same number', {}],
		['under another number, as on n8n 1', { runIndex: 1 }],
	])('continues %s', (_, next) => {
		const { first, again } = suspendAndResume(next);
		expect(again.wait).toStrictEqual(wait);
		expect(again.identity).toStrictEqual(first.identity);
		expect(again.state.jobs).toStrictEqual(new Map([[1, [job]]]));
		expect(again.state).toMatchObject({
			...{ failures: { '1.0': 1 }, balance: { left: 5, unit: 'credits' } },
			sentItems: new Set([0, 1]),
		});
	});

	test('keeps what the attempt has sent, and when it began to wait', () => {
		const { again } = suspendAndResume();
		expect(again.state.creates.a).toMatchObject({ isNew: true, wait: { since: 5, isOver: true } });
	});

	test.each<[string, NodeSettings]>([
		['by the next attempt', {}],
		['by the Retry button', { execution: '8' }],
	])('continues %s after it has failed, which waits anew', (_, next) => {
		const { first, again, stored } = suspendAndResume();
		again.end(undefined, noErrors);
		const third = begin({ execution: '7', inputs, context: storeContext(stored), ...next });
		expect(third.wait).toBeUndefined();
		expect(third.identity).toStrictEqual(first.identity);
		expect(third.state.creates.a).toStrictEqual({
			...{ origins: ['1.0', '1.1'], rejections: 0, sent: ['1.0', '1.1'] },
			outcome: { result: 1 },
		});
	});

	test('continues with the Retry button after n8n crashed while it was resumed', () => {
		const { first, again } = suspendAndResume({ execution: '8' });
		expect(again.wait).toBeUndefined();
		expect(again.identity).toStrictEqual(first.identity);
		expect(again.state.jobs).toStrictEqual(new Map([[1, [job]]]));
		expect(again.state.creates.a).not.toHaveProperty('isNew');
		expect(again.state.creates.a).not.toHaveProperty('wait');
	});

	test('leaves nothing once it has ended', () => {
		const { again, stored } = suspendAndResume();
		again.end(good, noErrors);
		const empty = { creates: {}, jobs: {}, failures: {} };
		expect(ledgerOf(stored)).toEqual(expect.objectContaining(empty));
		expect(ledgerOf(stored).run).not.toHaveProperty('wait');
		const next = begin({ execution: '7', runIndex: 1, inputs, context: storeContext(stored) });
		expect(next.identity.origins).toStrictEqual(['2.0', '2.1']);
		expect(next.wait).toBeUndefined();
	});

	test('is one run for a loop: the next round is another one', () => {
		const { again, stored } = suspendAndResume({ runIndex: 1 });
		again.end(good, noErrors);
		const next = begin({ execution: '7', runIndex: 2, inputs, context: storeContext(stored) });
		expect(next.identity.origins).toStrictEqual(['2.0', '2.1']);
	});
});
