import { createHmac, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorBody, invalid, isProblem, problem, type Problem } from './errors';
import { takeFault, type ArmedFault } from './faults';
import type { ReceivedRequest, Row, Service } from './store';

declare module 'fastify' {
	interface FastifyRequest {
		fault?: ArmedFault;
		received?: ReceivedRequest;
	}
}

export interface Answer {
	status: number;
	body: unknown;
	headers?: Record<string, string>;
}

export const ok = (data: unknown, status = 200): Answer => ({ status, body: { data } });

export interface Call<Query, Body> {
	service: Service;
	params: Record<string, string>;
	query: Query;
	body: Body;
	/** For what is no JSON: multipart forms. */
	request: FastifyRequest;
	/** Seconds at the start of the request. */
	now: number;
}

export interface RouteOptions<Query extends z.ZodTypeAny, Body extends z.ZodTypeAny> {
	/** Scope that a restricted key needs; null when any valid key will do. */
	scope: string | null;
	query?: Query;
	body?: Body;
	/** Takes the `Idempotency-Key` header. */
	idempotent?: boolean;
	/** The handler reads the body itself. */
	form?: boolean;
}

const NOTHING = z.object({}).strict();
const REPLAY_SECONDS = 24 * 3600;
const IDEMPOTENCY_KEY = /^[A-Za-z0-9_:.-]{1,255}$/;

export function route<Query extends z.ZodTypeAny, Body extends z.ZodTypeAny>(
	app: FastifyInstance,
	service: Service,
	line: string,
	options: RouteOptions<Query, Body>,
	handle: (call: Call<z.infer<Query>, z.infer<Body>>) => Answer | Promise<Answer>,
) {
	const [method = '', pattern = ''] = line.split(' ');
	app.route({
		method,
		url: pattern.replace(/\{(\w+)\}/g, ':$1'),
		handler: async (request, reply) => {
			service.clock.pump();
			authorize(service, request, options.scope);
			const work = async (): Promise<Answer> => {
				if (request.fault) await delay(service, request.fault);
				const query = check(options.query ?? NOTHING, request.query ?? {}) as z.infer<Query>;
				const body = options.form
					? undefined
					: (check(options.body ?? NOTHING, request.body ?? {}) as z.infer<Body>);
				const params = request.params as Record<string, string>;
				return handle({ service, params, query, body, request, now: service.clock.now() });
			};
			const key = options.idempotent ? request.headers['idempotency-key'] : undefined;
			const answer =
				key === undefined ? await work() : await once(service, request, line, String(key), work);
			return send(request, reply, answer);
		},
	});
}

export const pause = (service: Service, ms: number) =>
	sleep(ms, undefined, { signal: service.closing.signal });

async function delay(service: Service, { delayMs, cleared }: ArmedFault) {
	if (!delayMs) return;
	const signal = AbortSignal.any([service.closing.signal, cleared.signal]);
	// A request goes on when its fault is cleared, but not when the service closes.
	await sleep(delayMs, undefined, { signal }).catch(() => service.closing.signal.throwIfAborted());
}

/** Does the work once per key, and answers repeats with the first answer. */
async function once(
	service: Service,
	request: FastifyRequest,
	line: string,
	key: string,
	work: () => Promise<Answer>,
): Promise<Answer> {
	if (!IDEMPOTENCY_KEY.test(key)) {
		throw invalid(
			'Idempotency-Key',
			'Idempotency-Key takes 1 to 255 characters of A-Z a-z 0-9 _ : . -',
		);
	}
	const { state } = service;
	const place = `${line} ${JSON.stringify(request.params)} ${key}`;
	const stored = state.replays.get(place);
	if (stored && !stored.answer) {
		throw problem(409, 'request_in_progress', 'The first request with this key is still running');
	}
	if (stored?.answer && service.clock.now() - stored.at < REPLAY_SECONDS) return stored.answer;
	const entry: { answer: Answer | null; at: number } = { answer: null, at: service.clock.now() };
	state.replays.set(place, entry);
	try {
		entry.answer = await work();
		entry.at = service.clock.now();
		return entry.answer;
	} catch (error) {
		// A refused request did nothing, so its key stays free for the corrected one.
		state.replays.delete(place);
		throw error;
	}
}

