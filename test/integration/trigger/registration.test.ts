/** How the trigger registers, adopts, repairs and removes its endpoint. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readLog } from '../support/calls';
import { activate, loadChoices, callHook, type Flow } from '../support/contexts';
import {
	deliver,
	createEvent,
	readStored,
	origin,
	url,
	useTrigger,
	selectedEvents,
} from '../support/trigger';

const { service, createFlow, activateTrigger, endpoints, getEndpoint, call } = useTrigger();
afterEach(() => jest.restoreAllMocks());

/** Requests to the webhook endpoints of the service since the last call of this function. */
let seen = 0;
beforeEach(() => (seen = 0));
function readRequests() {
	const all = service.control.requests({ path: /^\/v3\/webhooks\/endpoints/ });
	const unseen = all.slice(seen);
	seen = all.length;
	return unseen.map(({ method, path, body, headers, status }) => ({
		line: `${method} ${path.replace('/v3/webhooks/endpoints', '') || '/'}`,
		body,
		key: headers['idempotency-key'],
		status,
	}));
}
const readLines = () => readRequests().map(({ line }) => line);

/** Registers an endpoint for the URL of the trigger, as somebody else would. */
const register = async (more: object = {}) => {
	const endpoint = await call('POST /v3/webhooks/endpoints', { url, ...more });
	readRequests();
	return { id: String(endpoint.endpoint_id), secret: String(endpoint.secret) };
};

/** Changes the endpoint in the list of the service. */
function changeListed(change: object) {
	const { id, events } = getEndpoint();
	const row = { endpoint_id: id, url, events, status: 'enabled', secret: null, ...change };
	service.control.fail({
		method: 'GET',
		path: '/v3/webhooks/endpoints',
		status: 200,
		body: { data: [row], has_more: false, next_token: null },
	});
}

/** Expects that the trigger stores the only endpoint of the service, and nothing else. */
const expectStored = (flow: Flow) => {
	const { id: endpointId, secret, url: registered, entityId } = getEndpoint();
	const endpoint = { endpointId, secret, url: registered, entityId: entityId ?? undefined };
	expect(readStored(flow)).toEqual(endpoint);
};

const readFailureCodeAndReason = async (action: Promise<unknown>) =>
	await action.then(
		() => {
			throw new Error('It did not fail');
		},
		(error: Error & { description?: string; httpCode?: string }) => error,
	);

