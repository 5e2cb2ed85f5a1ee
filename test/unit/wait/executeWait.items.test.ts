/** What the wait node does with its items: samples, files, errors, and items that come back. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { hashItems } from '../../../nodes/VideoGenWait/schedule';
import { useVirtualTime } from '../http/virtualTime';
import { createHost, createItem, done, failed, running, type HostSettings } from './waitHost';

useVirtualTime();

const continued = { onError: 'continueRegularOutput' } as const;
const looped = {
	getConnections: () => [[{ node: 'Wait', index: 0 }]],
	getChildNodes: () => [],
	isToolExecution: () => false,
};

test('the finished items of a loop that come back end there, and others are awaited', async () => {
	const more = {
		...looped,
		runExecutionData: {
			parentExecution: { shouldResume: false },
			resultData: { runData: {} },
		},
	};
	const first = createHost({ items: [createItem('a')], responses: { a: done }, more });
	const { outputs } = await first.run();
	expect(outputs?.map((all) => all.length)).toStrictEqual([1, 1]);
	const [items = []] = outputs ?? [];
	expect(first.context).toStrictEqual({ videoGenWaitReturned: hashItems(items) });
	const again = createHost({ items, more, context: { ...first.context } });
	expect([(await again.run()).outputs, again.reads, again.context]).toStrictEqual([null, [], {}]);
	const next = [createItem('b')];
	const other = createHost({ items: next, responses: { b: done }, context: { ...first.context } });
	expect((await other.run()).outputs).toMatchObject([[], [{ json: done }]]);
	expect(other.context).toStrictEqual({});
});

test('errors that come back from the error output end there, with a warning', async () => {
	const onError = 'continueErrorOutput';
	const items = ['a', 'b', 'c'].map((id) => createItem(id));
	const first = createHost({ items, responses: { a: failed, b: done, c: failed }, onError });
	const { outputs = [] } = await first.run();
	expect(first.context).toStrictEqual({
		videoGenWaitErrors: { mark: expect.any(String), at: 100 },
	});
	const errors = (outputs?.[1] ?? []).filter(({ json }) => json.error !== undefined);
	expect(errors).toHaveLength(2);
	const again = createHost({ items: errors, onError, context: { ...first.context } });
	expect((await again.run()).outputs).toBeNull();
	expect([again.reads, again.context]).toStrictEqual([[], {}]);
	expect(again.warn.mock.calls).toStrictEqual([
		[
			'Wait (workflow workflow): 2 items came back from the error output and end here: only jobs that were still running after Wait Timeout can be awaited again',
		],
	]);
	const unconnected = createHost({
		items,
		responses: { a: failed, b: done, c: done },
		...continued,
	});
	await unconnected.run();
	expect(unconnected.context).toStrictEqual({});
});

test('an error item is in one of two outputs if there is an error output', async () => {
	const more = { getConnections: () => [], getChildNodes: () => [] };
	const items = [createItem('a'), createItem('b')];
	const responses = { a: failed, b: done };
	const withErrors = createHost({ items, responses, more, onError: 'continueErrorOutput' });
	expect((await withErrors.run()).outputs?.map((all) => all.length)).toStrictEqual([1, 2]);
	const withoutErrors = createHost({ items, responses, more, ...continued });
	expect((await withoutErrors.run()).outputs?.map((all) => all.length)).toStrictEqual([2, 2]);
});

test('invalid values are an error of their item, and the next item says how long to wait', async () => {
	const items = ['a', 'b'].map((id) => createItem(id));
	const responses = { a: done, b: running };
	const options = (item: number) => ({ waitTimeout: item === 0 ? -1 : 0.5 });
	const { outputs } = await createHost({ items, responses, options, ...continued }).run();
	expect(outputs?.[1]).toMatchObject([
		{
			json: { error: expect.stringContaining('"Wait Timeout'), details: { code: 'invalid_value' } },
		},
		{ json: { error: 'The lipsync was not finished after 0.5 minutes [item 1]' } },
	]);
	const { run } = createHost({ items, responses, options });
	await expect(run()).rejects.toMatchObject({ context: { itemIndex: 0 } });
});

test('sample jobs have samples, and nothing is requested', async () => {
	const items = [createItem('sample_lipsync_1', { simulated: true }), createItem('a')];
	const { run, reads } = createHost({ items, responses: { a: done } });
	const { outputs } = await run();
	expect(outputs).toMatchObject([
		[],
		[
			{ json: { lipsync_id: 'sample_lipsync_1', status: 'completed', simulated: true } },
			{ json: done },
		],
	]);
	expect(reads).toStrictEqual(['a']);
	const unmarked = createHost({ items: [createItem('sample_lipsync_1')], ...continued });
	await unmarked.run();
	expect(unmarked.reads).toContain('sample_lipsync_1');
});

describe('files of sample jobs', () => {
	const helpers = {
		prepareBinaryData: async (_: Buffer, name: string) => await Promise.resolve({ name }),
	};
	const items = [1, 2].map((n): INodeExecutionData =>
		createItem(`sample_lipsync_${n}`, { simulated: true }),
	);
	const readFiles = async (parameters: IDataObject, options: HostSettings['options'] = {}) => {
		const { outputs } = await createHost({ items, more: { helpers }, parameters, options }).run();
		return outputs?.[1]?.map(({ binary = {} }) =>
			Object.entries(binary).map(([field, { name }]) => `${field} ${String(name)}`),
		);
	};

	test('are in the field "data", and named after their job', async () => {
		expect(await readFiles({ download: ['video'] })).toStrictEqual([
			[expect.stringMatching(/^data .*\.mp4$/)],
			[expect.stringMatching(/^data .*\.mp4$/)],
		]);
		expect(await readFiles({})).toStrictEqual([[], []]);
	});

	test('are in the field of the first item, and have the names of their items', async () => {
		const options = (item: number) => ({
			...{ fileName: `File ${item}`, binaryPropertyName: `field${item}` },
		});
		expect(await readFiles({ download: ['video'] }, options)).toStrictEqual([
			['field0 File 0.mp4'],
			['field0 File 1.mp4'],
		]);
	});
});