function authorize(service: Service, request: FastifyRequest, scope: string | null) {
	const { authorization } = request.headers;
	const apiKey = request.headers['x-api-key'];
	const unauthorized = problem(
		401,
		'unauthorized',
		'The API key or access token is missing, invalid or expired',
	);
	let identity: string;
	if (apiKey !== undefined) {
		const key = service.keys.get(String(apiKey));
		if (!key || key.expired) throw unauthorized;
		identity = String(apiKey);
		if (scope !== null && !grants(key.scopes, scope)) {
			throw problem(403, 'insufficient_api_key_scope', `This API key needs the scope ${scope}`);
		}
	} else {
		const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
		if (token === undefined || !service.tokens.has(token)) throw unauthorized;
		identity = token;
	}
	limitRate(service, identity, service.settings.requestsPerMinute);
}

function grants(scopes: string[], wanted: string) {
	const [resource, verb] = wanted.split(':');
	return scopes.some(
		(scope) =>
			scope === '*:*' || scope === wanted || (verb === 'read' && scope === `${resource}:write`),
	);
}

/** Counts in fixed windows of a simulated minute. */
export function limitRate(service: Service, name: string, perMinute: number | undefined) {
	if (perMinute === undefined) return;
	const now = service.clock.now();
	let window = service.state.windows.get(name);
	if (!window || now - window.from >= 60) {
		window = { from: now, count: 0 };
		service.state.windows.set(name, window);
	}
	window.count += 1;
	if (window.count > perMinute) {
		const wait = Math.max(1, Math.ceil(window.from + 60 - now));
		throw problem(429, 'rate_limit_exceeded', `Too many requests: wait ${wait} seconds`, null, {
			headers: { 'retry-after': String(wait) },
		});
	}
}

export function check<Schema extends z.ZodTypeAny>(
	schema: Schema,
	value: unknown,
): z.infer<Schema> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw describeIssue(result.error);
}

function describeIssue(error: z.ZodError): Problem {
	const issue = error.issues[0];
	if (!issue) return invalid(null, 'The request is not valid');
	if (issue.code === 'invalid_union') {
		// The member that got furthest is the one that was meant.
		const deepest = [...issue.unionErrors].sort((a, b) => depth(b) - depth(a))[0];
		if (deepest && depth(deepest) > issue.path.length) return describeIssue(deepest);
	}
	const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
	const param = [...issue.path, ...keys].reduce<string>(
		(text, part) =>
			typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
		'',
	);
	return invalid(param || null, param ? `${param}: ${issue.message}` : issue.message);
}

const depth = (error: z.ZodError) => Math.max(...error.issues.map((issue) => issue.path.length));

export async function send(request: FastifyRequest, reply: FastifyReply, answer: Answer) {
	const { fault } = request;
	if (answer.body instanceof Readable && !fault?.cut) {
		return reply
			.status(answer.status)
			.headers(answer.headers ?? {})
			.send(answer.body);
	}
	const body =
		answer.body instanceof Readable ? (await answer.body.toArray()).join('') : answer.body;
	const isText = typeof body === 'string';
	const text = isText ? body : JSON.stringify(body);
	if (fault?.cut === 'after') {
		cut(request, reply);
		return reply;
	}
	if (fault?.cut === 'midway') {
		const bytes = Buffer.from(text);
		reply.hijack();
		reply.raw.writeHead(answer.status, {
			'content-type': 'application/json',
			'content-length': bytes.length,
		});
		reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
			setTimeout(() => reply.raw.destroy(), 10);
		});
		return reply;
	}
	return reply
		.status(answer.status)
		.headers({
			'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
			...answer.headers,
		})
		.send(text);
}

/** Breaks the connection without an answer. */
function cut(request: FastifyRequest, reply: FastifyReply) {
	reply.hijack();
	request.raw.socket.destroy();
}

/** Meets a request before its handler: the faults that leave no work done. */
export async function sabotage(service: Service, request: FastifyRequest, reply: FastifyReply) {
	const path = new URL(request.url, 'http://local').pathname;
	const fault = takeFault(service, request.method, path);
	if (!fault) return undefined;
	request.fault = fault;
	const refuses = fault.status !== undefined || fault.body !== undefined;
	if (!refuses && fault.cut !== 'before') {
		// The API waits while it works, so that a repeat meets a running original; files wait here.
		if (!/^\/v\d\//.test(path)) await delay(service, fault);
		return undefined;
	}
	await delay(service, fault);
	// An upload that is refused is still read, so that the client can take the answer.
	request.raw.resume();
	if (fault.cut === 'before') {
		cut(request, reply);
		return reply;
	}
	const status = fault.status ?? 200;
	const headers = {
		...(fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }),
		...fault.headers,
	};
	const error = problem(
		status,
		fault.code ?? usualCode(status),
		fault.message ?? 'The service was told to fail here',
		fault.param ?? null,
	);
	const legacy = path.startsWith('/v1/');
	return send(request, reply, {
		status,
		headers,
		body: fault.body === undefined ? errorBody(error, newRequestId(), legacy) : fault.body,
	});
}

