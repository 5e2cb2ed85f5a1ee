/** The trigger repairs its endpoint and its secret, and outputs the events that it missed meanwhile. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { getValues, readLog } from '../support/calls';
import {
	activate,
	callHook,
	execute,
	startTrigger,
	type Flow,
	type RunningTrigger,
} from '../support/contexts';
import { clock } from '../support/core';
import { loadInNewProcess } from '../support/newProcess';
import { createCaller, useService } from '../support/service';
import { withVirtualTime } from '../support/time';
import { deliver, readStored, recorded, useTrigger, type Endpoint } from '../support/trigger';

const { service, activateTrigger, endpoints, getEndpoint, call } = useTrigger({
	pageSize: 100,
	eventsFirst: 'newest',
	retrySeconds: 80_000,
});
const otherService = useService();
const callOther = createCaller(otherService);

const passTime = async (seconds: number) =>
	await withVirtualTime(service, async () => await clock.sleep(seconds * 1000));

const running: RunningTrigger[] = [];
afterEach(async () => {
	for (const one of running.splice(0)) await one.stop();
	jest.restoreAllMocks();
});

/** Publishes a workflow with the trigger, or starts n8n. */
async function start(flow: Flow, activation: 'activate' | 'init' = 'activate') {
	if (activation === 'init') await activate(flow, activation);
	const trigger = await startTrigger(flow, activation);
	running.push(trigger);
	return trigger;
}

let triggers = 0;
/** Publishes a workflow for the first time. Its trigger has not checked anything yet. */
async function publish(parameters = {}) {
	const node = { id: `trigger-${++triggers}` };
	const flow = await activateTrigger({ events: [], ...parameters }, { node });
	await start(flow);
	return flow;
}

let made = 0;
/** Lets N videos end. Nothing receives the events, but the service lists them. */
const emit = (count: number, data: object = {}) =>
	Array.from({ length: count }, () => {
		const video = `v${++made}`;
		service.control.emit('avatar_video.success', { video_id: video, ...data });
		return video;
	});

/** Runs the executions that a trigger has started, and returns the IDs of their videos. */
async function readVideos(flow: Flow, { emitted }: RunningTrigger) {
	const items: INodeExecutionData[] = [];
	for (const started of emitted) {
		items.push(...(await execute(flow, started, { mode: 'trigger' })).items);
	}
	return getValues(items, 'video_id');
}

const restart = async (flow: Flow) => await readVideos(flow, await start(flow, 'init'));

/** The events that the service lists, newest first. */
const listEvents = async (): Promise<IDataObject[]> =>
	(await call('GET /v3/webhooks/events?limit=100')) as unknown as IDataObject[];

/** Requests since the last call of this function. */
let seen = 0;
beforeEach(() => (seen = service.control.requests().length));
function readLines() {
	const all = service.control.requests();
	const unseen = all.slice(seen);
	seen = all.length;
	return unseen.map(({ method, path }) => `${method} ${path.replace(/\/ep_\w+/, '/{id}')}`);
}

/** Delivers the newest event of the service, signed with the secret of the endpoint. */
async function deliverNewest(flow: Flow, { secret }: Endpoint = getEndpoint()) {
	const [event] = await listEvents();
	readLines();
	return await deliver(flow, { body: JSON.stringify(event), secret });
}

