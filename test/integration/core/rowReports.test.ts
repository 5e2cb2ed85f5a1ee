/** What the items and the hint of a run say about each row: its outcome, and who has created it. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { continueOnFail, createCalls, getValues, waiting } from '../support/calls';
import { clock } from '../support/core';
import { byId, type Result, type RunOptions } from '../support/engine';
import { useService } from '../support/service';
import { withVirtualTime } from '../support/time';

const service = useService();
const { createVideos, jobs, failPosts, passPosts, failRenders } = createCalls(service);

const path = '/v3/videos';

const readHints = ({ run }: Result) =>
	(run.data.resultData.runData.Node?.[0]?.hints ?? []).map(({ message }) => message);

/** The outcome and the creation at the top level of items, or in the details of error items. */
const readFields = (all: INodeExecutionData[], from: 'item' | 'details' = 'item') =>
	all.map(({ json }) => {
		const fields = from === 'item' ? json : (json.details as IDataObject);
		return [fields.outcome, fields.creation];
	});

describe('of four rows: a failed job, a finished one, a rejected request and a lost response', () => {
	const run = async (node: RunOptions['node']) => {
		failRenders();
		passPosts(path, 3);
		failPosts(path, { cut: 'after' });
		const voice_id = byId('={{ $json.i === 2 ? "no-such-voice" : "voice_001" }}');
		const form = { voice_id, ...waiting({ requestsAtOnce: 1 }) };
		const result = await createVideos(4, form, { node });
		expect(result.error).toBeUndefined();
		expect(jobs('video')).toHaveLength(3);
		return result;
	};
	const outcomes = {
		failedJob: ['failed', 'created'],
		finished: ['finished', 'created'],
		rejected: ['not_started', undefined],
		lost: ['unknown', undefined],
	};

	test('each item has its outcome, and the hint has them all', async () => {
		const result = await run(continueOnFail);
		const { items: out } = result;
		const { failedJob, finished, rejected, lost } = outcomes;
		expect(readFields(out)).toEqual([failedJob, finished, rejected, lost]);
		const errorItems = [0, 2, 3].flatMap((i) => out[i] ?? []);
		expect(readFields(errorItems, 'details')).toEqual([failedJob, rejected, lost]);
		expect(Object.keys(out[1]?.json ?? {}).slice(-2)).toEqual(['outcome', 'creation']);
		// A single video can be played.
		const [, ...hints] = readHints(result);
		expect(hints).toEqual([
			'1 finished, 1 failed, 1 not started, 1 with unknown outcome: row 1, The video failed: The face was lost; row 3, Voice no-such-voice does not exist; row 4, The connection to the service was lost before a response arrived. 1 was created by this run, and is charged. 1 was created by this run without a result: the service does not say whether that is charged. If you run this node again, everything is created again and you are charged again. To read existing results, use Get or Get Many.',
		]);
	});

	test('at the error output, the fields are in the details of an error alone', async () => {
		const { items: out, errors } = await run({ onError: 'continueErrorOutput' });
		const { failedJob, finished, rejected, lost } = outcomes;
		expect(readFields(out)).toEqual([finished]);
		expect(readFields(errors, 'details')).toEqual([failedJob, rejected, lost]);
		for (const { json } of errors)
			expect(Object.keys(json).sort()).toEqual(['details', 'error', 'i']);
	});
});

test('a single row whose wait ended too early has its hint, too', async () => {
	service.control.holdJobs(true);
	const result = await createVideos(1, waiting({ waitTimeout: 1 }), { node: continueOnFail });
	expect(readFields(result.items)).toEqual([['running', 'created']]);
	expect(readHints(result)).toContainEqual(
		expect.stringMatching(
			/^1 still running: row 1, .*\. 1 was created by this run, and is charged\./,
		),
	);
});

describe('paid once per same request, a second execution', () => {
	const run = async (waitForCompletion: boolean) => {
		const result = await createVideos(2, { waitForCompletion, options: { payOncePer: 'request' } });
		expect(result.error).toBeUndefined();
		return { ids: getValues(result.items, 'video_id'), hints: readHints(result), ...result };
	};

	test.each([
		['that waits', true, 'finished', '2 finished.'],
		['that does not wait', false, 'running', '2 still running.'],
	])('%s says that its videos are those of the first', async (_, waits, outcome, summary) => {
		service.control.holdJobs(!waits);
		const one = await run(waits);
		expect(readFields(one.items)).toEqual(Array(2).fill([outcome, 'created']));
		expect(one.hints).toEqual([`${summary} 2 were created by this run, and each is charged.`]);

		await withVirtualTime(service, async () => await clock.sleep(60_000));
		const two = await run(waits);
		expect(two.ids).toEqual(one.ids);
		expect(readFields(two.items)).toEqual(Array(2).fill([outcome, 'replayed']));
		expect(two.hints).toEqual([
			`${summary} 2 were created by an earlier execution, and not charged again.`,
		]);
		expect(jobs('video')).toHaveLength(2);
	});
});
