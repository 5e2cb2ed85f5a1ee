import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenWebhook/operations';
import type { Simulator } from '../../../simulator';
import { describeOperations, first, runForJson, type Cases } from '../support/cases';
import { loadChoices, loadListPage } from '../support/contexts';
import { byId, runNode, type RunOptions } from '../support/engine';
import { useService } from '../support/service';
import { noWait } from '../support/expectedRequest';

const anEndpoint = async (service: Simulator) =>
	await runForJson(service, 'VideoGenWebhook', {
		resource: 'endpoint',
		operation: 'create',
		url: 'https://flows.example/events',
		events: ['avatar_video.success'],
	});

/** The service delivers only subscribed events. */
const aDelivery = async (service: Simulator) => {
	await anEndpoint(service);
	return await runForJson(service, 'VideoGenVideo', {
		...{ operation: 'createAvatar', avatar_id: byId('look_001_1'), ...noWait },
		...{ speechFrom: 'text', script: 'Hello there, you.', voice_id: byId('voice_001') },
	});
};

const cases: Cases = {
	'endpoint.create': {
		line: 'POST /v3/webhooks/endpoints',
		parameters: {
			url: 'https://flows.example/events',
			events: ['avatar_video.success', 'video_agent.fail'],
			options: { entity_id: 'project_1' },
		},
		keyed: true,
		returns: (items, _, service) => {
			const { endpoint_id: id, secret } = first(items);
			expect(secret).toBe(service.control.secretOf(String(id)));
			expect(first(items)).toMatchObject({
				status: 'enabled',
				events: ['avatar_video.success', 'video_agent.fail'],
			});
		},
	},
	'endpoint.getMany': { line: 'GET /v3/webhooks/endpoints', before: anEndpoint },
	'endpoint.update': {
		line: 'PATCH /v3/webhooks/endpoints/{endpoint_id}',
		before: anEndpoint,
		parameters: {
			subscribeTo: 'chosen',
			events: ['video_agent.success'],
			options: { url: 'https://flows.example/other' },
		},
	},
	'endpoint.delete': { line: 'DELETE /v3/webhooks/endpoints/{endpoint_id}', before: anEndpoint },
	'endpoint.rotateSecret': {
		line: 'POST /v3/webhooks/endpoints/{endpoint_id}/rotate-secret',
		before: anEndpoint,
		keyed: true,
		returns: (items, ids, service) => {
			const id = String(ids.endpoint_id);
			expect(first(items)).toEqual({ endpoint_id: id, secret: service.control.secretOf(id) });
			expect(first(items).secret).not.toBe(ids.secret);
		},
	},
	'event.getTypes': 'GET /v3/webhooks/event-types',
	'event.getMany': {
		line: 'GET /v3/webhooks/events',
		before: aDelivery,
		parameters: (ids) => ({
			options: { event_type: 'avatar_video.success', entity_id: String(ids.video_id) },
		}),
	},
};

describeOperations('VideoGenWebhook', resources, cases, [
	'event.getMany, Event Name or ID, 1 characters',
]);

const service = useService();

const endpoint = async (operation: string, parameters: INodeParameters, options?: RunOptions) =>
	await runNode(
		service,
		'VideoGenWebhook',
		{ resource: 'endpoint', operation, ...parameters },
		options,
	);

const url = 'https://flows.example/events';

async function create(parameters: INodeParameters = {}): Promise<IDataObject> {
	const { items, error } = await endpoint('create', { url, ...parameters });
	if (error) throw new Error(error.message);
	return items[0]?.json ?? {};
}

const bodies = (method: string) =>
	service.control.requests({ method, path: /endpoints/ }).map(({ body }) => body);

test('subscribes to all events if none are selected, or to those of a text', async () => {
	expect((await create()).events).toBeNull();
	expect(bodies('POST')).toEqual([{ url }]);
	const text = await create({
		url: `${url}/2`,
		events: '={{ "avatar_video.success, video_agent.fail" }}',
	});
	expect(text.events).toEqual(['avatar_video.success', 'video_agent.fail']);
});

test.each([
	['http://flows.example/events', 'must begin with https://'],
	['flows.example/events', 'must be a full URL'],
])('rejects the URL %s before any request', async (wrong, complaint) => {
	const create = await endpoint('create', { url: wrong });
	const update = await endpoint('update', { endpoint_id: byId('any'), options: { url: wrong } });
	for (const { error } of [create, update]) {
		expect(error?.message).toContain(`"URL" ${complaint}`);
	}
	expect(service.control.requests()).toHaveLength(0);
});

