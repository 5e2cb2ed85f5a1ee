/** What the trigger outputs for a delivery: the data of the event, and its video. */
import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { request } from 'undici';
import { clock } from '../support/core';
import { execute, receive } from '../support/contexts';
import { readContent } from '../support/engine';
import { expectOnPage } from '../support/shown';
import { deliver, createDelivery, createEvent, recorded, useTrigger } from '../support/trigger';

const { service, activateTrigger, call } = useTrigger();
afterEach(() => jest.restoreAllMocks());

describe('a valid delivery', () => {
	test('outputs the data of the event in one flat item, without further requests', async () => {
		const flow = await activateTrigger();
		const event = createEvent();
		const { items } = await deliver(flow, { body: JSON.stringify(event) });
		expect(items).toEqual([
			{
				json: {
					event_id: event.event_id,
					event_type: 'avatar_video.success',
					created_at: event.created_at,
					status: 'completed',
					video_id: 'video_001',
					callback_id: 'row-7',
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(service.control.requests({ path: /^\/v3\/videos/ })).toEqual([]);
	});

	test('outputs the item on its page', async () => {
		const flow = await activateTrigger();
		const { items } = await deliver(flow, { body: JSON.stringify(createEvent()) });
		expectOnPage('VideoGenTrigger', 'event', items?.[0]);
	});

	test('has the event ID of the header if the body has none', async () => {
		const flow = await activateTrigger({ events: [] });
		const body = JSON.stringify({ event_type: 'batch.finished', event_data: { batch_id: 'b1' } });
		const eventId = randomUUID();
		const { items } = await deliver(flow, { body, eventId });
		expect(items?.[0]?.json).toEqual({
			event_id: eventId,
			event_type: 'batch.finished',
			batch_id: 'b1',
		});
	});

	test.each([['a text'], [undefined]])(
		'is output even if its event_data is no object (%p)',
		async (data) => {
			const flow = await activateTrigger({ events: [] });
			const body = JSON.stringify(createEvent({ event_type: 'new.kind', event_data: data }));
			const { status, items } = await deliver(flow, { body });
			expect(status).toBe(200);
			expect(items?.[0]?.json).toMatchObject({ event_type: 'new.kind' });
			expect(items?.[0]?.json.event_data).toEqual(data);
		},
	);

	test('keeps its own values if its data has the same keys', async () => {
		const flow = await activateTrigger({ events: [] });
		const data = { event_id: 'x', event_type: 'x', created_at: 1, video_id: 'video_001' };
		const event = createEvent({ event_type: 'new.kind', event_data: data });
		const { items } = await deliver(flow, { body: JSON.stringify(event) });
		const { event_id, event_type, created_at } = event;
		expect(items?.[0]?.json).toEqual({ event_id, event_type, created_at, video_id: 'video_001' });
	});

	test.each<[string, string, IDataObject, IDataObject]>([
		['a success', 'avatar_video.success', {}, { status: 'completed' }],
		['a failure', 'video_agent.fail', { msg: 'No' }, { status: 'failed', failure_reason: 'No' }],
		[
			'a failure with another key for its reason',
			'hyperframes_video.fail',
			{ error: { message: 'No' } },
			{ status: 'failed', error: { message: 'No' }, failure_reason: 'No' },
		],
		[
			'the URL of a video',
			'video_agent.success',
			{ url: 'https://f.example/1.mp4' },
			{
				status: 'completed',
				video_url: 'https://f.example/1.mp4',
			},
		],
		[
			'the URL of another file',
			'avatar_video_gif.success',
			{ url: 'https://f.example/1.gif' },
			{ status: 'completed', url: 'https://f.example/1.gif' },
		],
		[
			'a failure with another status word',
			'video_translate.preflight.download_failed',
			{},
			{ status: 'failed' },
		],
		['a status in its data', 'ai_clipping.success', { status: 'done' }, { status: 'done' }],
		['an event without an outcome', 'personalized_video', { project_id: 'p' }, { project_id: 'p' }],
		[
			'a translation',
			'video_translate.success',
			{ video_translate_id: 't1' },
			{ status: 'completed', video_translation_id: 't1' },
		],
		[
			'a clip job',
			'ai_clipping.fail',
			{ id: 'j1', status: 'failed' },
			{ job_id: 'j1', status: 'failed' },
		],
		[
			'the ID of another resource',
			'live_avatar.success',
			{ id: 'l1' },
			{ status: 'completed', id: 'l1' },
		],
	])('has the keys that other nodes use: %s', async (_, type, data, expected) => {
		const flow = await activateTrigger({ events: [] });
		const event = createEvent({ event_type: type, event_data: data });
		const { items } = await deliver(flow, { body: JSON.stringify(event) });
		const { event_id, event_type, created_at } = event;
		expect(items?.[0]?.json).toEqual({ event_id, event_type, created_at, ...expected });
	});

	test('can be output unchanged', async () => {
		const flow = await activateTrigger({ options: { output: 'whole' } });
		const event = createEvent({ new_field: { deep: [1] } });
		const { items } = await deliver(flow, { body: JSON.stringify(event) });
		expect(items?.map(({ json }) => json)).toEqual([event]);
	});

	test.each(['ACME-Video', 'x'])('may have header names of any brand: %s', async (prefix) => {
		const flow = await activateTrigger();
		expect(await deliver(flow, { prefix })).toMatchObject({ status: 200, items: [{}] });
	});

	test('is accepted with additional signatures of proxies', async () => {
		const flow = await activateTrigger();
		const headers = { 'x-hub-signature': 'sha1=00', 'x-proxy-signature': 'f'.repeat(64) };
		expect(await deliver(flow, { prefix: 'Acme', headers })).toMatchObject({ items: [{}] });
	});

	test('is accepted at both ends of the time tolerance', async () => {
		const flow = await activateTrigger();
		jest.spyOn(clock, 'now').mockReturnValue(1_800_000_000_000);
		expect(await deliver(flow, { timestampOffset: -300 })).toMatchObject({
			status: 200,
			items: [{}],
		});
		expect(await deliver(flow, { timestampOffset: 300 })).toMatchObject({
			status: 200,
			items: [{}],
		});
	});
});

describe('the video of an event', () => {
	const createBody = (data: IDataObject) => JSON.stringify(createEvent({ event_data: data }));
	const readVideoRequests = () =>
		service.control.requests({ method: 'GET', path: /^\/v3\/videos\// });

	test.each(['simplified', 'whole'])('is complete (output %s)', async (output) => {
		const flow = await activateTrigger({ options: { output, fetchVideo: true } });
		const { items } = await deliver(flow);
		expect(items).toHaveLength(1);
		expect(items?.[0]?.json).toMatchObject({
			event_type: 'avatar_video.success',
			video: { id: 'video_001', title: 'Spring sale', status: 'completed' },
		});
		const video = items?.[0]?.json.video as IDataObject;
		expect(video.video_url).toMatch(/^http.*signature=/);
		expect(items?.[0]?.binary).toBeUndefined();
	});

	test('is downloaded into the selected field', async () => {
		const flow = await activateTrigger({
			options: { download: true, binaryPropertyName: 'movie' },
		});
		const { items } = await deliver(flow);
		const { video_url: videoUrl } = await call('GET /v3/videos/video_001');
		const file = await request(String(videoUrl));
		const bytes = Buffer.from(await file.body.arrayBuffer());
		expect(items?.[0]?.json.video).toBeUndefined();
		expect(Object.keys(items?.[0]?.binary ?? {})).toEqual(['movie']);
		expect(items?.[0]?.binary?.movie).toMatchObject({
			fileName: 'video_001.mp4',
			mimeType: 'video/mp4',
		});
		expect((await readContent(items?.[0], 'movie')).equals(bytes)).toBe(true);
	});

	test('is read and downloaded, by default into the field data', async () => {
		const flow = await activateTrigger({
			options: { download: true, fetchVideo: true, binaryPropertyName: '' },
		});
		const { items } = await deliver(flow);
		expect(items?.[0]?.json.video).toMatchObject({ id: 'video_001' });
		expect(Object.keys(items?.[0]?.binary ?? {})).toEqual(['data']);
		// One request is enough for both.
		expect(readVideoRequests()).toHaveLength(1);
	});

	test('that failed is read, but not downloaded', async () => {
		service.control.failNext('video', { code: 'generation_failed', message: 'No video' });
		const created = await call('POST /v3/videos', {
			type: 'avatar',
			avatar_id: 'look_001_1',
			script: 'Good morning to everybody.',
		});
		const flow = await activateTrigger({ options: { download: true, fetchVideo: true } });
		const { items, error } = await deliver(flow, {
			body: createBody({ video_id: created.video_id }),
		});
		expect(error).toBeUndefined();
		expect(items?.[0]?.json.video).toMatchObject({ id: created.video_id, status: 'failed' });
		expect(items?.[0]?.binary).toBeUndefined();
	});

	test.each([
		['has no video', { batch_id: 'b1' }],
		['has null as its video', { video_id: null }],
	])('is not requested if the event %s', async (_, data) => {
		const flow = await activateTrigger({ options: { download: true, fetchVideo: true } });
		const { items, error } = await deliver(flow, { body: createBody(data) });
		expect(error).toBeUndefined();
		expect(items?.[0]?.json).toMatchObject(data);
		expect(service.control.requests({ path: /^\/v3\/videos/ })).toEqual([]);
	});

	test('is fetched in the execution, after the response', async () => {
		const flow = await activateTrigger({ options: { fetchVideo: true, download: true } });
		const received = await receive(flow, createDelivery(flow));
		expect(received).toMatchObject({ status: 200, message: 'Received.' });
		expect(readVideoRequests()).toHaveLength(0);
		const { items } = await execute(flow, received.started ?? []);
		expect(items).toMatchObject([{ json: { video: {} }, binary: { data: {} } }]);
		expect(readVideoRequests()).toHaveLength(1);
	});

	const refused = [
		['does not exist', { video_id: 'gone' }, undefined, 'cannot find this'],
		[
			'is not accessible',
			{ video_id: 'video_001' },
			{ status: 403 },
			'does not have the permission',
		],
		[
			'is refused for its credential',
			{ video_id: 'video_001' },
			{ status: 401 },
			'does not accept the credential',
		],
	] as const;

	test.each(refused)(
		'that %s fails the execution, which keeps the event',
		async (_, data, fault, why) => {
			const flow = await activateTrigger({ options: { fetchVideo: true, download: true } });
			if (fault) service.control.fail({ path: /^\/v3\/videos/, ...fault });
			const { status, items, error } = await deliver(flow, { body: createBody(data) });
			expect(status).toBe(200);
			expect(items).toEqual([]);
			expect(error?.message).toContain(why);
			expect(error?.description).toContain('The event is not lost');
			expect(JSON.stringify(error)).not.toContain(service.apiKey);
		},
	);

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'that does not exist becomes an error item with the event (%s)',
		async (onError) => {
			const flow = await activateTrigger({ options: { fetchVideo: true } }, { node: { onError } });
			const { items, errors, error } = await deliver(flow, {
				body: createBody({ video_id: 'gone' }),
			});
			expect(error).toBeUndefined();
			const [selected, other] =
				onError === 'continueErrorOutput' ? [errors, items] : [items, errors];
			expect(other ?? []).toEqual([]);
			expect(selected?.map(({ json }) => json)).toEqual([
				{
					error: expect.stringContaining('cannot find this'),
					details: expect.objectContaining({
						description: expect.any(String),
						event: expect.objectContaining({
							event_type: 'avatar_video.success',
							video_id: 'gone',
						}),
					}),
				},
			]);
		},
	);

	test('is read again by Retry On Fail, which then outputs the event', async () => {
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const flow = await activateTrigger({ options: { fetchVideo: true } }, { node });
		service.control.fail({ path: /^\/v3\/videos/, status: 403, times: 1 });
		const { items, error } = await deliver(flow);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { video: { id: 'video_001' } } }]);
		expect(readVideoRequests()).toHaveLength(2);
		expect([...recorded.values()].map((entries) => entries.length)).toEqual([2]);
	});

	test('that could not be read is read when the execution is retried', async () => {
		const flow = await activateTrigger({ options: { fetchVideo: true } });
		service.control.fail({ path: /^\/v3\/videos/, status: 403, times: 1 });
		const { started = [] } = await receive(flow, createDelivery(flow));
		expect((await execute(flow, started)).error).toBeDefined();
		const { items, error } = await execute(flow, started, { mode: 'retry' });
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { video: { id: 'video_001' } } }]);
	});

	test('whose file is refused is downloaded from a new URL', async () => {
		const flow = await activateTrigger({ options: { download: true } });
		service.control.fail({ path: /^\/media\//, status: 403, times: 1 });
		const { items, error } = await deliver(flow);
		expect(error).toBeUndefined();
		expect((await readContent(items?.[0])).length).toBeGreaterThan(1000);
		expect(readVideoRequests()).toHaveLength(2);
	});

	test('whose file is missing is an error', async () => {
		const flow = await activateTrigger({ options: { fetchVideo: true, download: true } });
		service.control.fail({ path: /^\/media\//, status: 404 });
		const { items, error } = await deliver(flow);
		expect(items).toEqual([]);
		expect(error?.message).toContain('could not be downloaded');
	});
});
