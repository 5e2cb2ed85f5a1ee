/** What an attempt to run a node leaves for the next one. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { beginAttempt } from '../../../nodes/core/plan/retryState';

let executions = 0;

/** A node in an execution of its own. */
function createNode(
	more: { retryOnFail?: boolean; type?: string; args?: IDataObject } = {},
): IExecuteFunctions {
	const execution = `attempts-${++executions}`;
	return {
		getExecutionId: () => execution,
		getInputData: () => [{ json: more.args ?? {} }],
		getInstanceId: () => 'n8n',
		getNode: () => ({ id: 'node', type: more.type ?? 'video', retryOnFail: more.retryOnFail }),
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
	} as unknown as IExecuteFunctions;
}

const good: INodeExecutionData[] = [{ json: { id: 1 } }];
const wrong: INodeExecutionData[] = [{ json: { error: 'Refused' } }, { json: { id: 2 } }];

/** Whether the next attempt knows what this one leaves. */
function isKnown(node: IExecuteFunctions, items?: INodeExecutionData[]): boolean {
	const one = beginAttempt(node, false);
	one.known.keys.set('place', 'key');
	one.end(items);
	const next = beginAttempt(node, false);
	next.end(good);
	return next.known.keys.has('place');
}

test('n8n repeats a node that threw, and one whose first item is an error', () => {
	expect(isKnown(createNode({ retryOnFail: true }))).toBe(true);
	expect(isKnown(createNode({ retryOnFail: true }), wrong)).toBe(true);
});

test('an attempt that is the last leaves no state', () => {
	expect(isKnown(createNode({ retryOnFail: true }), good)).toBe(false);
	expect(isKnown(createNode({ retryOnFail: true }), [])).toBe(false);
	expect(isKnown(createNode())).toBe(false);
});

describe('calls of a tool', () => {
	const hello = { words: 'hello', toolCallId: 'a' };
	const tool = (args: IDataObject = hello) => createNode({ type: 'videoTool', args });
	const both = (eachCall: boolean, node = tool()) =>
		[beginAttempt(node, eachCall), beginAttempt(node, eachCall)] as const;

	test('with the same arguments in one execution are one, also at the same time', () => {
		const node = tool();
		const [one, other] = both(false, node);
		expect(other.place).toEqual(one.place);
		expect(other.known).toBe(one.known);
		one.end(good);
		other.end(good);
		expect(beginAttempt(node, false).known).toBe(one.known);
	});

	test('with other arguments or in another execution are another one', () => {
		const one = beginAttempt(tool(), false);
		one.end(good);
		const later = beginAttempt(tool(), false);
		expect(later.place.run).not.toEqual(one.place.run);
		expect(later.known).not.toBe(one.known);
		const args = { ...hello };
		const node = tool(args);
		const first = beginAttempt(node, false);
		args.words = 'good bye';
		expect(beginAttempt(node, false).place.run).not.toEqual(first.place.run);
		args.words = 'hello';
		args.toolCallId = 'b';
		expect(beginAttempt(node, false).place.run).toEqual(first.place.run);
	});

	test('repeat an earlier one only if that succeeded', () => {
		const node = tool();
		const repeats = (items?: INodeExecutionData[]) => {
			const one = beginAttempt(node, false);
			one.end(items);
			return one.repeats;
		};
		expect(repeats()).toBe(false);
		expect(repeats(good)).toBe(false);
		expect(repeats(wrong)).toBe(true);
		expect(repeats(good)).toBe(false);
		expect(repeats(good)).toBe(true);
	});

	test('are numbered where each must be executed', () => {
		const node = tool();
		const [one, other] = both(true, node);
		expect(one.place.run).not.toEqual(other.place.run);
		other.end(good);
		one.end(good);
		expect(beginAttempt(node, true).place.run).not.toEqual(one.place.run);
	});

	test('that fail leave their number to the next', () => {
		const node = tool();
		const one = beginAttempt(node, true);
		one.known.keys.set('place', 'key');
		one.end();
		const again = beginAttempt(node, true);
		expect(again.place.run).toEqual(one.place.run);
		expect(again.known.keys.has('place')).toBe(true);
	});
});
