import assert from 'node:assert/strict';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { makeVideo } from '../triggerFlow';
import { example, succeeded, until } from '../workflows';

export const flow: Flow = {
	name: 'the editor listens for a test event: a genuine one runs the workflow, and the endpoint is removed',
	run: async ({ n8n, credential, simulator }) => {
		const { control } = simulator;
		const endpoints = () => control.endpoints() as Array<{ url: string }>;
		const before = endpoints().length;
		const { id } = await n8n.createWorkflow(
			withCredential(example('03-when-a-video-is-done.json'), credential),
		);
		// The editor gets no execution yet: n8n waits for the event first.
		await n8n.api('POST', `/workflows/${id}/run`, { triggerToStartFrom: { name: 'Video Done' } });
		const endpoint = await until('the test endpoint', () =>
			endpoints().length > before ? endpoints().at(-1) : undefined,
		);
		assert.match(endpoint.url, /\/webhook-test\//);
		const video = await makeVideo({ n8n, credential, simulator });
		const execution = await n8n.waitForExecution({ workflowId: id }, { timeoutMs: 30_000 });
		const [event] = succeeded(execution, 'Video Done');
		assert.equal(event?.json.video_id, video);
		// The node ran with the event, as it does when the workflow is published.
		assert.equal(event?.json.status, 'completed');
		assert.ok(succeeded(execution, 'Download Video')[0]?.binary?.data);
		await until('the end of the endpoint', () => endpoints().length === before);
	},
};