describe('activation', () => {
	test('registers the URL with the selected events and the entity', async () => {
		const options = { entity_id: ' project-1 ' };
		const log = readLog();
		const flow = await activateTrigger({ events: selectedEvents, options });
		expect(readRequests()).toMatchObject([
			{ line: 'POST /', body: { url, events: selectedEvents, entity_id: 'project-1' } },
		]);
		expect(getEndpoint()).toMatchObject({ url, events: selectedEvents, entityId: 'project-1' });
		expectStored(flow);
		expect(log).toEqual([]);
	});

	test('without selected events, registers for all events; by default, for finished videos', async () => {
		const flow = await activateTrigger({ events: [] });
		expect(readRequests().map(({ body }) => body)).toEqual([{ url }]);
		expect(getEndpoint()).toMatchObject({ events: null, entityId: null });
		await callHook(flow, 'delete');
		await activateTrigger();
		expect(getEndpoint().events).toEqual(['avatar_video.success', 'video_agent.success']);
	});

	test.each<[string, string | null, string[] | null]>([
		['names with commas', 'avatar_video.success, avatar_video.fail', selectedEvents],
		['one name', 'avatar_video.success', ['avatar_video.success']],
		['null', '={{ null }}', null],
		['an empty text', '', null],
	])('accepts events from an expression: %s', async (_, events, registered) => {
		const flow = await activateTrigger({ events });
		expect(getEndpoint().events).toEqual(registered);
		expect((await deliver(flow)).items).toHaveLength(1);
		const other = JSON.stringify(createEvent({ event_type: 'avatar' }));
		expect((await deliver(flow, { body: other })).items ?? []).toHaveLength(registered ? 0 : 1);
	});

	test('stores the secret only in the static data, and never sends or outputs it', async () => {
		const flow = await activateTrigger({ events: selectedEvents });
		const { secret } = getEndpoint();
		expect(JSON.stringify(flow.staticData).split(secret)).toHaveLength(2);
		const { items, message } = await deliver(flow);
		expect(items).toHaveLength(1);
		expect(JSON.stringify([items, message, flow.parameters])).not.toContain(secret);
		await callHook(flow, 'checkExists');
		await callHook(flow, 'delete');
		expect(JSON.stringify([service.control.requests(), flow.staticData])).not.toContain(secret);
	});

	test.each([
		['http://localhost:5678', 'https://api.example'],
		['http://localhost:5678', 'http://localhost.example'],
		['http://localhost.example', undefined],
		['http://192.168.1.7:5678', undefined],
		['https://localhost:5678', undefined],
		['https://n8n.local', undefined],
		['https://127.0.0.1', undefined],
		['https://192.168.1.7:5678', undefined],
		['https://172.20.0.3', undefined],
	])('rejects the n8n at %s before it sends a request', async (origin, baseUrl) => {
		const flow = createFlow(
			{},
			{ origin, service: { ...service, baseUrl: baseUrl ?? service.baseUrl } },
		);
		const error = await readFailureCodeAndReason(activate(flow));
		// If publishing fails, n8n shows only the message.
		expect(error.message).toContain('public https:// URLs');
		expect(error.message).toContain('Use the VideoGen Polling Trigger');
		expect(error.message).toContain('set N8N_WEBHOOK_URL (WEBHOOK_URL in older versions)');
		expect(error.description).toContain(`${origin}/webhook/hook/webhook`);
		expect(service.control.requests()).toEqual([]);
		expect(readStored(flow)).toEqual({});
	});

	test.each(['https://10.example', 'https://localhost.example', 'https://172.32.0.1'])(
		'registers the n8n at %s',
		async (origin) => {
			await activateTrigger({}, { origin });
			expect(getEndpoint().url).toBe(`${origin}/webhook/hook/webhook`);
		},
	);

	test.each(['http://localhost:5678', 'http://127.0.0.1:5678', 'http://[::1]'])(
		'registers the n8n at %s with a service on the same machine',
		async (origin) => {
			await expect(activateTrigger({}, { origin })).rejects.toThrow('must be an https URL');
			expect(readRequests()).toMatchObject([
				{ line: 'POST /', body: { url: `${origin}/webhook/hook/webhook` } },
			]);
		},
	);

	test.each([
		[
			403,
			'resource_limit_reached',
			'The account has reached its limit for this kind of resource',
			['POST /'],
		],
		// The URL is registered, but not in the list of this account.
		[
			409,
			'conflict',
			'The request conflicts with something that already exists',
			['POST /', 'GET /'],
		],
	])('reports the rejection %i %s, and stores no endpoint', async (...row) => {
		const [status, code, message, lines] = row;
		service.control.fail({ method: 'POST', status, code });
		const flow = createFlow();
		const error = await readFailureCodeAndReason(activate(flow));
		expect(error.message).toContain(message);
		expect(error.httpCode).toBe(String(status));
		expect(readLines()).toEqual(lines);
		expect(readStored(flow)).toEqual({});
	});

	test.each([
		['endpoint ID', null],
		['endpoint ID', {}],
		['signing secret', { endpoint_id: 'e1', secret: '' }],
		['signing secret', { endpoint_id: 'e1' }],
	])('fails if the service returns no %s: %j', async (missing, data) => {
		const path = /^\/v3\/webhooks\/endpoints/;
		service.control.fail({ method: 'POST', path, status: 200, body: { data } });
		const flow = createFlow();
		await expect(activate(flow)).rejects.toThrow(`returned no ${missing}`);
		expect(readStored(flow)).toEqual({});
	});

	test('ignores an entity that is no text', async () => {
		await activateTrigger({ options: { entity_id: '={{ 7 }}' } });
		expect(getEndpoint().entityId).toBeNull();
	});

	test.each([{ status: 503 }, { cut: 'after' as const }])(
		'repeats a failed request with the same key, and registers one endpoint (%j)',
		async (fault) => {
			service.control.fail({ method: 'POST', times: 1, ...fault });
			const flow = await activateTrigger();
			const key = expect.stringMatching(/^[\w:.-]{1,255}$/);
			const [failed, ...repeated] = readRequests();
			expect(failed).toMatchObject({ key });
			expect(repeated).toMatchObject([{ status: 200, key: failed?.key }]);
			expectStored(flow);
		},
	);

	test('names the endpoint of an earlier URL in the log, and keeps it', async () => {
		const log = readLog();
		const flow = await activateTrigger();
		await activate(flow);
		expect(log.join()).not.toContain('still exists');
		const { id } = getEndpoint();
		await activate({ ...flow, origin: 'https://moved.example' });
		expect(endpoints()).toHaveLength(2);
		expect(log.join()).toContain(`The webhook endpoint ${id} for ${url} still exists`);
	});

	test('requests a new secret if a replayed response has none', async () => {
		const { id: endpoint_id } = await register();
		const body = { data: { endpoint_id, url, secret: null } };
		service.control.fail({ method: 'POST', path: '/v3/webhooks/endpoints', status: 200, body });
		const flow = await activateTrigger();
		expectStored(flow);
		expect((await deliver(flow)).items).toHaveLength(1);
	});

	test('each activation has its own idempotency key', async () => {
		const flow = await activateTrigger();
		await callHook(flow, 'delete');
		await activate(flow);
		const creates = readRequests().filter(({ line }) => line === 'POST /');
		expect(creates).toHaveLength(2);
		expect(new Set(creates.map(({ key }) => key)).size).toBe(2);
		expectStored(flow);
	});

	test('each activation has its own secret', async () => {
		const flow = await activateTrigger();
		const { secret } = getEndpoint();
		await callHook(flow, 'delete');
		await activate(flow);
		expect(await deliver(flow, { secret })).toMatchObject({ status: 401 });
		expect(await deliver(flow)).toMatchObject({ status: 200 });
	});
});