describe('a delivery whose signature does not match', () => {
	test('is accepted when it is repeated after n8n has restored an older secret', async () => {
		const flow = await publish();
		const older = structuredClone(flow.staticData);
		await callHook(flow, 'delete');
		await activate(flow);
		flow.staticData = older;
		emit(1);
		const log = readLog();
		expect(await deliverNewest(flow)).toMatchObject({ status: 503 });
		expect(log).toEqual([
			expect.stringContaining('the stored signing secret was outdated'),
			expect.stringContaining('rejected a delivery'),
		]);
		expect(await deliverNewest(flow)).toMatchObject({ status: 200, items: [expect.anything()] });
		expect(readStored(flow).endpointId).toBe(getEndpoint().id);
		await callHook(flow, 'delete');
		expect(endpoints()).toEqual([]);
	});

	test('is accepted when it is repeated after the secret was rotated in the service', async () => {
		const flow = await publish();
		await call(`POST /v3/webhooks/endpoints/${getEndpoint().id}/rotate-secret`);
		emit(1);
		expect(await deliverNewest(flow)).toMatchObject({ status: 503 });
		expect(await deliverNewest(flow)).toMatchObject({ status: 200 });
	});

	test('costs one read in ten minutes if it is forged, however many arrive', async () => {
		const flow = await publish();
		const { secret } = getEndpoint();
		emit(1);
		// The trigger reads missed events for the second time.
		await passTime(61);
		readLines();
		for (let i = 0; i < 50; i++) {
			expect(await deliver(flow, { secret: 'of a stranger' })).toMatchObject({ status: 401 });
		}
		expect(readLines()).toEqual(['GET /v3/webhooks/events']);
		await passTime(601);
		await deliver(flow, { secret: 'of a stranger' });
		expect(readLines()).toEqual(['GET /v3/webhooks/events']);
		expect(getEndpoint().secret).toBe(secret);
		expect(await deliver(flow)).toMatchObject({ status: 200 });
	});

	test.each([
		['no JSON', 'rubbish'],
		['no object', '[1]'],
		['an event without an ID', JSON.stringify({ event_type: 'avatar_video.success' })],
	])('is rejected without a request if it is %s', async (_, body) => {
		const flow = await publish();
		readLines();
		expect(await deliver(flow, { body, secret: 'x' })).toMatchObject({ status: 401 });
		expect(readLines()).toEqual([]);
	});

	test('is rejected, and the reason logged, if the service cannot be asked', async () => {
		const flow = await publish();
		service.control.fail({ path: '/v3/webhooks/events', status: 403, message: 'Not yours' });
		const log = readLog();
		expect(await deliver(flow, { secret: 'x' })).toMatchObject({ status: 401 });
		expect(log[0]).toContain('could not check a rejected delivery: ');
		expect(log[0]).toContain('Not yours');
	});

	test('costs nothing while n8n listens for a test event', async () => {
		const flow = await activateTrigger({}, { test: true });
		readLines();
		expect(await deliver(flow, { secret: 'x' })).toMatchObject({ status: 401 });
		expect(readLines()).toEqual([]);
	});
});

describe('an endpoint that was changed in the service is repaired when n8n starts', () => {
	test.each<[string, (endpoint: Endpoint) => Promise<unknown> | void]>([
		['deleted', async ({ id }) => await call(`DELETE /v3/webhooks/endpoints/${id}`)],
		[
			'limited to other events',
			async ({ id }) =>
				await call(`PATCH /v3/webhooks/endpoints/${id}`, { events: ['avatar_video.fail'] }),
		],
		['disabled', ({ id }) => service.control.change('endpoints', id, { status: 'disabled' })],
	])('%s', async (_, change) => {
		const flow = await publish({ events: ['avatar_video.success'] });
		await change(getEndpoint());
		const log = readLog();
		await start(flow, 'init');
		expect(log).toEqual([expect.stringContaining('in the service, and will be repaired')]);
		expect(getEndpoint().events).toEqual(['avatar_video.success']);
		expect(readStored(flow).endpointId).toBe(getEndpoint().id);
		emit(1);
		expect(await deliverNewest(flow)).toMatchObject({ status: 200 });
	});

	test('or within about a day, with an execution that stores it', async () => {
		const flow = await publish();
		const trigger = await withVirtualTime(service, async () => {
			const started = await start(flow, 'init');
			await call(`DELETE /v3/webhooks/endpoints/${getEndpoint().id}`);
			await clock.sleep(27 * 3600 * 1000);
			return started;
		});
		expect(trigger.emitted).toEqual([[]]);
		expect(readStored(flow).endpointId).toBe(getEndpoint().id);
		emit(1);
		expect(await deliverNewest(flow)).toMatchObject({ status: 200 });
	});

	test('within about a day; if missed events cannot be read then, the log says so', async () => {
		const flow = await publish();
		const log = readLog();
		await withVirtualTime(service, async () => {
			await start(flow, 'init');
			await call(`DELETE /v3/webhooks/endpoints/${getEndpoint().id}`);
			const fault = { path: '/v3/webhooks/events', status: 403, code: 'forbidden' };
			service.control.fail(fault);
			await clock.sleep(27 * 3600 * 1000);
		});
		expect(log).toContainEqual(expect.stringContaining('could not check its endpoint'));
	});

	test('and is left alone if nothing has changed', async () => {
		const flow = await publish();
		const before = getEndpoint();
		readLines();
		await start(flow, 'init');
		expect(readLines()).toEqual(['GET /v3/webhooks/endpoints', 'GET /v3/webhooks/events']);
		expect(getEndpoint()).toEqual(before);
	});

	test('but an outage does not keep n8n from starting', async () => {
		const flow = await publish();
		service.control.fail({ status: 503 });
		const log = readLog();
		const trigger = await startTrigger(flow, 'init');
		running.push(trigger);
		expect(trigger.emitted).toEqual([]);
		expect(log.at(-1)).toContain('could not check its endpoint');
	});
});

