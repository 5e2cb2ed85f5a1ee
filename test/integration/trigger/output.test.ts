/** What a delivery becomes in its run: the facts of the event, and the video that it is about. */
import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { request } from 'undici';
import { clock } from '../support/core';
import { execute, take, type Flow } from '../support/contexts';
import { contentOf } from '../support/engine';
import { showsOnPage } from '../support/shown';
import { deliver, deliveryOf, eventOf, recorded, useTrigger } from '../support/trigger';

const { service, active, call } = useTrigger();
afterEach(() => jest.restoreAllMocks());

describe('a good delivery', () => {
	test('becomes the facts of the event, side by side', async () => {
		const flow = await active();
		const event = eventOf();
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
		// Nothing is read that was not asked for.
		expect(service.control.requests({ path: /^\/v3\/videos/ })).toEqual([]);
	});

	test('gives out what its page shows', async () => {
		const flow = await active();
		const { items } = await deliver(flow, { body: JSON.stringify(eventOf()) });
		showsOnPage('VideoGenTrigger', 'event', items?.[0]);
	});

	test('has the event id of the header where the body has none', async () => {
		const flow = await active({ events: [] });
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
			const flow = await active({ events: [] });
			const body = JSON.stringify(eventOf({ event_type: 'new.kind', event_data: data }));
			const { status, items } = await deliver(flow, { body });
			expect(status).toBe(200);
			expect(items?.[0]?.json).toMatchObject({ event_type: 'new.kind' });
			expect(items?.[0]?.json.event_data).toEqual(data);
		},
	);

	test('keeps its own facts where its data has keys of the same names', async () => {
		const flow = await active({ events: [] });
		const data = { event_id: 'x', event_type: 'x', created_at: 1, video_id: 'video_001' };
		const event = eventOf({ event_type: 'new.kind', event_data: data });
		const { items } = await deliver(flow, { body: JSON.stringify(event) });
		const { event_id, event_type, created_at } = event;
		expect(items?.[0]?.json).toEqual({ event_id, event_type, created_at, video_id: 'video_001' });
	});

	test.each<[string, string, IDataObject, IDataObject]>([
		['a success', 'avatar_video.success', {}, { status: 'completed' }],
		[
			'a failure',
			'video_agent.fail',
			{ msg: 'No' },
			{ status: 'failed', msg: 'No', failure_reason: 'No' },
		],
		[
			'a failure with another word for its reason',
			'hyperframes_video.fail',
			{ error: { message: 'No' } },
			{ status: 'failed', error: { message: 'No' }, failure_reason: 'No' },
		],
		[
			'the address of a film',
			'video_agent.success',
			{ url: 'https://f.example/1.mp4' },
			{
				status: 'completed',
				url: 'https://f.example/1.mp4',
				video_url: 'https://f.example/1.mp4',
			},
		],
		[
			'an address of something else',
			'avatar_video_gif.success',
			{ url: 'https://f.example/1.gif' },
			{ status: 'completed', url: 'https://f.example/1.gif' },
		],
		[
			'a failure by another word',
			'video_translate.preflight.download_failed',
			{},
			{ status: 'failed' },
		],
		['a status of its own', 'ai_clipping.success', { status: 'done' }, { status: 'done' }],
		['neither', 'personalized_video', { project_id: 'p' }, { project_id: 'p' }],
		[
			'a translation',
			'video_translate.success',
			{ video_translate_id: 't1' },
			{ status: 'completed', video_translate_id: 't1', video_translation_id: 't1' },
		],
		[
			'a clip job',
			'ai_clipping.fail',
			{ id: 'j1', status: 'failed' },
			{ id: 'j1', job_id: 'j1', status: 'failed' },
		],
		[
			'an id of something else',
			'live_avatar.success',
			{ id: 'l1' },
			{ status: 'completed', id: 'l1' },
		],
	])('has the names that the other nodes use: %s', async (_, type, data, expected) => {
		const flow = await active({ events: [] });
		const event = eventOf({ event_type: type, event_data: data });
		const { items } = await deliver(flow, { body: JSON.stringify(event) });
		const { event_id, event_type, created_at } = event;
		expect(items?.[0]?.json).toEqual({ event_id, event_type, created_at, ...expected });
	});

	test('can be given out as it came', async () => {
		const flow = await active({ options: { output: 'whole' } });
		const event = eventOf({ new_field: { deep: [1] } });
		const { items } = await deliver(flow, { body: JSON.stringify(event) });
		expect(items?.map(({ json }) => json)).toEqual([event]);
	});

	test.each(['Acme', 'ACME-Video', 'x', 'Service'])(
		'may have the header names of any brand: %s',
		async (prefix) => {
			const flow = await active();
			expect(await deliver(flow, { prefix })).toMatchObject({ status: 200, items: [{}] });
		},
	);

	test('is found beside the signatures of proxies on the way', async () => {
		const flow = await active();
		const headers = { 'x-hub-signature': 'sha1=00', 'x-proxy-signature': 'f'.repeat(64) };
		expect(await deliver(flow, { prefix: 'Acme', headers })).toMatchObject({ items: [{}] });
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
		const { items, error } = await deliver(flow, { body: about({ video_id: made.video_id }) });
		expect(error).toBeUndefined();
		expect(items?.[0]?.json.video).toMatchObject({ id: made.video_id, status: 'failed' });
		expect(items?.[0]?.binary).toBeUndefined();
	});

	test.each([
		['names none', { batch_id: 'b1' }],
		['has an empty id', { video_id: '' }],
		['has null', { video_id: null }],
	])('is not looked for where the event %s', async (_, data) => {
		const flow = await active({ options: { download: true, fetchVideo: true } });
		const { items, error } = await deliver(flow, { body: about(data) });
		expect(error).toBeUndefined();
		expect(items?.[0]?.json).toMatchObject(data);
		expect(service.control.requests({ path: /^\/v3\/videos/ })).toEqual([]);
	});

	test('is fetched in the execution: the answer does not wait for it', async () => {
		const flow = await active({ options: { fetchVideo: true, download: true } });
		const taken = await take(flow, deliveryOf(flow));
		expect(taken).toMatchObject({ status: 200, said: 'Received.' });
		expect(reads()).toHaveLength(0);
		const { items } = await execute(flow, taken.started ?? []);
		expect(items).toMatchObject([{ json: { video: {} }, binary: { data: {} } }]);
		expect(reads()).toHaveLength(1);
	});

	const refused = [
		['cannot be found', { video_id: 'gone' }, undefined, 'cannot find this'],
		['may not be read', { video_id: 'video_001' }, { status: 403 }, 'does not have the permission'],
		['is refused', { video_id: 'video_001' }, { status: 401 }, 'does not accept the credential'],
	] as const;

	test.each(refused)(
		'that %s ends the execution, with the event in it',
		async (_, data, fault, why) => {
			const flow = await active({ options: { fetchVideo: true, download: true } });
			if (fault) service.control.fail({ path: /^\/v3\/videos/, ...fault });
			const { status, items, error } = await deliver(flow, { body: about(data) });
			expect(status).toBe(200);
			expect(items).toEqual([]);
			expect(error?.message).toContain(why);
			expect(error?.description).toContain('The event is not lost');
			expect(JSON.stringify(error)).not.toContain(service.apiKey);
		},
	);

	describe.each<[string, Flow['node']]>([
		['regular output', { onError: 'continueRegularOutput' }],
		['error output', { onError: 'continueErrorOutput' }],
	])('with On Error set to the %s', (_, node) => {
		test.each(refused)(
			'that %s gives out the event with the reason',
			async (__, data, fault, why) => {
				const flow = await active({ options: { fetchVideo: true } }, { node });
				if (fault) service.control.fail({ path: /^\/v3\/videos/, ...fault });
				const { items, errors, error } = await deliver(flow, { body: about(data) });
				expect(error).toBeUndefined();
				const [given] = node?.onError === 'continueErrorOutput' ? [errors, items] : [items, errors];
				expect(given).toHaveLength(1);
				expect([...(items ?? []), ...(errors ?? [])]).toHaveLength(1);
				expect(given?.[0]?.json).toEqual({
					error: expect.stringContaining(why),
					details: expect.objectContaining({
						description: expect.any(String),
						event: expect.objectContaining({ event_type: 'avatar_video.success', ...data }),
					}),
				});
			},
		);
	});

	test('is read once more by Retry On Fail, and the event is given out then', async () => {
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const flow = await active({ options: { fetchVideo: true } }, { node });
		service.control.fail({ path: /^\/v3\/videos/, status: 403, times: 1 });
		const { items, error } = await deliver(flow);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { video: { id: 'video_001' } } }]);
		expect(reads()).toHaveLength(2);
		expect([...recorded.values()].map((entries) => entries.length)).toEqual([2]);
	});

	test('that could not be read is read by a retry of the execution', async () => {
		const flow = await active({ options: { fetchVideo: true } });
		service.control.fail({ path: /^\/v3\/videos/, status: 403, times: 1 });
		const { started = [] } = await take(flow, deliveryOf(flow));
		expect((await execute(flow, started)).error).toBeDefined();
		const { items, error } = await execute(flow, started, { mode: 'retry' });
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { video: { id: 'video_001' } } }]);
	});

	test('whose file fails at first is downloaded from a fresh address', async () => {
		const flow = await active({ options: { download: true } });
		service.control.fail({ path: /^\/media\//, status: 403, times: 1 });
		const { items, error } = await deliver(flow);
		expect(error).toBeUndefined();
		expect((await contentOf(items?.[0])).length).toBeGreaterThan(1000);
		expect(reads()).toHaveLength(2);
	});

	test('whose file is missing is an error', async () => {
		const flow = await active({ options: { fetchVideo: true, download: true } });
		service.control.fail({ path: /^\/media\//, status: 404 });
		const { items, error } = await deliver(flow);
		expect(items).toEqual([]);
		expect(error?.message).toContain('could not be downloaded');
	});
});
