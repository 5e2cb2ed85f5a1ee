/** VideoGen Polling Trigger outputs every new event and every finished job exactly once. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../../simulator/faults';
import { clock } from '../support/core';
import { readContent } from '../support/engine';
import { createPollingTrigger, usePolling, type KillTime } from '../support/polling';
import { expectOnPage } from '../support/shown';
import { withVirtualTime } from '../support/time';
import { recorded, storeFaults, storeUses } from '../support/trigger';

const { service, call, register, emit } = usePolling({ jobSeconds: 60 });
afterEach(() => jest.restoreAllMocks());

const eventSource: INodeParameters = { source: 'events', events: [] };

const speaking = {
	type: 'avatar',
	avatar_id: 'look_001_1',
	script: 'Good morning to everybody.',
};

const getVideoIds = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.video_id);

/** Creates a trigger that has polled for the first time. */
async function activateTrigger(parameters: INodeParameters = eventSource) {
	const trigger = await createPollingTrigger(service, parameters);
	expect(await trigger.poll()).toMatchObject({ items: [] });
	return trigger;
}

const countRequests = (path: string | RegExp) => service.control.requests({ path }).length;

describe('delivered events', () => {
	beforeEach(async () => void (await register()));

	test('start the workflow once, except those before the activation', async () => {
		emit(20);
		const trigger = await activateTrigger();
		expect((await trigger.poll()).items).toEqual([]);
		const videos = emit(3);
		expect(getVideoIds((await trigger.poll()).items)).toEqual(videos);
		expect((await trigger.poll()).items).toEqual([]);
	});

	test('have the item on the page of the trigger', async () => {
		const trigger = await activateTrigger();
		service.control.emit('avatar_video.success', { video_id: 'video_001' });
		const { items } = await trigger.poll();
		expectOnPage('VideoGenPollingTrigger', 'event', items[0]);
	});

	test('have the same item as in the VideoGen Trigger', async () => {
		const trigger = await activateTrigger();
		service.control.emit('video_translate.fail', { video_translate_id: 't1', message: 'No' });
		const { items } = await trigger.poll();
		expect(items).toEqual([
			{
				json: {
					event_id: expect.any(String),
					event_type: 'video_translate.fail',
					created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
					status: 'failed',
					video_translation_id: 't1',
					failure_reason: 'No',
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test('can be output unchanged', async () => {
		const trigger = await activateTrigger({ ...eventSource, options: { output: 'whole' } });
		emit(1);
		const { items } = await trigger.poll();
		expect(items[0]?.json).toEqual({
			event_id: expect.any(String),
			event_type: 'avatar_video.success',
			event_data: { video_id: expect.any(String) },
			created_at: expect.any(String),
		});
	});

	test('of other types are skipped for good', async () => {
		const trigger = await activateTrigger({ source: 'events', events: ['avatar_video.fail'] });
		emit(9);
		expect((await trigger.poll()).items).toEqual([]);
		const videos = emit(1, 'avatar_video.fail');
		expect(getVideoIds((await trigger.poll()).items)).toEqual(videos);
		// A later change of the form does not output skipped events.
		trigger.flow.parameters.events = [];
		expect((await trigger.restart()).items).toEqual([]);
	});

	test('can be limited to one resource', async () => {
		const trigger = await activateTrigger({ ...eventSource, options: { entity_id: 'p1' } });
		service.control.emit('personalized_video', { project_id: 'p1' });
		service.control.emit('personalized_video', { project_id: 'p2' });
		const { items } = await trigger.poll();
		expect(items.map(({ json }) => json.project_id)).toEqual(['p1']);
	});

	test.each([60, 0])(
		'that were emitted %d s apart while n8n was off are output once each',
		async (apart) => {
			emit(3);
			const trigger = await activateTrigger();
			const videos = Array.from({ length: 500 }, () => {
				service.control.clock.advance(apart);
				return emit(1);
			}).flat();
			expect(getVideoIds((await trigger.restart()).items)).toEqual(videos);
			expect((await trigger.poll()).items).toEqual([]);
			await trigger.restart();
			await trigger.poll();
			expect(trigger.outputIds).toHaveLength(500);
		},
		60_000,
	);

	test('are output in portions of 1000, the oldest first', async () => {
		const trigger = await activateTrigger();
		const videos = emit(2_300);
		const portions = [];
		for (let i = 0; i < 4; i++) portions.push(getVideoIds((await trigger.poll()).items));
		expect(portions.map(({ length }) => length)).toEqual([1000, 1000, 300, 0]);
		expect(portions.flat()).toEqual(videos);
	}, 60_000);

	test.each<KillTime>(['before the run is stored', 'before the position is stored'])(
		'are output once if n8n is killed %s',
		async (killed) => {
			const trigger = await activateTrigger();
			emit(5);
			await trigger.poll();
			emit(30);
			await trigger.poll({ killed });
			await trigger.restart();
			emit(2);
			await trigger.poll();
			await trigger.restart();
			await trigger.poll();
			expect(trigger.outputIds).toHaveLength(37);
			expect(new Set(trigger.outputIds).size).toBe(37);
		},
	);

	test('are not output again if every poll is in another process', async () => {
		const trigger = await activateTrigger();
		emit(1);
		await trigger.poll();
		for (let i = 0; i < 5; i++) await trigger.restart();
		expect(trigger.outputIds).toHaveLength(1);
		// The first execution and two executions without items use the store once each.
		expect(storeUses).toHaveLength(3);
		expect(await trigger.pollOnly()).toBe(null);
	});

	test('are output rather than lost if the event store of n8n fails', async () => {
		const trigger = await activateTrigger();
		emit(2);
		storeFaults.push(new Error('locked'), new Error('locked'));
		expect((await trigger.poll()).items).toHaveLength(2);
	});

	test('that were delivered to two URLs are output once', async () => {
		await register('https://another.example/events');
		const trigger = await activateTrigger();
		const videos = emit(4);
		expect(getVideoIds((await trigger.poll()).items)).toEqual(videos);
		expect((await trigger.poll()).items).toEqual([]);
		// An equal event a while later is a new event.
		service.control.clock.advance(120);
		service.control.emit('avatar_video.success', { video_id: videos[0] });
		expect(getVideoIds((await trigger.poll()).items)).toEqual(videos.slice(0, 1));
	});

	test('are output, whatever invalid entries are in the list', async () => {
		const trigger = await activateTrigger();
		const good = { event_type: 'avatar_video.success', created_at: '2030-01-01T00:00:00Z' };
		const rows = [
			{},
			'text',
			7,
			{ event_type: 5, event_id: 'x' },
			{ event_type: 'a.b', event_data: null },
			{ ...good, event_id: 'good', event_data: { video_id: 'v' } },
			{ ...good, event_id: 'odd', event_data: 'text', created_at: 'never' },
			{ event_type: 'no.id', event_data: { id: 1 }, created_at: [] },
		];
		const body = JSON.stringify({ data: rows, has_more: false, next_token: null });
		service.control.fail({ path: '/v3/webhooks/events', status: 200, body });
		const { items, error } = await trigger.poll();
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.event_type).sort()).toEqual([
			'a.b',
			'avatar_video.success',
			'avatar_video.success',
			'no.id',
		]);
		expect((await trigger.poll()).items).toEqual([]);
		service.control.clearFaults();
		const videos = emit(1);
		expect(getVideoIds((await trigger.poll()).items)).toEqual(videos);
	});
});

describe('a failed poll', () => {
	beforeEach(async () => void (await register()));

	test.each<[string, Partial<Fault>, RegExp]>([
		['with 500 on the third page', { status: 500 }, /service/i],
		['with a broken connection', { cut: 'before' }, /connect/i],
		['with a page that is no JSON', { status: 200, body: '<html>' }, /./],
		['with a response that is no list', { status: 200, body: '{"data":{}}' }, /./],
	])('%s reports an error, and loses no event', async (_, fault, message) => {
		const trigger = await activateTrigger();
		const videos = emit(30);
		const list = '/v3/webhooks/events';
		const count = countRequests(list);
		// The first two pages succeed.
		service.control.fail({ path: list, times: 2, data: {} });
		service.control.fail({ path: list, ...fault });
		const before = JSON.stringify(trigger.stored);
		await expect(trigger.poll()).rejects.toThrow(message);
		expect(countRequests(list) - count).toBeGreaterThan(2);
		expect(JSON.stringify(trigger.stored)).toBe(before);
		service.control.clearFaults();
		expect(getVideoIds((await trigger.poll()).items)).toEqual(videos);
	});

	test('after the key was revoked reports it, and continues with a new key', async () => {
		const trigger = await activateTrigger();
		const videos = emit(10);
		trigger.flow.credential = { apiKey: service.control.addKey({ expired: true }) };
		await expect(trigger.restart()).rejects.toThrow(/credential|key/i);
		delete trigger.flow.credential;
		expect(getVideoIds((await trigger.restart()).items)).toEqual(videos);
	});

	test('does not begin while another one is running', async () => {
		const trigger = await activateTrigger();
		const videos = emit(10);
		const [one, two] = await Promise.all([trigger.pollOnly(), trigger.pollOnly()]);
		expect([one, two].filter((output) => output === null)).toHaveLength(1);
		expect((one ?? two)?.[0]).toHaveLength(videos.length);
	});
});

describe('lists of jobs', () => {
	const createVideo = async (title: string, more: object = {}) =>
		String((await call('POST /v3/videos', { ...speaking, title, ...more })).video_id);
	const advance = (seconds = 61) => service.control.clock.advance(seconds);

	const videoSource = { source: 'videos', outcomes: [] };

	test('output videos that end after the activation, and no others', async () => {
		const old = await createVideo('old');
		advance();
		const before = await createVideo('before');
		const trigger = await activateTrigger(videoSource);
		const after = await createVideo('after');
		expect((await trigger.poll()).items).toEqual([]);
		advance();
		const { items } = await trigger.poll();
		expect(getVideoIds(items).sort()).toEqual([before, after].sort());
		expect(getVideoIds(items)).not.toContain(old);
		expect((await trigger.poll()).items).toEqual([]);
	});

	test('output a video with the same item as its event', async () => {
		await register();
		const ofList = await activateTrigger(videoSource);
		const eventSource = await activateTrigger({
			source: 'events',
			events: ['avatar_video.success'],
		});
		await createVideo('Grüße');
		advance();
		const [fromList] = (await ofList.poll()).items;
		const [fromEvent] = (await eventSource.poll()).items;
		const { event_id: one, title, created_at: at, ...rest } = fromList?.json ?? {};
		expect(title).toBe('Grüße');
		expect(one).toBe(`avatar_video.success:${String(rest.video_id)}`);
		const { completed_at } = await call(`GET /v3/videos/${String(rest.video_id)}`);
		expect(at).toBe(new Date(Number(completed_at) * 1000).toISOString());
		// Signed URLs differ from response to response.
		const { video_url: url, gif_download_url: gif, ...others } = rest;
		expect(others).not.toHaveProperty('url');
		expect(fromEvent?.json).toMatchObject(others);
		expect([url, gif]).toEqual([
			expect.stringMatching(/^http.*video\.mp4/),
			expect.stringMatching(/^http.*\.gif/),
		]);
	});

	test.each<[string, string[], string[]]>([
		['finished', ['completed'], ['completed']],
		['failed', ['failed'], ['failed']],
	])('output only videos that %s', async (_, outcomes, statuses) => {
		const trigger = await activateTrigger({ source: 'videos', outcomes });
		service.control.failNext('video', { code: 'generation_failed', message: 'No voice' });
		await createVideo('one');
		await createVideo('two');
		advance();
		const { items } = await trigger.poll();
		expect(items.map(({ json }) => json.status).sort()).toEqual(statuses);
		const failed = items.find(({ json }) => json.status === 'failed');
		if (failed)
			expect(failed.json).toMatchObject({
				event_type: 'avatar_video.fail',
				failure_reason: 'No voice',
			});
	});

	test('output a job that ends long after newer ones, even after a restart', async () => {
		const trigger = await activateTrigger(videoSource);
		const slow = await createVideo('slow');
		service.control.change('videos', slow, { created: service.control.clock.now() });
		await trigger.poll();
		service.control.holdJobs(true);
		for (let hour = 0; hour < 5; hour++) {
			service.control.clock.advance(3600);
			await trigger.poll();
		}
		service.control.holdJobs(false);
		advance();
		expect(getVideoIds((await trigger.restart()).items)).toEqual([slow]);
		expect(getVideoIds((await trigger.restart()).items)).toEqual([]);
	});

	test('may lack deleted jobs, the newest one included', async () => {
		const trigger = await activateTrigger(videoSource);
		const [one, two, three] = [
			await createVideo('1'),
			await createVideo('2'),
			await createVideo('3'),
		];
		await trigger.poll();
		await call(`DELETE /v3/videos/${three}`);
		await call(`DELETE /v3/videos/${one}`);
		advance();
		expect(getVideoIds((await trigger.poll()).items)).toEqual([two]);
		const lookups = countRequests(/^\/v3\/videos\/statuses/);
		expect((await trigger.poll()).items).toEqual([]);
		// Deleted jobs are no longer checked.
		expect(countRequests(/^\/v3\/videos\/statuses/)).toBe(lookups);
	});

	test('need two requests per poll, however many videos are running', async () => {
		const trigger = await activateTrigger(videoSource);
		service.control.setWorkspace({ jobsAtOnce: 30 });
		for (let i = 0; i < 30; i++) await createVideo(`${i}`);
		await trigger.poll();
		const before = [
			countRequests('/v3/videos'),
			countRequests(/^\/v3\/videos\/statuses/),
			countRequests(/video_/),
		];
		await trigger.poll();
		expect(countRequests(/^\/v3\/videos\/statuses/) - (before[1] ?? 0)).toBe(1);
		expect(countRequests(/video_/) - (before[2] ?? 0)).toBe(0);
	});

	test('output agent videos with the URL of the video', async () => {
		await register();
		const trigger = await activateTrigger({ source: 'sessions', outcomes: [] });
		const events = await activateTrigger({
			source: 'events',
			events: ['video_agent.success', 'video_agent.fail'],
		});
		const { session_id: session } = await call('POST /v3/video-agents', { prompt: 'A cat' });
		const { session_id: failed } = await call('POST /v3/video-agents', { prompt: 'A cat FAIL' });
		expect((await trigger.poll()).items).toEqual([]);
		advance(600);
		const fromList = (await trigger.poll()).items.map(({ json }) => json);
		const fromEvents = (await events.poll()).items.map(({ json }) => json);
		expect(fromList).toHaveLength(2);
		for (const id of [session, failed]) {
			const [one, other] = [fromList, fromEvents].map((all) =>
				all.find((json) => json.session_id === id),
			);
			expect(one).toMatchObject({ event_type: other?.event_type, status: other?.status });
			expect(one?.video_id).toBe(other?.video_id ?? one?.video_id);
			if (id === failed) expect(one?.msg).toBe(other?.msg);
			else expect(String(one?.url).split('?')[0]).toBe(String(other?.url).split('?')[0]);
		}
		expect((await trigger.poll()).items).toEqual([]);
	});

	test('output translations and clips with the keys of their events', async () => {
		await register();
		const translations = await activateTrigger({ source: 'translations', outcomes: [] });
		const clippings = await activateTrigger({ source: 'clippings', outcomes: [] });
		const events = await activateTrigger(eventSource);
		const video = { type: 'url', url: 'https://files.example/talk.mp4' };
		await call('POST /v3/video-translations', {
			video,
			output_languages: ['German'],
			callback_id: 'c',
		});
		await call('POST /v3/ai-clipping', { video, title: 'Talk' });
		expect((await translations.poll()).items).toEqual([]);
		expect((await clippings.poll()).items).toEqual([]);
		advance(4000);
		const fromEvents = (await events.poll()).items.map(({ json }) => json);
		for (const [trigger, type] of [
			[translations, 'video_translate.success'],
			[clippings, 'ai_clipping.success'],
		] as const) {
			const items = (await trigger.poll()).items.map(({ json }) => json);
			const {
				event_id,
				created_at,
				video_url: url,
				clips,
				...same
			} = fromEvents.find(({ event_type }) => event_type === type) ?? {};
			expect(items).toHaveLength(1);
			const [item] = items;
			expect(Object.keys(item ?? {})).toEqual(
				expect.arrayContaining(Object.keys(removeNulls(same))),
			);
			expect([event_id, created_at].every((one) => typeof one === 'string')).toBe(true);
			if (url !== undefined) expect(item?.video_url).toEqual(expect.stringContaining('http'));
			if (clips !== undefined) expect(item?.clips).toHaveLength((clips as []).length);
			const { output_language, progress, ...rest } = removeNulls(same);
			expect(item).toMatchObject(rest);
			expect([typeof output_language, typeof progress]).toContain('undefined');
		}
	});
	const removeNulls = (json: IDataObject) =>
		Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));

	let newest = 0;
	/** Replaces the list of videos of the service. */
	const respondWith = (count: number, status: (i: number) => string) => {
		const rows = Array.from({ length: count }, (_, i) => ({
			id: `video${i}`,
			video_id: `video${i}`,
			status: status(i),
			created_at: newest - Math.floor(i / 10),
		}));
		const reply = (data: unknown) => ({
			status: 200,
			body: JSON.stringify({ data, has_more: false, next_token: null }),
		});
		service.control.clearFaults();
		service.control.fail({ path: /^\/v3\/videos(\?|$)/, ...reply(rows) });
		service.control.fail({ path: '/v3/videos/statuses', ...reply(rows) });
		for (const row of rows.filter(({ status: word }) => word === 'completed')) {
			const body = JSON.stringify({ data: row });
			service.control.fail({ path: `/v3/videos/${row.id}`, status: 200, body });
		}
	};

	test('skip no job if more jobs are running than are watched', async () => {
		const trigger = await activateTrigger(videoSource);
		newest = Math.floor(service.control.clock.now());
		respondWith(1_300, () => 'processing');
		await trigger.poll();
		// Only the oldest 1,000 jobs are watched; newer ones must wait, even if they have ended.
		respondWith(1_300, (i) => (i < 200 ? 'completed' : 'processing'));
		expect((await trigger.poll()).items).toEqual([]);
		respondWith(1_300, (i) => (i < 200 || i >= 1_200 ? 'completed' : 'processing'));
		expect((await trigger.poll()).items).toHaveLength(100);
		respondWith(1_300, (i) => (i < 300 || i >= 1_200 ? 'completed' : 'processing'));
		const { items } = await trigger.poll();
		expect(items).toHaveLength(300);
		expect(new Set(trigger.outputIds).size).toBe(400);
	}, 60_000);

	test('may contain a job with a time in the future', async () => {
		const trigger = await activateTrigger(videoSource);
		const videos = [await createVideo('now'), await createVideo('later')];
		const created = service.control.clock.now() + 3650 * 86_400;
		service.control.change('videos', String(videos[1]), { created });
		await trigger.poll();
		advance();
		expect(getVideoIds((await trigger.poll()).items).sort()).toEqual(videos.sort());
	});

	test('are checked one by one if the service has no batched lookup', async () => {
		const trigger = await activateTrigger(videoSource);
		service.control.fail({ path: '/v3/videos/statuses', status: 404 });
		const videos = [await createVideo('1'), await createVideo('2')];
		expect((await trigger.poll()).items).toEqual([]);
		advance();
		expect(getVideoIds((await trigger.poll()).items).sort()).toEqual(videos.sort());
	});

	test('output an agent video only when its video is available', async () => {
		const trigger = await activateTrigger({ source: 'sessions', outcomes: [] });
		const { session_id: session } = await call('POST /v3/video-agents', { prompt: 'A cat' });
		advance(600);
		const pending = { path: /^\/v3\/videos\/./, times: 1, data: { status: 'processing' } };
		service.control.fail(pending);
		expect((await trigger.poll()).items).toEqual([]);
		await withVirtualTime(service, async () => await clock.sleep(3600_000));
		const { items } = await trigger.poll();
		expect(items.map(({ json }) => json.session_id)).toEqual([session]);
	});

	test('have separate cursors: another source starts again', async () => {
		const trigger = await activateTrigger(videoSource);
		await createVideo('one');
		await call('POST /v3/ai-clipping', {
			video: { type: 'url', url: 'https://files.example/talk.mp4' },
		});
		advance(4000);
		trigger.flow.parameters.source = 'clippings';
		expect((await trigger.restart()).items).toEqual([]);
	});
});

describe('a job that runs for long', () => {
	// A separate service, because no earlier test has moved its clock.
	const late = usePolling({ jobSeconds: 60 });
	const wait = async (minutes: number) =>
		await withVirtualTime(late.service, async () => await clock.sleep(minutes * 60_000));
	const countLateRequests = (path: string | RegExp) =>
		late.service.control.requests({ path }).length;

	test('is checked less and less often if it is a chat that waits for its user', async () => {
		const trigger = await createPollingTrigger(late.service, { source: 'sessions', outcomes: [] });
		await trigger.poll();
		await late.call('POST /v3/video-agents', { prompt: 'A cat or a dog?', mode: 'chat' });
		const countReads = async (polls: number) => {
			const before = countLateRequests(/^\/v3\/video-agents\/./);
			for (let i = 0; i < polls; i++) {
				await wait(1);
				await trigger.poll();
			}
			return countLateRequests(/^\/v3\/video-agents\/./) - before;
		};
		expect(await countReads(10)).toBeGreaterThan(8);
		await wait(600);
		expect(await countReads(40)).toBe(2);
	});

	test('is no longer watched after 30 days', async () => {
		const trigger = await createPollingTrigger(late.service, { source: 'videos', outcomes: [] });
		await trigger.poll();
		const create = async () => String((await late.call('POST /v3/videos', speaking)).video_id);
		const old = await create();
		await trigger.poll();
		late.service.control.holdJobs(true);
		for (let day = 0; day < 31; day++) await wait(24 * 60);
		const fresh = await create();
		await trigger.poll();
		late.service.control.holdJobs(false);
		await wait(2);
		expect(getVideoIds((await trigger.poll()).items)).toEqual([fresh]);
		expect(countLateRequests(`/v3/videos/${old}`)).toBe(0);
	});
});

describe('the video of an event', () => {
	beforeEach(async () => void (await register()));

	test('is fetched and downloaded', async () => {
		const options = { fetchVideo: true, download: true, binaryPropertyName: 'movie' };
		const trigger = await activateTrigger({ source: 'videos', outcomes: [], options });
		await call('POST /v3/videos', {
			type: 'avatar',
			avatar_id: 'look_001_1',
			script: 'Good morning to everybody.',
		});
		service.control.clock.advance(61);
		const { items } = await trigger.poll();
		expect(items[0]?.json.video).toMatchObject({
			id: items[0]?.json.video_id,
			status: 'completed',
		});
		expect((await readContent(items[0], 'movie')).length).toBeGreaterThan(1000);
	});

	test('that cannot be read fails the execution, and its event does not count as processed', async () => {
		const trigger = await activateTrigger({ ...eventSource, options: { fetchVideo: true } });
		emit(1);
		const { error } = await trigger.poll();
		expect(error?.description).toContain('The event is not lost');
		expect([...recorded.values()].flat()).toEqual([]);
	});
});

describe('Fetch Test Event', () => {
	test('outputs the newest events, and does not move the cursor', async () => {
		await register();
		const trigger = await activateTrigger();
		const videos = emit(12);
		const before = JSON.stringify(trigger.stored);
		expect(getVideoIds((await trigger.fetchTestEvent()).items)).toEqual(videos.slice(-5).reverse());
		expect(JSON.stringify(trigger.stored)).toBe(before);
		expect(recorded.size).toBe(0);
		expect(getVideoIds((await trigger.poll()).items)).toEqual(videos);
	});

	test.each(['videos', 'clippings'])(
		'reports that no job has ended in the list of %s',
		async (source) => {
			const trigger = await createPollingTrigger(service, { source, outcomes: ['failed'] });
			const { error } = await trigger.fetchTestEvent();
			expect(error?.message).toMatch(/No job has ended/);
		},
	);

	test('reports that events need a registered URL', async () => {
		const trigger = await createPollingTrigger(service, eventSource);
		const { error } = await trigger.fetchTestEvent();
		expect(error?.description).toMatch(/registered URLs/);
	});

	test('outputs the newest agent videos', async () => {
		const trigger = await createPollingTrigger(service, {
			source: 'sessions',
			outcomes: ['completed'],
		});
		const { session_id: id } = await call('POST /v3/video-agents', { prompt: 'A cat' });
		service.control.clock.advance(600);
		const { items } = await trigger.fetchTestEvent();
		expect(items[0]?.json).toMatchObject({ session_id: id, event_type: 'video_agent.success' });
	});
});

describe('a list that begins with the oldest events', () => {
	const other = usePolling({ eventsFirst: 'oldest' });

	test('is read to its end, and output in order', async () => {
		await other.register();
		other.emit(20);
		const trigger = await createPollingTrigger(other.service, eventSource);
		await trigger.poll();
		other.service.control.clock.advance(3600);
		const videos = other.emit(30);
		expect(getVideoIds((await trigger.restart()).items)).toEqual(videos);
		expect((await trigger.poll()).items).toEqual([]);
		await trigger.restart();
		expect(trigger.outputIds).toHaveLength(30);
	});
});
