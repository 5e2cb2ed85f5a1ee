import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { add, newId, type Endpoint, type Row, type Service } from './store';

export interface Delivery {
	event_id: string | null;
	url: string;
	event_type: string;
	/** Null when no answer came. */
	status: number | null;
	attempt: number;
	at: number;
	headers: Record<string, string>;
	body: string;
	error?: string;
}

export interface EventRecord extends Row {
	event_type: string;
	event_data: Record<string, unknown>;
	created: number;
}

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

export interface Deliverer {
	/** Tells every endpoint that wants the event, and the request's own callback address. */
	emit(type: string, data: Record<string, unknown>, callback?: { url: string | null }): void;
	/** Only the callback: for notices that no endpoint can subscribe to. */
	callBack(type: string, data: Record<string, unknown>, url: string): void;
	handMade(options: HandMade): Promise<{ status: number; body: string }>;
	/** Resolves when no attempt is under way; later retries may still be due. */
	idle(): Promise<void>;
	reset(): void;
	close(): Promise<void>;
}

const GIVE_UP_SECONDS = 24 * 3600;

export const sign = (secret: string, body: string) =>
	createHmac('sha256', secret).update(body).digest('hex');

export const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString();

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Where a public address is answered on this machine; undefined when nowhere. */
export function localAddress(url: string, tunnels: Record<string, string>): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const target = new URL(url);
	const tunnel = Object.entries(tunnels).find(
		([origin]) => URL.canParse(origin) && new URL(origin).origin === target.origin,
	);
	const local = tunnel ? new URL(target.pathname + target.search, tunnel[1]) : target;
	return LOOPBACK.has(local.hostname) && /^https?:$/.test(local.protocol) ? local.href : undefined;
}

export function createDeliverer(service: Service): Deliverer {
	const agent = new Agent({ connections: 32, keepAliveTimeout: 1000 });
	const running = new Set<Promise<void>>();
	let generation = 0;
	const { settings } = service;

	const headerNames = (prefix: string) => ({
		signature: `${prefix}-Signature`,
		timestamp: `${prefix}-Timestamp`,
		'event-id': `${prefix}-Event-Id`,
	});

	async function post(url: string, headers: Record<string, string>, body: string) {
		const local = localAddress(url, settings.tunnels);
		if (!local) throw new Error('refused: neither loopback nor a tunnel');
		const limit = settings.receiverTimeoutSeconds * 1000;
		const response = await request(local, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...headers },
			body,
			dispatcher: agent,
			signal: AbortSignal.timeout(limit),
		});
		return { status: response.statusCode, body: await response.body.text() };
	}

	function dispatch(job: {
		url: string;
		type: string;
		eventId: string | null;
		body: string;
		/** Read at each attempt: the secret may have been rotated, the endpoint deleted. */
		endpoint?: () => Endpoint | undefined;
	}) {
		const own = generation;
		const first = service.clock.now();
		const attempt = async (count: number): Promise<void> => {
			const endpoint = job.endpoint?.();
			if (own !== generation || (job.endpoint && !endpoint)) return;
			const at = service.clock.now();
			const names = headerNames(settings.headerPrefix);
			const headers: Record<string, string> = endpoint
				? {
						[names.signature]: sign(endpoint.secret, job.body),
						[names.timestamp]: String(Math.floor(at)),
						[names['event-id']]: job.eventId ?? '',
					}
				: {};
			const record: Delivery = {
				event_id: job.eventId,
				url: endpoint?.url ?? job.url,
				event_type: job.type,
				status: null,
				attempt: count,
				at,
				headers,
				body: job.body,
			};
			try {
				record.status = (await post(record.url, headers, job.body)).status;
			} catch (error) {
				record.error = error instanceof Error ? error.message || error.name : String(error);
			}
			if (own !== generation) return;
			service.state.deliveries.push(record);
			if (record.status !== null && record.status >= 200 && record.status < 300) return;
			const wait = settings.retrySeconds * 2 ** (count - 1);
			if (service.clock.now() + wait - first > GIVE_UP_SECONDS) return;
			service.clock.after(wait, () => track(attempt(count + 1)));
		};
		track(attempt(1));
	}

	function track(work: Promise<void>) {
		running.add(work);
		void work.finally(() => running.delete(work));
	}

	const callBack = (type: string, data: Record<string, unknown>, url: string) =>
		// Callbacks are unsigned and carry no event id (api.md, section 22).
		dispatch({
			url,
			type,
			eventId: null,
			body: JSON.stringify({ event_type: type, event_data: data }),
		});

	return {
		callBack,
		emit(type, data, callback) {
			const { state, clock } = service;
			const about = Object.entries(data)
				.filter(([name]) => name === 'id' || name.endsWith('_id'))
				.map(([, value]) => value);
			for (const endpoint of state.endpoints.values()) {
				if (endpoint.events && !endpoint.events.includes(type)) continue;
				if (endpoint.entityId && !about.includes(endpoint.entityId)) continue;
				const created = clock.now();
				const table = new Map<string, EventRecord>();
				const event = add<EventRecord>(state, table, {
					id: randomUUID(),
					event_type: type,
					event_data: data,
					created,
				});
				state.events.push(event);
				dispatch({
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
			if (callback?.url) callBack(type, data, callback.url);
		},
		async handMade(options) {
			const signed = JSON.stringify(options.event);
			const names = headerNames(options.prefix ?? settings.headerPrefix);
			const at = Math.floor(service.clock.now() + (options.timestampOffset ?? 0));
			const headers: Record<string, string> = {
				[names.signature]: options.signature ?? sign(options.secret, signed),
				[names.timestamp]: String(at),
				[names['event-id']]: options.eventId ?? newId(),
			};
			for (const name of options.omit ?? []) delete headers[names[name]];
			return post(options.url, headers, options.tamper ? `${signed} ` : signed);
		},
		async idle() {
			while (running.size > 0) await Promise.all(running);
		},
		reset() {
			generation += 1;
		},
		async close() {
			generation += 1;
			await agent.destroy();
		},
	};
}
