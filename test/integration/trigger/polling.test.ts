/** VideoGen Polling Trigger outputs every new event and every finished job exactly once. */
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { Fault } from '../../../simulator/faults';
import { getValues, readLog } from '../support/calls';
import { execute } from '../support/contexts';
import { clock } from '../support/core';
import { loadNodeType, readContent } from '../support/engine';
import { createPollingTrigger, usePolling, type KillTime, type Polling } from '../support/polling';
import { expectOnPage } from '../support/shown';
import { withVirtualTime } from '../support/time';
import { recorded, storeFaults, storeUses } from '../support/trigger';

const { service, call, register, emit } = usePolling({ jobSeconds: 60 });
afterEach(() => jest.restoreAllMocks());

const eventSource: INodeParameters = { source: 'events', events: [] };
const videoSource: INodeParameters = { source: 'videos', outcomes: [] };

const speaking = { type: 'avatar', avatar_id: 'look_001_1', script: 'Good morning to everybody.' };
const talk = { type: 'url', url: 'https://files.example/talk.mp4' };

/** Creates a trigger that has polled for the first time. */
async function activateTrigger(parameters: INodeParameters = eventSource) {
	const trigger = await createPollingTrigger(service, parameters);
	expect(await trigger.poll()).toMatchObject({ items: [] });
	return trigger;
}

/** Polls, and returns the IDs of the videos in the items. */
const pollVideos = async (trigger: Polling) => getValues((await trigger.poll()).items, 'video_id');
const restartAndPoll = async (trigger: Polling) =>
	getValues((await trigger.restart()).items, 'video_id');

const advance = (seconds = 61) => service.control.clock.advance(seconds);
const countRequests = (path: string | RegExp) => service.control.requests({ path }).length;

