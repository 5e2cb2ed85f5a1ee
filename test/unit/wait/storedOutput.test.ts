/** When the stored output of a suspended wait refers to the one before. */
import type { INodeExecutionData, IRunData, ITaskData } from 'n8n-workflow';
import { deduplicateStoredOutput } from '../../../nodes/VideoGenWait/storedOutput';

const json = { video_id: 'v' };
const binary = {};
const item = { json, binary, pairedItem: { item: 0 } };

/** The node, in an execution with these runs of it. */
const createContext = (runs?: ITaskData[]) => ({
	getNode: () => ({ name: 'Wait' }) as never,
	runExecutionData: { resultData: { runData: (runs ? { Wait: runs } : {}) as IRunData } },
});

const createRun = (...main: unknown[]) => ({ data: { main } }) as unknown as ITaskData;

/** Returns whether the second of these outputs is stored as a reference to the first. */
function isReused(earlier: INodeExecutionData[], later: INodeExecutionData[]): boolean {
	const runs = [createRun([]), createRun(earlier), createRun(later)];
	deduplicateStoredOutput(createContext(runs));
	return runs[2]?.data?.main?.[0] === earlier;
}

test('an output with the same items is stored once', () => {
	expect(isReused([item], [{ ...item, pairedItem: { item: 0 } }])).toBe(true);
});

test.each<[string, INodeExecutionData[]]>([
	['more items', [item, item]],
	['no items', []],
	['another JSON object', [{ ...item, json: { ...json } }]],
	['other files', [{ ...item, binary: {} }]],
	['another origin', [{ ...item, pairedItem: { item: 1 } }]],
])('an output with %s is stored on its own', (_, later) => {
	expect(isReused([item], later)).toBe(false);
});

const failedRun = {} as ITaskData;
test.each<[string, ITaskData[] | undefined]>([
	['is none', undefined],
	['is one', [createRun([item])]],
	['was one before a failed run', [createRun([item]), failedRun]],
	['is one after a failed run', [failedRun, createRun([item])]],
	['is one before an empty one', [createRun([item]), createRun(null)]],
	['is one after an empty one', [createRun(null), createRun([item])]],
	['are two without a main connection', [{ data: {} } as ITaskData, { data: {} } as ITaskData]],
])('stored outputs stay unchanged if there %s', (_, runs) => {
	const before = structuredClone(runs);
	deduplicateStoredOutput(createContext(runs));
	expect(runs).toEqual(before);
});

test('no stored output is needed', () => {
	expect(() =>
		deduplicateStoredOutput({ ...createContext(), runExecutionData: null }),
	).not.toThrow();
});
