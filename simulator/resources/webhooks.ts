import { z } from 'zod/v4';
import { toIsoTime } from '../deliveries';
import { createError } from '../errors';
import { respond, respondWithList } from '../http/responses';
import { respondWithPage, createPageQuery } from '../http/pagination';
import type { Route } from '../http/route';
import type { WebhookEndpoint, EventRecord } from '../rows';
import { httpsUrl, publicUrl } from '../schemas';
import type { Service } from '../service';
import { addRow, findRow, createId } from '../store';

const eventDescriptions: Record<string, string> = {
	'avatar_video.success': 'An avatar video is ready',
	'avatar_video.fail': 'An avatar video failed',
	'avatar_video_gif.success': 'The GIF of a video is ready',
	'avatar_video_gif.fail': 'The GIF of a video failed',
	'avatar_video_caption.success': 'The captions of a video are ready',
	'avatar_video_caption.fail': 'The captions of a video failed',
	'video_translate.success': 'A translation is ready',
	'video_translate.fail': 'A translation failed',
	'video_translate.preflight.validation_failed': 'A translation was rejected before it started',
	'video_translate.preflight.download_failed': 'The source of a translation could not be fetched',
	'video_agent.success': 'A Video Agent session ended with a video',
	'video_agent.fail': 'A Video Agent session failed',
	personalized_video: 'Something happened to a personalized video',
	'instant_avatar.success': 'An instant avatar is ready',
	'instant_avatar.fail': 'An instant avatar failed',
	'photo_avatar_generation.success': 'A photo avatar was generated',
	'photo_avatar_generation.fail': 'A photo avatar could not be generated',
	'photo_avatar_train.success': 'A photo avatar was trained',
	'photo_avatar_train.fail': 'A photo avatar could not be trained',
	'photo_avatar_add_motion.success': 'Motion was added to a photo avatar',
	'photo_avatar_add_motion.fail': 'Motion could not be added to a photo avatar',
	'proofread_creation.success': 'A proofread is ready',
	'proofread_creation.fail': 'A proofread failed',
	'live_avatar.success': 'A live avatar session ended well',
	'live_avatar.fail': 'A live avatar session failed',
	'hyperframes_video.success': 'A composition render is ready',
	'hyperframes_video.fail': 'A composition render failed',
	'ai_clipping.success': 'The clips of a video are ready',
	'ai_clipping.fail': 'Clipping a video failed',
	'batch.finished': 'Every item of a batch has ended',
};

const eventTypes = Object.keys(eventDescriptions) as [string, ...string[]];

const eventsField = z.array(z.enum(eventTypes)).nullish();

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

	const endpointUrl = service.settings.localEndpoints ? publicUrl : httpsUrl;

	route(
		'POST /v3/webhooks/endpoints',
		{
			scope: null,
			idempotent: true,
			body: z
				.object({ url: endpointUrl, events: eventsField, entity_id: z.string().min(1).nullish() })
				.strict(),
		},
		({ body, now }) => {
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
		},
	);

	route('GET /v3/webhooks/endpoints', { scope: null, query: createPageQuery(10) }, ({ query }) =>
		respondWithPage(service, 'endpoints', service.state.endpoints.values(), query, (row) =>
			viewEndpoint(row),
		),
	);

	route(
		'PATCH /v3/webhooks/endpoints/{endpoint_id}',
		{ scope: null, body: z.object({ url: endpointUrl.optional(), events: eventsField }).strict() },
		({ params, body }) => {
			const endpoint = findEndpoint(params.endpoint_id);
			if (body.url !== undefined) {
				rejectTaken(body.url, endpoint);
				endpoint.url = body.url;
			}
			if (body.events !== undefined) endpoint.events = body.events;
			return respond(viewEndpoint(endpoint));
		},
	);

	route('DELETE /v3/webhooks/endpoints/{endpoint_id}', { scope: null }, ({ params }) => {
		service.state.endpoints.delete(findEndpoint(params.endpoint_id).id);
		return respond({});
	});

	route(
		'POST /v3/webhooks/endpoints/{endpoint_id}/rotate-secret',
		{ scope: null, idempotent: true },
		({ params }) => {
			const endpoint = findEndpoint(params.endpoint_id);
			endpoint.secret = createSecret();
			return respond({ endpoint_id: endpoint.id, secret: endpoint.secret });
		},
	);

	route('GET /v3/webhooks/event-types', { scope: null }, () => {
		const { eventTypeKey: key } = service.settings;
		const rows = Object.entries(eventDescriptions).map(([type, description]) =>
			key === null ? type : { [key]: type, description },
		);
		return respondWithList(rows);
	});

	route(
		'GET /v3/webhooks/events',
		{
			scope: null,
			query: createPageQuery(10).extend({
				event_type: z.enum(eventTypes).optional(),
				entity_id: z.string().min(1).optional(),
			}),
		},
		({ query }) => {
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
		},
	);
}