describe('delivered events', () => {
	beforeEach(async () => void (await register()));

	test('start the workflow once, except those before the activation', async () => {
		emit(20);
		const trigger = await activateTrigger();
		expect(await pollVideos(trigger)).toEqual([]);
		const videos = emit(3);
		expect(await pollVideos(trigger)).toEqual(videos);
		expect(await pollVideos(trigger)).toEqual([]);
	});

	test('are found after n8n was started during an outage, and an error that persists is reported', async () => {
		const trigger = await activateTrigger();
		const videos = emit(2);
		service.control.fail({ path: '/v3/webhooks/events', status: 503, code: 'service_unavailable' });
		const log = readLog();
		// n8n never polls again if the first poll after its start fails.
		expect((await trigger.restart()).items).toEqual([]);
		expect(log).toEqual([expect.stringMatching(/^warn .* could not poll when n8n started/)]);
		await expect(trigger.poll()).rejects.toThrow();
		service.control.clearFaults();
		expect(await pollVideos(trigger)).toEqual(videos);
	});

	test('have the item on the page of the trigger', async () => {
		const trigger = await activateTrigger();
		const data = { video_id: 'video_001', url: 'https://files.example/video.mp4' };
		service.control.emit('avatar_video.success', data);
		const { items } = await trigger.poll();
		expectOnPage('VideoGenPollingTrigger', 'event', items[0]);
	});

	const failure = { video_translate_id: 't1', message: 'No' };
	const event = { event_id: expect.any(String), event_type: 'video_translate.fail' };
	const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
	test.each<[string, INodeParameters, IDataObject]>([
		[
			'as the VideoGen Trigger outputs them',
			{},
			{ status: 'failed', video_translation_id: 't1', failure_reason: 'No' },
		],
		['unchanged', { output: 'whole' }, { event_data: failure }],
	])('can be output %s', async (_, options, data) => {
		const trigger = await activateTrigger({ ...eventSource, options });
		service.control.emit('video_translate.fail', failure);
		const { items } = await trigger.poll();
		expect(items).toEqual([{ json: { ...event, created_at, ...data }, pairedItem: { item: 0 } }]);
	});

	test('are output again by Retry On Fail if the first item contains an error', async () => {
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const trigger = await createPollingTrigger(service, eventSource, { node });
		await trigger.poll();
		service.control.emit('hyperframes_video.fail', { video_id: 'v', error: 'No' });
		expect(await pollVideos(trigger)).toEqual(['v']);
	});

	test('that are found twice add no empty item with Always Output Data', async () => {
		const node = { alwaysOutputData: true };
		const trigger = await createPollingTrigger(service, eventSource, { node });
		await trigger.poll();
		const videos = emit(2);
		const killed = 'before the position is stored';
		expect(getValues((await trigger.poll({ killed })).items, 'video_id')).toEqual(videos);
		expect((await trigger.restart()).items).toEqual([]);
	});

	test('of other types are skipped for good', async () => {
		const trigger = await activateTrigger({ source: 'events', events: ['avatar_video.fail'] });
		emit(9);
		expect(await pollVideos(trigger)).toEqual([]);
		const videos = emit(1, 'avatar_video.fail');
		expect(await pollVideos(trigger)).toEqual(videos);
		// A later change of the form does not output skipped events.
		trigger.flow.parameters.events = [];
		expect(await restartAndPoll(trigger)).toEqual([]);
	});

	test.each([
		[' p1 ', ['p1']],
		['={{ null }}', ['p1', 'p2']],
		['={{ 1 }}', []],
	])('can be limited to one resource: %j', async (entity_id, projects) => {
		const trigger = await activateTrigger({ ...eventSource, options: { entity_id } });
		service.control.emit('personalized_video', { project_id: 'p1' });
		service.control.emit('personalized_video', { project_id: 'p2' });
		expect(getValues((await trigger.poll()).items, 'project_id')).toEqual(projects);
	});

	test.each([60, 0])(
		'that were emitted %d s apart while n8n was off are output once each',
		async (apart) => {
			emit(3);
			const trigger = await activateTrigger();
			const videos = Array.from({ length: 500 }, () => {
				advance(apart);
				return emit(1);
			}).flat();
			expect(await restartAndPoll(trigger)).toEqual(videos);
			expect(await pollVideos(trigger)).toEqual([]);
			await trigger.restart();
			await trigger.poll();
			expect(trigger.outputIds).toHaveLength(500);
		},
	);

	test('are output in portions of 1000, the oldest first', async () => {
		const trigger = await activateTrigger();
		const videos = emit(2_300);
		const portions = [];
		for (let i = 0; i < 4; i++) portions.push(await pollVideos(trigger));
		expect(portions.map(({ length }) => length)).toEqual([1000, 1000, 300, 0]);
		expect(portions.flat()).toEqual(videos);
	});

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
		const log = readLog();
		expect((await trigger.poll()).items).toHaveLength(2);
		expect(log).toEqual([
			'warn Node could not check whether events had already been processed: locked',
		]);
	});

	test('are output again if their execution runs again, but not if they are found again', async () => {
		const trigger = await activateTrigger();
		const videos = emit(2);
		const [items = []] = (await trigger.pollOnly()) ?? [];
		const type = loadNodeType('VideoGenPollingTrigger');
		const run = async (mode: WorkflowExecuteMode, input = items) =>
			getValues((await execute(trigger.flow, input, { mode, type })).items, 'video_id');
		expect(await run('trigger')).toEqual(videos);
		// A queue runs an execution again if its worker was killed.
		expect(await run('trigger')).toEqual(videos);
		expect(await run('retry')).toEqual(videos);
		const foundBy = (poll: string) => items.map(({ json }) => ({ json: { ...json, run: poll } }));
		expect(await run('trigger', foundBy('second'))).toEqual([]);
		expect(await run('retry', foundBy('third'))).toEqual([]);
	});

	test('that were delivered to two URLs are output once', async () => {
		await register('https://another.example/events');
		const trigger = await activateTrigger();
		const videos = emit(4);
		expect(await pollVideos(trigger)).toEqual(videos);
		expect(await pollVideos(trigger)).toEqual([]);
		// An equal event a while later is a new event.
		advance(120);
		service.control.emit('avatar_video.success', { video_id: videos[0] });
		expect(await pollVideos(trigger)).toEqual(videos.slice(0, 1));
	});

	test('are output, whatever invalid entries are in the list', async () => {
		const trigger = await activateTrigger();
		const good = { event_type: 'good', created_at: '2030-01-01T00:00:00Z' };
		const data = [
			...[{}, 'text', 7, { event_type: 5, event_id: 'x' }],
			{ event_type: 'a.b', event_data: null },
			{ ...good, event_id: 'good', event_data: { video_id: 'v' } },
			{ ...good, event_id: 'odd', event_data: 'text', created_at: 'never' },
			{ event_type: 'no.id', event_data: { id: 1 }, created_at: [] },
		];
		const body = { data, has_more: false, next_token: null };
		service.control.fail({ path: '/v3/webhooks/events', status: 200, body });
		const { items } = await trigger.poll();
		expect(getValues(items, 'event_type').sort()).toEqual(['a.b', 'good', 'good', 'no.id']);
		const unnamed = items.find(({ json }) => json.event_type === 'no.id');
		expect(unnamed?.json.event_id).toMatch(/^[\w-]{22}$/);
		expect(await pollVideos(trigger)).toEqual([]);
		service.control.clearFaults();
		const videos = emit(1);
		expect(await pollVideos(trigger)).toEqual(videos);
	});

	test.each<[string, Fault, RegExp]>([
		['status 500', { status: 500 }, /control API/],
		['a revoked key', { status: 401 }, /credential/],
		['a broken connection', { cut: 'before' }, /connect/i],
		['a page that is no JSON', { status: 200, body: '<html>' }, /not from the Video/],
		['a response that is no list', { status: 200, body: '{"data":{}}' }, /list/],
	])('are not lost after a poll with %s on the third page', async (_, fault, message) => {
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
		expect(await pollVideos(trigger)).toEqual(videos);
	});

	describe('after the credential was exchanged while the workflow was not published', () => {
		const other = { videoGenApi: { id: '2', name: 'Production' } };
		const answerAs = (username: string) =>
			service.control.fail({ path: '/v3/users/me', status: 200, body: { data: { username } } });

		test('are ignored if they are of another account and older than the exchange', async () => {
			answerAs('test');
			const trigger = await activateTrigger();
			const videos = emit(3);
			expect(await pollVideos(trigger)).toEqual(videos);
			service.control.clearFaults();
			answerAs('production');
			emit(20);
			trigger.flow.node = { credentials: other };
			expect(await restartAndPoll(trigger)).toEqual([]);
			const later = emit(2);
			expect(await pollVideos(trigger)).toEqual(later);
		});

		test('are output if they are of the same account', async () => {
			answerAs('test');
			const trigger = await activateTrigger();
			const videos = emit(3);
			trigger.flow.node = { credentials: other };
			expect(await restartAndPoll(trigger)).toEqual(videos);
		});

		test('wait until the account is known', async () => {
			answerAs('test');
			const trigger = await activateTrigger();
			const videos = emit(3);
			service.control.clearFaults();
			service.control.fail({ path: '/v3/users/me', status: 503 });
			trigger.flow.node = { credentials: other };
			expect(await restartAndPoll(trigger)).toEqual([]);
			await expect(trigger.poll()).rejects.toThrow();
			service.control.clearFaults();
			answerAs('test');
			expect(await pollVideos(trigger)).toEqual(videos);
		});
	});

	test('are output although the node was renamed meanwhile', async () => {
		const trigger = await activateTrigger();
		const videos = emit(10);
		trigger.flow.node = { name: 'Finished Videos' };
		expect(await restartAndPoll(trigger)).toEqual(videos);
	});

	test('are those of two triggers in one workflow, each with a state of its own', async () => {
		const first = await activateTrigger();
		const second = await createPollingTrigger(service, eventSource, {
			node: { id: 'second', name: 'Second' },
			staticData: first.flow.staticData,
		});
		expect(await pollVideos(second)).toEqual([]);
		const videos = emit(2);
		expect(await pollVideos(second)).toEqual(videos);
		expect(await pollVideos(first)).toEqual(videos);
	});

	test('are output by one of two polls at the same time', async () => {
		const trigger = await activateTrigger();
		const videos = emit(10);
		const polls = await Promise.all([trigger.pollOnly(), trigger.pollOnly()]);
		expect(polls.map((output) => output?.[0]?.length ?? 0).sort()).toEqual([0, videos.length]);
		expect(polls).toContain(null);
	});
});

