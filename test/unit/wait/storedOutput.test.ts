/** When the stored output of a suspended wait refers to the one before. */
import type { INodeExecutionData, ITaskData } from 'n8n-workflow';
import { reusePreviousStoredOutput } from '../../../nodes/VideoGenWait/storedOutput';

const json = { video_id: 'v' };
const binary = {};
const item = { json, binary, pairedItem: { item: 0 } };

/** Returns whether the second of these outputs is stored as a reference to the first. */
function isReused(earlier: INodeExecutionData[], later: INodeExecutionData[]): boolean {
	const runs = [earlier, later].map(
		(items) => ({ data: { main: [items] } }) as unknown as ITaskData,
	);
	const getNode = () => ({ name: 'Wait' }) as never;
	reusePreviousStoredOutput({
		getNode,
		runExecutionData: { resultData: { runData: { Wait: runs } } },
	});
	return runs[1]?.data?.main?.[0] === earlier;
}

test('an output with the same items is stored once', () => {
	expect(isReused([item], [{ ...item, pairedItem: { item: 0 } }])).toBe(true);
});

test.each<[string, INodeExecutionData[]]>([
	['more items', [item, item]],
	['another JSON object', [{ ...item, json: { ...json } }]],
	['other files', [{ ...item, binary: {} }]],
	['another origin', [{ ...item, pairedItem: { item: 1 } }]],
])('an output with %s is stored on its own', (_, later) => {
	expect(isReused([item], later)).toBe(false);
});
