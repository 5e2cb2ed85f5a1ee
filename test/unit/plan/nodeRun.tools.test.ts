/** Identical calls of a tool: what they share, and for how long. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import { begin, createFailedRow, good, noErrors, wrong, type Attempt } from './nodeRuns';

afterEach(() => jest.restoreAllMocks());

let executions = 0;
const createExecution = () => `tool ${++executions}`;

const call = (
	execution: string,
	{ json = { words: 'hello' } as IDataObject, id = 'a', eachCall = false } = {},
) => {
	const inputs = [{ json: { ...json, toolCallId: id } }, { json: { other: 1 } }];
	return begin({ type: 'videoTool', execution, inputs }, eachCall);
};

const newState = {
	jobs: new Map(),
	sentItems: new Set(),
	copies: new Set(),
	groups: [],
	keys: new Map(),
	creates: new Map(),
	inFlight: new Map(),
	failures: new Map(),
	rejections: new Map(),
};
const randomId = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

test('a call is identified by its input, without the ID of the call', () => {
	const execution = createExecution();
	const attempt = call(execution);
	expect(attempt).toStrictEqual({
		identity: {
			node: ['n8n', 'workflow', 'node'],
			run: [execution, { words: 'hello' }, randomId],
		},
		state: newState,
		canBeRetried: true,
		repeatsEarlierCall: false,
		getRowId: expect.any(Function),
		repeatsAllErrors: expect.any(Function),
		end: expect.any(Function),
	});
	expect(attempt.getRowId(0)).toBeUndefined();
	expect(attempt.repeatsAllErrors(new Map([[0, createFailedRow('No')]]))).toBe(false);
	const empty = begin({ type: 'videoTool', execution, inputs: [] });
	expect(empty.identity.run).toStrictEqual([execution, {}, randomId]);
});

test('a call leaves nothing in the data of the execution', () => {
	const context: IDataObject = {};
	const attempt = begin({ type: 'videoTool', execution: createExecution(), context });
	attempt.state.keys.set('0 a', 'key');
	attempt.end(undefined, noErrors);
	expect(context).toStrictEqual({});
});

test('identical calls share one state, even at the same time', () => {
	const execution = createExecution();
	const [one, second] = [call(execution), call(execution, { id: 'b' })];
	expect(second.identity).toStrictEqual(one.identity);
	expect(second.state).toBe(one.state);
	one.end(good, noErrors);
	second.end(good, noErrors);
	expect(call(execution).state).toBe(one.state);
});

test('calls have separate states in different executions, and with different inputs', () => {
	const execution = createExecution();
	const one = call(execution);
	one.end(good, noErrors);
	for (const other of [call(createExecution()), call(execution, { json: { words: 'bye' } })]) {
		expect(other.identity.run).not.toStrictEqual(one.identity.run);
		expect(other.state).not.toBe(one.state);
	}
});

test.each([[''], [undefined]])('calls with the execution ID %j share nothing', (execution) => {
	const [one, other] = [1, 2].map(() => begin({ type: 'videoTool', execution }));
	expect(one?.identity.run).toStrictEqual([randomId, {}, randomId]);
	expect(other?.state).not.toBe(one?.state);
});

test('a call repeats an earlier one only if that was successful', () => {
	const execution = createExecution();
	const repeats = (items?: INodeExecutionData[]) => {
		const attempt = call(execution);
		attempt.end(items, noErrors);
		return attempt.repeatsEarlierCall;
	};
	expect(repeats()).toBe(false);
	expect(repeats(good)).toBe(false);
	expect(repeats(wrong)).toBe(true);
	expect(repeats(good)).toBe(false);
	expect(repeats(good)).toBe(true);
});

test.each([
	[24, true],
	[24.001, false],
])('calls share their result for a day: after %d hours %j', (hours, isShared) => {
	const now = jest.spyOn(clock, 'now').mockReturnValue(0);
	const execution = createExecution();
	const one = call(execution);
	now.mockReturnValue(hours * 3600_000);
	const later = call(execution);
	expect(later.state === one.state).toBe(isShared);
	expect(later.identity.run[2] === one.identity.run[2]).toBe(isShared);
});

describe('if each call has its own result', () => {
	const numberOf = ({ identity }: Attempt) => identity.run[2];

	test('it gets the lowest free number', () => {
		const execution = createExecution();
		const next = () => call(execution, { eachCall: true });
		const calls = [next(), next(), next()] as const;
		expect(calls.map(numberOf)).toStrictEqual([0, 1, 2]);
		expect(
			calls.map(({ canBeRetried, repeatsEarlierCall }) => [canBeRetried, repeatsEarlierCall]),
		).toStrictEqual(Array(3).fill([true, false]));
		calls[0].end(good, noErrors);
		calls[1].end([{ json: { error: 'No' } }], noErrors);
		const retry = next();
		expect([numberOf(retry), retry.state === calls[1].state]).toStrictEqual([1, true]);
		expect(numberOf(next())).toBe(3);
		expect(numberOf(call(execution, { json: { words: 'other' }, eachCall: true }))).toBe(0);
		expect(numberOf(call(createExecution(), { eachCall: true }))).toBe(0);
		expect(calls[0].identity.run).toStrictEqual([execution, { words: 'hello' }, 0, randomId]);
	});

	test('the retry of a failed call continues from its progress', () => {
		const execution = createExecution();
		const one = call(execution, { eachCall: true });
		one.state.keys.set('0 a', 'key');
		one.end(undefined, noErrors);
		const again = call(execution, { eachCall: true });
		expect(again.identity).toStrictEqual(one.identity);
		expect(again.state.keys.get('0 a')).toBe('key');
		again.end(good, noErrors);
		expect(numberOf(call(execution, { eachCall: true }))).toBe(1);
	});
});
