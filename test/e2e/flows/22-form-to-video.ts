import assert from 'node:assert/strict';
import { publicOrigin, withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { fieldOf } from '../forms';
import { example, media, succeeded } from '../workflows';

interface Session {
	id: string;
	status: string;
	videoId: string | null;
}

/** What somebody types into the form; nothing in it may be taken for code or markup. */
const topic = 'Our café’s "grand opening" 🎉\n20 % off {{ $json.price }} & <b>free</b> cake';

export const flow: Flow = {
	name: 'examples 04 and 03: a form answers at once, and the finished video starts the other workflow',
	run: async ({ n8n, simulator, credential }) => {
		const { control } = simulator;
		const sessions = () => control.jobs('session') as Session[];
		const before = { endpoints: control.endpoints().length, sessions: sessions().length };

		const draft = example('04-form-to-video.json');
		const form = await n8n.createWorkflow(withCredential(draft, credential));
		const done = await n8n.createWorkflow(
			withCredential(example('03-when-a-video-is-done.json'), credential),
		);
		await n8n.activate(form.id);
		await n8n.activate(done.id);
		assert.equal(control.endpoints().length, before.endpoints + 1, 'one endpoint is registered');

		// The URL that the editor shows as Production URL, on this machine.
		const { webhookId } = draft.nodes.find(({ name }) => name === 'Form') ?? {};
		const address = new URL(`form/${webhookId}`, `${publicOrigin}/`);
		const local = n8n.baseUrl + address.pathname;
		const open = async () => {
			const response = await fetch(local, { headers: { accept: 'text/html' } });
			return { status: response.status, text: await response.text() };
		};

		const page = await open();
		assert.equal(page.status, 200);
		assert.match(page.text, /<h1>Order a video<\/h1>/);
		const field = fieldOf({ address: local, text: page.text }, 'Topic');
		assert.match(page.text, new RegExp(`<textarea[^>]*\\sname='${field}'`));
		// The page shows this part when its POST is answered with 200, unless it shows the answer.
		const [, thanks = ''] = page.text.split("id='submitted-form'");
		assert.match(thanks, /Form Submitted[^]*Thank you! Your video is being created/);
		assert.doesNotMatch(page.text, /id="useResponseData"[^>]*value=.?true|id='redirectUrl'/);

		// The answer waits neither for the service to answer nor for the video.
		control.holdJobs(true);
		control.fail({ method: 'POST', path: '/v3/video-agents', delayMs: 25_000, times: 1 });
		let session: Session | undefined;
		try {
			const body = new FormData();
			body.set(field, topic);
			const answer = await fetch(local, {
				method: 'POST',
				body,
				// The page is sandboxed.
				headers: { origin: 'null' },
				signal: AbortSignal.timeout(10_000),
			});
			assert.equal(answer.status, 200, await answer.text());
			assert.equal(answer.redirected, false);
			assert.equal(sessions().length, before.sessions, 'answered before the session exists');
			control.clearFaults();

			const ordered = await n8n.waitForExecution({ workflowId: form.id }, { timeoutMs: 20_000 });
			const [created] = succeeded(ordered, 'Create Session');
			assert.equal(ordered.mode, 'webhook');
			assert.equal(sessions().length, before.sessions + 1);
			session = sessions().at(-1);
			assert.equal(created?.json.session_id, session?.id);
			assert.notEqual(session?.status, 'completed', 'the workflow did not wait for the video');

			// Browsers send the line ends of a form as CR LF.
			const sent = control.requests({ method: 'POST', path: '/v3/video-agents' }).at(-1);
			const { prompt, mode } = sent?.body as Record<string, unknown>;
			assert.equal(
				prompt,
				`A friendly short video about: ${topic.replaceAll('\n', '\r\n')}`,
				'the words as they were typed',
			);
			assert.equal(mode, 'generate');
			assert.deepEqual(await n8n.executions({ workflowId: done.id }), [], 'nothing is done yet');
		} finally {
			control.clearFaults();
			control.holdJobs(false);
		}

		const finished = await n8n.waitForExecution({ workflowId: done.id }, { timeoutMs: 30_000 });
		const [event] = succeeded(finished, 'Video Done');
		const { videoId } = sessions().find(({ id }) => id === session?.id) ?? {};
		assert.ok(videoId);
		assert.equal(event?.json.event_type, 'video_agent.success');
		assert.equal(event?.json.session_id, session?.id);
		assert.equal(event?.json.video_id, videoId);
		const [video] = succeeded(finished, 'Download Video');
		assert.ok(video?.binary?.data, 'the video is in the field data');
		assert.equal(video.binary.data.mimeType, 'video/mp4');
		assert.ok((await n8n.binary(video.binary.data)).equals(media('video.mp4')), 'every byte');

		assert.equal((await n8n.executions({ workflowId: form.id })).length, 1);
		assert.equal((await n8n.executions({ workflowId: done.id })).length, 1);
		await n8n.deactivate(form.id);
		await n8n.deactivate(done.id);
		assert.equal(control.endpoints().length, before.endpoints, 'the endpoint is gone');
		assert.equal((await open()).status, 404, 'the form is gone');
	},
};
