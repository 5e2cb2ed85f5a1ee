/**
 * The trigger on n8n's own contexts, against the service: how its endpoint is registered, adopted,
 * repaired and removed, and which deliveries start a run.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import { request } from 'undici';
import { startSimulator, type Simulator } from '../../../simulator';
import { activate, choices, hook, take, type Flow, type Taken } from '../support/contexts';
import { contentOf } from '../support/engine';

const origin = 'https://flows.example';
const url = `${origin}/webhook/hook/webhook`;

let service: Simulator;
/** Where the service's own deliveries go: to this flow. */
let receiving: Flow | undefined;
let received: Taken[] = [];

const receiver = createServer((incoming, outgoing) => {
	const pieces: Buffer[] = [];
	incoming.on('data', (piece: Buffer) => pieces.push(piece));
	incoming.on('end', async () => {
		const { headers } = incoming;
		if (!receiving) return outgoing.writeHead(404).end();
		const taken = await take(receiving, { headers, rawBody: Buffer.concat(pieces) });
		received.push(taken);
		outgoing.writeHead(taken.status ?? 500).end(taken.said);
	});
});

beforeAll(async () => {
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	const { port } = receiver.address() as AddressInfo;
	service = await startSimulator({
		jobSeconds: 0,
		pageSize: 2,
		// A delivery comes again when a test says so, not while it prepares for that.
		retrySeconds: 100,
		tunnels: { [origin]: `http://127.0.0.1:${port}` },
	});
});
afterAll(async () => {
	await service.close();
	receiver.closeAllConnections();
	await new Promise((resolve) => receiver.close(resolve));
});
beforeEach(() => {
	service.control.reset();
	receiving = undefined;
	received = [];
});
afterEach(() => jest.restoreAllMocks());

const flowOf = (parameters: INodeParameters = {}, more: Partial<Flow> = {}): Flow => ({
	service,
	parameters,
	staticData: {},
	...more,
});

/** A flow that is switched on. */
async function active(parameters: INodeParameters = {}, more: Partial<Flow> = {}): Promise<Flow> {
	const flow = flowOf(parameters, more);
	await activate(flow);
	return flow;
}

interface Endpoint {
	id: string;
	url: string;
	events: string[] | null;
	entityId: string | null;
	secret: string;
}

const endpoints = () => service.control.endpoints() as Endpoint[];
const only = () => {
	expect(endpoints()).toHaveLength(1);
	return endpoints()[0] as Endpoint;
};

/** What the node keeps of its endpoint. */
const kept = (flow: Flow) =>
	Object.values((flow.staticData['node:Node'] ?? {}) as Record<string, IDataObject>)[0] ?? {};

/** The calls to the endpoints of the service, since the last look. */
let looked = 0;
beforeEach(() => (looked = 0));
function calls() {
	const all = service.control.requests({ path: /^\/v3\/webhooks\/endpoints/ });
	const news = all.slice(looked);
	looked = all.length;
	return news.map(({ method, path, body, headers, status }) => ({
		line: `${method} ${path.replace('/v3/webhooks/endpoints', '') || '/'}`,
		body,
		key: headers['idempotency-key'],
		status,
	}));
}
const lines = () => calls().map(({ line }) => line);

