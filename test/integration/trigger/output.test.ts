/** What the trigger outputs for a delivery: the data of the event, and its video. */
import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { execute, receive } from '../support/contexts';
import { clock } from '../support/core';
import { readContent } from '../support/engine';
import { media } from '../support/media';
import { expectOnPage } from '../support/shown';
import { deliver, createDelivery, createEvent, recorded, useTrigger } from '../support/trigger';

const { service, activateTrigger, call } = useTrigger();

/** Delivers this event to a trigger with these parameters, and returns the JSON of its item. */
async function deliverEvent(event: IDataObject, parameters = {}) {
	const flow = await activateTrigger({ events: [], ...parameters });
	const { items } = await deliver(flow, { body: JSON.stringify(event) });
	expect(items).toHaveLength(1);
	return items?.[0]?.json;
}

describe('a valid delivery', () => {
	test('outputs the data of the event in one flat item, without further requests', async () => {
		const flow = await activateTrigger();
		const { event_data, ...event } = createEvent();
		const { items } = await deliver(flow, { body: JSON.stringify({ ...event, event_data }) });
		const json = { ...event, status: 'completed', ...(event_data as IDataObject) };
		expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
		expect(service.control.requests({ path: /^\/v3\/videos/ })).toEqual([]);
	});

	test('outputs the item on its page', async () => {
		const flow = await activateTrigger();
		const { event_data, ...event } = createEvent();
		const files = {
			url: 'https://files.example/video.mp4',
			gif_download_url: 'https://files.example/preview.gif',
			folder_id: null,
		};
		const body = { ...event, event_data: { ...(event_data as IDataObject), ...files } };
		const { items } = await deliver(flow, { body: JSON.stringify(body) });
		expectOnPage('VideoGenTrigger', 'event', items?.[0]);
	});

	test('has a digest of its body as the event ID if the body has none', async () => {
		const event = { event_type: 'batch.finished', event_data: { batch_id: 'b1' } };
		expect(await deliverEvent(event)).toEqual({
			event_id: createHash('sha256').update(JSON.stringify(event)).digest('hex'),
			event_type: 'batch.finished',
			batch_id: 'b1',
		});
	});

	test.each([['a text'], [undefined]])(
		'is output even if its event_data is no object (%p)',
		async (data) => {
			const json = await deliverEvent(createEvent({ event_type: 'new.kind', event_data: data }));
			expect(json?.event_type).toBe('new.kind');
			expect(json?.event_data).toEqual(data);
		},
	);

	test('is output if Retry On Fail takes the error in its data for one of the node', async () => {
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const flow = await activateTrigger({ events: [] }, { node });
		const failed = { event_type: 'hyperframes_video.fail', event_data: { error: 'No' } };
		const { items } = await deliver(flow, { body: JSON.stringify(createEvent(failed)) });
		expect(items).toMatchObject([{ json: { error: 'No' } }]);
	});

	const file = 'https://f.example/1.mp4';
	test.each<[string, string, IDataObject, IDataObject]>([
		[
			'its own values, if its data has the same keys',
			'new.kind',
			{ event_id: 'x', event_type: 'x', created_at: 1, video_id: 'video_001' },
			{ video_id: 'video_001' },
		],
		['the status of a success', 'avatar_video.success', {}, { status: 'completed' }],
		[
			'the reason of a failure',
			'video_agent.fail',
			{ msg: 'No' },
			{ status: 'failed', failure_reason: 'No' },
		],
		[
			'the reason of a failure under another key',
			'hyperframes_video.fail',
			{ error: { message: 'No' } },
			{ status: 'failed', error: { message: 'No' }, failure_reason: 'No' },
		],
		[
			'the URL of a video',
			'video_agent.success',
			{ url: file },
			{ status: 'completed', video_url: file },
		],
		[
			'the URL of another file',
			'avatar_video_gif.success',
			{ url: file },
			{ status: 'completed', url: file },
		],
		[
			'the status of a failure with another word',
			'video_translate.preflight.download_failed',
			{},
			{ status: 'failed' },
		],
		['the status in its data', 'ai_clipping.success', { status: 'done' }, { status: 'done' }],
		[
			'no status without an outcome',
			'personalized_video',
			{ project_id: 'p' },
			{ project_id: 'p' },
		],
		[
			'the ID of a translation',
			'video_translate.success',
			{ video_translate_id: 't1' },
			{ status: 'completed', video_translation_id: 't1' },
		],
		[
			'the ID of a clip job',
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
	])('has the keys that other nodes use: %s', async (_, event_type, event_data, expected) => {
		const event = createEvent({ event_type, event_data });
		const { event_id, created_at } = event;
		expect(await deliverEvent(event)).toEqual({ event_id, event_type, created_at, ...expected });
	});

	test('can be output unchanged', async () => {
		const event = createEvent({ new_field: { deep: [1] } });
		expect(await deliverEvent(event, { options: { output: 'whole' } })).toEqual(event);
	});

	test.each([
		['a prefix of two words', 'ACME-Video', {}],
		['a prefix of one letter', 'x', {}],
		[
			'additional signatures of proxies',
			'Acme',
			{ 'x-hub-signature': 'sha1=00', 'x-proxy-signature': 'f'.repeat(64) },
		],
	])('may have headers with %s', async (_, prefix, headers) => {
		const flow = await activateTrigger();
		expect(await deliver(flow, { prefix, headers })).toMatchObject({ status: 200, items: [{}] });
	});
});

describe('the video of an event', () => {
	const createBody = (event_data: IDataObject) => JSON.stringify(createEvent({ event_data }));
	const readVideoRequests = () =>
		service.control.requests({ method: 'GET', path: /^\/v3\/videos\// });
	const both = { options: { download: true, fetchVideo: true } };

	test.each(['simplified', 'whole'])('is complete (output %s)', async (output) => {
		const flow = await activateTrigger({ options: { output, fetchVideo: true } });
		const { items } = await deliver(flow);
		expect(items).toHaveLength(1);
		expect(items?.[0]?.json).toMatchObject({
			event_type: 'avatar_video.success',
			video: {
				id: 'video_001',
				title: 'Spring sale',
				status: 'completed',
				video_url: expect.stringMatching(/^http.*signature=/),
			},
		});
		expect(items?.[0]?.binary).toBeUndefined();
	});

	test('is downloaded into the selected field', async () => {
		const options = { download: true, binaryPropertyName: 'movie' };
		const { items: [item] = [] } = await deliver(await activateTrigger({ options }));
		expect(item?.json.video).toBeUndefined();
		expect(item?.binary).toEqual({
			movie: expect.objectContaining({ fileName: 'Spring sale.mp4', mimeType: 'video/mp4' }),
		});
		expect((await readContent(item, 'movie')).equals(media('video.mp4'))).toBe(true);
	});

	const video = { type: 'url', url: 'https://files.example/a.mp4' };
	test.each([
		[
			'a translation',
			'POST /v3/video-translations',
			{ video, output_languages: ['German'] },
			'video_translate_id',
		],
		['a render', 'POST /v3/hyperframes/renders', { project: video }, 'render_id'],
	])('may be that of %s', async (_, line, body, key) => {
		const { video_translation_ids: ids, render_id } = await call(line, body);
		const id = render_id ?? (ids as string[])[0];
		const { items } = await deliver(await activateTrigger(both), {
			body: createBody({ [key]: id }),
		});
		const details = { status: 'completed', video_url: expect.any(String) };
		expect(items).toMatchObject([{ json: { video: details } }]);
		expect((await readContent(items?.[0])).equals(media('video.mp4'))).toBe(true);
	});

	test('has the name of the option, which can read the event', async () => {
		const fileName = '=Sale {{ $json.event.event_data.video_id }}';
		const flow = await activateTrigger({ options: { download: true, fileName } });
		const { items } = await deliver(flow);
		expect(items?.[0]?.binary?.data?.fileName).toBe('Sale video_001.mp4');
	});

	test('is read and downloaded with one request in the execution, by default into the field data', async () => {
		const options = { ...both.options, binaryPropertyName: '' };
		const flow = await activateTrigger({ options });
		const { message, started = [] } = await receive(flow, createDelivery(flow));
		expect(message).toBe('Received');
		expect(readVideoRequests()).toHaveLength(0);
		const { items } = await execute(flow, started);
		expect(items).toMatchObject([{ json: { video: { id: 'video_001' } }, binary: { data: {} } }]);
		expect(readVideoRequests()).toHaveLength(1);
	});

	test('that failed is read, but not downloaded', async () => {
		service.control.failNext('video', { code: 'generation_failed', message: 'No video' });
		const speaking = { type: 'avatar', avatar_id: 'look_001_1', script: 'Good morning to all.' };
		const { video_id } = await call('POST /v3/videos', speaking);
		const { items } = await deliver(await activateTrigger(both), {
			body: createBody({ video_id }),
		});
		expect(items).toMatchObject([{ json: { video: { id: video_id, status: 'failed' } } }]);
		expect(items?.[0]?.binary).toBeUndefined();
	});

	test('whose URL arrives after its event is downloaded', async () => {
		const path = /^\/v3\/videos/;
		service.control.fail({ path, data: { video_url: null, completed_at: null }, times: 2 });
		const began = clock.now();
		const { items } = await deliver(await activateTrigger(both), {
			body: createBody({ video_id: 'video_001' }),
		});
		expect(items?.[0]?.binary?.data).toBeDefined();
		// It is read again after 2 and 5 seconds.
		expect(clock.now() - began).toBeGreaterThanOrEqual(7_000);
	});

	test('gives the reason of a failure that the event lacks, from the session first', async () => {
		service.control.failNext('session', { code: 'no_page', message: 'I found no such page' });
		const { session_id } = await call('POST /v3/video-agents', { prompt: 'A welcome' });
		const deliverFailure = async (event_data: IDataObject) => {
			const event = { event_type: 'video_agent.fail', event_data };
			const flow = await activateTrigger({ events: [], ...both });
			const { items } = await deliver(flow, { body: JSON.stringify(createEvent(event)) });
			return items?.[0]?.json.failure_reason;
		};
		const video_id = 'video_001';
		expect(await deliverFailure({ session_id, video_id })).toBe('I found no such page');
		expect(await deliverFailure({ session_id: 'gone', video_id })).toBe(
			'The service gave no reason',
		);
		expect(await deliverFailure({ video_id, msg: 'Too long' })).toBe('Too long');
	});

	test.each([
		['has no video', { batch_id: 'b1' }],
		['has null as its video', { video_id: null }],
	])('is not requested if the event %s', async (_, data) => {
		const { items } = await deliver(await activateTrigger(both), { body: createBody(data) });
		expect(items).toMatchObject([{ json: data }]);
		expect(service.control.requests({ path: /^\/v3\/videos/ })).toEqual([]);
	});

	test.each([
		['does not exist', 'gone', {}, 'does not exist'],
		[
			'is not accessible',
			'video_001',
			{ path: /^\/v3\/videos/, status: 403 },
			'does not have permission',
		],
		[
			'is rejected for its credential',
			'video_001',
			{ path: /^\/v3\/videos/, status: 401 },
			'rejected the credential',
		],
		['has no file', 'video_001', { path: /^\/media\//, status: 404 }, 'could not be downloaded'],
	])('that %s fails the execution, which keeps the event', async (_, video_id, fault, why) => {
		const flow = await activateTrigger(both);
		if ('path' in fault) service.control.fail(fault);
		const { status, items, error } = await deliver(flow, { body: createBody({ video_id }) });
		expect([status, items]).toEqual([200, []]);
		expect(error?.message).toContain(why);
		expect(error?.description).toContain('The event is not lost');
		expect(JSON.stringify(error)).not.toContain(service.apiKey);
	});

	test.each([
		['continueRegularOutput', 'items', 'errors'],
		['continueErrorOutput', 'errors', 'items'],
	] as const)('that does not exist becomes an error item with the event (%s)', async (...row) => {
		const [onError, selected, other] = row;
		const flow = await activateTrigger({ options: { fetchVideo: true } }, { node: { onError } });
		const result = await deliver(flow, { body: createBody({ video_id: 'gone' }) });
		expect(result.error).toBeUndefined();
		expect(result[other] ?? []).toEqual([]);
		const event = { event_type: 'avatar_video.success', video_id: 'gone' };
		expect(result[selected]?.map(({ json }) => json)).toEqual([
			{
				error: expect.stringContaining('does not exist'),
				details: expect.objectContaining({
					description: expect.any(String),
					event: expect.objectContaining(event),
				}),
			},
		]);
	});

	test('is read again by Retry On Fail, which then outputs the event', async () => {
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const flow = await activateTrigger({ options: { fetchVideo: true } }, { node });
		service.control.fail({ path: /^\/v3\/videos/, status: 403, times: 1 });
		const { items } = await deliver(flow);
		expect(items).toMatchObject([{ json: { video: { id: 'video_001' } } }]);
		expect(readVideoRequests()).toHaveLength(2);
		expect([...recorded.values()].map((entries) => entries.length)).toEqual([2]);
	});

	test('is read again by Retry On Fail after an error item', async () => {
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const onError = 'continueRegularOutput';
		const options = { options: { fetchVideo: true } };
		const flow = await activateTrigger(options, { node: { ...node, onError } });
		service.control.fail({ path: /^\/v3\/videos/, status: 403, times: 1 });
		const { items } = await deliver(flow);
		expect(items).toMatchObject([{ json: { video: { id: 'video_001' } } }]);
		// Without success, the last error item remains.
		const gone = await deliver(flow, { body: createBody({ video_id: 'gone' }) });
		expect(gone.items).toMatchObject([{ json: { error: expect.stringContaining('not exist') } }]);
	});

	test('that could not be read is read when the execution is retried', async () => {
		const flow = await activateTrigger({ options: { fetchVideo: true } });
		service.control.fail({ path: /^\/v3\/videos/, status: 403, times: 1 });
		const { started = [] } = await receive(flow, createDelivery(flow));
		expect((await execute(flow, started)).items).toEqual([]);
		const { items } = await execute(flow, started, { mode: 'retry' });
		expect(items).toMatchObject([{ json: { video: { id: 'video_001' } } }]);
	});

	test('whose file is rejected is downloaded from a new URL', async () => {
		const flow = await activateTrigger({ options: { download: true } });
		service.control.fail({ path: /^\/media\//, status: 403, times: 1 });
		const { items } = await deliver(flow);
		expect((await readContent(items?.[0])).equals(media('video.mp4'))).toBe(true);
		expect(readVideoRequests()).toHaveLength(2);
	});
});

test('a delivery that another process has output adds no empty item with Always Output Data', async () => {
	const flow = await activateTrigger({}, { node: { alwaysOutputData: true } });
	const { started = [] } = await receive(flow, createDelivery(flow));
	expect((await execute(flow, started)).items).toHaveLength(1);
	const repeated = started.map(({ json }) => ({ json: { ...json, delivery: 'another' } }));
	expect((await execute(flow, repeated)).items).toEqual([]);
});