describe('a URL that is already registered', () => {
	test.each([
		['the selected events', selectedEvents, selectedEvents],
		['all events', [], null],
	])('is adopted, with %s and a new secret', async (_, chosen, events) => {
		const { id, secret: old } = await register({ events: ['batch.finished'] });
		const flow = await activateTrigger({ events: chosen });
		expect(readRequests()).toMatchObject([
			{ line: 'POST /', status: 409 },
			{ line: 'GET /' },
			{ line: `PATCH /${id}`, body: { events } },
			{ line: `POST /${id}/rotate-secret`, key: expect.stringMatching(/^n8n-/) },
		]);
		const { secret } = getEndpoint();
		expect(getEndpoint()).toMatchObject({ id, events });
		expect(secret).not.toBe(old);
		expectStored(flow);
		expect(await deliver(flow, { secret: old })).toMatchObject({ status: 401 });
		expect(await deliver(flow, { secret })).toMatchObject({ status: 200, items: [{}] });
	});

	test.each([
		['shows no status', { status: undefined }, ''],
		['shows the selected entity', { entity_id: 'project-1' }, 'project-1'],
	])('is adopted if the list %s', async (_, change, entity_id) => {
		const { id } = await register();
		changeListed(change);
		await activateTrigger({ options: { entity_id } });
		expect(readLines()).toEqual(['POST /', 'GET /', `PATCH /${id}`, `POST /${id}/rotate-secret`]);
	});

	test('is not adopted for the entity of an earlier endpoint', async () => {
		const flow = await activateTrigger({ options: { entity_id: 'project-1' } });
		await call(`DELETE /v3/webhooks/endpoints/${getEndpoint().id}`);
		const { id } = await register();
		await activate(flow);
		expect(getEndpoint()).toMatchObject({
			id: expect.not.stringMatching(id),
			entityId: 'project-1',
		});
		expectStored(flow);
	});

	test('is found on a later page of the list', async () => {
		const { id } = await register();
		for (let i = 0; i < 5; i++) await register({ url: `${origin}/other/${i}` });
		const flow = await activateTrigger();
		expect(readStored(flow).endpointId).toBe(id);
		expect(await callHook(flow, 'checkExists')).toBe(true);
		expect(endpoints()).toHaveLength(6);
	});

	test.each<[string, object, INodeParameters, string | null, () => void]>([
		[
			'lacks the selected entity',
			{ entity_id: 'project-2' },
			{ options: { entity_id: 'project-1' } },
			'project-1',
			() => undefined,
		],
		['is disabled', {}, {}, null, () => changeListed({ status: 'disabled' })],
	])('is deleted and registered again if it %s', async (...row) => {
		const [, existing, parameters, entityId, change] = row;
		const { id } = await register(existing);
		change();
		const flow = await activateTrigger(parameters);
		expect(readLines()).toEqual(['POST /', 'GET /', `DELETE /${id}`, 'POST /']);
		expect(getEndpoint().entityId).toBe(entityId);
		expect(getEndpoint().id).not.toBe(id);
		expectStored(flow);
	});

	// Neither the list nor an update shows the entity: an adopted endpoint would still deliver only the
	// events of that one resource.
	test('is deleted and registered again if its entity is no longer selected', async () => {
		const flow = await activateTrigger({ options: { entity_id: 'project-1' } });
		const { id } = getEndpoint();
		flow.parameters = {};
		await activate(flow);
		expect(getEndpoint().entityId).toBeNull();
		expect(getEndpoint().id).not.toBe(id);
		expectStored(flow);
	});

	test('is not stored if it cannot have a new secret', async () => {
		await register();
		service.control.fail({ path: /rotate-secret$/, status: 403 });
		const flow = createFlow();
		expect((await readFailureCodeAndReason(activate(flow))).httpCode).toBe('403');
		expect(readStored(flow)).toEqual({});
		service.control.clearFaults();
		await activate(flow);
		expectStored(flow);
	});
});

