/** Waiting for jobs: how a wait ends. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { avatar, session } from '../support/calls';
import { runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const wait = (more: IDataObject = {}) => ({
	waitForCompletion: true,
	options: { pollInterval: 1, ...more } as INodeParameters,
});

test('a session ends with its video', async () => {
	const { items: out } = await runNode(service, 'VideoGenAgent', session(wait()));
	const json = out[0]?.json ?? {};
	expect(json).toMatchObject({
		status: 'completed',
		job: { kind: 'session', id: json.session_id },
		video: { id: json.video_id, status: 'completed', video_url: expect.any(String) },
	});
});

test('a failed job is an error with reason, code and id', async () => {
	service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
	const { error } = await runNode(service, 'VideoGenVideo', avatar(wait()));
	const [job] = service.control.jobs('video') as IDataObject[];
	expect(error?.message).toBe('The video failed: The face was lost');
	expect(error?.description).toContain(String(job?.id));
	expect(error?.description).toContain('render_failed');
});

test.each([
	['free_tier_quota_exceeded', 'Wait until it renews, or upgrade the plan.'],
	['insufficient_credit', 'Buy credit'],
	['render_failed', 'Change the input and run again.'],
	['invalid_parameter', 'Change the input and run again.'],
])('a job that failed for %s comes with what helps', async (code, advice) => {
	service.control.failNext('video', { code, message: 'No' });
	const { error } = await runNode(service, 'VideoGenVideo', avatar(wait()));
	expect(error?.description).toContain(advice);
});

test('the timeout error names the job and says that it keeps running', async () => {
	service.control.holdJobs(true);
	const { error } = await runNode(service, 'VideoGenVideo', avatar(wait({ waitTimeout: 0.03 })));
	const [job] = service.control.jobs('video') as IDataObject[];
	expect(error?.message).toContain('was not finished after');
	expect(error?.description).toContain(String(job?.id));
	expect(error?.description).toContain('do not create it again');
});

test('failing polls do not end a wait; an unknown status is pending', async () => {
	service.control.fail({ method: 'GET', path: /videos/, times: 1, cut: 'before' });
	service.control.fail({
		method: 'GET',
		path: /videos/,
		times: 1,
		status: 200,
		body: { data: { id: 'x', status: 'polishing' } },
	});
	const { items: out, error } = await runNode(service, 'VideoGenVideo', avatar(wait()));
	expect(error).toBeUndefined();
	expect(out[0]?.json.status).toBe('completed');
});

test('a wait that cannot go on names the job', async () => {
	service.control.fail({ method: 'GET', path: /videos/, status: 401, code: 'unauthorized' });
	const { error } = await runNode(service, 'VideoGenVideo', avatar(wait()));
	const [job] = service.control.jobs('video') as IDataObject[];
	expect(error?.description).toContain(`Already started for this item: video ${String(job?.id)}`);
});

test('a chat that asks back rests there, without a failure', async () => {
	const { items: out, error } = await runNode(
		service,
		'VideoGenAgent',
		session({ prompt: 'Shall it be long or short?', mode: 'chat', ...wait() }),
	);
	expect(error).toBeUndefined();
	expect(out[0]?.json).toMatchObject({ status: 'waiting_for_input' });
});

test('the video of a completed session is polled at once, and soon again', async () => {
	const pending = { status: 200, body: { data: { id: 'v', status: 'processing' } } };
	service.control.fail({ method: 'GET', path: /^\/v3\/videos\//, times: 1, ...pending });
	const { error } = await runNode(service, 'VideoGenAgent', session({ waitForCompletion: true }));
	expect(error).toBeUndefined();
	const read = (path: RegExp) => service.control.requests({ method: 'GET', path });
	const ended = read(/^\/v3\/video-agents\//).at(-1)?.at ?? 0;
	const [first, second, ...more] = read(/^\/v3\/videos\//).map(({ at }) => at);
	expect(more).toEqual([]);
	expect((first ?? 0) - ended).toBeLessThan(1);
	expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(2);
	expect((second ?? 0) - (first ?? 0)).toBeLessThan(4);
});

test('a session and its video share the wait timeout', async () => {
	const pending = { status: 200, body: { data: { id: 'v', status: 'processing' } } };
	service.control.fail({ method: 'GET', path: /^\/v3\/videos\//, ...pending });
	const { error } = await runNode(service, 'VideoGenAgent', session(wait({ waitTimeout: 2 })));
	expect(error?.message).toContain('The video was not finished after');
	const times = service.control.requests({ method: 'GET' }).map(({ at }) => at);
	expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThanOrEqual(121);
	expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(60);
});

test('the progress of a job brings the next poll forward', async () => {
	const reading = (progress: number) => ({
		method: 'GET',
		path: /^\/v3\/video-agents\//,
		times: 1,
		status: 200,
		body: { data: { session_id: 's', status: 'thinking', progress } },
	});
	// After 10 s and after 20: the last of them says that 5 s are left.
	for (const progress of [1, 80]) service.control.fail(reading(progress));
	const { error } = await runNode(service, 'VideoGenAgent', session({ waitForCompletion: true }));
	expect(error).toBeUndefined();
	const at = service.control.requests({ method: 'GET', path: /video-agents/ }).map((r) => r.at);
	const pauses = at.slice(1).map((time, i) => Math.round(time - (at[i] ?? 0)));
	expect(pauses).toEqual([10, 5]);
});
