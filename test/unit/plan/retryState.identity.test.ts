/** How an attempt is recognized as another attempt at the same run, and for how long. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import { beginNodeRunAttempt } from '../../../nodes/core/plan/retryState';

afterEach(() => jest.restoreAllMocks());

interface Place {
	type?: string;
	retryOnFail?: boolean;
	instance?: string;
	workflow?: string;
	id?: string;
	execution?: string;
	runIndex?: number;
	inputs?: INodeExecutionData[];
}

const { signal } = new AbortController();

const createNode = (place: Place): IExecuteFunctions =>
	({
		getExecutionId: () => place.execution,
		getExecutionCancelSignal: () => signal,
		getInputData: () => place.inputs ?? [],
		getInstanceId: () => place.instance ?? 'n8n',
		getNode: () => ({
			id: place.id ?? 'node',
			type: place.type ?? 'video',
			retryOnFail: place.retryOnFail,
		}),
		getWorkflow: () => ({ id: place.workflow ?? 'workflow' }),
		getWorkflowDataProxy: () => ({ $runIndex: place.runIndex ?? 0 }),
	}) as unknown as IExecuteFunctions;

const begin = (place: Place, eachCall = false) => beginNodeRunAttempt(createNode(place), eachCall);
const good: INodeExecutionData[] = [{ json: { id: 1 } }];

const newState = {
	keySalt: expect.stringMatching(/^[0-9a-f-]{36}$/),
	jobs: new Map(),
	plans: [],
	requests: [],
	keys: new Map(),
	unkeyedCreates: new Map(),
	failures: new Map(),
	rowCounts: new Map(),
};

test.each([
	[true, true],
	[false, false],
	[undefined, false],
])('a node with Retry On Fail %s begins its run with nothing', (retryOnFail, canBeRetried) => {
	expect(begin({ retryOnFail, execution: `new ${retryOnFail}`, runIndex: 2 })).toStrictEqual({
		identity: { node: ['n8n', 'workflow', 'node'], run: [`new ${retryOnFail}`, 2] },
		state: newState,
		canBeRetried,
		repeatsEarlierCall: false,
		end: expect.any(Function),
	});
});

test.each<[string, Place, boolean]>([
	['the same', {}, true],
	['with another number', { runIndex: 1 }, false],
	['of another node', { id: 'other' }, false],
	['in another workflow', { workflow: 'other' }, false],
	['in another n8n', { instance: 'other' }, false],
	['in another execution', { execution: 'other' }, false],
])('the state of a run is passed to a run that is %s', (name, change, isSame) => {
	const place = { retryOnFail: true, execution: `same ${name}` };
	const one = begin(place);
	one.end();
	expect(begin({ ...place, ...change }).state === one.state).toBe(isSame);
});

test('runs without an execution ID have nothing in common', () => {
	const [one, other] = ['', undefined].map((execution) => {
		const attempt = begin({ retryOnFail: true, execution });
		attempt.end();
		return attempt;
	});
	expect(one?.identity.run).toStrictEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), 0]);
	expect(one?.identity.run).not.toStrictEqual(other?.identity.run);
});

describe('the state of a failed run', () => {
	test('is dropped when a later attempt is successful', () => {
		const place = { retryOnFail: true, execution: 'successful' };
		const one = begin(place);
		one.end();
		const second = begin(place);
		expect(second.state).toBe(one.state);
		second.end(good);
		expect(begin(place).state).not.toBe(one.state);
	});

	test('is kept for ten minutes', () => {
		const now = jest.spyOn(clock, 'now').mockReturnValue(0);
		const place = { retryOnFail: true, execution: 'minutes' };
		const one = begin(place);
		one.end();
		now.mockReturnValue(600_000);
		expect(begin(place).state).toBe(one.state);
		now.mockReturnValue(600_001);
		expect(begin(place).state).not.toBe(one.state);
	});
});

describe('the calls of a tool', () => {
	const createCall = (execution: string, json: IDataObject = { words: 'hello' }): Place => ({
		type: 'videoTool',
		execution,
		inputs: [{ json: { ...json, toolCallId: 'a' } }, { json: { other: 1 } }],
	});

	test('are identical if their input is, without the ID of the call', () => {
		expect(begin(createCall('shared'))).toStrictEqual({
			identity: { node: ['n8n', 'workflow', 'node'], run: ['shared', { words: 'hello' }] },
			state: newState,
			canBeRetried: true,
			repeatsEarlierCall: false,
			end: expect.any(Function),
		});
		const empty = begin({ type: 'videoTool', execution: 'shared' });
		expect(empty.identity.run).toStrictEqual(['shared', {}]);
	});

	test.each([
		[24, true],
		[24.001, false],
	])('share their result for a day: after %d hours %s', (hours, isShared) => {
		const now = jest.spyOn(clock, 'now').mockReturnValue(0);
		const one = begin(createCall(`day ${hours}`));
		now.mockReturnValue(hours * 3600_000);
		expect(begin(createCall(`day ${hours}`)).state === one.state).toBe(isShared);
	});

	test('get the lowest free number if each has its own result', () => {
		const call = () => begin(createCall('numbers'), true);
		const numberOf = ({ identity }: ReturnType<typeof begin>) => identity.run.at(-1);
		const calls = [call(), call(), call()] as const;
		expect(calls.map(numberOf)).toStrictEqual([0, 1, 2]);
		expect(
			calls.map(({ canBeRetried, repeatsEarlierCall }) => [canBeRetried, repeatsEarlierCall]),
		).toStrictEqual(Array(3).fill([true, false]));
		calls[0].end(good);
		calls[1].end([{ json: { error: 'No' } }]);
		const retry = call();
		expect([numberOf(retry), retry.state === calls[1].state]).toStrictEqual([1, true]);
		expect(numberOf(call())).toBe(3);
		expect(numberOf(begin(createCall('numbers', { words: 'other' }), true))).toBe(0);
		expect(numberOf(begin(createCall('other numbers'), true))).toBe(0);
		expect(calls[0].identity.run).toStrictEqual(['numbers', { words: 'hello' }, 0]);
	});
});