/** The service itself, without our code. */
async function call(line: string, body?: object): Promise<IDataObject> {
	const [method = 'GET', path = ''] = line.split(' ');
	const reply = await request(service.baseUrl + path, {
		method: method as 'GET',
		headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const answer = (await reply.body.json()) as IDataObject;
	if (reply.statusCode >= 300) throw new Error(JSON.stringify(answer));
	return answer.data as IDataObject;
}

/** An endpoint that someone else has registered for the address of the trigger. */
const registered = async (more: object = {}) =>
	await call('POST /v3/webhooks/endpoints', { url, ...more });

/** The list of the service with the endpoint in another state. */
function showAs(change: object) {
	const { id, events } = only();
	service.control.fail({
		method: 'GET',
		path: '/v3/webhooks/endpoints',
		status: 200,
		body: {
			data: [{ endpoint_id: id, url, events, status: 'enabled', secret: null, ...change }],
			has_more: false,
			next_token: null,
		},
	});
}

interface Failure extends Error {
	description?: string;
	httpCode?: string;
}
const failureOf = async (act: Promise<unknown>): Promise<Failure> => {
	const outcome = await act.then(
		() => undefined,
		(error: Failure) => error,
	);
	if (!outcome) throw new Error('It did not fail');
	return outcome;
};

const wanted = ['avatar_video.success', 'avatar_video.fail'];

describe('switching on', () => {
	test('registers the address with the chosen events and the entity', async () => {
		const flow = await active({ events: wanted, options: { entity_id: ' project-1 ' } });
		expect(calls()).toMatchObject([
			{ line: 'POST /', body: { url, events: wanted, entity_id: 'project-1' } },
		]);
		expect(only()).toMatchObject({ url, events: wanted, entityId: 'project-1' });
		expect(kept(flow)).toEqual({
			endpointId: only().id,
			secret: only().secret,
			url,
			entityId: 'project-1',
		});
	});

	test('with nothing chosen, leaves the events out: all of them', async () => {
		await active();
		expect(calls()).toMatchObject([{ line: 'POST /', body: { url } }]);
		expect(service.control.requests()[0]?.body).toEqual({ url });
		expect(only()).toMatchObject({ events: null, entityId: null });
	});

	test.each<[string, string | null, string[] | null]>([
		['names with commas', 'avatar_video.success, avatar_video.fail', wanted],
		['one name', 'avatar_video.success', ['avatar_video.success']],
		['nothing', null, null],
		['an empty text', '', null],
	])('an expression may give %s', async (_, events, registered) => {
		const flow = await active({ events });
		expect(only().events).toEqual(registered);
		expect((await deliver(flow)).items).toHaveLength(1);
		const other = JSON.stringify(eventOf({ event_type: 'avatar' }));
		expect((await deliver(flow, { body: other })).items ?? []).toHaveLength(registered ? 0 : 1);
	});

	test('keeps the secret in the static data, and sends or shows it nowhere', async () => {
		const flow = await active({}, { parameters: { events: wanted } });
		const { secret } = only();
		expect(JSON.stringify(flow.staticData).split(secret)).toHaveLength(2);
		expect(JSON.stringify(flow.parameters)).not.toContain(secret);
		const { items, said } = await deliver(flow);
		expect(items).toHaveLength(1);
		expect(JSON.stringify([items, said])).not.toContain(secret);
		await hook(flow, 'checkExists');
		await hook(flow, 'delete');
		expect(JSON.stringify(service.control.requests())).not.toContain(secret);
		expect(JSON.stringify(flow.staticData)).not.toContain(secret);
	});

	test('an address without https is refused before anything is sent', async () => {
		const flow = flowOf({}, { origin: 'http://localhost:5678' });
		const error = await failureOf(activate(flow));
		expect(error.message).toContain('begin with https://');
		expect(error.description).toContain('http://localhost:5678/webhook/hook/webhook');
		expect(error.description).toContain('WEBHOOK_URL');
		expect(service.control.requests()).toEqual([]);
		expect(kept(flow)).toEqual({});
	});

	test('a refusal of the service is told, and nothing is kept', async () => {
		service.control.fail({ method: 'POST', status: 403, code: 'resource_limit_reached' });
		const flow = flowOf();
		const error = await failureOf(activate(flow));
		expect(error.message).toContain('The account has as many of these as it may have');
		expect(error.httpCode).toBe('403');
		expect(kept(flow)).toEqual({});
	});

	test('repeats a try that failed with the same key, and registers once', async () => {
		service.control.fail({ method: 'POST', status: 503, times: 1 });
		const flow = await active();
		const [failed, done, ...rest] = calls();
		expect([failed?.status, done?.status, rest]).toEqual([503, 200, []]);
		expect(failed?.key).toMatch(/^[\w:.-]{1,255}$/);
		expect(done?.key).toBe(failed?.key);
		expect(kept(flow).endpointId).toBe(only().id);
	});

	test('a lost answer registers no second endpoint', async () => {
		service.control.fail({ method: 'POST', cut: 'after', times: 1 });
		const flow = await active();
		const [lost, done, ...rest] = calls();
		expect(rest).toEqual([]);
		expect(done?.key).toBe(lost?.key);
		expect(kept(flow)).toMatchObject({ endpointId: only().id, secret: only().secret });
	});

	test('a replay that comes without the secret gets a new one', async () => {
		const { endpoint_id: endpointId } = await registered();
		service.control.fail({
			method: 'POST',
			path: '/v3/webhooks/endpoints',
			status: 200,
			body: { data: { endpoint_id: endpointId, url, secret: null } },
		});
		const flow = await active();
		expect(kept(flow)).toMatchObject({ endpointId, secret: only().secret });
		expect((await deliver(flow)).items).toHaveLength(1);
	});

	test('every activation has a key of its own', async () => {
		const flow = await active();
		const first = only().id;
		await hook(flow, 'delete');
		await activate(flow);
		const keys = calls()
			.filter(({ line }) => line === 'POST /')
			.map(({ key }) => key);
		expect(keys).toHaveLength(2);
		expect(new Set(keys).size).toBe(2);
		expect(only().id).not.toBe(first);
		expect(kept(flow)).toMatchObject({ endpointId: only().id, secret: only().secret });
	});
});

describe('an address that is registered already', () => {
	test.each([
		['the chosen events', wanted, wanted],
		['all events', [], null],
	])('is adopted, with %s and a new secret', async (_, chosen, events) => {
		const { endpoint_id: id, secret: old } = await registered({ events: ['batch.finished'] });
		calls();
		const flow = await active({ events: chosen });
		expect(calls()).toMatchObject([
			{ line: 'POST /', status: 409 },
			{ line: 'GET /' },
			{ line: `PATCH /${String(id)}`, body: { events } },
			{ line: `POST /${String(id)}/rotate-secret`, key: expect.stringMatching(/^n8n-/) },
		]);
		expect(only()).toMatchObject({ id, events });
		expect(only().secret).not.toBe(old);
		expect(kept(flow)).toEqual({ endpointId: id, secret: only().secret, url });

		expect(await deliver(flow, { secret: String(old) })).toMatchObject({ status: 401 });
		expect(await deliver(flow, { secret: only().secret })).toMatchObject({
			status: 200,
			items: [{ json: { event_type: 'avatar_video.success' } }],
		});
	});

	test('is found on any page of the list', async () => {
		const { endpoint_id: id } = await registered();
		for (let i = 0; i < 5; i++) {
			await call('POST /v3/webhooks/endpoints', { url: `${origin}/other/${i}` });
		}
		const flow = await active();
		expect(kept(flow).endpointId).toBe(id);
		expect(await hook(flow, 'checkExists')).toBe(true);
		expect(endpoints()).toHaveLength(6);
	});

	test('is deleted and made anew when an entity is wanted that it has not', async () => {
		const { endpoint_id: id } = await registered({ entity_id: 'project-2' });
		calls();
		const flow = await active({ events: wanted, options: { entity_id: 'project-1' } });
		expect(lines()).toEqual(['POST /', 'GET /', `DELETE /${String(id)}`, 'POST /']);
		expect(only()).toMatchObject({ events: wanted, entityId: 'project-1' });
		expect(only().id).not.toBe(id);
		expect(kept(flow)).toMatchObject({ endpointId: only().id, entityId: 'project-1' });
	});

	// Neither the list nor an update tells the entity: an adopted endpoint would go on to deliver
	// the events of that one resource only.
	test('is deleted and made anew when it still has an entity that is not wanted', async () => {
		const flow = await active({ options: { entity_id: 'project-1' } });
		const { id } = only();
		flow.parameters = {};
		await activate(flow);
		expect(only()).toMatchObject({ entityId: null });
		expect(only().id).not.toBe(id);
		expect(kept(flow)).toMatchObject({ endpointId: only().id, secret: only().secret });
		expect(kept(flow).entityId).toBeUndefined();
	});

	test('is deleted and made anew when it is disabled', async () => {
		const { endpoint_id: id } = await registered();
		showAs({ status: 'disabled' });
		calls();
		const flow = await active();
		expect(lines()).toEqual(['POST /', 'GET /', `DELETE /${String(id)}`, 'POST /']);
		expect(kept(flow).endpointId).toBe(only().id);
		expect(only().id).not.toBe(id);
	});

	test('but is not in the list of this account: the conflict is told', async () => {
		service.control.fail({ method: 'POST', status: 409, code: 'conflict' });
		const flow = flowOf();
		const error = await failureOf(activate(flow));
		expect(error.message).toContain('in conflict with something that exists already');
		expect(error.httpCode).toBe('409');
		expect(kept(flow)).toEqual({});
	});

	test('is not kept when it cannot be given a new secret', async () => {
		await registered();
		service.control.fail({ path: /rotate-secret$/, status: 403 });
		const flow = flowOf();
		expect((await failureOf(activate(flow))).httpCode).toBe('403');
		expect(kept(flow)).toEqual({});
		service.control.clearFaults();
		await activate(flow);
		expect(kept(flow)).toMatchObject({ endpointId: only().id, secret: only().secret });
	});
});

describe('checking', () => {
	test('a trigger that was never on asks nothing', async () => {
		expect(await hook(flowOf(), 'checkExists')).toBe(false);
		expect(service.control.requests()).toEqual([]);
	});

	test.each([
		['all events', []],
		['chosen events', wanted],
		['chosen events in another order', [...wanted].reverse()],
	])('finds its endpoint with %s, and leaves it alone', async (_, events) => {
		const flow = await active({ events: wanted.filter((one) => events.includes(one)) });
		flow.parameters = { events };
		calls();
		expect(await hook(flow, 'checkExists')).toBe(true);
		expect(lines()).toEqual(['GET /']);
	});

	test('misses an endpoint that was deleted at the service, and registers anew', async () => {
		const flow = await active();
		const { id } = only();
		await call(`DELETE /v3/webhooks/endpoints/${id}`);
		expect(await hook(flow, 'checkExists')).toBe(false);
		await activate(flow);
		expect(only().id).not.toBe(id);
		expect(kept(flow)).toMatchObject({ endpointId: only().id, secret: only().secret });
	});

	test('misses an endpoint that someone has made anew: its secret is another one', async () => {
		const flow = await active();
		await call(`DELETE /v3/webhooks/endpoints/${only().id}`);
		await registered();
		expect(await hook(flow, 'checkExists')).toBe(false);
		await activate(flow);
		expect(kept(flow)).toMatchObject({ endpointId: only().id, secret: only().secret });
	});

	test.each([
		['fewer', wanted, ['avatar_video.fail']],
		['others', wanted, ['batch.finished', 'personalized_video']],
		['all', wanted, null],
		['some instead of all', [], ['batch.finished']],
	])('puts the events right where the endpoint has %s', async (_, chosen, drifted) => {
		const flow = await active({ events: chosen });
		const { id, secret } = only();
		await call(`PATCH /v3/webhooks/endpoints/${id}`, { events: drifted });
		calls();
		expect(await hook(flow, 'checkExists')).toBe(true);
		const events = chosen.length > 0 ? chosen : null;
		expect(calls()).toMatchObject([{ line: 'GET /' }, { line: `PATCH /${id}`, body: { events } }]);
		expect(only()).toMatchObject({ id, secret, events });
	});

	test('misses a disabled endpoint', async () => {
		const flow = await active();
		showAs({ status: 'disabled' });
		expect(await hook(flow, 'checkExists')).toBe(false);
	});

	test('an endpoint whose status is not told counts as enabled', async () => {
		const flow = await active();
		showAs({ status: undefined });
		expect(await hook(flow, 'checkExists')).toBe(true);
	});

	test.each<[string, Partial<Flow>]>([
		['another entity is wanted', { parameters: { options: { entity_id: 'project-2' } } }],
		['no entity is wanted any more', { parameters: {} }],
		['this n8n has moved', { origin: 'https://moved.example' }],
	])('misses its endpoint when %s', async (_, change) => {
		const flow = await active({ options: { entity_id: 'project-1' } });
		expect(await hook({ ...flow, ...change }, 'checkExists')).toBe(false);
	});

	test('a service that refuses is no missing endpoint', async () => {
		const flow = await active();
		const before = structuredClone(flow.staticData);
		service.control.fail({ method: 'GET', status: 401 });
		const error = await failureOf(hook(flow, 'checkExists'));
		expect(error.message).toContain('The service does not accept the credential');
		expect(flow.staticData).toEqual(before);
	});
});

describe('switching off', () => {
	test('deletes the endpoint and forgets it', async () => {
		const flow = await active();
		const { id } = only();
		calls();
		expect(await hook(flow, 'delete')).toBe(true);
		expect(lines()).toEqual([`DELETE /${id}`]);
		expect(endpoints()).toEqual([]);
		expect(kept(flow)).toEqual({});
	});

	test('deletes nothing where nothing is registered', async () => {
		expect(await hook(flowOf(), 'delete')).toBe(true);
		expect(service.control.requests()).toEqual([]);
	});

	test('an endpoint that is gone already is as good', async () => {
		const flow = await active();
		await call(`DELETE /v3/webhooks/endpoints/${only().id}`);
		expect(await hook(flow, 'delete')).toBe(true);
		expect(kept(flow)).toEqual({});
	});

	test('a lost answer is asked for again', async () => {
		const flow = await active();
		service.control.fail({ method: 'DELETE', cut: 'after', times: 1 });
		expect(await hook(flow, 'delete')).toBe(true);
		expect(endpoints()).toEqual([]);
		expect(kept(flow)).toEqual({});
	});

	test('a refusal is told, and the endpoint is not forgotten', async () => {
		const flow = await active();
		const before = structuredClone(flow.staticData);
		service.control.fail({ method: 'DELETE', status: 403, message: 'Not yours' });
		const error = await failureOf(hook(flow, 'delete'));
		expect(error.message).toContain('Not yours');
		expect(error.httpCode).toBe('403');
		expect(flow.staticData).toEqual(before);
		service.control.clearFaults();
		await hook(flow, 'delete');
		expect(endpoints()).toEqual([]);
	});

	test('deliveries are refused from then on', async () => {
		const flow = await active();
		const { secret } = only();
		await hook(flow, 'delete');
		const { status, said, items } = await deliver(flow, { secret });
		expect(status).toBe(401);
		expect(said).toContain('No endpoint is registered');
		expect(items).toBeUndefined();
	});
});

const hmac = (secret: string, body: Buffer | string) =>
	createHmac('sha256', secret).update(body).digest('hex');

const eventOf = (more: IDataObject = {}): IDataObject => ({
	event_id: randomUUID(),
	event_type: 'avatar_video.success',
	event_data: { video_id: 'video_001', callback_id: 'row-7' },
	created_at: '2026-03-01T12:00:00.000Z',
	...more,
});

interface Sent {
	/** What is signed; the text of a new event when nothing is said. */
	body?: Buffer | string;
	/** What arrives, where that is another thing. */
	arrives?: Buffer | string;
	secret?: string;
	prefix?: string;
	eventId?: string;
	/** Seconds added to the timestamp. */
	late?: number;
	headers?: Record<string, string | string[] | undefined>;
}

/** A delivery as the service makes it, signed here. */
function deliveryOf(flow: Flow, sent: Sent = {}) {
	const body = sent.body ?? JSON.stringify(eventOf());
	const prefix = (sent.prefix ?? 'Service').toLowerCase();
	const headers = {
		'content-type': 'application/json',
		[`${prefix}-signature`]: hmac(sent.secret ?? String(kept(flow).secret), body),
		[`${prefix}-timestamp`]: String(Math.floor(Date.now() / 1000) + (sent.late ?? 0)),
		[`${prefix}-event-id`]: sent.eventId ?? randomUUID(),
		...sent.headers,
	};
	return { headers, rawBody: Buffer.from(sent.arrives ?? body) };
}

const deliver = async (flow: Flow, sent: Sent = {}): Promise<Taken> =>
	await take(flow, deliveryOf(flow, sent));

/** A trigger of another process: nothing is in its memory yet. */
async function anotherProcess() {
	let type: INodeType | undefined;
	await jest.isolateModulesAsync(async () => {
		const module = await import('../../../nodes/VideoGenTrigger/VideoGenTrigger.node');
		type = new module.VideoGenTrigger();
	});
	return type;
}

describe('a delivery of the service', () => {
	const speaking = {
		type: 'avatar',
		avatar_id: 'look_001_1',
		script: 'Good morning to everybody.',
	};

	test('starts a run for a video that is done, and only once', async () => {
		receiving = await active({ events: wanted });
		const made = await call('POST /v3/videos', {
			...speaking,
			title: 'Grüße',
			callback_id: 'row-7',
		});
		await call('GET /v3/users/me');
		await service.control.idle();
		expect(service.control.deliveries()).toMatchObject([{ status: 200, attempt: 1 }]);
		const [delivery] = service.control.deliveries();
		expect(received).toEqual([
			{
				status: 200,
				said: 'Received.',
				items: [
					{
						json: {
							event_id: delivery?.event_id,
							event_type: 'avatar_video.success',
							created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
							video_id: made.video_id,
							url: expect.stringContaining('http'),
							gif_download_url: expect.stringContaining('http'),
							video_page_url: expect.stringContaining('http'),
							video_share_page_url: expect.stringContaining('http'),
							folder_id: null,
							callback_id: 'row-7',
						},
					},
				],
			},
		]);
		expect(await take(receiving, resent())).toEqual({ status: 200, said: 'Seen before.' });
	});

	/** The last delivery, as the service would send it again. */
	function resent() {
		const { headers, body } = service.control.deliveries().at(-1) ?? { headers: {}, body: '' };
		const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
		return {
			headers: Object.fromEntries(lower) as Record<string, string>,
			rawBody: Buffer.from(body),
		};
	}

	test('is refused by what it is, and taken when it comes right', async () => {
		receiving = await active();
		const { secret } = only();
		const event = eventOf();
		const statuses = [];
		for (const change of [
			{ tamper: true },
			{ omit: ['signature' as const] },
			{ timestampOffset: -310 },
			{ prefix: 'Acme' },
			{ secret: 'whsec_other' },
			{},
		]) {
			const { status } = await service.control.deliver({ url, secret, event, ...change });
			statuses.push(status);
		}
		expect(statuses).toEqual([401, 401, 401, 401, 401, 200]);
		expect(received.filter(({ items }) => items)).toHaveLength(1);
	});

	test('that was refused comes again, and is taken once the secret is right', async () => {
		receiving = await active();
		// The old secret is kept while the service has a new one.
		await call(`POST /v3/webhooks/endpoints/${only().id}/rotate-secret`);
		await call('POST /v3/videos', speaking);
		await call('GET /v3/users/me');
		await service.control.idle();
		expect(received).toMatchObject([{ status: 401 }]);
		receiving.staticData = {};
		await activate(receiving);
		service.control.clock.advance(101);
		await service.control.idle();
		expect(received).toMatchObject([{ status: 401 }, { status: 200, items: [{}] }]);
	});
});

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
		jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
		expect(await deliver(flow, { late: -300 })).toMatchObject({ status: 200, items: [{}] });
		expect(await deliver(flow, { late: 300 })).toMatchObject({ status: 200, items: [{}] });
	});
});