describe('the check', () => {
	test('sends no request if the trigger was never active', async () => {
		expect(await callHook(createFlow(), 'checkExists')).toBe(false);
		expect(service.control.requests()).toEqual([]);
	});

	test.each([
		['other events', selectedEvents, ['batch.finished', 'personalized_video'], selectedEvents],
		['some events instead of all', [], ['batch.finished'], null],
	])('updates the events if the endpoint has %s', async (_, chosen, drifted, events) => {
		const flow = await activateTrigger({ events: chosen });
		const { id, secret } = getEndpoint();
		await call(`PATCH /v3/webhooks/endpoints/${id}`, { events: drifted });
		readRequests();
		expect(await callHook(flow, 'checkExists')).toBe(true);
		expect(readRequests()).toMatchObject([
			{ line: 'GET /' },
			{ line: `PATCH /${id}`, body: { events } },
		]);
		expect(getEndpoint()).toMatchObject({ id, secret, events });
	});

	test.each([
		['with its events in another order', selectedEvents],
		['for all events', []],
	])('finds its endpoint %s', async (_, events) => {
		const flow = await activateTrigger({ events });
		flow.parameters = { events: [...events].reverse() };
		readRequests();
		expect(await callHook(flow, 'checkExists')).toBe(true);
		expect(readLines()).toEqual(['GET /']);
	});

	test.each([
		['was deleted', async () => undefined],
		// A new endpoint has another secret.
		['was registered again by somebody else', async () => await register()],
	])('finds no endpoint if it %s in the service', async (_, replace) => {
		const flow = await activateTrigger();
		await call(`DELETE /v3/webhooks/endpoints/${getEndpoint().id}`);
		await replace();
		expect(await callHook(flow, 'checkExists')).toBe(false);
		await activate(flow);
		expectStored(flow);
	});

	test.each([
		['disabled', false],
		[undefined, true],
	])('an endpoint with the status %s is found: %s', async (status, isFound) => {
		const flow = await activateTrigger();
		changeListed({ status });
		expect(await callHook(flow, 'checkExists')).toBe(isFound);
	});

	test.each<[string, Partial<Flow>]>([
		['another entity is selected', { parameters: { options: { entity_id: 'project-2' } } }],
		['no entity is selected any more', { parameters: {} }],
		['the URL of n8n has changed', { origin: 'https://moved.example' }],
	])('finds no endpoint if %s', async (_, change) => {
		const flow = await activateTrigger({ options: { entity_id: 'project-1' } });
		readRequests();
		expect(await callHook({ ...flow, ...change }, 'checkExists')).toBe(false);
		expect(readLines()).toEqual([]);
	});

	// An earlier registration may have been interrupted.
	test.each(['endpointId', 'secret'])('finds no endpoint if its %s is not stored', async (key) => {
		const flow = await activateTrigger();
		delete readStored(flow)[key];
		readRequests();
		expect(await callHook(flow, 'checkExists')).toBe(false);
		expect(readLines()).toEqual([]);
	});

	test('reports a rejection of the service instead of a missing endpoint', async () => {
		const flow = await activateTrigger();
		const before = structuredClone(flow.staticData);
		service.control.fail({ method: 'GET', status: 401 });
		const error = await readFailureCodeAndReason(callHook(flow, 'checkExists'));
		expect(error.message).toContain('The service rejected the credential');
		expect(flow.staticData).toEqual(before);
	});
});