describe('events that were not delivered', () => {
	test('are output once after n8n was away for two days', async () => {
		const flow = await publish();
		await running.pop()?.stop();
		const videos = emit(5);
		await passTime(2 * 86_400);
		const late = emit(2);
		expect(await restart(flow)).toEqual([...videos, ...late]);
		expect(await restart(flow)).toEqual([]);
	});

	test('are output once if some of them were delivered, before or afterwards', async () => {
		const flow = await publish();
		for (let i = 0; i < 3; i++) {
			emit(1);
			expect((await deliverNewest(flow)).items).toHaveLength(1);
		}
		const missed = emit(2);
		// The process that received the first ones has ended.
		const type = loadInNewProcess('VideoGenTrigger');
		const trigger = await startTrigger(flow, 'init', type);
		running.push(trigger);
		expect(trigger.emitted[0]).toHaveLength(5);
		expect(await readVideos(flow, trigger)).toEqual(missed);
		expect((await deliverNewest(flow)).items).toEqual([]);
	});

	test('are output once although the service lists them for two endpoints', async () => {
		const flow = await publish();
		await call('POST /v3/webhooks/endpoints', { url: 'https://other.example/events' });
		const videos = emit(3);
		expect(await listEvents()).toHaveLength(6);
		expect(await restart(flow)).toEqual(videos);
		// The delivery to this endpoint is repeated later.
		expect((await deliverNewest(flow, endpoints()[0] as Endpoint)).items).toEqual([]);
	});

	test('are output when the workflow is published again', async () => {
		const flow = await publish();
		await call('POST /v3/webhooks/endpoints', { url: 'https://other.example/events' });
		await callHook(flow, 'delete');
		const videos = emit(3);
		await activate(flow);
		expect(await readVideos(flow, await start(flow))).toEqual(videos);
	});

	test('start no execution if this process has received them', async () => {
		const flow = await publish();
		emit(1);
		expect((await deliverNewest(flow)).items).toHaveLength(1);
		expect((await start(flow, 'init')).emitted).toEqual([]);
	});

	test('are ignored if they are older than the first publishing', async () => {
		await call('POST /v3/webhooks/endpoints', { url: 'https://other.example/events' });
		emit(20);
		const flow = await publish();
		expect(await restart(flow)).toEqual([]);
		const videos = emit(2);
		expect(await restart(flow)).toEqual(videos);
	});

	test('are ignored if they are of an account that was chosen since', async () => {
		const flow = await publish();
		const me = { data: { username: 'other' } };
		otherService.control.fail({ path: '/v3/users/me', status: 200, body: me });
		await callOther('POST /v3/webhooks/endpoints', { url: 'https://other.example' });
		otherService.control.emit('avatar_video.success', { video_id: 'of the other account' });
		await callHook(flow, 'delete');
		flow.service = otherService;
		await activate(flow);
		expect(await readVideos(flow, await start(flow))).toEqual([]);
	});

	test('are ignored if they are not selected, or if the option says so', async () => {
		const flow = await publish({ events: ['avatar_video.fail'] });
		emit(2);
		expect(await restart(flow)).toEqual([]);
		const skipping = await publish({ options: { skipMissedEvents: true } });
		emit(2);
		expect(await restart(skipping)).toEqual([]);
		skipping.parameters = { events: [] };
		expect(await restart(skipping)).toEqual([]);
	});

	test('are compared with those that were received: at most 5,000, and the log says so', async () => {
		const flow = await publish();
		const videos = emit(5_120);
		const log = readLog();
		const found = await restart(flow);
		expect(found).toEqual(videos.slice(-5_000));
		expect(log).toEqual([expect.stringContaining('lists more than 5000 events')]);
	});

	test('are output although n8n was killed before it stored their execution', async () => {
		const flow = await publish();
		const videos = emit(3);
		/** Starts n8n in a new process. */
		const startProcess = async () => {
			const trigger = await startTrigger(flow, 'init', loadInNewProcess('VideoGenTrigger'));
			running.push(trigger);
			return trigger;
		};
		expect((await startProcess()).emitted[0]).toHaveLength(3);
		expect(await readVideos(flow, await startProcess())).toEqual(videos);
		// That execution may have been lost, too.
		const third = await startProcess();
		expect(third.emitted[0]).toHaveLength(3);
		expect(await readVideos(flow, third)).toEqual([]);
		expect((await startProcess()).emitted).toEqual([]);
	});

	test('are output if they were listed while n8n published the workflow', async () => {
		const flow = await publish();
		const [trigger] = running as [RunningTrigger];
		const videos = emit(3);
		await passTime(61);
		expect(await readVideos(flow, trigger)).toEqual(videos);
	});

	test('are output although later ones were received, and the store has dropped earlier keys', async () => {
		const flow = await publish();
		const others = Array.from({ length: 2_000 }, (_, i) => `other ${i}`);
		const missed = emit(2);
		emit(1);
		await deliverNewest(flow);
		const [place = '', keys = []] = [...recorded][0] ?? [];
		recorded.set(place, [...others, ...keys].slice(-2_000));
		const trigger = await startTrigger(flow, 'init', loadInNewProcess('VideoGenTrigger'));
		running.push(trigger);
		expect(trigger.emitted[0]).toHaveLength(3);
		expect(await readVideos(flow, trigger)).toEqual(missed);
	});

	test('are told apart from received ones that the store has dropped since', async () => {
		const flow = await publish();
		emit(1_200);
		expect(await readVideos(flow, await start(flow, 'init'))).toHaveLength(1_200);
		const [place = '', keys = []] = [...recorded][0] ?? [];
		const others = Array.from({ length: 1_000 }, (_, i) => `other ${i}`);
		recorded.set(place, [...others, ...keys.slice(-1_000)]);
		const missed = emit(2);
		const trigger = await startTrigger(flow, 'init', loadInNewProcess('VideoGenTrigger'));
		running.push(trigger);
		expect(trigger.emitted[0]).toHaveLength(1_202);
		expect(await readVideos(flow, trigger)).toEqual(missed);
	});

	test('are output once if their execution fails and n8n repeats it', async () => {
		const flow = await publish({ options: { fetchVideo: true } });
		const emitVideo = (video: string) =>
			service.control.emit('avatar_video.success', { video_id: video });
		emitVideo('video_001');
		expect((await deliverNewest(flow)).items).toHaveLength(1);
		const missed = ['video_002', 'video_003'];
		missed.forEach(emitVideo);
		const trigger = await startTrigger(flow, 'init', loadInNewProcess('VideoGenTrigger'));
		running.push(trigger);
		service.control.fail({ path: '/v3/videos/video_003', status: 403, times: 1 });
		flow.node = { ...flow.node, retryOnFail: true };
		expect(await readVideos(flow, trigger)).toEqual(missed);
	});
});