describe('a delivery is refused with', () => {
	const body = JSON.stringify(eventOf());
	const without = (name: string): Sent => ({ headers: { [`service-${name}`]: undefined } });

	test.each<[string, Sent, string]>([
		['a body that was tampered with', { arrives: `${body} `, body }, 'does not match'],
		['another secret', { secret: 'whsec_other' }, 'does not match'],
		['no signature', without('signature'), 'signature header is missing'],
		['no timestamp', without('timestamp'), 'timestamp header is missing'],
		['no event id', without('event-id'), 'event ID header is missing'],
		['an empty signature', { headers: { 'service-signature': '' } }, 'signature header is missing'],
		['a timestamp of 301 seconds ago', { late: -301 }, 'more than 5 minutes away'],
		['a timestamp 301 seconds ahead', { late: 301 }, 'more than 5 minutes away'],
		['the headers of another prefix', { prefix: 'Acme' }, 'signature header is missing'],
	])('%s', async (_, sent, why) => {
		const flow = await active();
		const before = structuredClone(flow.staticData);
		jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
		const taken = await deliver(flow, sent);
		expect(taken).toEqual({ status: 401, said: expect.stringContaining(why) });
		// It is not remembered either: the true one may still come.
		expect(flow.staticData).toEqual(before);
	});

	// n8n starts a failed run for everything that a webhook throws.
	test('a form with files, whose bytes n8n leaves unread', async () => {
		const flow = await active();
		const { headers } = deliveryOf(flow, {
			headers: { 'content-type': 'multipart/form-data; boundary=x' },
		});
		const taken = await take(flow, { headers });
		expect(taken.status).toBe(401);
		expect(taken.items).toBeUndefined();
	});

	test.each(['{"event_type":', '', 'null', '7', '"text"', '[]'])(
		'status 400 where it is signed but no JSON object: %p',
		async (text) => {
			const flow = await active();
			const taken = await deliver(flow, { body: text });
			expect(taken).toEqual({ status: 400, said: expect.stringContaining('JSON') });
		},
	);
});

