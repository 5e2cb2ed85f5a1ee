import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance } from 'fastify';
import { createClock } from './clock';
import { createControl, type Control } from './control';
import { registerControl } from './controlApi';
import { createOutbox, cancelDeliveries } from './deliveries';
import { createInvalidParameterError, createNotFoundError } from './errors';
import { createRandom } from './faults';
import { sendError } from './http/responses';
import { createRoute } from './http/route';
import { injectFault } from './http/faultInjection';
import { registerMedia } from './media';
import { registerResources } from './resources';
import { maxFormFileBytes, registerStorage } from './resources/assets/uploads';
import { registerOauth } from './resources/oauth';
import { createState } from './seed';
import type { Service, Settings, SimulatorOptions } from './service';
import { isOwnRequest, registerStartPage } from './startPage';
import { createEmptyState, createId } from './store';

export type { Control } from './control';
export type { CustomDelivery } from './deliveries';
export type { Fault } from './faults';
export { describeSimulator, type OpenApiDocument } from './openApi';
export type { SimulatorOptions } from './service';
export type { Delivery, ReceivedRequest } from './store';

export interface Simulator {
	baseUrl: string;
	/** Has all scopes. */
	apiKey: string;
	/** OAuth bearer token that does not expire. */
	accessToken: string;
	control: Control;
	/** Stops all timers and closes all connections. */
	close(): Promise<void>;
}

const maxJsonBytes = 10 * 1024 * 1024;

function applyDefaults(options: SimulatorOptions): Settings {
	const setOptions = Object.entries(options).filter(([, value]) => value !== undefined);
	return {
		port: 0,
		host: '127.0.0.1',
		jobSeconds: 20,
		headerPrefix: 'Service',
		tunnels: {},
		renderVideos: false,
		localEndpoints: false,
		checkResponses: false,
		seed: 1,
		retrySeconds: 1,
		receiverTimeoutSeconds: 10,
		linkSeconds: 3600,
		tokenSeconds: 3600,
		rotateRefreshTokens: false,
		eventTypeKey: 'event_type',
		eventsFirst: 'newest',
		...Object.fromEntries(setOptions),
	};
}

function createService(options: SimulatorOptions): Service {
	const settings = applyDefaults(options);
	return {
		settings,
		baseUrl: '',
		clock: createClock(),
		state: createEmptyState(),
		keys: new Map(),
		tokens: new Set(),
		oauth: { codes: new Map(), grants: [] },
		random: createRandom(settings.seed),
		endpointSecrets: [],
		outbox: createOutbox(),
		linkSecret: createId(),
		closing: new AbortController(),
		media: { bytes: null, truncate: false },
	};
}

/** Starts the simulated service, on 127.0.0.1 unless `host` is set. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
	const app = fastify({ bodyLimit: maxJsonBytes, forceCloseConnections: true });
	const service = createService(options);

	await app.register(multipart, { limits: { fileSize: maxFormFileBytes, files: 1 } });
	registerBodyParsers(app);
	recordRequests(app, service);
	app.addHook('preHandler', async (request, reply) =>
		isOwnRequest(request.url) ? undefined : injectFault(service, request, reply),
	);
	app.setErrorHandler(sendError);
	app.setNotFoundHandler((request, reply) =>
		sendError(createNotFoundError('not_found', `${request.method} ${request.url}`), request, reply),
	);

	registerResources(createRoute(app, service), service);
	registerStorage(app, service);
	registerOauth(app, service);
	registerMedia(app, service);

	const control = createControl(service);
	registerControl(app, control);
	registerStartPage(app, service);

	const { port, host, publicUrl } = service.settings;
	const listenUrl = await app.listen({ port, host });
	service.baseUrl = publicUrl ?? listenUrl;
	service.state = createState(service.clock.now(), service.baseUrl);

	return {
		baseUrl: service.baseUrl,
		apiKey: control.addKey(service.settings.apiKey ? { key: service.settings.apiKey } : {}),
		accessToken: control.addToken(),
		control,
		async close() {
			service.clock.close();
			cancelDeliveries(service);
			await service.outbox.agent.destroy();
			await app.close();
			service.closing.abort();
		},
	};
}

/** Parses JSON here, so that a malformed body gets the error body of the service. */
function registerBodyParsers(app: FastifyInstance) {
	app.removeContentTypeParser(['application/json', 'text/plain']);
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
		if (text === '') return done(null, undefined);
		try {
			const value: unknown = JSON.parse(String(text));
			return done(null, value);
		} catch {
			return done(createInvalidParameterError(null, 'The body is not valid JSON'));
		}
	});
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
		if (text === '') return done(null, undefined);
		return done(createInvalidParameterError(null, 'The body must be application/json'));
	});
}

function recordRequests(app: FastifyInstance, service: Service) {
	app.addHook('onRequest', async (request) => {
		if (isOwnRequest(request.url)) return;
		request.received = {
			at: service.clock.now(),
			method: request.method,
			path: new URL(request.url, 'http://local').pathname,
			query: request.query as Record<string, unknown>,
			headers: request.headers,
			body: undefined,
			status: null,
		};
		service.state.requests.push(request.received);
	});
	app.addHook('preHandler', async (request) => {
		if (request.received && request.received.body === undefined) {
			request.received.body = request.body;
		}
	});
	app.addHook('onResponse', async (request, reply) => {
		const isAnswered = request.received && reply.raw.writableFinished;
		if (isAnswered && request.received) request.received.status = reply.statusCode;
	});
}