describe('lists of jobs', () => {
	const createVideo = async (title: string, more: object = {}) =>
		String((await call('POST /v3/videos', { ...speaking, title, ...more })).video_id);

	test('output videos that end after the activation, and no others', async () => {
		await createVideo('old');
		advance();
		const before = await createVideo('before');
		const trigger = await activateTrigger(videoSource);
		const after = await createVideo('after');
		expect(await pollVideos(trigger)).toEqual([]);
		advance();
		expect((await pollVideos(trigger)).sort()).toEqual([before, after].sort());
		expect(await pollVideos(trigger)).toEqual([]);
	});

	/** The values of an event that the item of a list has, too: signed URLs differ in their query. */
	const getShared = (item: INodeExecutionData | undefined) => {
		const { event_id, created_at, video_share_page_url, error, ...json } = item?.json ?? {};
		const text = JSON.stringify(json, (_, value: unknown) =>
			typeof value === 'string' ? value.split('?')[0] : (value ?? undefined),
		);
		return JSON.parse(text) as IDataObject;
	};

	test.each([
		['videos', 'avatar_video.success', 'POST /v3/videos', { ...speaking, title: 'Grüße' }],
		['sessions', 'video_agent.success', 'POST /v3/video-agents', { prompt: 'A cat' }],
		['sessions', 'video_agent.fail', 'POST /v3/video-agents', { prompt: 'A cat FAIL' }],
		[
			'translations',
			'video_translate.success',
			'POST /v3/video-translations',
			{ video: talk, output_languages: ['German'], callback_id: 'c' },
		],
		['clippings', 'ai_clipping.success', 'POST /v3/ai-clipping', { video: talk, title: 'Talk' }],
	])('of %s output a job with the values of its event %s', async (source, type, line, body) => {
		await register();
		const trigger = await activateTrigger({ source, outcomes: [] });
		const events = await activateTrigger({ source: 'events', events: [type] });
		await call(line, body);
		expect((await trigger.poll()).items).toEqual([]);
		advance(4000);
		const { items: fromList } = await trigger.poll();
		const { items: fromEvents } = await events.poll();
		expect(fromList).toHaveLength(1);
		expect(fromEvents).toHaveLength(1);
		expect(getShared(fromList[0])).toMatchObject(getShared(fromEvents[0]));
		expect((await trigger.poll()).items).toEqual([]);
	});

	test('output the title of a video, when it ended, and an ID that is equal at every poll', async () => {
		const trigger = await activateTrigger(videoSource);
		const video = await createVideo('Grüße');
		advance();
		const { items } = await trigger.poll();
		const { completed_at } = await call(`GET /v3/videos/${video}`);
		expect(items[0]?.json).toMatchObject({
			event_id: `avatar_video.success:${video}`,
			title: 'Grüße',
			created_at: new Date(Number(completed_at) * 1000).toISOString(),
		});
	});

	test.each([
		['completed', { event_type: 'avatar_video.success' }],
		['failed', { event_type: 'avatar_video.fail', failure_reason: 'No voice' }],
	])('output only videos with the outcome %s', async (status, expected) => {
		const trigger = await activateTrigger({ source: 'videos', outcomes: [status] });
		service.control.failNext('video', { code: 'generation_failed', message: 'No voice' });
		await createVideo('one');
		await createVideo('two');
		advance();
		const { items } = await trigger.poll();
		expect(items.map(({ json }) => json)).toEqual([
			expect.objectContaining({ status, ...expected }),
		]);
	});

	test('output a job that ends long after newer ones, even after a restart', async () => {
		const trigger = await activateTrigger(videoSource);
		const slow = await createVideo('slow');
		service.control.change('videos', slow, { created: service.control.clock.now() });
		await trigger.poll();
		service.control.holdJobs(true);
		for (let hour = 0; hour < 5; hour++) {
			advance(3600);
			await trigger.poll();
		}
		service.control.holdJobs(false);
		advance();
		expect(await restartAndPoll(trigger)).toEqual([slow]);
		expect(await restartAndPoll(trigger)).toEqual([]);
	});

	test('may lack deleted jobs, the newest one included', async () => {
		const trigger = await activateTrigger(videoSource);
		const one = await createVideo('1');
		const two = await createVideo('2');
		const three = await createVideo('3');
		await trigger.poll();
		await call(`DELETE /v3/videos/${three}`);
		await call(`DELETE /v3/videos/${one}`);
		advance();
		expect(await pollVideos(trigger)).toEqual([two]);
		const lookups = countRequests('/v3/videos/statuses');
		expect(await pollVideos(trigger)).toEqual([]);
		// Deleted jobs are no longer checked.
		expect(countRequests('/v3/videos/statuses')).toBe(lookups);
	});

	test('need one lookup per poll, however many videos are running', async () => {
		const trigger = await activateTrigger(videoSource);
		service.control.setWorkspace({ jobsAtOnce: 30 });
		for (let i = 0; i < 30; i++) await createVideo(`${i}`);
		await trigger.poll();
		const count = () => [countRequests('/v3/videos/statuses'), countRequests(/video_/)];
		const [lookups = 0, reads] = count();
		await trigger.poll();
		expect(count()).toEqual([lookups + 1, reads]);
	});

	test('survive a lookup that fails three times', async () => {
		const trigger = await activateTrigger(videoSource);
		const video = await createVideo('1');
		expect(await pollVideos(trigger)).toEqual([]);
		advance();
		// A wait would give up such a poll after two attempts, and poll again soon.
		service.control.fail({ path: '/v3/videos/statuses', status: 503, times: 3 });
		expect(await pollVideos(trigger)).toEqual([video]);
	});

	let newest = 0;
	/** Replaces the list of videos of the service. */
	const respondWith = (
		count: number,
		status: (i: number) => string,
		{ name = 'video', listsStatus = true } = {},
	) => {
		const rows = Array.from({ length: count }, (_, i) => ({
			id: `${name}${i}`,
			video_id: `${name}${i}`,
			status: status(i),
			created_at: newest - Math.floor(i / 10),
		}));
		const respond = (path: string | RegExp, data: unknown) => {
			const body = { data, has_more: false, next_token: null };
			service.control.fail({ path, status: 200, body });
		};
		service.control.clearFaults();
		const listed = rows.map((row) => ({ ...row, ...(listsStatus ? {} : { status: undefined }) }));
		respond(/^\/v3\/videos(\?|$)/, listed);
		respond('/v3/videos/statuses', rows);
		for (const row of rows.filter(({ status: word }) => word === 'completed')) {
			respond(`/v3/videos/${row.id}`, row);
		}
	};

	test('skip no job if more jobs are running than are watched', async () => {
		const trigger = await activateTrigger(videoSource);
		newest = Math.floor(service.control.clock.now());
		respondWith(1_300, () => 'processing');
		await trigger.poll();
		// Only the oldest 1,000 jobs are watched; newer ones must wait, even if they have ended.
		respondWith(1_300, (i) => (i < 200 ? 'completed' : 'processing'));
		expect(await pollVideos(trigger)).toEqual([]);
		respondWith(1_300, (i) => (i < 200 || i >= 1_200 ? 'completed' : 'processing'));
		expect(await pollVideos(trigger)).toHaveLength(100);
		respondWith(1_300, (i) => (i < 300 || i >= 1_200 ? 'completed' : 'processing'));
		expect(await pollVideos(trigger)).toHaveLength(300);
		expect(new Set(trigger.outputIds).size).toBe(400);
	});

	test('with 1,000 jobs that never end continue after 30 days', async () => {
		const trigger = await activateTrigger(videoSource);
		newest = Math.floor(service.control.clock.now());
		respondWith(1_000, () => 'processing', { listsStatus: false });
		await trigger.poll();
		const log = readLog();
		newest += 31 * 86_400;
		for (let day = 0; day < 31; day++) {
			await withVirtualTime(service, async () => await clock.sleep(86_400_000));
		}
		respondWith(1, () => 'completed', { name: 'fresh', listsStatus: false });
		expect(await pollVideos(trigger)).toEqual(['fresh0']);
		respondWith(1_001, () => 'processing', { name: 'more' });
		await trigger.poll();
		await trigger.poll();
		expect(log.join()).toContain('1000 jobs are still running. Newer jobs are not reported');
	});

	test('output other jobs if one cannot be read, which is tried again and reported', async () => {
		const trigger = await activateTrigger(videoSource);
		const videos = [await createVideo('broken'), await createVideo('good')];
		await trigger.poll();
		advance();
		const path = `/v3/videos/${String(videos[0])}`;
		service.control.fail({ path, status: 403, code: 'resource_access_denied' });
		const log = readLog();
		expect(await pollVideos(trigger)).toEqual([videos[1]]);
		expect(log.join()).toContain(
			`video ${String(videos[0])} could not be read and will be read again at the next poll`,
		);
		await expect(trigger.poll()).rejects.toThrow('belongs to another user');
		service.control.clearFaults();
		expect(await pollVideos(trigger)).toEqual([videos[0]]);
	});

	test('may contain a job with a time in the future', async () => {
		const trigger = await activateTrigger(videoSource);
		const videos = [await createVideo('now'), await createVideo('later')];
		const created = service.control.clock.now() + 3650 * 86_400;
		service.control.change('videos', String(videos[1]), { created });
		await trigger.poll();
		advance();
		expect((await pollVideos(trigger)).sort()).toEqual(videos.sort());
	});

	test('output jobs with a newly selected outcome only if they end later', async () => {
		const pass = async () => await withVirtualTime(service, async () => await clock.sleep(61_000));
		const trigger = await activateTrigger({ source: 'videos', outcomes: ['failed'] });
		await createVideo('old');
		service.control.failNext('video', { code: 'lost', message: 'Lost' });
		await createVideo('failing');
		await pass();
		trigger.flow.parameters.outcomes = [];
		const { items } = await trigger.restart();
		expect(items.map(({ json }) => json.status)).toEqual(['failed']);
		const video = await createVideo('new');
		await pass();
		expect(await restartAndPoll(trigger)).toEqual([video]);
	});

	test.each([404, 400, 403])(
		'are checked one by one if the batched lookup responds with %i',
		async (status) => {
			const trigger = await activateTrigger(videoSource);
			service.control.fail({ path: '/v3/videos/statuses', status });
			const videos = [await createVideo('1'), await createVideo('2')];
			expect(await pollVideos(trigger)).toEqual([]);
			advance();
			expect((await pollVideos(trigger)).sort()).toEqual(videos.sort());
		},
	);

	test('output an agent video only when its video is available', async () => {
		const trigger = await activateTrigger({ source: 'sessions', outcomes: [] });
		const { session_id } = await call('POST /v3/video-agents', { prompt: 'A cat' });
		advance(600);
		service.control.fail({ path: /^\/v3\/videos\/./, times: 1, data: { status: 'processing' } });
		expect((await trigger.poll()).items).toEqual([]);
		await withVirtualTime(service, async () => await clock.sleep(3600_000));
		expect(getValues((await trigger.poll()).items, 'session_id')).toEqual([session_id]);
	});

	test('output an agent video as failed when its video has failed', async () => {
		const trigger = await activateTrigger({ source: 'sessions', outcomes: [] });
		const { session_id } = await call('POST /v3/video-agents', { prompt: 'A cat' });
		advance(600);
		const failed = { status: 'failed', failure_code: 'render_error', failure_message: 'Too dark' };
		service.control.fail({ path: /^\/v3\/videos\/./, times: 1, data: failed });
		const { items } = await trigger.poll();
		expect(items.map(({ json }) => json)).toEqual([
			expect.objectContaining({
				event_type: 'video_agent.fail',
				status: 'failed',
				session_id,
				failure_reason: 'Too dark',
			}),
		]);
	});

	test('output an agent video that has ended, even if its video cannot be read', async () => {
		const trigger = await activateTrigger({ source: 'sessions', outcomes: [] });
		const { session_id } = await call('POST /v3/video-agents', { prompt: 'A cat' });
		advance(600);
		service.control.fail({
			path: /^\/v3\/videos\/./,
			status: 403,
			code: 'resource_access_denied',
		});
		const { items } = await trigger.poll();
		expect(items.map(({ json }) => json)).toEqual([
			expect.objectContaining({ event_type: 'video_agent.success', session_id }),
		]);
	});

	test('have separate cursors: another source starts again', async () => {
		const trigger = await activateTrigger(videoSource);
		await createVideo('one');
		await call('POST /v3/ai-clipping', { video: talk });
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
		const trigger = await createPollingTrigger(late.service, videoSource);
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
		expect(await pollVideos(trigger)).toEqual([fresh]);
		expect(countLateRequests(`/v3/videos/${old}`)).toBe(0);
	});
});

