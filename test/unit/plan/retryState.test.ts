/** What an attempt of a node leaves to the next one. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { beginAttempt } from '../../../nodes/core/plan/retryState';

let executions = 0;

/** A node of an execution of its own. */
function host(
	more: { retryOnFail?: boolean; type?: string; asked?: IDataObject } = {},
): IExecuteFunctions {
	const execution = `attempt-${++executions}`;
	return {
		getExecutionId: () => execution,
		getInputData: () => [{ json: more.asked ?? {} }],
		getInstanceId: () => 'n8n',
		getNode: () => ({ id: 'node', type: more.type ?? 'video', retryOnFail: more.retryOnFail }),
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
	} as unknown as IExecuteFunctions;
}

const good: INodeExecutionData[] = [{ json: { id: 1 } }];
const wrong: INodeExecutionData[] = [{ json: { error: 'Refused' } }, { json: { id: 2 } }];

/** Whether the next attempt knows the state of this one. */
function isKnown(node: IExecuteFunctions, items?: INodeExecutionData[]): boolean {
	const one = beginAttempt(node, false);
	one.state.keys.set('place', 'key');
	one.end(items);
	const next = beginAttempt(node, false);
	next.end(good);
	return next.state.keys.has('place');
}

test('keep the state after an error, and if the first item is an error item', () => {
	expect(isKnown(host({ retryOnFail: true }))).toBe(true);
	expect(isKnown(host({ retryOnFail: true }), wrong)).toBe(true);
});

test('drop the state if no attempt follows', () => {
	expect(isKnown(host({ retryOnFail: true }), good)).toBe(false);
	expect(isKnown(host({ retryOnFail: true }), [])).toBe(false);
	expect(isKnown(host())).toBe(false);
});

describe('identical tool calls', () => {
	const hello = { words: 'hello', toolCallId: 'a' };
	const tool = (asked: IDataObject = hello) => host({ type: 'videoTool', asked });
	const both = (eachCall: boolean, node = tool()) =>
		[beginAttempt(node, eachCall), beginAttempt(node, eachCall)] as const;

	test('share one state in an execution, also at the same time', () => {
		const node = tool();
		const [one, other] = both(false, node);
		expect(other.identity).toEqual(one.identity);
		expect(other.state).toBe(one.state);
		one.end(good);
		other.end(good);
		expect(beginAttempt(node, false).state).toBe(one.state);
	});

	test('have a state of their own in another execution, or with another input', () => {
		const one = beginAttempt(tool(), false);
		one.end(good);
		const later = beginAttempt(tool(), false);
		expect(later.identity.run).not.toEqual(one.identity.run);
		expect(later.state).not.toBe(one.state);
		const asked = { ...hello };
		const node = tool(asked);
		const first = beginAttempt(node, false);
		asked.words = 'good bye';
		expect(beginAttempt(node, false).identity.run).not.toEqual(first.identity.run);
		asked.words = 'hello';
		asked.toolCallId = 'b';
		expect(beginAttempt(node, false).identity.run).toEqual(first.identity.run);
	});

	test('repeat an earlier call only if that one was successful', () => {
		const node = tool();
		const repeats = (items?: INodeExecutionData[]) => {
			const one = beginAttempt(node, false);
			one.end(items);
			return one.repeatsEarlierCall;
		};
		expect(repeats()).toBe(false);
		expect(repeats(good)).toBe(false);
		expect(repeats(wrong)).toBe(true);
		expect(repeats(good)).toBe(false);
		expect(repeats(good)).toBe(true);
	});

	test('are numbered if each must get its own result', () => {
		const node = tool();
		const [one, other] = both(true, node);
		expect(one.identity.run).not.toEqual(other.identity.run);
		other.end(good);
		one.end(good);
		expect(beginAttempt(node, true).identity.run).not.toEqual(one.identity.run);
	});

	test('leave their number to the next attempt after a failure', () => {
		const node = tool();
		const one = beginAttempt(node, true);
		one.state.keys.set('place', 'key');
		one.end();
		const again = beginAttempt(node, true);
		expect(again.identity.run).toEqual(one.identity.run);
		expect(again.state.keys.has('place')).toBe(true);
	});
});
