import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import type { WebhookEndpoint } from './rows';
import type { Outbox, Service } from './service';
import { addRow, createId, type Delivery } from './store';

export interface CustomDelivery {
	url: string;
	secret: string;
	event: object;
	prefix?: string;
	/** Seconds to add to the timestamp. */
	timestampOffset?: number;
	/** Whether to change the body after signing it. */
	tamper?: boolean;
	omit?: Array<'signature' | 'timestamp' | 'event-id'>;
	eventId?: string;
	signature?: string;
}

type EventData = Record<string, unknown>;

const maxRetrySeconds = 24 * 3600;

export const createOutbox = (): Outbox => ({
	agent: new Agent({ connections: 32, keepAliveTimeout: 1000 }),
	running: new Set(),
	generation: 0,
});

const sign = (secret: string, body: string) =>
	createHmac('sha256', secret).update(body).digest('hex');

export const toIsoTime = (seconds: number) => new Date(seconds * 1000).toISOString();

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Returns the loopback URL that receives deliveries for a public URL, or undefined if there is none. */
export function resolveLocalUrl(url: string, tunnels: Record<string, string>): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const target = new URL(url);
	const tunnel = Object.entries(tunnels).find(
		([origin]) => URL.canParse(origin) && new URL(origin).origin === target.origin,
	);
	const local = tunnel ? new URL(target.pathname + target.search, tunnel[1]) : target;
	return loopbackHosts.has(local.hostname) && /^https?:$/.test(local.protocol)
		? local.href
		: undefined;
}

const getHeaderNames = (prefix: string) => ({
	signature: `${prefix}-Signature`,
	timestamp: `${prefix}-Timestamp`,
	'event-id': `${prefix}-Event-Id`,
});

async function postEvent(
	{ settings, outbox }: Service,
	url: string,
	headers: Record<string, string>,
	body: string,
) {
	const local = resolveLocalUrl(url, settings.tunnels);
	if (!local) throw new Error('rejected: the URL is neither on loopback nor behind a tunnel');
	const response = await request(local, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body,
		dispatcher: outbox.agent,
		signal: AbortSignal.timeout(settings.receiverTimeoutSeconds * 1000),
	});
	return { status: response.statusCode, body: await response.body.text() };
}

interface OutgoingEvent {
	url: string;
	type: string;
	eventId: string | null;
	body: string;
	/** Read at every attempt: the secret may be rotated, the endpoint deleted. */
	endpoint?: () => WebhookEndpoint | undefined;
}

/** Delivers an event, with retries at growing intervals until a 2xx response or for 24 hours. */
function deliverWithRetries(service: Service, outgoing: OutgoingEvent) {
	const { settings, clock, outbox } = service;
	const { generation } = outbox;
	const firstAt = clock.now();
	const attemptDelivery = async (count: number): Promise<void> => {
		const endpoint = outgoing.endpoint?.();
		const isStopped = outgoing.endpoint && endpoint?.status !== 'enabled';
		if (generation !== outbox.generation || isStopped) return;
		const at = clock.now();
		const names = getHeaderNames(settings.headerPrefix);
		const headers: Record<string, string> = endpoint
			? {
					[names.signature]: sign(endpoint.secret, outgoing.body),
					[names.timestamp]: String(Math.floor(at)),
					[names['event-id']]: outgoing.eventId ?? '',
				}
			: {};
		const record: Delivery = {
			event_id: outgoing.eventId,
			url: endpoint?.url ?? outgoing.url,
			event_type: outgoing.type,
			status: null,
			attempt: count,
			at,
			headers,
			body: outgoing.body,
		};
		try {
			record.status = (await postEvent(service, record.url, headers, outgoing.body)).status;
		} catch (error) {
			record.error = error instanceof Error ? error.message || error.name : String(error);
		}
		if (generation !== outbox.generation) return;
		service.state.deliveries.push(record);
		if (record.status !== null && record.status >= 200 && record.status < 300) return;
		const wait = settings.retrySeconds * 2 ** (count - 1);
		if (clock.now() + wait - firstAt > maxRetrySeconds) return;
		clock.schedule(wait, () => trackDeliveryUntilStored(outbox, attemptDelivery(count + 1)));
	};
	trackDeliveryUntilStored(outbox, attemptDelivery(1));
}

function trackDeliveryUntilStored({ running }: Outbox, work: Promise<void>) {
	running.add(work);
	void work.finally(() => running.delete(work));
}

/** Sends an event to a callback URL only, unsigned and without an id (service.md, Callbacks). */
export function sendCallback(service: Service, type: string, data: EventData, url: string) {
	const body = JSON.stringify({ event_type: type, event_data: data });
	deliverWithRetries(service, { url, type, eventId: null, body });
}

/** Delivers an event to every subscribed endpoint and to the callback URL of the request. */
export function emitEvent(
	service: Service,
	type: string,
	data: EventData,
	callbackUrl?: string | null,
) {
	const { state, clock } = service;
	const relatedIds = Object.entries(data)
		.filter(([name]) => name === 'id' || name.endsWith('_id'))
		.map(([, value]) => value);
	for (const endpoint of state.endpoints.values()) {
		if (endpoint.status === 'disabled') continue;
		if (endpoint.events && !endpoint.events.includes(type)) continue;
		if (endpoint.entityId && !relatedIds.includes(endpoint.entityId)) continue;
		const created = clock.now();
		const event = addRow(state, state.events, {
			id: randomUUID(),
			event_type: type,
			event_data: data,
			created,
		});
		deliverWithRetries(service, {
			url: endpoint.url,
			type,
			eventId: event.id,
			endpoint: () => service.state.endpoints.get(endpoint.id),
			body: JSON.stringify({
				event_id: event.id,
				event_type: type,
				event_data: data,
				created_at: toIsoTime(created),
			}),
		});
	}
	if (callbackUrl) sendCallback(service, type, data, callbackUrl);
}

/** Sends one delivery, any part of which a test can falsify. */
export async function sendCustomDelivery(service: Service, options: CustomDelivery) {
	const signed = JSON.stringify(options.event);
	const names = getHeaderNames(options.prefix ?? service.settings.headerPrefix);
	const at = Math.floor(service.clock.now() + (options.timestampOffset ?? 0));
	const headers: Record<string, string> = {
		[names.signature]: options.signature ?? sign(options.secret, signed),
		[names.timestamp]: String(at),
		[names['event-id']]: options.eventId ?? createId(),
	};
	for (const name of options.omit ?? []) delete headers[names[name]];
	return postEvent(service, options.url, headers, options.tamper ? `${signed} ` : signed);
}

/** Resolves when no attempt is in flight. Scheduled retries do not count. */
export async function waitForDeliveries({ outbox }: Service) {
	while (outbox.running.size > 0) await Promise.all(outbox.running);
}

/** Stops recording and retrying the deliveries in flight. */
export function cancelDeliveries({ outbox }: Service) {
	outbox.generation += 1;
}
