import assert from 'node:assert/strict';
import type { Stage } from '../../tools/stage';
import { withCredential } from '../../tools/stage';
import type { Flow } from './flow';
import { itemsOf } from './n8n';
import { byId, chain, example, runDraft, start, succeeded, until } from './workflows';

interface Endpoint {
	id?: string;
	endpoint_id?: string;
	url: string;
}

/** Creates a video without waiting, and returns its ID. */
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

/** Creates a video and waits for its end, so that no event of it follows. Returns its ID. */
export const makeFinishedVideo = async (stage: Pick<Stage, 'n8n' | 'credential' | 'simulator'>) => {
	const made = await makeVideo(stage);
	const jobs = () => stage.simulator.control.jobs('video') as Array<{ id: string; status: string }>;
	await until('the end of the video', () =>
		jobs().some(({ id, status }) => id === made && status === 'completed'),
	);
	return made;
};

/** Registers, uses and removes a trigger of one version, with the header prefix of one service. */
export function triggerFlow(
	prefix: string,
	more: Pick<Flow, 'older' | 'isWeekly'> = {},
	typeVersion = 2,
): Flow {
	const draft = () => {
		const workflow = example('03-when-a-video-is-done.json');
		for (const node of workflow.nodes) {
			if (node.name === 'Video Done') node.typeVersion = typeVersion;
		}
		return workflow;
	};
	return {
		name: `example 03: the trigger registers, takes only genuine events, and leaves (version ${typeVersion}, headers ${prefix}-…)`,
		...more,
		run: async (context) => {
			const stage =
				prefix === 'Service'
					? context
					: await context.startOwn({ simulator: { headerPrefix: prefix } });
			const { n8n, simulator, credential } = stage;
			const { control } = simulator;
			const endpoints = () => control.endpoints() as Endpoint[];
			const before = endpoints().length;

			const { id } = await n8n.createWorkflow(withCredential(draft(), credential));
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
				created_at: new Date().toISOString(),
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
			// does not move: here a second may pass before n8n checks.
			const rejected = {
				tampered: { tamper: true },
				stale: { timestampOffset: -330 },
				future: { timestampOffset: 330 },
				unsigned: { omit: ['signature'] },
				untimed: { omit: ['timestamp'] },
				'signed with another secret': { secret: 'not-the-secret' },
				'made 26 hours ago': {
					event: { ...event2('evt_old'), created_at: new Date(Date.now() - 26 * 3600e3) },
				},
			};
			for (const [what, more] of Object.entries(rejected)) {
				assert.equal((await send(more)).status, 401, `${what} is rejected`);
			}
			const unwanted = { event: { ...event2('evt_other'), event_type: 'video_translate.success' } };
			assert.equal((await send(unwanted, 'evt_other')).status, 200, 'an unwanted type is taken');
			assert.equal(await count(), 1, 'nothing has started');

			// A genuine one does, once; under whatever brand its headers are.
			const twice = { event: event2('evt_twice'), prefix: 'Other', omit: ['event-id'] };
			assert.equal((await send(twice, 'evt_twice')).status, 200);
			assert.equal((await send(twice, 'evt_twice')).status, 200, 'a repeat is answered');
			await until('the second run', async () => (await count()) >= 2);
			const replayed = await send({ ...twice, eventId: 'evt_new_name' });
			assert.equal(replayed.status, 200, 'the same body under another id is answered');
			await new Promise((resolve) => setTimeout(resolve, 1000));
			assert.equal(await count(), 2, 'the same event starts one run');

			// After n8n was killed, its own store has the event: the execution ends at the trigger.
			const registrations = () =>
				control
					.requests({ path: /^\/v3\/webhooks\/endpoints/ })
					.map(({ method }) => method)
					.filter((method) => method !== 'GET');
			const registered = registrations();
			await n8n.kill();
			await n8n.restart();
			await until('the webhook after the restart', async () => {
				const { status } = await send(twice, 'evt_twice');
				return status === 200;
			});
			const [, second] = await n8n.executions({ workflowId: id });
			const repeat = await n8n.waitForExecution({ workflowId: id, afterId: second?.id });
			assert.deepEqual(succeeded(repeat, 'Video Done'), []);
			assert.equal(repeat.data.resultData.runData['Download Video'], undefined);
			await n8n.activate(id);
			const added = registrations().slice(registered.length);
			const expected = n8n.line.registersAgain ? ['DELETE', 'POST'] : [];
			assert.deepEqual(added, expected, 'what a restart and publishing register');

			// A secret that was changed outside is replaced, and the delivery is repeated.
			const current = endpoints().at(-1) as Endpoint;
			await fetch(
				`${simulator.baseUrl}/v3/webhooks/endpoints/${current.endpoint_id ?? current.id}/rotate-secret`,
				{ method: 'POST', headers: { 'x-api-key': simulator.apiKey } },
			);
			const rotated = await makeVideo(stage);
			await until('the delivery with the new secret', async () => {
				const runs = (await n8n.executions({ workflowId: id })).filter(
					({ status }) => status === 'success',
				);
				const items = await Promise.all(
					runs.map(async (run) => itemsOf(await n8n.execution(run.id), 'Video Done')),
				);
				return items.flat().some(({ json }) => json.video_id === rotated);
			});
			assert.match(n8n.logs(), /Video Done .* the stored signing secret was outdated/);

			// A trigger that was changed is registered again.
			const changed = withCredential(draft(), credential);
			const events = ['avatar_video.success', 'avatar_video.fail'];
			for (const { name, parameters } of changed.nodes) {
				if (name === 'Video Done') parameters.events = events;
			}
			await n8n.updateWorkflow(id, changed);
			await n8n.activate(id);
			await until('the new choice of events', () => {
				const known = endpoints().slice(before) as Array<Endpoint & { events: string[] }>;
				return known.length === 1 && known[0]?.events.join() === events.join();
			});

			await n8n.deactivate(id);
			assert.equal(endpoints().length, before, 'the endpoint is gone');
			const gone = await send({}, 'evt_late');
			assert.notEqual(gone.status, 200);
			// After its restart, n8n may have started one more, to find missed events.
			const delivered = (await n8n.executions({ workflowId: id })).filter(
				({ mode }) => mode === 'webhook',
			);
			assert.equal(delivered.length, 4);
		},
	};
}
