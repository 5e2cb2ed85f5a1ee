import assert from 'node:assert/strict';
import type { Stage } from '../../tools/stage';
import { withCredential } from '../../tools/stage';
import type { Flow } from './flow';
import { byId, chain, example, runDraft, start, succeeded, until } from './workflows';

interface Endpoint {
	id?: string;
	endpoint_id?: string;
	url: string;
}

/** Makes a video without waiting; its ID. */
export const makeVideo = async (stage: Pick<Stage, 'n8n' | 'credential' | 'simulator'>) => {
	const execution = await runDraft(
		stage,
		chain('Make a video', [
			start,
			{
				name: 'Create',
				type: 'video',
				parameters: {
					operation: 'createAvatar',
					avatar_id: byId('look_001_1'),
					speechFrom: 'text',
					script: 'Hello there, this is a long enough text.',
					voice_id: byId('voice_001'),
					waitForCompletion: false,
				},
			},
		]),
	);
	return String(succeeded(execution, 'Create')[0]?.json.video_id);
};

/** The life of a trigger, with the headers of one service brand. */
export function triggerFlow(prefix: string): Flow {
	return {
		name: `example 03: the trigger registers, takes only genuine events, and leaves (headers ${prefix}-…)`,
		run: async (context) => {
			const stage =
				prefix === 'Service'
					? context
					: await context.startOwn({ simulator: { headerPrefix: prefix } });
			const { n8n, simulator, credential } = stage;
			const { control } = simulator;
			const endpoints = () => control.endpoints() as Endpoint[];
			const before = endpoints().length;

			const { id } = await n8n.createWorkflow(
				withCredential(example('03-when-a-video-is-done.json'), credential),
			);
			await n8n.activate(id);
			const endpoint = endpoints().at(-1) as Endpoint;
			assert.equal(endpoints().length, before + 1, 'one endpoint is registered');
			assert.ok(endpoint.url.startsWith('https://flows.example/webhook/'), endpoint.url);

			// The service's own signed delivery starts the workflow with that video.
			const video = await makeVideo(stage);
			const execution = await n8n.waitForExecution({ workflowId: id }, { timeoutMs: 30_000 });
			const [event] = succeeded(execution, 'Video Done');
			assert.equal(event?.json.event_type, 'avatar_video.success');
			assert.equal(event?.json.video_id, video);
			const [file] = succeeded(execution, 'Download Video');
			assert.equal(file?.binary?.data?.mimeType, 'video/mp4');

			const count = async () => (await n8n.executions({ workflowId: id })).length;
			assert.equal(await count(), 1);
			const secret = control.secretOf(String(endpoint.endpoint_id ?? endpoint.id));
			const event2 = (name: string) => ({
				event_id: name,
				event_type: 'avatar_video.success',
				event_data: { video_id: video, url: 'https://files.example/v.mp4' },
			});
			const send = async (more: object, name = 'evt_hand') =>
				await control.deliver({
					url: endpoint.url,
					secret,
					prefix,
					event: event2(name),
					eventId: name,
					...more,
				});

			// None of these starts anything. The ends of the five minutes are tested with a clock that
			// stands still: here a second may pass before n8n looks.
			const refused = {
				tampered: { tamper: true },
				stale: { timestampOffset: -330 },
				future: { timestampOffset: 330 },
				unsigned: { omit: ['signature'] },
				untimed: { omit: ['timestamp'] },
				unnamed: { omit: ['event-id'] },
				'signed with another secret': { secret: 'not-the-secret' },
				'of another brand': { prefix: 'Other' },
			};
			for (const [what, more] of Object.entries(refused)) {
				assert.equal((await send(more)).status, 401, `${what} is refused`);
			}
			const unwanted = { event: { ...event2('evt_other'), event_type: 'video_translate.success' } };
			assert.equal((await send(unwanted, 'evt_other')).status, 200, 'an unwanted type is taken');
			assert.equal(await count(), 1, 'nothing has started');

			// A genuine one does, once.
			assert.equal((await send({}, 'evt_twice')).status, 200);
			assert.equal((await send({}, 'evt_twice')).status, 200, 'a repeat is answered');
			await until('the second run', async () => (await count()) >= 2);
			const replayed = await send({ eventId: 'evt_new_name' }, 'evt_twice');
			assert.equal(replayed.status, 200, 'the same body under another id is answered');
			await new Promise((resolve) => setTimeout(resolve, 1000));
			assert.equal(await count(), 2, 'the same event starts one run');

			// Also after n8n was killed.
			await n8n.kill();
			await n8n.restart();
			await until('the webhook after the restart', async () => {
				const { status } = await send({}, 'evt_twice');
				return status === 200;
			});
			await new Promise((resolve) => setTimeout(resolve, 500));
			assert.equal(await count(), 2, 'a repeat after a restart starts nothing');
			assert.equal(endpoints().length, before + 1, 'the restart registers no second endpoint');

			await n8n.deactivate(id);
			assert.equal(endpoints().length, before, 'the endpoint is gone');
			const gone = await send({}, 'evt_late');
			assert.notEqual(gone.status, 200);
			assert.equal(await count(), 2);
		},
	};
}