describe('a delivery that comes again', () => {
	test.each<[string, (first: Sent) => Sent]>([
		['as it was', (first) => first],
		['under another event id, which is not signed', (first) => ({ ...first, eventId: 'other' })],
		['with a newer timestamp, which is not signed', (first) => ({ ...first, late: 60 })],
		['with other bytes under its event id', ({ eventId }) => ({ eventId })],
	])('%s starts no second run, in this process or another', async (_, again) => {
		const flow = await active();
		const first = { body: JSON.stringify(eventOf()), eventId: randomUUID() };
		expect(await deliver(flow, first)).toMatchObject({ status: 200, items: [{}] });
		expect(await deliver(flow, again(first))).toEqual({ status: 200, said: 'Seen before.' });

		// The memory of the process is gone: the static data remembers.
		const type = await anotherProcess();
		const delivery = deliveryOf(flow, again(first));
		expect(await take(flow, delivery, { type })).toEqual({ status: 200, said: 'Seen before.' });
		expect(await take(flow, deliveryOf(flow), { type })).toMatchObject({ items: [{}] });
	});

	test('at the same time starts no second run: n8n stores static data only later', async () => {
		const flow = await active();
		const delivery = deliveryOf(flow);
		const [one, two, three] = await Promise.all(
			[1, 2, 3].map(async () => await take({ ...flow }, delivery)),
		);
		expect([one, two, three].filter((taken) => taken?.items)).toHaveLength(1);
		expect([one, two, three].map((taken) => taken?.status)).toEqual([200, 200, 200]);
		// Nor with static data from before it came.
		expect((await take({ ...flow }, delivery)).items).toBeUndefined();
	});

	test('after the trigger was switched off and on is known still', async () => {
		const flow = await active();
		const body = JSON.stringify(eventOf());
		expect((await deliver(flow, { body })).items).toHaveLength(1);
		await hook(flow, 'delete');
		await activate(flow);
		expect(await deliver(flow, { body })).toEqual({ status: 200, said: 'Seen before.' });
	});

	test('a refused delivery is not held against the true one', async () => {
		const flow = await active();
		const sent = { body: JSON.stringify(eventOf()), eventId: randomUUID() };
		expect(await deliver(flow, { ...sent, secret: 'whsec_other' })).toMatchObject({ status: 401 });
		expect((await deliver(flow, sent)).items).toHaveLength(1);
	});

	test('is known as long as the service may send it, in a memory that does not grow', async () => {
		const flow = await active({}, { origin: 'https://busy.example' });
		const clock = jest.spyOn(Date, 'now').mockReturnValue(1_900_000_000_000);
		const later = (hours: number) => clock.mockReturnValue(1_900_000_000_000 + hours * 3_600_000);
		await deliver(flow);
		const memory = kept(flow) as { seen: Array<[string, number]> };
		for (let i = memory.seen.length; i < 2000; i++) memory.seen.push([`mark ${i}`, 1_900_000_000]);

		later(1);
		const newest = { body: JSON.stringify(eventOf()) };
		await deliver(flow, newest);
		expect(kept(flow).seen).toHaveLength(2000);
		expect(JSON.stringify(flow.staticData).length).toBeLessThan(80_000);
		later(24);
		expect((await deliver(flow, newest)).items).toBeUndefined();
		later(26);
		expect((await deliver(flow)).items).toHaveLength(1);
		expect((kept(flow).seen as unknown[]).length).toBeLessThan(10);
	});
});

