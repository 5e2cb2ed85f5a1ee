/** Identical calls of a tool: what they share, and for how long. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { videoJob } from '../../../nodes/jobKinds/catalog';
import {
	addRecord,
	begin,
	createFailedRow,
	emptyState,
	good,
	noErrors,
	storeContext,
	wrong,
	type Attempt,
} from './nodeRuns';

/** An execution with its ID and the data that n8n stores with it. */
interface Execution {
	execution: string;
	context: IDataObject;
}

let executions = 0;
const createExecution = (): Execution => ({ execution: `tool ${++executions}`, context: {} });

/** Returns the execution that the Retry button starts. */
const retry = ({ context }: Execution): Execution => ({
	execution: `tool ${++executions}`,
	context: storeContext(context),
});

const call = (
	execution: Execution,
	{ json = { words: 'hello' } as IDataObject, id = 'a', eachCall = false } = {},
) => {
	const inputs = [{ json: { ...json, toolCallId: id } }, { json: { other: 1 } }];
	return begin({ type: 'videoTool', ...execution, inputs }, eachCall);
};

const hash = expect.stringMatching(/^n8n-[0-9a-f]{48}$/) as string;
const randomId = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

test('a call is identified by its input, without the ID of the call', () => {
	const execution = createExecution();
	const attempt = call(execution);
	expect(attempt).toStrictEqual({
		identity: {
			node: ['n8n', 'workflow', 'node'],
			run: [randomId],
			origins: [hash],
		},
		state: emptyState,
		begun: expect.any(Number),
		canBeRetried: true,
		hasUsedTries: false,
		repeatsEarlierCall: false,
		rejected: [],
		uploads: {},
		getRowId: expect.any(Function),
		repeatsAllErrors: expect.any(Function),
		suspend: expect.any(Function),
		end: expect.any(Function),
	});
	expect(attempt.getRowId(0)).toBeUndefined();
	expect(attempt.repeatsAllErrors(new Map([[0, createFailedRow('No')]]))).toBe(false);
	const empty = begin({ type: 'videoTool', ...execution, inputs: [] });
	expect(empty.identity.origins).toStrictEqual([hash]);
	expect(empty.identity.origins).not.toStrictEqual(attempt.identity.origins);
	expect(call(execution, { id: 'b' }).identity).toStrictEqual(attempt.identity);
});

test('a call that n8n makes outside of an execution has no data, and shares nothing', () => {
	const outside = () => begin({ type: 'videoTool', execution: undefined, hasData: false });
	expect(outside().identity).not.toStrictEqual(outside().identity);
});

test('identical calls share their records, even at the same time', () => {
	const execution = createExecution();
	const [one, second] = [call(execution), call(execution, { id: 'b' })];
	expect(second.identity).toStrictEqual(one.identity);
	expect(second.state.creates).toBe(one.state.creates);
	one.end(good, noErrors);
	second.end(good, noErrors);
	expect(call(execution).state.creates).toBe(one.state.creates);
});

test('calls have separate identities in different executions, and with different inputs', () => {
	const execution = createExecution();
	const one = call(execution);
	addRecord(one.state.creates, 'a', one.identity.origins);
	one.end(good, noErrors);
	const elsewhere = call(createExecution());
	for (const other of [elsewhere, call(execution, { json: { words: 'bye' } })])
		expect(other.identity).not.toStrictEqual(one.identity);
	expect(elsewhere.state).toStrictEqual(emptyState);
});

test.each([
	['identical', {}],
	['different', { json: { words: 'bye' } }],
])('%s calls at the same time write into one ledger', (_, other) => {
	const execution = createExecution();
	const calls = [call(execution), call(execution, other)];
	const origins = calls.flatMap(({ identity }) => identity.origins);
	for (const [i, { identity, state }] of calls.entries()) {
		const record = addRecord(state.creates, `${i}`, identity.origins);
		Object.assign(record, { key: `key ${i}`, sent: record.origins });
		state.failures[origins[i]!] = i + 1;
	}
	// The call that began last ends first, and one of them fails.
	calls[1]?.end(wrong, noErrors);
	calls[0]?.end(good, noErrors);
	const { state } = call(retry(execution));
	expect(state.creates).toStrictEqual({
		0: { origins: [origins[0]], rejections: 0, key: 'key 0', sent: [origins[0]] },
		1: { origins: [origins[1]], rejections: 0, key: 'key 1', sent: [origins[1]] },
	});
	const failures = origins.map((origin, i) => [origin, i + 1] as const);
	expect(state.failures).toStrictEqual(Object.fromEntries(failures));
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
	// The conversation begins again: the model does not have the result yet.
	expect(call(retry(execution)).repeatsEarlierCall).toBe(false);
});

