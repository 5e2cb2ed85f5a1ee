/** What a try of a node leaves to the next. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { beginTry, type PlaceHost } from '../../../nodes/core/run/tries';

let executions = 0;

/** A node of an execution of its own. */
function host(more: { retryOnFail?: boolean; type?: string; asked?: IDataObject } = {}): PlaceHost {
	const execution = `tries-${++executions}`;
	return {
		getExecutionId: () => execution,
		getInputData: () => [{ json: more.asked ?? {} }],
		getInstanceId: () => 'n8n',
		getNode: () => ({ id: 'node', type: more.type ?? 'video', retryOnFail: more.retryOnFail }),
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
	} as unknown as PlaceHost;
}

const good: INodeExecutionData[] = [{ json: { id: 1 } }];
const wrong: INodeExecutionData[] = [{ json: { error: 'Refused' } }, { json: { id: 2 } }];

/** Whether the next try knows what this one leaves. */
function isKnown(node: PlaceHost, items?: INodeExecutionData[]): boolean {
	const one = beginTry(node);
	one.known.keys.set('place', 'key');
	one.end(items);
	const next = beginTry(node);
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
	const tool = () => host({ type: 'videoTool', asked: { words: 'hello', toolCallId: 'a' } });

	test('are told apart by what was asked, and numbered where it is the same', () => {
		const node = tool();
		const one = beginTry(node);
		const other = beginTry(node);
		expect(one.place.run).not.toEqual(other.place.run);
		other.end(good);
		one.end(good);
		expect(beginTry(node).place.run).not.toEqual(one.place.run);
	});

	test('leave their number to the next where they failed', () => {
		const node = tool();
		const one = beginTry(node);
		one.known.keys.set('place', 'key');
		one.end();
		const again = beginTry(node);
		expect(again.place.run).toEqual(one.place.run);
		expect(again.known.keys.has('place')).toBe(true);
	});
});
