import type { IDataObject } from 'n8n-workflow';
import { operations } from '../../../nodes/VideoGenWebhook/operations';
import type { Simulator } from '../../../simulator';
import { byId } from '../support/engine';
import { describeOperations, few, first, made, noWait, type Case } from '../support/cases';

const anEndpoint = async (service: Simulator) =>
	await made(service, 'VideoGenWebhook', {
		resource: 'endpoint',
		operation: 'create',
		url: 'https://flows.example/events',
		events: ['avatar_video.success'],
	});

/** Only what an endpoint wants is delivered. */
const aDelivery = async (service: Simulator) => {
	await anEndpoint(service);
	return await made(service, 'VideoGenVideo', {
		operation: 'createAvatar',
		avatar_id: byId('look_001_1'),
		speechFrom: 'text',
		script: 'Hello there, this is a long enough text.',
		voice_id: byId('voice_001'),
		...noWait,
	});
};

const endpointOf = (ids: IDataObject) => byId(String(ids.endpoint_id));

const cases: Record<string, Case> = {
	create: {
		parameters: () => ({
			url: 'https://flows.example/events',
			events: ['avatar_video.success', 'video_agent.fail'],
			options: { entity_id: 'project_1' },
		}),
		sends: () => ({
			line: 'POST /v3/webhooks/endpoints',
			body: {
				url: 'https://flows.example/events',
				events: ['avatar_video.success', 'video_agent.fail'],
				entity_id: 'project_1',
			},
		}),
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
	getAll: {
		before: anEndpoint,
		parameters: () => ({ ...few }),
		sends: () => ({ line: 'GET /v3/webhooks/endpoints', query: { limit: '3' } }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ endpoint_id: ids.endpoint_id, secret: null });
		},
	},
	update: {
		before: anEndpoint,
		parameters: (ids) => ({
			endpoint_id: endpointOf(ids),
			subscribeTo: 'chosen',
			events: ['video_agent.success'],
			options: { url: 'https://flows.example/other' },
		}),
		sends: (ids) => ({
			line: `PATCH /v3/webhooks/endpoints/${String(ids.endpoint_id)}`,
			body: { url: 'https://flows.example/other', events: ['video_agent.success'] },
		}),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({
				endpoint_id: ids.endpoint_id,
				url: 'https://flows.example/other',
				events: ['video_agent.success'],
				secret: null,
			});
		},
	},
	delete: {
		before: anEndpoint,
		parameters: (ids) => ({ endpoint_id: endpointOf(ids) }),
		sends: (ids) => ({
			line: `DELETE /v3/webhooks/endpoints/${String(ids.endpoint_id)}`,
			query: {},
		}),
		returns: (items, ids, service) => {
			expect(first(items)).toEqual({ endpoint_id: ids.endpoint_id, deleted: true });
			expect(service.control.endpoints()).toEqual([]);
		},
	},
	rotateSecret: {
		before: anEndpoint,
		parameters: (ids) => ({ endpoint_id: endpointOf(ids) }),
		sends: (ids) => ({
			line: `POST /v3/webhooks/endpoints/${String(ids.endpoint_id)}/rotate-secret`,
			body: null,
		}),
		keyed: true,
		returns: (items, ids, service) => {
			const id = String(ids.endpoint_id);
			expect(first(items)).toEqual({ endpoint_id: id, secret: service.control.secretOf(id) });
			expect(first(items).secret).not.toBe(ids.secret);
		},
	},
	getEventTypes: {
		parameters: () => ({}),
		sends: () => ({ line: 'GET /v3/webhooks/event-types', query: {} }),
		returns: (items) => {
			expect(items.map(({ json }) => json.event_type)).toContain('video_agent.success');
			for (const { json } of items) expect(json.description).toEqual(expect.any(String));
		},
	},
	getEvents: {
		before: aDelivery,
		parameters: (ids) => ({
			...few,
			options: { event_type: 'avatar_video.success', entity_id: String(ids.video_id) },
		}),
		sends: (ids) => ({
			line: 'GET /v3/webhooks/events',
			query: {
				limit: '3',
				event_type: 'avatar_video.success',
				entity_id: String(ids.video_id),
			},
		}),
		returns: (items, ids) => {
			expect(items).toHaveLength(1);
			expect(first(items)).toMatchObject({
				event_type: 'avatar_video.success',
				event_data: { video_id: ids.video_id },
			});
		},
	},
};

describeOperations('VideoGenWebhook', operations, cases, [
	'getEvents, Event Name or ID, 1 characters',
]);
