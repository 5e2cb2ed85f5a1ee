import { resources } from '../../../nodes/VideoGenJob/operations';
import { avatar, createCalls, getValues } from '../support/calls';
import { describeOperations, runForJson, type Case } from '../support/cases';
import { useService } from '../support/service';

const aJob: Case = {
	line: 'GET /v3/videos/{video_id}',
	before: async (service) => await runForJson(service, 'VideoGenVideo', avatar()),
	parameters: ({ video_id }) => ({ jobs: 'id', kind: 'video', job_id: String(video_id) }),
	differences: { jobs: undefined },
	returns: ([item], { video_id }) =>
		expect(item?.json).toMatchObject({
			...{ video_id, status: 'completed', video_url: expect.any(String) },
			job: { kind: 'video', id: video_id },
		}),
};

describeOperations('VideoGenJob', resources, { wait: aJob, get: aJob });

describe('Get', () => {
	const service = useService({ jobSeconds: 100 });
	const { createVideos, createBatch, createSessions, waitForJobs } = createCalls(service);
	const get = { operation: 'get' };

	test('reads the jobs of the items once, and does not wait', async () => {
		const { items: created } = await createVideos(2);
		const { items: out, error } = await waitForJobs(created, get);
		expect(error).toBeUndefined();
		expect(getValues(out, 'video_id')).toEqual(getValues(created, 'video_id'));
		for (const { json } of out) expect(json.status).not.toBe('completed');
		expect(service.control.requests({ method: 'GET', path: /^\/v3\/videos\// })).toHaveLength(2);
	});

	test('returns fresh URLs of a finished job', async () => {
		const { items: created } = await createVideos(1);
		service.control.clock.advance(300);
		const [first] = (await waitForJobs(created, get)).items;
		const [second] = (await waitForJobs(created, get)).items;
		expect(first?.json.video_url).toEqual(expect.any(String));
		expect(second?.json.video_url).not.toBe(first?.json.video_url);
	});

	test('passes items without a job on unchanged, and pairs each item with its input', async () => {
		const { items: created } = await createSessions(1);
		const other = { json: { name: 'Ada', created_at: 1_790_000_000 } };
		const { items: out } = await waitForJobs([other, ...created], get);
		expect(out).toMatchObject([
			{ ...other, pairedItem: { item: 0 } },
			{ json: { session_id: created[0]?.json.session_id }, pairedItem: { item: 1 } },
		]);
		expect(out[0]?.json).toEqual(other.json);
	});

	test('returns the batch for each of its rows', async () => {
		const { items: created } = await createBatch(3);
		const { items: out, error } = await waitForJobs(created, get);
		expect(error).toBeUndefined();
		expect(getValues(out, 'batch_id')).toEqual(getValues(created, 'batch_id'));
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
	});
});