describe('deactivation', () => {
	test.each<[string, () => Promise<unknown> | void, number]>([
		['deletes the endpoint and its stored data', () => undefined, 1],
		[
			'succeeds if the endpoint was already deleted',
			async () => await call(`DELETE /v3/webhooks/endpoints/${getEndpoint().id}`),
			0,
		],
		[
			'repeats a request whose response is lost',
			() => service.control.fail({ method: 'DELETE', cut: 'after', times: 1 }),
			2,
		],
	])('%s', async (_, prepare, count) => {
		const flow = await activateTrigger();
		const { id } = getEndpoint();
		await prepare();
		readRequests();
		expect(await callHook(flow, 'delete')).toBe(true);
		expect(readLines()).toEqual(['GET /', ...Array<string>(count).fill(`DELETE /${id}`)]);
		expect(endpoints()).toEqual([]);
		expect(readStored(flow)).toEqual({});
	});

	test('deletes the endpoint although n8n has restored an older one', async () => {
		const flow = await activateTrigger();
		const older = structuredClone(flow.staticData);
		await callHook(flow, 'delete');
		await activate(flow);
		expect(await callHook({ ...flow, staticData: older }, 'delete')).toBe(true);
		expect(endpoints()).toEqual([]);
	});

	test('deletes the endpoint although an execution has overwritten the static data', async () => {
		const flow = await activateTrigger();
		expect(await callHook({ ...flow, staticData: {} }, 'delete')).toBe(true);
		expect(endpoints()).toEqual([]);
	});

	test('only reads the endpoints if the trigger was never registered', async () => {
		await call('POST /v3/webhooks/endpoints', { url: 'https://other.example/events' });
		readLines();
		expect(await callHook(createFlow(), 'delete')).toBe(true);
		expect(readLines()).toEqual(['GET /']);
		expect(endpoints()).toHaveLength(1);
	});

	test('reports a rejection, and keeps the stored endpoint', async () => {
		const flow = await activateTrigger();
		const before = structuredClone(flow.staticData);
		service.control.fail({ method: 'DELETE', status: 403, message: 'Not yours' });
		const error = await readFailureCodeAndReason(callHook(flow, 'delete'));
		expect(error.message).toContain('Not yours');
		expect(error.httpCode).toBe('403');
		expect(flow.staticData).toEqual(before);
	});

	test('fails and keeps the endpoint for the next publishing if the credential cannot be used', async () => {
		const flow = await activateTrigger();
		flow.credential = { baseUrl: '' };
		const error = await readFailureCodeAndReason(callHook(flow, 'delete'));
		expect(error.message).toContain('no valid Base URL');
		expectStored(flow);
		flow.credential = undefined;
		await activate(flow);
		expectStored(flow);
		await callHook(flow, 'delete');
		expect(endpoints()).toEqual([]);
	});
});