describe('an event that is not wanted', () => {
	test('is answered with 200 and starts nothing', async () => {
		const flow = await active({ events: ['avatar_video.fail'] });
		expect(await deliver(flow)).toEqual({ status: 200, said: expect.any(String) });
		const fail = JSON.stringify(eventOf({ event_type: 'avatar_video.fail' }));
		expect((await deliver(flow, { body: fail })).items).toHaveLength(1);
	});

	test('is still signed, or refused', async () => {
		const flow = await active({ events: ['avatar_video.fail'] });
		expect(await deliver(flow, { secret: 'whsec_other' })).toMatchObject({ status: 401 });
	});
});

describe('listening for a test event', () => {
	test('registers the test address, and takes its deliveries', async () => {
		const flow = await active({ events: wanted }, { test: true });
		expect(only().url).toBe(`${origin}/webhook-test/hook/webhook`);
		expect(kept(flow)).toMatchObject({ endpointId: only().id, secret: only().secret });
		expect(await deliver(flow)).toMatchObject({
			status: 200,
			items: [{ json: { event_type: 'avatar_video.success' } }],
		});
		await hook(flow, 'delete');
		expect(endpoints()).toEqual([]);
	});

	test('has a memory of its own: what the published workflow took comes here too', async () => {
		const flow = await active();
		const listening = await active({}, { test: true });
		const body = JSON.stringify({ event_type: 'batch.finished', event_data: { batch_id: 'b7' } });
		expect((await deliver(flow, { body })).items).toHaveLength(1);
		expect((await deliver(listening, { body })).items).toHaveLength(1);
		expect((await deliver(listening, { body })).items).toBeUndefined();
	});

	test('leaves the endpoint of the published workflow alone', async () => {
		const flow = await active();
		const { id, secret } = only();
		const listening = await active({}, { test: true });
		expect(endpoints()).toHaveLength(2);
		expect(await deliver(listening, { secret })).toMatchObject({ status: 401 });
		await hook(listening, 'delete');
		expect(only()).toMatchObject({ id, secret });
		expect((await deliver(flow)).items).toHaveLength(1);
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

test('the list of events is that of the service', async () => {
	const rows = (await call('GET /v3/webhooks/event-types')) as unknown as IDataObject[];
	const list = await choices(service, 'VideoGenTrigger', 'getEventTypes', { events: [] });
	expect(rows.length).toBeGreaterThan(20);
	const expected = rows.map((row) => ({
		name: row.event_type,
		value: row.event_type,
		description: row.description,
	}));
	expect(list).toHaveLength(rows.length);
	expect(list).toEqual(expect.arrayContaining(expected));
	const names = list.map(({ name }) => name);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
});