test('Retry continues the calls of the failed execution, and only those with the same input', () => {
	const failed = createExecution();
	const calls = [call(failed), call(failed, { json: { words: 'bye' } })] as const;
	for (const [i, { identity, state, end }] of calls.entries()) {
		const record = addRecord(state.creates, `${i}`, identity.origins);
		Object.assign(record, { key: `key ${i}`, sent: record.origins });
		state.jobs.set(0, [{ kind: videoJob, id: `v${i}` }]);
		end(good, noErrors);
	}
	const again = retry(failed);
	const continued = [call(again), call(again, { json: { words: 'bye' } })];
	for (const [i, { identity, state }] of continued.entries()) {
		expect(identity).toStrictEqual(calls[i]?.identity);
		expect(Object.values(state.creates).map(({ key }) => key)).toEqual(['key 0', 'key 1']);
		expect(state.jobs).toStrictEqual(new Map([[0, [{ kind: videoJob, id: `v${i}` }]]]));
		expect(state.sentItems).toStrictEqual(new Set([0]));
	}
	const { creates, ...others } = call(again, { json: { words: 'new' } }).state;
	expect({ ...others, creates: {} }).toStrictEqual(emptyState);
	expect(creates).toBe(continued[0]?.state.creates);
});

describe('if each call has its own result', () => {
	const originOf = ({ identity }: Attempt) => identity.origins[0];

	test('it gets the lowest free number', () => {
		const execution = createExecution();
		const next = () => call(execution, { eachCall: true });
		const calls = [next(), next(), next()] as const;
		const [origin] = calls.map(originOf);
		expect(calls.map(originOf)).toStrictEqual([origin, `${origin}.0`, `${origin}.1`]);
		expect(
			calls.map(({ canBeRetried, repeatsEarlierCall }) => [canBeRetried, repeatsEarlierCall]),
		).toStrictEqual(Array(3).fill([true, false]));
		calls[0].end(good, noErrors);
		calls[1].end([{ json: { error: 'No' } }], noErrors);
		expect(originOf(next())).toBe(`${origin}.0`);
		expect(originOf(next())).toBe(`${origin}.2`);
		expect(originOf(call(createExecution(), { eachCall: true }))).toBe(origin);
		expect(originOf(call(retry(execution), { eachCall: true }))).toBe(origin);
	});

	test('the retry of a failed call continues from its progress', () => {
		const execution = createExecution();
		const next = () => call(execution, { eachCall: true });
		const calls = [next(), next()] as const;
		for (const [i, { identity, state, end }] of calls.entries()) {
			addRecord(state.creates, `${i}`, identity.origins).key = `key ${i}`;
			state.jobs.set(0, [{ kind: videoJob, id: `v${i}` }]);
			end(i === 0 ? good : undefined, noErrors);
		}
		const again = next();
		expect(again.identity).toStrictEqual(calls[1].identity);
		expect(again.state.creates).toMatchObject({ 0: { key: 'key 0' }, 1: { key: 'key 1' } });
		expect(again.state.jobs).toStrictEqual(new Map([[0, [{ kind: videoJob, id: 'v1' }]]]));
		again.end(good, noErrors);
		expect(originOf(next())).toBe(`${originOf(calls[0])}.1`);
	});
});

test('a tool call is never suspended', () => {
	const execution = createExecution();
	const attempt = call(execution);
	attempt.suspend({ suspensions: 1 });
	expect(JSON.stringify(execution.context)).not.toContain('suspensions');
	expect(call(execution).wait).toBeUndefined();
});
