/** Wait for Completion: how a wait ends. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { avatar, session } from '../support/calls';
import { runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const wait = (more: IDataObject = {}) => ({
	waitForCompletion: true,
	options: { pollInterval: 1, ...more } as INodeParameters,
});

test('the wait for a session includes its video', async () => {
	const { items: out } = await runNode(service, 'VideoGenAgent', session(wait()));
	const json = out[0]?.json ?? {};
	expect(json).toMatchObject({
		status: 'completed',
		job: { kind: 'session', id: json.session_id },
		video: { id: json.video_id, status: 'completed', video_url: expect.any(String) },
	});
});

test('a failed job is an error with its reason, code and ID', async () => {
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
])('the error of a job that failed with %s explains the fix', async (code, advice) => {
	service.control.failNext('video', { code, message: 'No' });
	const { error } = await runNode(service, 'VideoGenVideo', avatar(wait()));
	expect(error?.description).toContain(advice);
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

test('the error of an interrupted wait shows the job', async () => {
	service.control.fail({ method: 'GET', path: /videos/, status: 401, code: 'unauthorized' });
	const { error } = await runNode(service, 'VideoGenVideo', avatar(wait()));
	const [job] = service.control.jobs('video') as IDataObject[];
	expect(error?.description).toContain(`Already started for this item: video ${String(job?.id)}`);
});

test('a chat that asks its user ends the wait without an error', async () => {
	const { items: out, error } = await runNode(
		service,
		'VideoGenAgent',
		session({ prompt: 'Shall it be long or short?', mode: 'chat', ...wait() }),
	);
	expect(error).toBeUndefined();
	expect(out[0]?.json).toMatchObject({ status: 'waiting_for_input' });
});

test('the video of a completed session is polled immediately, and again after 3 seconds', async () => {
	const pending = { status: 200, body: { data: { id: 'v', status: 'processing' } } };
	service.control.fail({ method: 'GET', path: /^\/v3\/videos\//, times: 1, ...pending });
	const { error } = await runNode(service, 'VideoGenAgent', session({ waitForCompletion: true }));
	expect(error).toBeUndefined();
	const read = (path: RegExp) => service.control.requests({ method: 'GET', path });
	const ended = read(/^\/v3\/video-agents\//).at(-1)?.at ?? 0;
	const [first, second, ...more] = read(/^\/v3\/videos\//).map(({ at }) => at);
	expect(more).toEqual([]);
	expect([ended, first, second].map((at = 0) => Math.round(at - ended))).toEqual([0, 0, 3]);
});

test('a session and its video share the wait timeout', async () => {
	const pending = { status: 200, body: { data: { id: 'v', status: 'processing' } } };
	service.control.fail({ method: 'GET', path: /^\/v3\/videos\//, ...pending });
	const { error } = await runNode(service, 'VideoGenAgent', session(wait({ waitTimeout: 2 })));
	expect(error?.message).toContain('The video was not finished after');
	const times = service.control.requests({ method: 'GET' }).map(({ at }) => at);
	expect(Math.round(((times.at(-1) ?? 0) - (times[0] ?? 0)) / 60)).toBe(2);
});

test('the progress of a job brings the next poll forward', async () => {
	const respondWith = (progress: number) => ({
		method: 'GET',
		path: /^\/v3\/video-agents\//,
		times: 1,
		status: 200,
		body: { data: { session_id: 's', status: 'thinking', progress } },
	});
	// Polls after 10 and 20 seconds. By the second progress, 5 seconds are left.
	for (const progress of [1, 80]) service.control.fail(respondWith(progress));
	const { error } = await runNode(service, 'VideoGenAgent', session({ waitForCompletion: true }));
	expect(error).toBeUndefined();
	const at = service.control.requests({ method: 'GET', path: /video-agents/ }).map((r) => r.at);
	const pauses = at.slice(1).map((time, i) => Math.round(time - (at[i] ?? 0)));
	expect(pauses).toEqual([10, 5]);
});
