import { listEvents } from '../api';
import { toIsoTime } from '../deliveries';
import { createError, createInvalidParameterError } from '../errors';
import { respond, respondWithList } from '../http/responses';
import { respondWithPage } from '../http/pagination';
import type { Route } from '../http/route';
import type { WebhookEndpoint, EventRecord } from '../rows';
import type { Service } from '../service';
import { addRow, findRow, createId } from '../store';

const viewEndpoint = (endpoint: WebhookEndpoint, secret: string | null = null) => ({
	endpoint_id: endpoint.id,
	url: endpoint.url,
	events: endpoint.events,
	status: endpoint.status,
	created_at: toIsoTime(endpoint.created),
	secret,
});

export function registerWebhooks(route: Route, service: Service) {
	const createSecret = () => {
		const secret = createId('whsec_');
		service.endpointSecrets.push(secret);
		return secret;
	};
	const findEndpoint = (id: string | undefined) =>
		findRow(service.state.endpoints, id, 'Webhook endpoint', 'webhook_not_found');

	const rejectTaken = (url: string, except?: WebhookEndpoint) => {
		for (const other of service.state.endpoints.values()) {
			if (other !== except && other.url === url) {
				throw createError(409, 'conflict', 'This URL is already registered', 'url');
			}
		}
	};

	const requireHttps = (url: string) => {
		if (!service.settings.localEndpoints && !url.startsWith('https:')) {
			throw createInvalidParameterError('url', 'url: must be an https URL');
		}
	};

	route('POST /v3/webhooks/endpoints', ({ body, now }) => {
		requireHttps(body.url);
		rejectTaken(body.url);
		const endpoint = addRow<WebhookEndpoint>(service.state, service.state.endpoints, {
			id: createId('ep_'),
			url: body.url,
			events: body.events ?? null,
			entityId: body.entity_id ?? null,
			status: 'enabled',
			secret: createSecret(),
			created: now,
		});
		return respond(viewEndpoint(endpoint, endpoint.secret));
	});

	route('GET /v3/webhooks/endpoints', ({ query }) =>
		respondWithPage(service, 'endpoints', service.state.endpoints.values(), query, (row) =>
			viewEndpoint(row),
		),
	);

	route('PATCH /v3/webhooks/endpoints/{endpoint_id}', ({ params, body }) => {
		const endpoint = findEndpoint(params.endpoint_id);
		if (body.url !== undefined) {
			requireHttps(body.url);
			rejectTaken(body.url, endpoint);
			endpoint.url = body.url;
		}
		if (body.events !== undefined) endpoint.events = body.events;
		return respond(viewEndpoint(endpoint));
	});

	route('DELETE /v3/webhooks/endpoints/{endpoint_id}', ({ params }) => {
		service.state.endpoints.delete(findEndpoint(params.endpoint_id).id);
		return respond({});
	});

	route('POST /v3/webhooks/endpoints/{endpoint_id}/rotate-secret', ({ params }) => {
		const endpoint = findEndpoint(params.endpoint_id);
		endpoint.secret = createSecret();
		return respond({ endpoint_id: endpoint.id, secret: endpoint.secret });
	});

	route('GET /v3/webhooks/event-types', () => {
		const { eventTypeKey: key } = service.settings;
		const rows = listEvents().map(([type, description]) =>
			key === null ? type : { [key]: type, description },
		);
		return respondWithList(rows);
	});

	route('GET /v3/webhooks/events', ({ query }) => {
		const rows = [...service.state.events.values()].filter(
			(event) =>
				(!query.event_type || event.event_type === query.event_type) &&
				(!query.entity_id || Object.values(event.event_data).includes(query.entity_id)),
		);
		const viewEvent = (event: EventRecord) => ({
			event_id: event.id,
			event_type: event.event_type,
			event_data: event.event_data,
			created_at: toIsoTime(event.created),
		});
		const order = service.settings.eventsFirst === 'newest' ? 'newest' : 'catalog';
		return respondWithPage(service, 'events', rows, query, viewEvent, order);
	});
}
