/** How the endpoint of the trigger is registered, adopted, repaired and removed. */
import type { IDataObject } from 'n8n-workflow';
import { activate, choices, hook, type Flow } from '../support/contexts';
import { deliver, eventOf, kept, origin, url, useTrigger, wanted } from '../support/trigger';

const { service, flowOf, active, endpoints, only, call } = useTrigger();

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
		await active({ events: [] });
		expect(calls()).toMatchObject([{ line: 'POST /', body: { url } }]);
		expect(service.control.requests()[0]?.body).toEqual({ url });
		expect(only()).toMatchObject({ events: null, entityId: null });
	});

	test('registers, as it comes, the events of a video that is finished', async () => {
		await active();
		expect(only()).toMatchObject({ events: ['avatar_video.success', 'video_agent.success'] });
	});

	test.each<[string, string | null, string[] | null]>([
		['names with commas', 'avatar_video.success, avatar_video.fail', wanted],
		['one name', 'avatar_video.success', ['avatar_video.success']],
		['nothing', '={{ null }}', null],
		['an empty text', '', null],
	])('an expression may give %s', async (_, events, registered) => {
		const flow = await active({ events });
		expect(only().events).toEqual(registered);
		expect((await deliver(flow)).items).toHaveLength(1);
		const other = JSON.stringify(eventOf({ event_type: 'avatar' }));
		expect((await deliver(flow, { body: other })).items ?? []).toHaveLength(registered ? 0 : 1);
	});

	test('keeps the secret in the static data, and sends or shows it nowhere', async () => {
		const flow = await active({ events: wanted });
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
		// What n8n shows when publishing fails is the message.
		expect(error.message).toContain('public https:// addresses');
		expect(error.message).toContain('Use the VideoGen Polling Trigger');
		expect(error.message).toContain('set N8N_WEBHOOK_URL (WEBHOOK_URL in older versions)');
		expect(error.description).toContain('http://localhost:5678/webhook/hook/webhook');
		expect(service.control.requests()).toEqual([]);
		expect(kept(flow)).toEqual({});
	});

	test('a refusal of the service is told, and nothing is kept', async () => {
		service.control.fail({ method: 'POST', status: 403, code: 'resource_limit_reached' });
		const flow = flowOf();
		const error = await failureOf(activate(flow));
		expect(error.message).toContain('The account has reached its limit for this kind of resource');
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
		expect(error.message).toContain('This conflicts with something that already exists');
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
		const { status, said, started } = await deliver(flow, { secret });
		expect(status).toBe(401);
		expect(said).toContain('No endpoint is registered');
		expect(started).toBeUndefined();
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
		const body = JSON.stringify(eventOf());
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

describe('the list of events', () => {
	const listed = async () =>
		await choices(service, 'VideoGenTrigger', 'getEventTypes', { events: [] });
	const answers = (data: unknown) =>
		service.control.fail({
			path: '/v3/webhooks/event-types',
			status: 200,
			body: { data, has_more: false, next_token: null },
		});

	test('says what happened, the usual first, with the values of the service', async () => {
		const rows = (await call('GET /v3/webhooks/event-types')) as unknown as IDataObject[];
		const list = await listed();
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
		// Every event of the service has a name, and each its own.
		expect(list.filter(({ name, value }) => name === value)).toEqual([]);
		expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
	});

	test.each<[string, unknown]>([
		['rows of plain text', ['video_agent.success', 'new.kind']],
		['rows that use other keys', [{ type: 'video_agent.success' }, { name: 'new.kind' }]],
		[
			'rows with a title beside the type',
			[
				{ name: 'Agent is done', id: 'video_agent.success' },
				{ event_type: 'new.kind', name: 'News' },
			],
		],
		[
			'a list one level deeper',
			{ types: [{ event_type: 'new.kind' }, { event_type: 'video_agent.success' }] },
		],
		['rows that are there twice', ['new.kind', 'new.kind', 'video_agent.success']],
		['rows that name nothing', [{}, { event_type: null }, 'video_agent.success', 'new.kind']],
	])('is filled by %s, and shows what it does not know as it is', async (_, data) => {
		answers(data);
		expect(await listed()).toEqual([
			{
				name: 'Agent video finished',
				value: 'video_agent.success',
				description: 'video_agent.success',
			},
			{ name: 'new.kind', value: 'new.kind', description: undefined },
		]);
	});

	test.each<[string, () => void]>([
		['refuses', () => service.control.fail({ status: 403 })],
		['lists nothing', () => answers([])],
		['answers something else', () => answers('none')],
	])('is that of the specification where the service %s', async (_, prepare) => {
		prepare();
		const values = (await listed()).map(({ value }) => value);
		expect(values).toHaveLength(23);
		expect(values.slice(0, 2)).toEqual(['avatar_video.success', 'avatar_video.fail']);
		expect(values).toContain('personalized_video');
		// A service may not know these.
		expect(values).not.toContain('batch.finished');
	});
});