test('a URL that is already registered is a conflict with advice', async () => {
	await create();
	const { error } = await endpoint('create', { url });
	expect(error?.description).toContain('Code: conflict');
	expect(error?.description).toContain('Use another name or URL, or update the existing resource');
	expect(service.control.endpoints()).toHaveLength(1);
});

test('a create whose response is lost is repeated and registers one endpoint with its secret', async () => {
	service.control.fail({ method: 'POST', path: /endpoints$/, cut: 'after', times: 1 });
	const { endpoint_id: id, secret } = await create();
	expect(bodies('POST')).toHaveLength(2);
	expect(service.control.endpoints()).toHaveLength(1);
	expect(secret).toBe(service.control.secretOf(String(id)));
});

test('a rotation whose response is lost returns the valid secret', async () => {
	const { endpoint_id: id } = await create();
	service.control.fail({ method: 'POST', path: /rotate-secret$/, cut: 'after', times: 1 });
	const { items } = await endpoint('rotateSecret', { endpoint_id: byId(id) });
	expect(items[0]?.json.secret).toBe(service.control.secretOf(String(id)));
});

test('an update changes only the fields it contains and can subscribe to all events', async () => {
	const { endpoint_id: id } = await create({ events: ['avatar_video.success'] });
	const update = async (parameters: INodeParameters) => {
		const { items } = await endpoint('update', { endpoint_id: byId(id), ...parameters });
		return items[0]?.json;
	};
	const moved = 'https://flows.example/moved';
	expect(await update({ subscribeTo: 'same', options: { url: moved } })).toMatchObject({
		url: moved,
		events: ['avatar_video.success'],
	});
	expect(await update({ subscribeTo: 'all' })).toMatchObject({ url: moved, events: null });
	expect(bodies('PATCH')).toEqual([{ url: moved }, { events: null }]);
});

test('rejects an empty update before any request', async () => {
	const { error } = await endpoint('update', { endpoint_id: byId('any'), subscribeTo: 'same' });
	expect(error?.message).toContain('nothing to update');
	const none = await endpoint('update', {
		endpoint_id: byId('any'),
		subscribeTo: 'chosen',
		events: '={{ [] }}',
	});
	expect(none.error?.message).toContain('"Event Names or IDs" is required');
	expect(service.control.requests()).toHaveLength(0);
});

test('lists endpoints by URL and events with their meaning', async () => {
	const { endpoint_id: id } = await create();
	const found = await loadListPage(service, 'VideoGenWebhook', 'searchEndpoints', {
		filter: 'flows.example',
	});
	expect(found.results).toEqual([{ name: `${url} (enabled)`, value: id, url: undefined }]);
	const events = await loadChoices(service, 'VideoGenWebhook', 'getEventTypes');
	expect(events).toContainEqual({
		name: 'Agent video finished',
		value: 'video_agent.success',
		description: expect.stringContaining('(video_agent.success)'),
	});
});

test.each([
	['texts', ['a.success', 'b.fail']],
	['rows with a name', [{ name: 'a.success' }, { name: 'b.fail', description: 'It failed' }]],
	['rows with a type', [{ type: 'a.success' }, { type: 'b.fail' }]],
])('reads event types from %s with a single request', async (_, data) => {
	const path = '/v3/webhooks/event-types';
	const body = { data, has_more: true, next_token: 'more' };
	service.control.fail({ path, status: 200, body });
	const { items } = await runNode(service, 'VideoGenWebhook', {
		resource: 'event',
		operation: 'getTypes',
	});
	expect(items.map(({ json }) => json.event_type)).toEqual(['a.success', 'b.fail']);
	const listed = await loadChoices(service, 'VideoGenWebhook', 'getEventTypes');
	expect(listed.map(({ value }) => value)).toEqual(['a.success', 'b.fail']);
	expect(service.control.requests({ path }).map(({ query }) => query)).toEqual([{}, {}]);
});

test('a new node lists the specified events before the editor has selected the credential', async () => {
	const events = await loadChoices(service, 'VideoGenWebhook', 'getEventTypes', {}, false);
	expect(events).toContainEqual(expect.objectContaining({ value: 'avatar_video.success' }));
	expect(service.control.requests()).toHaveLength(0);
});