describe('the video of an event', () => {
	test('is fetched and downloaded', async () => {
		const options = { fetchVideo: true, download: true, binaryPropertyName: 'movie' };
		const trigger = await activateTrigger({ ...videoSource, options });
		const { video_id: id } = await call('POST /v3/videos', speaking);
		advance();
		const { items } = await trigger.poll();
		expect(items).toMatchObject([{ json: { video_id: id, video: { id, status: 'completed' } } }]);
		expect((await readContent(items[0], 'movie')).length).toBeGreaterThan(1000);
	});

	test('may be a translated video', async () => {
		const options = { fetchVideo: true, download: true };
		const trigger = await activateTrigger({ source: 'translations', options });
		const body = { video: { type: 'url', url: 'https://files.example/a.mp4' } };
		await call('POST /v3/video-translations', { ...body, output_languages: ['German'] });
		advance();
		const { items } = await trigger.poll();
		expect(items).toMatchObject([{ json: { video: { status: 'completed' } } }]);
		expect((await readContent(items[0])).length).toBeGreaterThan(1000);
	});

	test('has the name of the option, which can read the event', async () => {
		const options = { download: true, fileName: '=Sale {{ $json.event.event_data.title }}' };
		const trigger = await activateTrigger({ source: 'videos', outcomes: [], options });
		await call('POST /v3/videos', {
			type: 'avatar',
			title: 'Spring',
			avatar_id: 'look_001_1',
			script: 'Good morning to everybody.',
		});
		service.control.clock.advance(61);
		const { items } = await trigger.poll();
		expect(items[0]?.binary?.data?.fileName).toBe('Sale Spring.mp4');
	});

	test('that cannot be read fails the execution, and its event does not count as processed', async () => {
		await register();
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
		const { items } = await trigger.fetchTestEvent();
		expect(getValues(items, 'video_id')).toEqual(videos.slice(-5).reverse());
		expect(JSON.stringify(trigger.stored)).toBe(before);
		expect(recorded.size).toBe(0);
		expect(await pollVideos(trigger)).toEqual(videos);
	});

	test.each([
		['no job has ended', 'videos', /No job matching this trigger has ended/],
		['no job is listed', 'clippings', /No job matching this trigger has ended/],
		['events need a registered URL', 'events', /registered URLs/],
	])('reports that %s', async (_, source, words) => {
		const form = { source, outcomes: ['failed'], events: [] };
		const { error } = await (await createPollingTrigger(service, form)).fetchTestEvent();
		expect(`${error?.message} ${error?.description}`).toMatch(words);
	});

	test('outputs no running video', async () => {
		const trigger = await createPollingTrigger(service, videoSource);
		const { video_id } = await call('POST /v3/videos', speaking);
		advance();
		await call('POST /v3/videos', speaking);
		const { items } = await trigger.fetchTestEvent();
		expect(getValues(items, 'video_id')[0]).toBe(video_id);
	});

	test('outputs the newest agent videos', async () => {
		const source = { source: 'sessions', outcomes: ['completed'] };
		const trigger = await createPollingTrigger(service, source);
		const { session_id } = await call('POST /v3/video-agents', { prompt: 'A cat' });
		advance(600);
		const { items } = await trigger.fetchTestEvent();
		expect(items[0]?.json).toMatchObject({ session_id, event_type: 'video_agent.success' });
	});

	const respond = (path: string | RegExp, data: unknown[]) => {
		const body = { data, has_more: false, next_token: null };
		service.control.fail({ path, status: 200, body });
	};
	const fetchEvents = async (parameters: INodeParameters) =>
		await (await createPollingTrigger(service, parameters)).fetchTestEvent();

	test('outputs the newest of the selected events, in whatever order they are listed', async () => {
		const list = ['a2', 'b4', 'a3', 'a1'].map((id) => ({
			event_id: id,
			event_type: `new.${id[0]}`,
			event_data: { id },
			created_at: `2030-01-01T00:00:0${id[1]}Z`,
		}));
		respond('/v3/webhooks/events', [{}, ...list]);
		const { items } = await fetchEvents({ source: 'events', events: ['new.a'] });
		expect(getValues(items, 'event_id')).toEqual(['a3', 'a2', 'a1']);
	});

	test('outputs the five newest videos with the selected outcome', async () => {
		const statuses = ['processing', 'failed', ...Array<string>(7).fill('completed')];
		const list = statuses.map((status, i) => ({ id: `v${i}`, status, created_at: 2_000 - i }));
		respond(/^\/v3\/videos(\?|$)/, [{ status: 'completed', created_at: 3_000 }, ...list.reverse()]);
		const { items } = await fetchEvents({ source: 'videos', outcomes: ['completed'] });
		expect(getValues(items, 'video_id')).toEqual(['v2', 'v3', 'v4', 'v5', 'v6']);
		const age = clock.now() - Date.parse(String(items[0]?.json.created_at));
		expect(Math.round(age / 60_000)).toBe(0);
	});

	test.each<[string, Fault, string]>([
		['were deleted', { status: 404, code: 'not_found' }, 'No job matching this trigger has ended'],
		['cannot be read', { status: 403, code: 'resource_access_denied' }, 'belongs to another'],
	])('reads at most 20 agent videos that %s', async (_, fault, words) => {
		respond(
			/^\/v3\/video-agents(\?|$)/,
			Array.from({ length: 25 }, (__, i) => ({ session_id: `s${i}`, created_at: 2_000 - i })),
		);
		service.control.fail({ path: /^\/v3\/video-agents\/./, ...fault });
		const { error } = await fetchEvents({ source: 'sessions', outcomes: [] });
		expect(error?.message).toContain(words);
		expect(countRequests(/^\/v3\/video-agents\/./)).toBe(20);
	});
});
