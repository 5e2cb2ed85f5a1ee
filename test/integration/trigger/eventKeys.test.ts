/** Events have one format for times, and no value under two keys, unless they are output unchanged. */
import { deliver, createEvent, useTrigger } from '../support/trigger';

const { activateTrigger } = useTrigger();

const seconds = 1_769_850_000;
const iso = '2026-01-31T09:00:00.000Z';
const url = 'https://files.example/1.mp4';

/** The item for an event of this type with this data. */
async function outputEvent(type: string, data: object, options = {}) {
	const flow = await activateTrigger({ events: [], options });
	const event = createEvent({ event_type: type, event_data: data });
	const { items } = await deliver(flow, { body: JSON.stringify(event) });
	return { event, json: items?.[0]?.json };
}

test('times in the data of an event are ISO 8601 text', async () => {
	const data = { video_id: 'v1', completed_at: seconds, clips: [{ created_at: seconds }] };
	const { json } = await outputEvent('avatar_video.success', data);
	expect(json).toMatchObject({ completed_at: iso, clips: [{ created_at: iso }] });
});

test('Output: Raw keeps times and keys as they were delivered', async () => {
	const data = { video_id: 'v1', url, completed_at: seconds };
	const { event, json } = await outputEvent('avatar_video.success', data, { output: 'whole' });
	expect(json).toEqual(event);
});

test('a fetched video has times as ISO 8601 text', async () => {
	const data = { video_id: 'video_001' };
	const options = { fetchVideo: true, output: 'whole' };
	const { json } = await outputEvent('avatar_video.success', data, options);
	expect(json?.video).toMatchObject({ created_at: expect.stringMatching(/^\d{4}-.*Z$/) });
});

test.each([
	['another URL', { url, video_url: 'https://files.example/2.mp4' }],
	['another message', { url, message: 'Two' }],
])('%s is kept', async (_, data) => {
	const { json } = await outputEvent('avatar_video.success', { video_id: 'v1', ...data });
	const { url: repeated, ...rest } = data;
	expect(json).toMatchObject(rest);
	expect(Object.values(json ?? {})).toContain(repeated);
});
