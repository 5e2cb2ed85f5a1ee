import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { itemsOf } from '../n8n';
import { makeFinishedVideo } from '../triggerFlow';
import { chain, until } from '../workflows';

interface Endpoint {
	url: string;
	secret: string;
}

const eventOf = (video: string) => ({
	event_id: randomUUID(),
	event_type: 'avatar_video.success',
	event_data: { video_id: video },
	created_at: new Date().toISOString(),
});

export const flow: Flow = {
	name: 'two triggers in one workflow: every event runs once, and a new secret survives runs that were in progress',
	run: async (context) => {
		const { n8n, simulator, credential } = context;
		const { control } = simulator;
		const video = await makeFinishedVideo(context);
		const before = control.endpoints().length;

		const trigger = (name: string, options: IDataObject) => ({
			name,
			type: 'trigger',
			parameters: { events: ['avatar_video.success'], options } as never,
		});
		const named = {
			name: 'Named',
			type: 'n8n-nodes-base.set',
			parameters: {
				mode: 'raw',
				// As users reach back from a later node.
				jsonOutput: '={{ { "about": $("Reading").item.json.video_id } }}',
				options: {},
			},
			more: { typeVersion: 3.4 },
		};
		const draft = chain('Two', [trigger('Reading', { fetchVideo: true }), named]);
		const [second] = chain('', [trigger('Plain', {})]).nodes;
		assert.ok(second);
		draft.nodes.push({ ...second, id: 'second', position: [0, 200] });
		const { id } = await n8n.createWorkflow(withCredential(draft, credential));
		await n8n.activate(id);
		const both = () => control.endpoints().slice(before) as Endpoint[];
		assert.equal(both().length, 2);
		assert.equal(new Set(both().flatMap(({ url, secret }) => [url, secret])).size, 4);

		const events = Array.from({ length: 20 }, () => eventOf(video));
		const send = async ({ url, secret }: Endpoint, event = eventOf(video)) =>
			await control.deliver({ url, secret, event, eventId: event.event_id });
		// Every event comes to both, twice at the same time.
		for (let i = 0; i < events.length; i += 5) {
			const some = events.slice(i, i + 5);
			const answers = await Promise.all(
				[...some, ...some].flatMap((event) => both().map(async (one) => await send(one, event))),
			);
			const statuses = answers.map(({ status }) => status);
			assert.ok(statuses.filter((status) => status === 200).length >= 10, String(statuses));
			// What is being stored at this moment is asked to come later.
			assert.ok(
				statuses.every((status) => status === 200 || status === 503),
				String(statuses),
			);
		}
		const runs = async () => await n8n.executions({ workflowId: id });
		const ended = async (count: number) =>
			await until(
				`${count} runs`,
				async () => {
					const all = await runs();
					return all.length >= count && all.every(({ status }) => status === 'success') && all;
				},
				60_000,
			);
		const all = await ended(2 * events.length);
		assert.equal(all.length, 2 * events.length, 'one run for each event and trigger');
		const given = { Reading: [] as unknown[], Plain: [] as unknown[] };
		for (const { id: execution } of all) {
			const run = await n8n.execution(execution);
			for (const name of ['Reading', 'Plain'] as const) {
				const [item] = itemsOf(run, name);
				if (item) given[name].push(item.json.event_id);
				if (item && name === 'Reading') {
					assert.equal((item.json.video as IDataObject).id, video);
					assert.equal(itemsOf(run, 'Named')[0]?.json.about, video);
				}
			}
		}
		const wanted = events.map(({ event_id: event }) => event).sort();
		assert.deepEqual(given.Reading.sort(), wanted);
		assert.deepEqual(given.Plain.sort(), wanted);

		// Published again while executions are running: their end must not restore the old secrets.
		control.fail({ method: 'GET', path: `/v3/videos/${video}`, delayMs: 4_000, times: 5 });
		const old = both();
		for (let i = 0; i < 5; i++) assert.equal((await send(old[0] as Endpoint)).status, 200);
		await n8n.deactivate(id);
		await n8n.activate(id);
		assert.equal(both().length, 2);
		await ended(2 * events.length + 5);
		control.clearFaults();
		for (const one of both()) {
			assert.equal((await send(one)).status, 200, 'the new secret is in force');
			const { secret } = old.find(({ url }) => url === one.url) as Endpoint;
			assert.equal((await send({ ...one, secret })).status, 401, 'the old one is not');
		}
		await ended(2 * events.length + 7);
		await n8n.deactivate(id);
		assert.equal(control.endpoints().length, before);
	},
};
