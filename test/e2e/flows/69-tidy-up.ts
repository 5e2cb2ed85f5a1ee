import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { makeFinishedVideo } from '../triggerFlow';
import { example, runDraft, succeeded } from '../workflows';

const day = 24 * 3600;

/** Thursday of last week, in UTC: a Unix time. */
function lastThursday(now: number): number {
	const sinceMonday = (new Date(now * 1000).getUTCDay() + 6) % 7;
	return now - (sinceMonday + 4) * day;
}

export const flow: Flow = {
	name: 'example 16: drafts of last week are deleted, and nothing else',
	run: async (context) => {
		const { simulator } = context;
		const { control } = simulator;
		const thursday = lastThursday(control.clock.now());
		const made = async (title: string, created: number) => {
			const id = await makeFinishedVideo(context);
			control.change('videos', id, { title, created });
			return id;
		};
		const draft = await made('Draft of the shop', thursday);
		const other = await made('Draft of the garden', thursday + day);
		const kept = [
			await made('The shop', thursday),
			await made('Not a Draft', thursday),
			await made('Draft of today', control.clock.now()),
			await made('Draft of old', thursday - 8 * day),
		];

		const execution = await runDraft(context, {
			...example('16-tidy-up-every-monday.json'),
			settings: { timezone: 'UTC' },
		});
		const deleted = succeeded(execution, 'Delete Video').map(({ json }) => json.video_id);
		assert.deepEqual(deleted.sort(), [draft, other].sort());
		const statusOf = async (id: string) => {
			const headers = { 'x-api-key': simulator.apiKey };
			return (await fetch(`${simulator.baseUrl}/v3/videos/${id}`, { headers })).status;
		};
		assert.deepEqual(await Promise.all([draft, other].map(statusOf)), [404, 404]);
		assert.deepEqual(await Promise.all(kept.map(statusOf)), [200, 200, 200, 200]);
	},
};
