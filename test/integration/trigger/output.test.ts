/** What a delivery becomes: the facts of the event, and the video that it is about. */
import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { request } from 'undici';
import { clock } from '../support/core';
import { take } from '../support/contexts';
import { contentOf } from '../support/engine';
import { deliver, deliveryOf, eventOf, useTrigger } from '../support/trigger';

const { service, active, call } = useTrigger();
afterEach(() => jest.restoreAllMocks());

describe('a good delivery', () => {
	test('becomes the facts of the event, side by side', async () => {
		const flow = await active();
		const event = eventOf();
		expect(await deliver(flow, { body: JSON.stringify(event) })).toEqual({
			status: 200,
			said: 'Received.',
			items: [
				{
					json: {
						event_id: event.event_id,
						event_type: 'avatar_video.success',
						created_at: '2026-03-01T12:00:00.000Z',
						video_id: 'video_001',
						callback_id: 'row-7',
					},
				},
			],
		});
		// Nothing is read that was not asked for.
		expect(service.control.requests({ path: /^\/v3\/videos/ })).toEqual([]);
	});

	test('has the event id of the header where the body has none', async () => {
		const flow = await active();
		const body = JSON.stringify({ event_type: 'batch.finished', event_data: { batch_id: 'b1' } });
		const eventId = randomUUID();
		const { items } = await deliver(flow, { body, eventId });
		expect(items?.[0]?.json).toEqual({
			event_id: eventId,
			event_type: 'batch.finished',
			batch_id: 'b1',
		});
	});

	test.each([['a text'], [null], [undefined], [7]])(
		'with event_data that is no object (%p) is given out all the same',
		async (data) => {
			const flow = await active();
			const body = JSON.stringify(eventOf({ event_type: 'new.kind', event_data: data }));
			const { status, items } = await deliver(flow, { body });
			expect(status).toBe(200);
			expect(items?.[0]?.json).toMatchObject({ event_type: 'new.kind' });
			expect(items?.[0]?.json.event_data).toEqual(data);
		},
	);

	test('can be given out as it came', async () => {
		const flow = await active({ options: { output: 'whole' } });
		const event = eventOf({ new_field: { deep: [1] } });
		const { items } = await deliver(flow, { body: JSON.stringify(event) });
		expect(items).toEqual([{ json: event }]);
	});

	test('may have the header names of a brand, if the credential says so', async () => {
		const flow = await active({}, { credential: { webhookHeaderPrefix: ' Acme ' } });
		expect(await deliver(flow, { prefix: 'Acme' })).toMatchObject({ status: 200, items: [{}] });
		expect(await deliver(flow, { prefix: 'Service' })).toMatchObject({ status: 401 });
	});

	test('may have the usual header names, if the credential says nothing', async () => {
		const flow = await active({}, { credential: { webhookHeaderPrefix: '' } });
		expect(await deliver(flow)).toMatchObject({ status: 200, items: [{}] });
	});

	test('is taken at the ends of the tolerance', async () => {
		const flow = await active();
		jest.spyOn(clock, 'now').mockReturnValue(1_800_000_000_000);
		expect(await deliver(flow, { late: -300 })).toMatchObject({ status: 200, items: [{}] });
		expect(await deliver(flow, { late: 300 })).toMatchObject({ status: 200, items: [{}] });
	});
});

