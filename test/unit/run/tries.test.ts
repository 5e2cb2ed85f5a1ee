/** What a try of a node leaves to the next. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { beginAttempt } from '../../../nodes/core/plan/retryState';

let executions = 0;

/** A node of an execution of its own. */
function host(
	more: { retryOnFail?: boolean; type?: string; asked?: IDataObject } = {},
): IExecuteFunctions {
	const execution = `tries-${++executions}`;
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

/** Whether the next try knows what this one leaves. */
function isKnown(node: IExecuteFunctions, items?: INodeExecutionData[]): boolean {
	const one = beginAttempt(node, false);
	one.known.keys.set('place', 'key');
	one.end(items);
	const next = beginAttempt(node, false);
	next.end(good);
	return next.known.keys.has('place');
}

test('n8n repeats a node that threw, and one whose first item is an error', () => {
	expect(isKnown(host({ retryOnFail: true }))).toBe(true);
	expect(isKnown(host({ retryOnFail: true }), wrong)).toBe(true);
});

test('nothing is left behind where no other try comes', () => {
	expect(isKnown(host({ retryOnFail: true }), good)).toBe(false);
	expect(isKnown(host({ retryOnFail: true }), [])).toBe(false);
	expect(isKnown(host())).toBe(false);
});

describe('calls of a tool', () => {
	const hello = { words: 'hello', toolCallId: 'a' };
	const tool = (asked: IDataObject = hello) => host({ type: 'videoTool', asked });
	const both = (eachCall: boolean, node = tool()) =>
		[beginAttempt(node, eachCall), beginAttempt(node, eachCall)] as const;

	test('that ask for the same in one execution are one, also at the same time', () => {
		const node = tool();
		const [one, other] = both(false, node);
		expect(other.place).toEqual(one.place);
		expect(other.known).toBe(one.known);
		one.end(good);
		other.end(good);
		expect(beginAttempt(node, false).known).toBe(one.known);
	});

	test('are another one in another execution, and where something else was asked', () => {
		const one = beginAttempt(tool(), false);
		one.end(good);
		const later = beginAttempt(tool(), false);
		expect(later.place.run).not.toEqual(one.place.run);
		expect(later.known).not.toBe(one.known);
		const asked = { ...hello };
		const node = tool(asked);
		const first = beginAttempt(node, false);
		asked.words = 'good bye';
		expect(beginAttempt(node, false).place.run).not.toEqual(first.place.run);
		asked.words = 'hello';
		asked.toolCallId = 'b';
		expect(beginAttempt(node, false).place.run).toEqual(first.place.run);
	});

	test('repeat an earlier one only where that went well', () => {
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

	test('are numbered where each is to be carried out', () => {
		const node = tool();
		const [one, other] = both(true, node);
		expect(one.place.run).not.toEqual(other.place.run);
		other.end(good);
		one.end(good);
		expect(beginAttempt(node, true).place.run).not.toEqual(one.place.run);
	});

	test('leave their number to the next where they failed', () => {
		const node = tool();
		const one = beginAttempt(node, true);
		one.known.keys.set('place', 'key');
		one.end();
		const again = beginAttempt(node, true);
		expect(again.place.run).toEqual(one.place.run);
		expect(again.known.keys.has('place')).toBe(true);
	});
});
