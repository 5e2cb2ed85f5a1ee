import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import type { Endpoint } from './rows';
import type { Outbox, Service } from './service';
import { add, newId, type Delivery } from './store';

export interface HandMade {
	url: string;
	secret: string;
	event: object;
	prefix?: string;
	/** Seconds added to the timestamp. */
	timestampOffset?: number;
	/** Changes the body after it was signed. */
	tamper?: boolean;
	omit?: Array<'signature' | 'timestamp' | 'event-id'>;
	eventId?: string;
	signature?: string;
}

type Data = Record<string, unknown>;

const giveUpSeconds = 24 * 3600;

export const createOutbox = (): Outbox => ({
	agent: new Agent({ connections: 32, keepAliveTimeout: 1000 }),
	running: new Set(),
	generation: 0,
});

const sign = (secret: string, body: string) =>
	createHmac('sha256', secret).update(body).digest('hex');

export const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString();

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Where a public address is answered on this machine; undefined when nowhere. */
export function localAddress(url: string, tunnels: Record<string, string>): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const target = new URL(url);
	const tunnel = Object.entries(tunnels).find(
		([origin]) => URL.canParse(origin) && new URL(origin).origin === target.origin,
	);
	const local = tunnel ? new URL(target.pathname + target.search, tunnel[1]) : target;
	return loopback.has(local.hostname) && /^https?:$/.test(local.protocol) ? local.href : undefined;
}

const headerNames = (prefix: string) => ({
	signature: `${prefix}-Signature`,
	timestamp: `${prefix}-Timestamp`,
	'event-id': `${prefix}-Event-Id`,
});

async function post(
	{ settings, outbox }: Service,
	url: string,
	headers: Record<string, string>,
	body: string,
) {
	const local = localAddress(url, settings.tunnels);
	if (!local) throw new Error('refused: neither loopback nor a tunnel');
	const response = await request(local, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body,
		dispatcher: outbox.agent,
		signal: AbortSignal.timeout(settings.receiverTimeoutSeconds * 1000),
	});
	return { status: response.statusCode, body: await response.body.text() };
}

interface Parcel {
	url: string;
	type: string;
	eventId: string | null;
	body: string;
	/** Read at each attempt: the secret may have been rotated, the endpoint deleted. */
	endpoint?: () => Endpoint | undefined;
}

/** Sends now, and again with growing pauses until an answer is 2xx or 24 hours have passed. */
function dispatch(service: Service, parcel: Parcel) {
	const { settings, clock, outbox } = service;
	const { generation } = outbox;
	const first = clock.now();
	const attempt = async (count: number): Promise<void> => {
		const endpoint = parcel.endpoint?.();
		if (generation !== outbox.generation || (parcel.endpoint && !endpoint)) return;
		const at = clock.now();
		const names = headerNames(settings.headerPrefix);
		const headers: Record<string, string> = endpoint
			? {
					[names.signature]: sign(endpoint.secret, parcel.body),
					[names.timestamp]: String(Math.floor(at)),
					[names['event-id']]: parcel.eventId ?? '',
				}
			: {};
		const record: Delivery = {
			event_id: parcel.eventId,
			url: endpoint?.url ?? parcel.url,
			event_type: parcel.type,
			status: null,
			attempt: count,
			at,
			headers,
			body: parcel.body,
		};
		try {
			record.status = (await post(service, record.url, headers, parcel.body)).status;
		} catch (error) {
			record.error = error instanceof Error ? error.message || error.name : String(error);
		}
		if (generation !== outbox.generation) return;
		service.state.deliveries.push(record);
		if (record.status !== null && record.status >= 200 && record.status < 300) return;
		const wait = settings.retrySeconds * 2 ** (count - 1);
		if (clock.now() + wait - first > giveUpSeconds) return;
		clock.after(wait, () => track(outbox, attempt(count + 1)));
	};
	track(outbox, attempt(1));
}

function track({ running }: Outbox, work: Promise<void>) {
	running.add(work);
	void work.finally(() => running.delete(work));
}

/** Only the callback: for notices that no endpoint can subscribe to. Unsigned, without an id. */
export function callBack(service: Service, type: string, data: Data, url: string) {
	const body = JSON.stringify({ event_type: type, event_data: data });
	dispatch(service, { url, type, eventId: null, body });
}

/** Tells every endpoint that wants the event, and the request's own callback address. */
export function emit(service: Service, type: string, data: Data, callbackUrl?: string | null) {
	const { state, clock } = service;
	const about = Object.entries(data)
		.filter(([name]) => name === 'id' || name.endsWith('_id'))
		.map(([, value]) => value);
	for (const endpoint of state.endpoints.values()) {
		if (endpoint.events && !endpoint.events.includes(type)) continue;
		if (endpoint.entityId && !about.includes(endpoint.entityId)) continue;
		const created = clock.now();
		const event = add(state, state.events, {
			id: randomUUID(),
			event_type: type,
			event_data: data,
			created,
		});
		dispatch(service, {
			url: endpoint.url,
			type,
			eventId: event.id,
			endpoint: () => service.state.endpoints.get(endpoint.id),
			body: JSON.stringify({
				event_id: event.id,
				event_type: type,
				event_data: data,
				created_at: isoTime(created),
			}),
		});
	}
	if (callbackUrl) callBack(service, type, data, callbackUrl);
}

/** One delivery made by hand, so that a test can bend every part of it. */
export async function deliverByHand(service: Service, options: HandMade) {
	const signed = JSON.stringify(options.event);
	const names = headerNames(options.prefix ?? service.settings.headerPrefix);
	const at = Math.floor(service.clock.now() + (options.timestampOffset ?? 0));
	const headers: Record<string, string> = {
		[names.signature]: options.signature ?? sign(options.secret, signed),
		[names.timestamp]: String(at),
		[names['event-id']]: options.eventId ?? newId(),
	};
	for (const name of options.omit ?? []) delete headers[names[name]];
	return post(service, options.url, headers, options.tamper ? `${signed} ` : signed);
}

/** Resolves when no attempt is under way; later retries may still be due. */
export async function deliveriesIdle({ outbox }: Service) {
	while (outbox.running.size > 0) await Promise.all(outbox.running);
}

/** What is under way stays unheard, and is not repeated. */
export function silence({ outbox }: Service) {
	outbox.generation += 1;
}
