/** A sheet whose jobs have partly failed is finished by a second run with the same keys. */
import type { INodeParameters } from 'n8n-workflow';
import { continueOnFail, createCalls, getValues, waiting as waitingFor } from '../support/calls';
import { useService } from '../support/service';

const service = useService();
const { createVideos, createBatch, jobs, failRenders } = createCalls(service);

const ways: Array<[string, INodeParameters]> = [
	['Unique Request', { payOncePer: 'request' }],
	['Custom Key', { payOncePer: 'ownKey', idempotencyKey: '=order-{{ $json.i }}' }],
];
const sheets = ways.flatMap(([way, options]) => [
	[`videos per ${way}`, createVideos, options] as const,
	[`rows of a batch per ${way}`, createBatch, options] as const,
]);
const node = continueOnFail;
/** The jobs of a run are older than new ones when the next run begins. */
const waiting = (options: INodeParameters) => waitingFor({ pollInterval: 10, ...options });

test.each(sheets)('the second run of ten %s creates the three that failed', async (...row) => {
	const [, create, options] = row;
	failRenders(3, 'internal_error');
	const run = async () => await create(10, waiting(options), { node });
	const first = await run();
	expect(getValues(first.items, 'error').filter(Boolean)).toHaveLength(3);
	const second = await run();
	expect(getValues(second.items, 'status')).toEqual(Array(10).fill('completed'));
	expect(jobs('video')).toHaveLength(13);
	const third = await run();
	expect(jobs('video')).toHaveLength(13);
	expect(getValues(third.items, 'video_id')).toEqual(getValues(second.items, 'video_id'));
});

test('without Wait for Completion, the second run creates them, too', async () => {
	failRenders(2, 'internal_error');
	const [, options] = ways[0] as [string, INodeParameters];
	await createVideos(5, waiting(options), { node });
	const { items: out } = await createVideos(5, { options });
	expect(jobs('video')).toHaveLength(7);
	expect(new Set(getValues(out, 'video_id')).size).toBe(5);
	const failed = jobs('video').filter(({ willFail }) => willFail);
	for (const { id } of failed) expect(getValues(out, 'video_id')).not.toContain(id);
});

test('a row whose job fails in every run is created three times at most, and says so', async () => {
	failRenders(9, 'internal_error');
	const options = { payOncePer: 'request' };
	const runs = [];
	for (let i = 0; i < 5; i++) runs.push(await createVideos(1, waiting(options)));
	expect(jobs('video')).toHaveLength(3);
	expect(runs.at(-1)?.error?.description).toContain('The job was created 3 times');
});

test('a row whose job failed for good says so, and is not created again', async () => {
	failRenders(1, 'content_policy_violation', 'The script is not allowed');
	const options = { payOncePer: 'request' };
	for (let i = 0; i < 2; i++) {
		const { error } = await createVideos(1, waiting(options));
		expect(error?.message).toContain('The script is not allowed');
	}
	expect(jobs('video')).toHaveLength(1);
});

describe('if the service keeps its rejections for lack of credit', () => {
	const fund = (credit: number) => service.control.setWorkspace({ credit, keepsRejections: true });

	test.each(sheets)('%s are created once there is credit', async (...row) => {
		const [, create, options] = row;
		const run = async () => await create(5, waiting(options), { node });
		fund(0);
		const refused = await run();
		expect(getValues(refused.items, 'error').filter(Boolean)).toHaveLength(5);
		expect(jobs('video')).toHaveLength(0);
		fund(100);
		const paid = await run();
		expect(getValues(paid.items, 'status')).toEqual(Array(5).fill('completed'));
		const again = await run();
		expect(getValues(again.items, 'video_id')).toEqual(getValues(paid.items, 'video_id'));
		expect(jobs('video')).toHaveLength(5);
	});

	test('a run without credit uses up one key for each row that it sends', async () => {
		fund(0);
		for (let i = 0; i < 5; i++) await createVideos(1, { options: { payOncePer: 'request' } });
		fund(100);
		const { error } = await createVideos(1, waiting({ payOncePer: 'request' }));
		expect([error, jobs('video').length]).toEqual([undefined, 1]);
	});

	test('an account whose credit never suffices ends with the rejection', async () => {
		fund(100);
		const rejection = { status: 402, code: 'insufficient_credit' };
		service.control.fail({ path: '/v3/videos', method: 'POST', ...rejection });
		const { error } = await createVideos(1, waiting({ payOncePer: 'request' }));
		expect(error?.message).toContain('not have enough credit');
		expect(service.control.requests({ method: 'POST', path: '/v3/videos' })).toHaveLength(4);
	});
});
