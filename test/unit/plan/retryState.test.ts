/** The state that an attempt of a node leaves to the next one. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { beginNodeRunAttempt } from '../../../nodes/core/plan/retryState';

let executions = 0;

/** A node in its own execution. */
function createNode(
	more: {
		retryOnFail?: boolean;
		type?: string;
		input?: IDataObject;
		execution?: string;
		resumeUrl?: string;
	} = {},
): IExecuteFunctions {
	const execution = more.execution ?? `attempt-${++executions}`;
	const { signal } = new AbortController();
	return {
		getExecutionId: () => execution,
		getExecutionCancelSignal: () => signal,
		getInputData: () => [{ json: more.input ?? {} }],
		getInstanceId: () => 'n8n',
		getNode: () => ({ id: 'node', type: more.type ?? 'video', retryOnFail: more.retryOnFail }),
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowDataProxy: () => ({ $runIndex: 0, $execution: { resumeUrl: more.resumeUrl } }),
	} as unknown as IExecuteFunctions;
}

const good: INodeExecutionData[] = [{ json: { id: 1 } }];
const wrong: INodeExecutionData[] = [{ json: { error: 'Rejected' } }, { json: { id: 2 } }];

/** Whether the next attempt knows the state of this one. */
function isKeptAfter(node: IExecuteFunctions, items?: INodeExecutionData[]): boolean {
	const one = beginNodeRunAttempt(node, false);
	one.state.keys.set('place', 'key');
	one.end(items);
	const next = beginNodeRunAttempt(node, false);
	next.end(good);
	return next.state.keys.has('place');
}

test.each([[''], [0], [null], [false], [{}]])(
	'the state is kept if the error of the first item is %j, for which some n8n tries again',
	(error) => {
		expect(isKeptAfter(createNode({ retryOnFail: true }), [{ json: { id: 1, error } }])).toBe(true);
	},
);

test('the state is not passed on to another execution with the same number', () => {
	const [failed, restored] = [1, 2].map(() => createNode({ retryOnFail: true, execution: '7' }));
	const one = beginNodeRunAttempt(failed as IExecuteFunctions, false);
	one.end();
	const other = beginNodeRunAttempt(restored as IExecuteFunctions, false);
	expect(other.state).not.toBe(one.state);
	expect(other.state.keySalt).not.toBe(one.state.keySalt);
});

test('the keys stay the same if another process runs the execution again', () => {
	const url = 'https://n8n.example/webhook-waiting/7';
	const saltOf = (resumeUrl: string) =>
		beginNodeRunAttempt(createNode({ execution: '7', resumeUrl }), false).state.keySalt;
	expect(saltOf(`${url}?signature=abc`)).toBe(saltOf(`${url}?signature=abc`));
	expect(saltOf(`${url}?signature=abc`)).not.toBe(saltOf(`${url}?signature=abd`));
	// n8n 1 has no token.
	expect(saltOf(url)).not.toBe(saltOf(url));
});

test.each([
	['kept after an error', true, undefined, true],
	['kept if the first item is an error item', true, wrong, true],
	['dropped after success', true, good, false],
	['dropped if there are no items', true, [], false],
	['dropped without Retry On Fail', false, undefined, false],
])('the state is %s', (_, retryOnFail, items, isKept) => {
	expect(isKeptAfter(createNode({ retryOnFail }), items)).toBe(isKept);
});

describe('identical tool calls', () => {
	const hello = { words: 'hello', toolCallId: 'a' };
	const createTool = (input: IDataObject = hello) => createNode({ type: 'videoTool', input });
	const beginTwo = (eachCall: boolean, node = createTool()) =>
		[beginNodeRunAttempt(node, eachCall), beginNodeRunAttempt(node, eachCall)] as const;

	test('share one state in an execution, even at the same time', () => {
		const node = createTool();
		const [one, second] = beginTwo(false, node);
		expect(second.identity).toEqual(one.identity);
		expect(second.state).toBe(one.state);
		one.end(good);
		second.end(good);
		expect(beginNodeRunAttempt(node, false).state).toBe(one.state);
	});

	test('have separate states in different executions, and with different inputs', () => {
		const one = beginNodeRunAttempt(createTool(), false);
		one.end(good);
		const later = beginNodeRunAttempt(createTool(), false);
		expect(later.identity.run).not.toEqual(one.identity.run);
		expect(later.state).not.toBe(one.state);
		const input = { ...hello };
		const node = createTool(input);
		const first = beginNodeRunAttempt(node, false);
		input.words = 'good bye';
		expect(beginNodeRunAttempt(node, false).identity.run).not.toEqual(first.identity.run);
		input.words = 'hello';
		input.toolCallId = 'b';
		expect(beginNodeRunAttempt(node, false).identity.run).toEqual(first.identity.run);
	});

	test('repeat an earlier call only if it was successful', () => {
		const node = createTool();
		const repeats = (items?: INodeExecutionData[]) => {
			const one = beginNodeRunAttempt(node, false);
			one.end(items);
			return one.repeatsEarlierCall;
		};
		expect(repeats()).toBe(false);
		expect(repeats(good)).toBe(false);
		expect(repeats(wrong)).toBe(true);
		expect(repeats(good)).toBe(false);
		expect(repeats(good)).toBe(true);
	});

	test('are numbered if each must have its own result', () => {
		const node = createTool();
		const [one, second] = beginTwo(true, node);
		expect(one.identity.run).not.toEqual(second.identity.run);
		second.end(good);
		one.end(good);
		expect(beginNodeRunAttempt(node, true).identity.run).not.toEqual(one.identity.run);
	});

	test('pass their number to the next attempt after a failure', () => {
		const node = createTool();
		const one = beginNodeRunAttempt(node, true);
		one.state.keys.set('place', 'key');
		one.end();
		const again = beginNodeRunAttempt(node, true);
		expect(again.identity.run).toEqual(one.identity.run);
		expect(again.state.keys.has('place')).toBe(true);
	});
});