describe('listening for a test event', () => {
	test('registers the test URL, and accepts its deliveries', async () => {
		const flow = await activateTrigger({ events: selectedEvents }, { test: true });
		expect(getEndpoint().url).toBe(`${origin}/webhook-test/hook/webhook`);
		expectStored(flow);
		expect(await deliver(flow)).toMatchObject({ status: 200, items: [{}] });
		await callHook(flow, 'delete');
		expect(endpoints()).toEqual([]);
	});

	test('accepts a delivery that the published workflow has already received', async () => {
		const flow = await activateTrigger();
		const listening = await activateTrigger({}, { test: true });
		const body = JSON.stringify(createEvent());
		expect((await deliver(flow, { body })).items).toHaveLength(1);
		expect((await deliver(listening, { body })).items).toHaveLength(1);
		expect((await deliver(listening, { body })).items).toBeUndefined();
	});

	test('does not change the endpoint of the published workflow', async () => {
		const flow = await activateTrigger();
		const { id, secret } = getEndpoint();
		const listening = await activateTrigger({}, { test: true });
		expect(endpoints()).toHaveLength(2);
		expect(await deliver(listening, { secret })).toMatchObject({ status: 401 });
		await callHook(listening, 'delete');
		expect(getEndpoint()).toMatchObject({ id, secret });
		expect((await deliver(flow)).items).toHaveLength(1);
	});
});

describe('the list of events', () => {
	const readList = async () =>
		await loadChoices(service, 'VideoGenTrigger', 'getEventTypes', { events: [] });
	const respondWith = (data: unknown) => {
		const body = { data, has_more: false, next_token: null };
		service.control.fail({ path: '/v3/webhooks/event-types', status: 200, body });
	};

	test('has readable names, the most common events first, and the values of the service', async () => {
		const rows = (await call('GET /v3/webhooks/event-types')) as unknown as IDataObject[];
		const list = await readList();
		expect(rows.length).toBeGreaterThan(20);
		expect(list.map(({ value }) => value).sort()).toEqual(
			rows.map((row) => row.event_type as string).sort(),
		);
		expect(list.slice(0, 6).map(({ name, value }) => [name, value])).toEqual([
			['Video finished', 'avatar_video.success'],
			['Video failed', 'avatar_video.fail'],
			['Agent video finished', 'video_agent.success'],
			['Agent video failed', 'video_agent.fail'],
			['Translation finished', 'video_translate.success'],
			['Translation failed', 'video_translate.fail'],
		]);
		expect(list[0]?.description).toBe('An avatar video is ready (avatar_video.success)');
		// Every event of the service has a unique name.
		expect(list.filter(({ name, value }) => name === value)).toEqual([]);
		expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
	});

	const known = 'video_agent.success';
	test.each<[string, unknown]>([
		['texts', [known, 'new.kind']],
		['objects with other keys', [{ type: known }, { name: 'new.kind' }]],
		[
			'objects with a title',
			[
				{ name: 'Agent is done', id: known },
				{ event_type: 'new.kind', name: 'News' },
			],
		],
		['a nested list', { types: [{ event_type: 'new.kind' }, known] }],
		['duplicates', ['new.kind', 'new.kind', known]],
		['entries without a type', [{}, { event_type: null }, known, 'new.kind']],
	])('accepts %s, and shows unknown events unchanged', async (_, data) => {
		respondWith(data);
		expect(await readList()).toEqual([
			{ name: 'Agent video finished', value: known, description: known },
			{ name: 'new.kind', value: 'new.kind', description: undefined },
		]);
	});

	/** Not in the specification, so some services do not know them. */
	const rareEvents = ['ai_clipping.', 'batch.', 'hyperframes_video.', 'video_translate.preflight.'];

	test.each<[string, () => void]>([
		['rejects the request', () => service.control.fail({ status: 403 })],
		['returns an empty list', () => respondWith([])],
		['returns no list', () => respondWith('none')],
	])('comes from the specification if the service %s', async (_, prepare) => {
		const offered = (await readList()).map(({ value }) => value);
		prepare();
		const values = (await readList()).map(({ value }) => value);
		const isRare = (value: unknown) => rareEvents.some((name) => String(value).startsWith(name));
		expect([...values].sort()).toEqual(offered.filter((value) => !isRare(value)).sort());
		expect(values.slice(0, 2)).toEqual(['avatar_video.success', 'avatar_video.fail']);
	});
});