describe('the video of an event', () => {
	const about = (data: IDataObject) => JSON.stringify(eventOf({ event_data: data }));
	const reads = () => service.control.requests({ method: 'GET', path: /^\/v3\/videos\// });

	test.each(['simplified', 'whole'])('is read in full (output %s)', async (output) => {
		const flow = await active({ options: { output, fetchVideo: true } });
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

	test('is downloaded into the field that was chosen', async () => {
		const flow = await active({ options: { download: true, binaryPropertyName: 'film' } });
		const { items } = await deliver(flow);
		const { video_url: address } = await call('GET /v3/videos/video_001');
		const file = await request(String(address));
		const bytes = Buffer.from(await file.body.arrayBuffer());
		expect(items?.[0]?.json.video).toBeUndefined();
		expect(Object.keys(items?.[0]?.binary ?? {})).toEqual(['film']);
		expect(items?.[0]?.binary?.film).toMatchObject({
			fileName: 'video_001.mp4',
			mimeType: 'video/mp4',
		});
		expect((await contentOf(items?.[0], 'film')).equals(bytes)).toBe(true);
	});

	test('is read and downloaded, into the field data when none is named', async () => {
		const flow = await active({
			options: { download: true, fetchVideo: true, binaryPropertyName: '' },
		});
		const { items } = await deliver(flow);
		expect(items?.[0]?.json.video).toMatchObject({ id: 'video_001' });
		expect(Object.keys(items?.[0]?.binary ?? {})).toEqual(['data']);
		// One read serves both.
		expect(reads()).toHaveLength(1);
	});

	test('that failed is read, and there is nothing to download', async () => {
		service.control.failNext('video', { code: 'generation_failed', message: 'No film' });
		const made = await call('POST /v3/videos', {
			type: 'avatar',
			avatar_id: 'look_001_1',
			script: 'Good morning to everybody.',
		});
		const flow = await active({ options: { download: true, fetchVideo: true } });
		const { items } = await deliver(flow, { body: about({ video_id: made.video_id }) });
		expect(items?.[0]?.json.video).toMatchObject({ id: made.video_id, status: 'failed' });
		expect(items?.[0]?.json.error).toBeUndefined();
		expect(items?.[0]?.binary).toBeUndefined();
	});

	test.each([
		['names none', { batch_id: 'b1' }],
		['has an empty id', { video_id: '' }],
		['has null', { video_id: null }],
	])('is not looked for where the event %s', async (_, data) => {
		const flow = await active({ options: { download: true, fetchVideo: true } });
		const { items } = await deliver(flow, { body: about(data) });
		expect(items?.[0]?.json).toMatchObject(data);
		expect(items?.[0]?.json.error).toBeUndefined();
		expect(service.control.requests({ path: /^\/v3\/videos/ })).toEqual([]);
	});

	test('is fetched after the answer: the service waits 10 seconds at most', async () => {
		const flow = await active({ options: { fetchVideo: true } });
		service.control.fail({ path: '/v3/videos/video_001', delayMs: 300 });
		const order: string[] = [];
		let readsAtAnswer = -1;
		const answered = () => {
			order.push('answered');
			readsAtAnswer = reads().length;
		};
		const taken = await take(flow, deliveryOf(flow), { answered });
		order.push('given out');
		expect(order).toEqual(['answered', 'given out']);
		expect(readsAtAnswer).toBe(0);
		expect(reads()).toHaveLength(1);
		expect(taken).toMatchObject({ status: 200, items: [{ json: { video: {} } }] });
	});

	test.each([
		['cannot be found', { video_id: 'gone' }, undefined, 'does not know this'],
		['may not be read', { video_id: 'video_001' }, { status: 403 }, 'may not do this'],
		['is refused', { video_id: 'video_001' }, { status: 401 }, 'does not accept the credential'],
	])('that %s loses no event', async (_, data, fault, why) => {
		const flow = await active({ options: { fetchVideo: true, download: true } });
		if (fault) service.control.fail({ path: /^\/v3\/videos/, ...fault });
		const { status, items } = await deliver(flow, { body: about(data) });
		expect(status).toBe(200);
		expect(items).toHaveLength(1);
		expect(items?.[0]?.json).toMatchObject({
			event_type: 'avatar_video.success',
			...data,
			error: { message: expect.stringContaining(why), description: expect.any(String) },
		});
		expect(JSON.stringify(items)).not.toContain(service.apiKey);
	});

	test('whose file fails at first is downloaded from a fresh address', async () => {
		const flow = await active({ options: { download: true } });
		service.control.fail({ path: /^\/media\//, status: 403, times: 1 });
		const { items } = await deliver(flow);
		expect(items?.[0]?.json.error).toBeUndefined();
		expect((await contentOf(items?.[0])).length).toBeGreaterThan(1000);
		expect(reads()).toHaveLength(2);
	});

	test('whose file is missing loses neither the event nor what was read', async () => {
		const flow = await active({ options: { fetchVideo: true, download: true } });
		service.control.fail({ path: /^\/media\//, status: 404 });
		const { items } = await deliver(flow);
		expect(items?.[0]?.json).toMatchObject({
			event_type: 'avatar_video.success',
			video: { id: 'video_001' },
			error: { message: expect.stringContaining('could not be downloaded') },
		});
		expect(items?.[0]?.binary).toBeUndefined();
	});
});