describe('times in the list of events', () => {
	/** Lets videos end at a time that differs from n8n's clock. */
	const emitAt = async (count: number, time: number) => {
		const videos = emit(count);
		for (const { event_id: id } of (await listEvents()).slice(0, count)) {
			service.control.change('events', String(id), { created: time });
		}
		return videos;
	};

	test.each([
		['equal', 0],
		["10 minutes ahead of n8n's clock", 600],
		["10 minutes behind n8n's clock", -600],
	])('may be %s: each event is output once', async (_, offset) => {
		const flow = await publish();
		const time = service.control.clock.now() + offset;
		for (const count of [3, 2, 1]) {
			const videos = await emitAt(count, time);
			expect((await restart(flow)).sort()).toEqual(videos);
		}
		expect(await restart(flow)).toEqual([]);
	});
});

test('two n8n with one URL take the endpoint from each other, and the one that is reached keeps it', async () => {
	const flow = await publish();
	const copy: Flow = { ...flow, staticData: {}, node: { ...flow.node, id: 'copy' } };
	await activate(copy);
	expect(endpoints()).toHaveLength(1);
	emit(1);
	expect(await deliverNewest(flow)).toMatchObject({ status: 503 });
	expect(await deliverNewest(flow)).toMatchObject({ status: 200, items: [expect.anything()] });
	// The other one is not reached, so it takes nothing back when it starts.
	await activate(copy, 'init');
	emit(1);
	expect(await deliverNewest(flow)).toMatchObject({ status: 200 });
});

test('an outage while n8n starts loses no event', async () => {
	const flow = await publish();
	const videos = emit(2);
	service.control.fail({ status: 503 });
	expect(await restart(flow).catch(() => [])).toEqual([]);
	service.control.clearFaults();
	videos.push(...emit(1));
	expect(await restart(flow)).toEqual(videos);
});

test('two triggers in one workflow repair and catch up on their own', async () => {
	const one = await publish();
	const two: Flow = {
		...one,
		node: { ...one.node, id: 'second', name: 'Second', webhookId: 'hook2' },
	};
	await activate(two);
	await start(two);
	one.staticData = two.staticData;
	const videos = emit(2);
	for (const flow of [one, two]) {
		expect(await restart(flow)).toEqual(videos);
		one.staticData = flow.staticData;
		two.staticData = flow.staticData;
	}
});
