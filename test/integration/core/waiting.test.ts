/** Wait for Completion: how a wait ends. */
import { createCalls, waiting } from '../support/calls';
import { useService } from '../support/service';

const service = useService();
const { createVideos, createSessions, jobs } = createCalls(service);

const failReads = (path: RegExp, fault: object) =>
	service.control.fail({ method: 'GET', path, ...fault });
const reads = (path?: RegExp) => service.control.requests({ method: 'GET', path });
const pending = { status: 200, body: { data: { id: 'v', status: 'processing' } } };

test('the wait for a session includes its video', async () => {
	const { items: out } = await createSessions(1, waiting());
	const json = out[0]?.json ?? {};
	expect(json).toMatchObject({
		status: 'completed',
		job: { kind: 'session', id: json.session_id },
		video: { id: json.video_id, status: 'completed', video_url: expect.any(String) },
	});
});

test.each([
	['free_tier_quota_exceeded', 'Wait until the quota resets, or upgrade the plan.'],
	['insufficient_credit', 'Buy credit'],
	['render_failed', 'The input did not cause the failure: run the workflow again.'],
])('the error of a job that failed with %s shows the job and the fix', async (code, advice) => {
	service.control.failNext('video', { code, message: 'The face was lost' });
	const { error } = await createVideos(1, waiting());
	expect(error?.message).toBe('The video failed: The face was lost');
	expect(error?.description).toContain(advice);
	expect(error?.description).toContain(jobs('video')[0]?.id);
	expect(error?.description).toContain(code);
});

test('failing polls do not end a wait; an unknown status is pending', async () => {
	failReads(/videos/, { times: 1, cut: 'before' });
	failReads(/videos/, { times: 1, status: 200, body: { data: { id: 'x', status: 'polishing' } } });
	const { items: out, error } = await createVideos(1, waiting());
	expect(error).toBeUndefined();
	expect(out[0]?.json.status).toBe('completed');
});

test('the error of an interrupted wait shows the job', async () => {
	failReads(/videos/, { status: 401, code: 'unauthorized' });
	const { error } = await createVideos(1, waiting());
	expect(error?.description).toContain(
		`Already started for this item: video ${jobs('video')[0]?.id}`,
	);
});

test('the video of a completed session is polled immediately, and again after 3 seconds', async () => {
	failReads(/^\/v3\/videos\//, { times: 1, ...pending });
	expect((await createSessions(1, { waitForCompletion: true })).error).toBeUndefined();
	const ended = reads(/^\/v3\/video-agents\//).at(-1)?.at ?? 0;
	const polls = reads(/^\/v3\/videos\//).map(({ at }) => Math.round(at - ended));
	expect(polls).toEqual([0, 3]);
});

test('a session and its video share the wait timeout', async () => {
	failReads(/^\/v3\/videos\//, pending);
	const { error } = await createSessions(1, waiting({ waitTimeout: 2 }));
	expect(error?.message).toMatch(/^The video \w+ was not finished after/);
	const times = reads().map(({ at }) => at);
	expect(Math.round(((times.at(-1) ?? 0) - (times[0] ?? 0)) / 60)).toBe(2);
});

test('the progress of a job brings the next poll forward', async () => {
	// Polls after 10 and 20 seconds. By the second progress, 5 seconds are left.
	for (const progress of [1, 80]) {
		const body = { data: { status: 'thinking', progress } };
		failReads(/^\/v3\/video-agents\//, { times: 1, status: 200, body });
	}
	expect((await createSessions(1, { waitForCompletion: true })).error).toBeUndefined();
	const at = reads(/video-agents/).map((request) => request.at);
	expect(at.slice(1).map((time, i) => Math.round(time - (at[i] ?? 0)))).toEqual([10, 5]);
});
