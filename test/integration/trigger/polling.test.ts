/** What VideoGenPollingTrigger gives out, and that nothing comes twice and nothing is skipped. */
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

const ofEvents: INodeParameters = { source: 'events', events: [] };

const speaking = {
	type: 'avatar',
	avatar_id: 'look_001_1',
	script: 'Good morning to everybody.',
};

const videosIn = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.video_id);

/** A trigger that has polled for the first time. */
async function active(parameters: INodeParameters = ofEvents) {
	const trigger = await createPollingTrigger(service, parameters);
	expect(await trigger.poll()).toMatchObject({ items: [] });
	return trigger;
}

/** What the service was asked. */
const asked = (path: string | RegExp) => service.control.requests({ path }).length;

describe('delivered events', () => {
	beforeEach(async () => void (await register()));

	test('that were there before do not start the workflow, those after do, once', async () => {
		emit(20);
		const trigger = await active();
		expect((await trigger.poll()).items).toEqual([]);
		const videos = emit(3);
		expect(videosIn((await trigger.poll()).items)).toEqual(videos);
		expect((await trigger.poll()).items).toEqual([]);
	});

	test('gives out what its page shows', async () => {
		const trigger = await active();
		service.control.emit('avatar_video.success', { video_id: 'video_001' });
		const { items } = await trigger.poll();
		expectOnPage('VideoGenPollingTrigger', 'event', items[0]);
	});

	test('become what the VideoGen Trigger makes of them', async () => {
		const trigger = await active();
		service.control.emit('video_translate.fail', { video_translate_id: 't1', message: 'No' });
		const { items } = await trigger.poll();
		expect(items).toEqual([
			{
				json: {
					event_id: expect.any(String),
					event_type: 'video_translate.fail',
					created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
					status: 'failed',
					video_translate_id: 't1',
					video_translation_id: 't1',
					message: 'No',
					failure_reason: 'No',
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test('come out whole where that is wanted', async () => {
		const trigger = await active({ ...ofEvents, options: { output: 'whole' } });
		emit(1);
		const { items } = await trigger.poll();
		expect(items[0]?.json).toEqual({
			event_id: expect.any(String),
			event_type: 'avatar_video.success',
			event_data: { video_id: expect.any(String) },
			created_at: expect.any(String),
		});
	});

	test('of other types are left out, and stay so', async () => {
		const trigger = await active({ source: 'events', events: ['avatar_video.fail'] });
		emit(9);
		expect((await trigger.poll()).items).toEqual([]);
		const videos = emit(1, 'avatar_video.fail');
		expect(videosIn((await trigger.poll()).items)).toEqual(videos);
		// As after a change of the form.
		trigger.flow.parameters.events = [];
		expect((await trigger.restart()).items).toEqual([]);
	});

	test('of one resource are asked for', async () => {
		const trigger = await active({ ...ofEvents, options: { entity_id: 'p1' } });
		service.control.emit('personalized_video', { project_id: 'p1' });
		service.control.emit('personalized_video', { project_id: 'p2' });
		const { items } = await trigger.poll();
		expect(items.map(({ json }) => json.project_id)).toEqual(['p1']);
	});

	test.each([60, 1, 0])(
		'500, %d s apart, while n8n was off come out once each',
		async (apart) => {
			emit(3);
			const trigger = await active();
			const videos = Array.from({ length: 500 }, () => {
				service.control.clock.advance(apart);
				return emit(1);
			}).flat();
			expect(videosIn((await trigger.restart()).items)).toEqual(videos);
			expect((await trigger.poll()).items).toEqual([]);
			await trigger.restart();
			await trigger.poll();
			expect(trigger.outputIds).toHaveLength(500);
		},
		60_000,
	);

	test('of more than a portion come in portions, the oldest first', async () => {
		const trigger = await active();
		const videos = emit(2_300);
		const portions = [];
		for (let i = 0; i < 4; i++) portions.push(videosIn((await trigger.poll()).items));
		expect(portions.map(({ length }) => length)).toEqual([1000, 1000, 300, 0]);
		expect(portions.flat()).toEqual(videos);
	}, 60_000);

	test.each<KillTime>(['before the run is stored', 'before the position is stored'])(
		'come out once where n8n is killed %s',
		async (killed) => {
			const trigger = await active();
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

	test('do not come again and again where polls change from process to process', async () => {
		const trigger = await active();
		emit(1);
		await trigger.poll();
		for (let i = 0; i < 5; i++) await trigger.restart();
		expect(trigger.outputIds).toHaveLength(1);
		// Each run uses the store once: the first, and two that put out nothing.
		expect(storeUses).toHaveLength(3);
		expect(await trigger.pollOnly()).toBe(null);
	});

	test('are put out rather than lost where n8n cannot tell what ran', async () => {
		const trigger = await active();
		emit(2);
		storeFaults.push(new Error('locked'), new Error('locked'));
		expect((await trigger.poll()).items).toHaveLength(2);
	});

	test('that went to two addresses come out once', async () => {
		await register('https://another.example/events');
		const trigger = await active();
		const videos = emit(4);
		expect(videosIn((await trigger.poll()).items)).toEqual(videos);
		expect((await trigger.poll()).items).toEqual([]);
		// The same a while later is another event.
		service.control.clock.advance(120);
		service.control.emit('avatar_video.success', { video_id: videos[0] });
		expect(videosIn((await trigger.poll()).items)).toEqual(videos.slice(0, 1));
	});

	test('of a type that nobody knows come out as they are', async () => {
		const trigger = await active();
		service.control.emit('podcast.sung', { melody: ['do', 're'] });
		const { items } = await trigger.poll();
		expect(items[0]?.json).toMatchObject({ event_type: 'podcast.sung', melody: ['do', 're'] });
	});

	test('are found among rubbish', async () => {
		const trigger = await active();
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
		expect(videosIn((await trigger.poll()).items)).toEqual(videos);
	});
});

describe('a poll that fails', () => {
	beforeEach(async () => void (await register()));

	test.each<[string, Partial<Fault>, RegExp]>([
		['with 500 on the third page', { status: 500 }, /service/i],
		['with a broken connection', { cut: 'before' }, /connect/i],
		['with a page that is no JSON', { status: 200, body: '<html>' }, /./],
		['with a list that is none', { status: 200, body: '{"data":{}}' }, /./],
	])('%s tells it, and gives all of it later', async (_, fault, said) => {
		const trigger = await active();
		const videos = emit(30);
		const list = '/v3/webhooks/events';
		const count = asked(list);
		// Its first two pages come.
		service.control.fail({ path: list, times: 2, data: {} });
		service.control.fail({ path: list, ...fault });
		const before = JSON.stringify(trigger.stored);
		await expect(trigger.poll()).rejects.toThrow(said);
		expect(asked(list) - count).toBeGreaterThan(2);
		expect(JSON.stringify(trigger.stored)).toBe(before);
		service.control.clearFaults();
		expect(videosIn((await trigger.poll()).items)).toEqual(videos);
	});

	test('with 429 is asked again when the service says', async () => {
		const trigger = await active();
		const videos = emit(10);
		service.control.fail({ path: '/v3/webhooks/events', status: 429, retryAfter: 20, times: 2 });
		expect(videosIn((await trigger.poll()).items)).toEqual(videos);
	});

	test('because the key was revoked says so, and goes on with the new one', async () => {
		const trigger = await active();
		const videos = emit(10);
		trigger.flow.credential = { apiKey: service.control.addKey({ expired: true }) };
		await expect(trigger.restart()).rejects.toThrow(/credential|key/i);
		delete trigger.flow.credential;
		expect(videosIn((await trigger.restart()).items)).toEqual(videos);
	});

	test('does not begin while another goes on', async () => {
		const trigger = await active();
		const videos = emit(10);
		const [one, two] = await Promise.all([trigger.pollOnly(), trigger.pollOnly()]);
		expect([one, two].filter((found) => found === null)).toHaveLength(1);
		expect((one ?? two)?.[0]).toHaveLength(videos.length);
	});
});

describe('lists of what was made', () => {
	const makeVideo = async (title: string, more: object = {}) =>
		String((await call('POST /v3/videos', { ...speaking, title, ...more })).video_id);
	const end = (seconds = 61) => service.control.clock.advance(seconds);

	const lists = { source: 'videos', outcomes: [] };

	test('tell of videos that end, and of those alone', async () => {
		const old = await makeVideo('old');
		end();
		const before = await makeVideo('before');
		const trigger = await active(lists);
		const after = await makeVideo('after');
		expect((await trigger.poll()).items).toEqual([]);
		end();
		const { items } = await trigger.poll();
		expect(videosIn(items).sort()).toEqual([before, after].sort());
		expect(videosIn(items)).not.toContain(old);
		expect((await trigger.poll()).items).toEqual([]);
	});

	test('tell of a video as its event would have', async () => {
		await register();
		const ofList = await active(lists);
		const ofEvents = await active({ source: 'events', events: ['avatar_video.success'] });
		await makeVideo('Grüße');
		end();
		const [fromList] = (await ofList.poll()).items;
		const [fromEvent] = (await ofEvents.poll()).items;
		const { event_id: one, title, created_at: at, ...rest } = fromList?.json ?? {};
		expect(title).toBe('Grüße');
		expect(one).toBe(`avatar_video.success:${String(rest.video_id)}`);
		const ended = new Date(String(fromEvent?.json.created_at)).getTime();
		expect(Math.abs(new Date(String(at)).getTime() - ended)).toBeLessThan(2000);
		// Signed addresses differ from reading to reading.
		const { url, video_url: film, gif_download_url: gif, ...others } = rest;
		expect(film).toBe(url);
		expect(fromEvent?.json).toMatchObject(others);
		expect([url, gif]).toEqual([
			expect.stringMatching(/^http.*video\.mp4/),
			expect.stringMatching(/^http.*\.gif/),
		]);
	});

	test.each<[string, string[], string[]]>([
		['finished', ['completed'], ['completed']],
		['failed', ['failed'], ['failed']],
		['all', [], ['completed', 'failed']],
	])('tell of those that %s', async (_, outcomes, statuses) => {
		const trigger = await active({ source: 'videos', outcomes });
		service.control.failNext('video', { code: 'generation_failed', message: 'No voice' });
		await makeVideo('one');
		await makeVideo('two');
		end();
		const { items } = await trigger.poll();
		expect(items.map(({ json }) => json.status).sort()).toEqual(statuses);
		const failed = items.find(({ json }) => json.status === 'failed');
		if (failed)
			expect(failed.json).toMatchObject({ event_type: 'avatar_video.fail', msg: 'No voice' });
	});

	test('tell of one that ends long after newer ones', async () => {
		const trigger = await active(lists);
		const slow = await makeVideo('slow');
		service.control.change('videos', slow, { created: service.control.clock.now() });
		await trigger.poll();
		service.control.holdJobs(true);
		for (let hour = 0; hour < 5; hour++) {
			service.control.clock.advance(3600);
			await trigger.poll();
		}
		service.control.holdJobs(false);
		end();
		expect(videosIn((await trigger.poll()).items)).toEqual([slow]);
	});

	test('tell of everything after a week off, once, on many pages', async () => {
		const trigger = await active(lists);
		const videos = [];
		for (let i = 0; i < 40; i++) {
			videos.push(await makeVideo(`film ${i}`));
			service.control.clock.advance(4 * 3600);
		}
		expect(videosIn((await trigger.restart()).items)).toEqual(videos);
		await trigger.restart();
		expect((await trigger.poll()).items).toEqual([]);
		expect(trigger.outputIds).toHaveLength(40);
	});

	test('do not mind that jobs are deleted, the newest among them', async () => {
		const trigger = await active(lists);
		const [one, two, three] = [await makeVideo('1'), await makeVideo('2'), await makeVideo('3')];
		await trigger.poll();
		await call(`DELETE /v3/videos/${three}`);
		await call(`DELETE /v3/videos/${one}`);
		end();
		expect(videosIn((await trigger.poll()).items)).toEqual([two]);
		const looks = asked(/^\/v3\/videos\/statuses/);
		expect((await trigger.poll()).items).toEqual([]);
		// Nor do they go on looking for them.
		expect(asked(/^\/v3\/videos\/statuses/)).toBe(looks);
	});

	test('cost two requests for a poll, however many videos are under way', async () => {
		const trigger = await active(lists);
		for (let i = 0; i < 30; i++) await makeVideo(`${i}`);
		await trigger.poll();
		const before = [asked('/v3/videos'), asked(/^\/v3\/videos\/statuses/), asked(/video_/)];
		await trigger.poll();
		expect(asked(/^\/v3\/videos\/statuses/) - (before[1] ?? 0)).toBe(1);
		expect(asked(/video_/) - (before[2] ?? 0)).toBe(0);
	});

	test('tell of agent videos with the address of the film', async () => {
		await register();
		const trigger = await active({ source: 'sessions', outcomes: [] });
		const events = await active({
			source: 'events',
			events: ['video_agent.success', 'video_agent.fail'],
		});
		const { session_id: session } = await call('POST /v3/video-agents', { prompt: 'A cat' });
		const { session_id: failed } = await call('POST /v3/video-agents', { prompt: 'A cat FAIL' });
		expect((await trigger.poll()).items).toEqual([]);
		end(600);
		const found = (await trigger.poll()).items.map(({ json }) => json);
		const told = (await events.poll()).items.map(({ json }) => json);
		expect(found).toHaveLength(2);
		for (const id of [session, failed]) {
			const [one, other] = [found, told].map((all) => all.find((json) => json.session_id === id));
			expect(one).toMatchObject({ event_type: other?.event_type, status: other?.status });
			expect(one?.video_id).toBe(other?.video_id ?? one?.video_id);
			if (id === failed) expect(one?.msg).toBe(other?.msg);
			else expect(String(one?.url).split('?')[0]).toBe(String(other?.url).split('?')[0]);
		}
		expect((await trigger.poll()).items).toEqual([]);
	});

	test('tell of translations and clips with the keys of their events', async () => {
		await register();
		const translations = await active({ source: 'translations', outcomes: [] });
		const clippings = await active({ source: 'clippings', outcomes: [] });
		const events = await active(ofEvents);
		const video = { type: 'url', url: 'https://files.example/talk.mp4' };
		await call('POST /v3/video-translations', {
			video,
			output_languages: ['German'],
			callback_id: 'c',
		});
		await call('POST /v3/ai-clipping', { video, title: 'Talk' });
		expect((await translations.poll()).items).toEqual([]);
		expect((await clippings.poll()).items).toEqual([]);
		end(4000);
		const told = (await events.poll()).items.map(({ json }) => json);
		for (const [trigger, type] of [
			[translations, 'video_translate.success'],
			[clippings, 'ai_clipping.success'],
		] as const) {
			const items = (await trigger.poll()).items.map(({ json }) => json);
			const {
				event_id,
				created_at,
				url,
				video_url: _,
				clips,
				...same
			} = told.find(({ event_type }) => event_type === type) ?? {};
			expect(items).toHaveLength(1);
			const [item] = items;
			expect(Object.keys(item ?? {})).toEqual(expect.arrayContaining(Object.keys(said(same))));
			expect([event_id, created_at].every((one) => typeof one === 'string')).toBe(true);
			if (url !== undefined) expect(item?.url).toEqual(expect.stringContaining('http'));
			if (clips !== undefined) expect(item?.clips).toHaveLength((clips as []).length);
			const { output_language, progress, ...rest } = said(same);
			expect(item).toMatchObject(rest);
			expect([typeof output_language, typeof progress]).toContain('undefined');
		}
	});
	const said = (json: IDataObject) =>
		Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));

	let newest = 0;
	/** The list of videos as it is told, instead of that of the service. */
	const tell = (count: number, status: (i: number) => string) => {
		const rows = Array.from({ length: count }, (_, i) => ({
			id: `film${i}`,
			video_id: `film${i}`,
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

	test('skip nothing where more jobs go on than are watched', async () => {
		const trigger = await active(lists);
		newest = Math.floor(service.control.clock.now());
		tell(1_300, () => 'processing');
		await trigger.poll();
		// Of the oldest, 1,000 are watched; the newest must wait, ended or not.
		tell(1_300, (i) => (i < 200 ? 'completed' : 'processing'));
		expect((await trigger.poll()).items).toEqual([]);
		tell(1_300, (i) => (i < 200 || i >= 1_200 ? 'completed' : 'processing'));
		expect((await trigger.poll()).items).toHaveLength(100);
		tell(1_300, (i) => (i < 300 || i >= 1_200 ? 'completed' : 'processing'));
		const { items } = await trigger.poll();
		expect(items).toHaveLength(300);
		expect(new Set(trigger.outputIds).size).toBe(400);
	}, 60_000);

	test('are watched beside one that says that it is from the future', async () => {
		const trigger = await active(lists);
		const videos = [await makeVideo('now'), await makeVideo('later')];
		const created = service.control.clock.now() + 3650 * 86_400;
		service.control.change('videos', String(videos[1]), { created });
		await trigger.poll();
		end();
		expect(videosIn((await trigger.poll()).items).sort()).toEqual(videos.sort());
	});

	test('are read one by one where the service has no lookup for many', async () => {
		const trigger = await active(lists);
		service.control.fail({ path: '/v3/videos/statuses', status: 404 });
		const videos = [await makeVideo('1'), await makeVideo('2')];
		expect((await trigger.poll()).items).toEqual([]);
		end();
		expect(videosIn((await trigger.poll()).items).sort()).toEqual(videos.sort());
	});

	test('do not tell of an agent video before its film can be had', async () => {
		const trigger = await active({ source: 'sessions', outcomes: [] });
		const { session_id: session } = await call('POST /v3/video-agents', { prompt: 'A cat' });
		end(600);
		const film = { path: /^\/v3\/videos\/./, times: 1, data: { status: 'processing' } };
		service.control.fail(film);
		expect((await trigger.poll()).items).toEqual([]);
		await withVirtualTime(service, async () => await clock.sleep(3600_000));
		const { items } = await trigger.poll();
		expect(items.map(({ json }) => json.session_id)).toEqual([session]);
	});

	test('are told apart: another source begins anew', async () => {
		const trigger = await active(lists);
		await makeVideo('one');
		await call('POST /v3/ai-clipping', {
			video: { type: 'url', url: 'https://files.example/talk.mp4' },
		});
		end(4000);
		trigger.flow.parameters.source = 'clippings';
		expect((await trigger.restart()).items).toEqual([]);
	});
});

describe('what goes on for long', () => {
	// Its clock is that of the nodes: no test before has moved it.
	const late = usePolling({ jobSeconds: 60 });
	const pass = async (minutes: number) =>
		await withVirtualTime(late.service, async () => await clock.sleep(minutes * 60_000));
	const looks = (path: string | RegExp) => late.service.control.requests({ path }).length;

	test('is looked at less and less often where it is a chat that rests', async () => {
		const trigger = await createPollingTrigger(late.service, { source: 'sessions', outcomes: [] });
		await trigger.poll();
		await late.call('POST /v3/video-agents', { prompt: 'A cat or a dog?', mode: 'chat' });
		const reads = async (polls: number) => {
			const before = looks(/^\/v3\/video-agents\/./);
			for (let i = 0; i < polls; i++) {
				await pass(1);
				await trigger.poll();
			}
			return looks(/^\/v3\/video-agents\/./) - before;
		};
		expect(await reads(10)).toBeGreaterThan(8);
		await pass(600);
		expect(await reads(40)).toBe(2);
	});

	test('is forgotten after 30 days', async () => {
		const trigger = await createPollingTrigger(late.service, { source: 'videos', outcomes: [] });
		await trigger.poll();
		const make = async () => String((await late.call('POST /v3/videos', speaking)).video_id);
		const old = await make();
		await trigger.poll();
		late.service.control.holdJobs(true);
		for (let day = 0; day < 31; day++) await pass(24 * 60);
		const fresh = await make();
		await trigger.poll();
		late.service.control.holdJobs(false);
		await pass(2);
		expect(videosIn((await trigger.poll()).items)).toEqual([fresh]);
		expect(looks(`/v3/videos/${old}`)).toBe(0);
	});
});

describe('the video of an event', () => {
	beforeEach(async () => void (await register()));

	test('is fetched and downloaded', async () => {
		const options = { fetchVideo: true, download: true, binaryPropertyName: 'film' };
		const trigger = await active({ source: 'videos', outcomes: [], options });
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
		expect((await readContent(items[0], 'film')).length).toBeGreaterThan(1000);
	});

	test('that cannot be read fails the run, which can be tried again, and is not taken for done', async () => {
		const trigger = await active({ ...ofEvents, options: { fetchVideo: true } });
		emit(1);
		const { error } = await trigger.poll();
		expect(error?.description).toContain('The event is not lost');
		expect([...recorded.values()].flat()).toEqual([]);
	});
});

describe('Fetch Test Event', () => {
	test('gives the newest events, and leaves the trigger where it stands', async () => {
		await register();
		const trigger = await active();
		const videos = emit(12);
		const before = JSON.stringify(trigger.stored);
		expect(videosIn((await trigger.fetchTestEvent()).items)).toEqual(videos.slice(-5).reverse());
		expect(JSON.stringify(trigger.stored)).toBe(before);
		expect(recorded.size).toBe(0);
		expect(videosIn((await trigger.poll()).items)).toEqual(videos);
	});

	test.each(['videos', 'sessions', 'translations', 'clippings'])(
		'says that no job has ended in the list of %s',
		async (source) => {
			const trigger = await createPollingTrigger(service, { source, outcomes: ['failed'] });
			const { error } = await trigger.fetchTestEvent();
			expect(error?.message).toMatch(/No job has ended/);
		},
	);

	test('says that events need a registered URL', async () => {
		const trigger = await createPollingTrigger(service, ofEvents);
		const { error } = await trigger.fetchTestEvent();
		expect(error?.description).toMatch(/registered URLs/);
	});

	test('gives the newest agent videos', async () => {
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

	test('is read to its end, and told in order', async () => {
		await other.register();
		other.emit(20);
		const trigger = await createPollingTrigger(other.service, ofEvents);
		await trigger.poll();
		other.service.control.clock.advance(3600);
		const videos = other.emit(30);
		expect(videosIn((await trigger.restart()).items)).toEqual(videos);
		expect((await trigger.poll()).items).toEqual([]);
		await trigger.restart();
		expect(trigger.outputIds).toHaveLength(30);
	});
});