const USUAL_CODES: Record<number, string> = {
	400: 'invalid_parameter',
	401: 'unauthorized',
	402: 'insufficient_credit',
	403: 'forbidden',
	404: 'not_found',
	409: 'conflict',
	429: 'rate_limit_exceeded',
	503: 'service_unavailable',
	504: 'gateway_timeout',
};

const usualCode = (status: number) => USUAL_CODES[status] ?? 'internal_error';

export const newRequestId = () => randomBytes(16).toString('hex');

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
	const known = isProblem(error) ? error : frameworkProblem(error);
	const legacy = request.url.startsWith('/v1/');
	return send(request, reply, {
		status: known.status,
		headers: known.headers,
		body: errorBody(known, newRequestId(), legacy),
	});
}

function frameworkProblem(error: unknown): Problem {
	const { statusCode, message } = error as { statusCode?: number; message?: string };
	if (statusCode !== undefined && statusCode < 500) return invalid(null, message ?? 'Bad request');
	return problem(500, 'internal_error', message ?? 'Something broke inside the simulator');
}

/** Query fields that every list takes. */
export const paging = (usual: number, most = 100) => ({
	limit: z
		.string()
		.regex(/^\d+$/, 'must be an integer')
		.transform(Number)
		.pipe(z.number().int().min(1).max(most))
		.default(String(usual)),
	token: z.string().optional(),
});

export interface Page<T> {
	rows: T[];
	has_more: boolean;
	next_token: string | null;
}

/** One page of rows. A cursor names the last row shown, so that inserts do not shift pages. */
export function cutPage<T>(
	service: Service,
	list: string,
	rows: T[],
	query: { limit: number; token?: string | undefined },
	options: { key: (row: T) => number; newestFirst?: boolean },
): Page<T> {
	const sorted = [...rows].sort((a, b) =>
		options.newestFirst ? options.key(b) - options.key(a) : options.key(a) - options.key(b),
	);
	const after = query.token === undefined ? undefined : readCursor(service, list, query.token);
	const rest = sorted.filter((row) =>
		after === undefined
			? true
			: options.newestFirst
				? options.key(row) < after
				: options.key(row) > after,
	);
	const limit = Math.min(query.limit, service.settings.pageSize ?? query.limit);
	const shown = rest.slice(0, limit);
	const last = shown.at(-1);
	const more = rest.length > shown.length && last !== undefined;
	return {
		rows: shown,
		has_more: more,
		next_token: more ? writeCursor(service, list, options.key(last)) : null,
	};
}

/** A list answer. Unlike single answers it has the paging fields beside `data`. */
export function page<T extends Row>(
	service: Service,
	list: string,
	rows: Iterable<T>,
	query: { limit: number; token?: string | undefined },
	view: (row: T) => unknown,
	order: 'newest' | 'catalog' = 'newest',
): Answer {
	const cutOut = cutPage(service, list, [...rows], query, {
		key: (row) => row.seq,
		newestFirst: order === 'newest',
	});
	return {
		status: 200,
		body: {
			data: cutOut.rows.map(view),
			has_more: cutOut.has_more,
			next_token: cutOut.next_token,
		},
	};
}

const cursorSeal = (service: Service, text: string) =>
	createHmac('sha256', service.linkSecret).update(text).digest('base64url').slice(0, 12);

function writeCursor(service: Service, list: string, position: number) {
	const text = `${list}|${position}`;
	return Buffer.from(`${text}|${cursorSeal(service, text)}`).toString('base64url');
}

function readCursor(service: Service, list: string, token: string) {
	const [name = '', position = '', seal] = Buffer.from(token, 'base64url').toString().split('|');
	if (name !== list || seal !== cursorSeal(service, `${name}|${position}`)) {
		throw invalid('token', 'token: is not a cursor of this list');
	}
	return Number(position);
}
