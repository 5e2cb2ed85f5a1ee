/**
 * One call to the service: the request line, authentication, retries, and the reply or the error.
 *
 * Retry rules (house rules, from the specification): 429 always; 5xx and broken connections only
 * where a repeat is safe, that is for reads, PUT, DELETE and creates that carry an
 * `Idempotency-Key`; `request_in_progress` and `resource_not_ready` are polled; nothing else.
 */
import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	IN8nHttpFullResponse,
	IWebhookFunctions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { clock } from './clock';
import {
	connection,
	connectionError,
	isQuota,
	longestRetryAfter,
	operationError,
	renewalError,
	serviceError,
	unconnectedError,
	type Facts,
} from './errors';
import { pace } from './pace';

/** Where a request can come from. */
export type Host = IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;

/** One request to the service. */
export interface Call {
	/** Method and path, `{name}` for path identifiers. */
	line: string;
	path?: Readonly<Record<string, string>>;
	query?: IDataObject;
	body?: IHttpRequestOptions['body'];
	headers?: IDataObject;
	/** Sent as `Idempotency-Key`; makes a repeat safe. */
	idempotencyKey?: string;
	/** A repeat is safe for another reason. */
	repeatable?: boolean;
	/** What may exist when the connection breaks after sending, and how to look for it. */
	mayExist?: string;
	/** It is not cut by the stop button at once: its answer names a job. */
	finishes?: boolean;
	/** The body of a good reply is left unread, as `stream`. */
	streamed?: boolean;
	/** A limit of requests per minute, shared by all that name it so. */
	rate?: { name: string; perMinute: number };
	/** Milliseconds; default 30 s for reads, 120 s for writes. */
	timeout?: number;
}

/** A reply, or why there is none. */
export type Outcome =
	| { ok: true; reply: IDataObject; status: number; stream?: FileStream }
	| { ok: false; error: NodeApiError | NodeOperationError };

/** Calls of one node run, which share a limit of requests at once and one slow-down. */
export interface Client {
	readonly node: INode;
	/** Tells accounts apart; holds no secret. */
	readonly account: string;
	readonly signal: AbortSignal;
	/** The whole body of the reply, or the error as a value. */
	attempt(call: Call): Promise<Outcome>;
	/** The whole body of the reply. */
	reply(call: Call): Promise<IDataObject>;
	/** `data` of the reply. */
	data(call: Call): Promise<IDataObject>;
	/** The body of the reply as it comes in, for what is too long or too slow to wait for. */
	stream(call: Call): Promise<FileStream>;
	/** The pages of a list, until the service has no more. Without a page size, the service's own. */
	pages(call: Call, pageSize?: number, token?: string): AsyncGenerator<Page>;
	/** Runs something under the limit of requests at once. */
	slot<T>(task: () => Promise<T>): Promise<T>;
}

/** Content on its way. */
export type FileStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** One page of a list. */
export interface Page {
	rows: IDataObject[];
	next?: string;
}

/**
 * Tries for answers that say nothing but "not now": about 40 seconds. With 30 % of them failing,
 * one request in 170,000 is given up.
 */
const maxTries = 10;
/** Tries while the service cannot be reached at all: most often the address is mistyped. */
const maxTriesUnreached = 4;
/** Own pauses between tries grow from half a second to this many seconds. */
const longestBackoff = 8;
/** How long a request that starts a job may go on after the stop button (milliseconds). */
const graceAfterStop = 15_000;
/** How long a request that is in progress, or a resource that is not ready, is asked again. */
const pollSeconds = 300;

/** `code` of a v1 answer that went well (specification, User). */
const v1Success = 100;

/** Fills a request line. A path identifier stays one segment, whatever is in it. */
export function fillLine(
	node: INode,
	line: string,
	path: Readonly<Record<string, string>> = {},
): { method: IHttpRequestMethods; path: string } {
	const [method = 'GET', template = '/'] = line.split(' ');
	const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = path[name]?.trim() ?? '';
		// A dot segment would be resolved away, even when it is percent-encoded.
		if (value === '' || value === '.' || value === '..') {
			throw operationError(node, `"${value}" is not a valid ${name.replace(/_/g, ' ')}`);
		}
		return encodeURIComponent(value);
	});
	return { method: method as IHttpRequestMethods, path: filled };
}

/** Seconds of a `Retry-After` header: a number, or a date. */
function retryAfter(headers: IDataObject): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const seconds = Number(value);
	if (Number.isFinite(seconds)) return Math.max(seconds, 0);
	const date = Date.parse(String(value));
	return Number.isNaN(date) ? undefined : Math.max((date - clock.now()) / 1000, 0);
}

const asText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Facts and message of an answer that refuses: v3's error object, or the envelope of v1. */
function refusal(response: IN8nHttpFullResponse): { facts: Facts; said?: string } {
	const { body, headers, statusCode } = response;
	const facts: Facts = { status: statusCode };
	const after = retryAfter(headers);
	if (after !== undefined) facts.retry_after = after;
	if (body === null || typeof body !== 'object') {
		// A proxy's page. Below 400 it cannot be a refusal of the service.
		if (statusCode < 300) facts.code = 'not_json';
		return { facts };
	}
	const whole = body as IDataObject;
	const error = (
		whole.error !== null && typeof whole.error === 'object' ? whole.error : whole
	) as IDataObject;
	const code = error.code;
	if (typeof code === 'string' || typeof code === 'number') facts.code = String(code).toLowerCase();
	const param = asText(error.param);
	const doc = asText(error.doc_url);
	const id = asText(error.request_id) ?? asText(headers['x-request-id']);
	if (param) facts.param = param;
	if (doc) facts.doc_url = doc;
	if (id) facts.request_id = id;
	if (Array.isArray(error.errors) && error.errors.length > 0) {
		facts.errors = error.errors as IDataObject[];
	}
	return { facts, said: asText(error.message) ?? asText(whole.error) ?? asText(whole.msg) };
}

/** The rows of a list reply; some lists sit one level deeper, as the only list of an object. */
function rowsOf(page: IDataObject): IDataObject[] | undefined {
	if (Array.isArray(page.data)) return page.data as IDataObject[];
	if (page.data === null || typeof page.data !== 'object') return undefined;
	const lists = Object.values(page.data).filter(Array.isArray);
	return lists.length === 1 ? (lists[0] as IDataObject[]) : undefined;
}

/**
 * A limit of tasks at the same time; the others wait in order. `busy` tells until when a task that
 * is done still takes its place, as a stream does that is being read.
 */
function limiter(most: number) {
	let running = 0;
	const queue: Array<() => void> = [];
	return async <T>(
		task: () => Promise<T>,
		busy?: (result: T) => Promise<void> | undefined,
	): Promise<T> => {
		if (running >= most) await new Promise<void>((resolve) => queue.push(resolve));
		else running++;
		let until: Promise<void> | undefined;
		try {
			const result = await task();
			until = busy?.(result);
			return result;
		} finally {
			// The place goes on a moment later, so that a failure or a slow-down is known by then.
			void (until ?? Promise.resolve()).then(async () => {
				await clock.sleep(0);
				const next = queue.shift();
				if (next) next();
				else running--;
			});
		}
	};
}

/** Until a stream is read to its end or closed. */
const closed = async (stream: FileStream) =>
	await new Promise<void>((resolve) => {
		if (stream.closed) resolve();
		else stream.once('close', resolve);
	});

/** A refusal that came as a stream: small, and JSON if it is the service's own. */
async function readJson(stream: FileStream): Promise<IDataObject | string> {
	const chunks: Buffer[] = [];
	for await (const chunk of stream) chunks.push(Buffer.from(chunk as Buffer));
	const text = Buffer.concat(chunks).toString('utf8');
	return jsonParse<IDataObject | string>(text, { fallbackValue: text });
}

/** Name of the credential type that the node is set to. */
function credentialType(host: Host): string {
	const authentication =
		'getInputData' in host
			? (host as IExecuteFunctions).getNodeParameter('authentication', 0, 'apiKey')
			: (host as ILoadOptionsFunctions).getNodeParameter('authentication', 'apiKey');
	return authentication === 'oAuth2' ? 'videoGenOAuth2Api' : 'videoGenApi';
}

/** The credential's settings; its secrets are named so that they can be kept out of errors. */
export async function settings(host: Host) {
	const credential = await host.getCredentials(credentialType(host));
	const token = (credential.oauthTokenData ?? {}) as IDataObject;
	return {
		baseUrl: String(credential.baseUrl ?? '')
			.trim()
			.replace(/\/+$/, ''),
		headerPrefix: String(credential.webhookHeaderPrefix ?? '').trim() || 'Service',
		/** Where n8n renews the access of an OAuth credential. */
		tokenUrl: asText(credential.accessTokenUrl),
		/** Whether there is access at all: an OAuth credential is saved before it is connected. */
		connected: Object.keys(token).length > 0,
		secrets: [credential.apiKey, credential.clientSecret, token.access_token, token.refresh_token]
			.map((secret) => (typeof secret === 'string' ? secret : ''))
			.filter((secret) => secret.length >= 6),
	};
}

interface Thrown {
	message?: string;
	code?: unknown;
	/** Of n8n's OAuth client, which tells the status so. */
	status?: unknown;
	config?: { url?: string };
	response?: { status: number; headers: IDataObject; data: unknown };
	cause?: Thrown;
	messages?: string[];
}

/** The response inside what n8n throws: for OAuth, a 401 has to be thrown so that n8n refreshes. */
function thrownResponse(error: unknown): IN8nHttpFullResponse | undefined {
	const response = (error as Thrown).cause?.response;
	if (!response) return undefined;
	return {
		statusCode: response.status,
		headers: { ...response.headers },
		body: response.data as IDataObject,
	};
}

/** The first code in a chain of causes, such as ECONNRESET. */
export function codeOf(error: unknown): string | undefined {
	for (let e = error as Thrown | undefined, depth = 0; e && depth < 5; e = e.cause, depth++) {
		if (typeof e.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(e.code)) return e.code;
	}
	const text = `${(error as Thrown).message ?? ''} ${((error as Thrown).messages ?? []).join(' ')}`;
	return /socket hang up|aborted/i.test(text) ? 'ECONNRESET' : undefined;
}

/** Why n8n could not renew the access of an OAuth credential, after the service had refused it. */
interface Unrenewed {
	renewal: string;
	/** The place that renews it was out of reach or out of order, with this code or status. */
	passing?: { code?: string; status?: number };
}

/** What was thrown while n8n renewed the access; undefined where the request itself failed. */
function renewalFailure(error: unknown, tokenUrl: string | undefined): Unrenewed | undefined {
	const { cause, message, messages } = error as Thrown;
	const renewal = cause?.message ?? messages?.[0] ?? message ?? 'unknown';
	const code = codeOf(error);
	const status = Number(cause?.response?.status ?? cause?.status ?? 0);
	const sent = cause?.config?.url;
	// Refusals by the token endpoint, and n8n's own words, come without a request in them.
	const refused = sent === undefined && [undefined, 'EAUTH', 'ESTATUS'].includes(code);
	if (!refused && (tokenUrl === undefined || sent !== tokenUrl)) return undefined;
	if (status === 429 || status >= 500) return { renewal, passing: { status } };
	return !refused && status === 0 ? { renewal, passing: { code: code ?? 'unknown' } } : { renewal };
}

/** Makes the client of one run. `atOnce` bounds the requests on their way at the same time. */
export async function createClient(
	host: Host,
	options: { atOnce?: number; signal?: AbortSignal } = {},
): Promise<Client> {
	const node = host.getNode();
	const { baseUrl, secrets, tokenUrl, connected } = await settings(host);
	const type = credentialType(host);
	const isOAuth = type === 'videoGenOAuth2Api';
	const signal = options.signal ?? new AbortController().signal;
	const cancelled =
		'getExecutionCancelSignal' in host ? host.getExecutionCancelSignal() : undefined;
	const account = `${baseUrl} ${type} ${node.credentials?.[type]?.id ?? ''}`;
	const slot = limiter(options.atOnce ?? 5);
	/** One slow-down for all: nothing is sent before this time (ms). */
	let resumeAt = 0;

	if (!/^https?:\/\//i.test(baseUrl)) {
		throw operationError(
			node,
			'The credential has no valid Base URL',
			'Open the credential and enter the address of the service, beginning with https://',
		);
	}

	if (isOAuth && !connected) throw unconnectedError(node, type);

	const clean = (text: string) =>
		secrets.reduce((result, secret) => result.split(secret).join('***'), text);

	const once = async (from: Host, options: IHttpRequestOptions): Promise<IN8nHttpFullResponse> =>
		(await host.helpers.httpRequestWithAuthentication.call(
			from as IExecuteFunctions,
			type,
			options,
		)) as IN8nHttpFullResponse;

	/**
	 * n8n cuts all requests of an execution that is stopped, by a signal that it asks its host for.
	 * This request is cut only some time later, so that its answer can name the job that it started.
	 * (Not with OAuth: a request that was refused would go out again with a new token after the stop.)
	 */
	const finished = async (options: IHttpRequestOptions): Promise<IN8nHttpFullResponse> => {
		const late = new AbortController();
		const stop = () => void clock.sleep(graceAfterStop).then(() => late.abort());
		const patient = Object.create(host, {
			getExecutionCancelSignal: { value: () => late.signal },
		}) as Host;
		cancelled?.addEventListener('abort', stop);
		try {
			return await once(patient, options);
		} finally {
			cancelled?.removeEventListener('abort', stop);
		}
	};

	/** One try: the response, or the connection error. */
	const tryOnce = async (
		request: IHttpRequestOptions,
		finishes: boolean,
	): Promise<{ response: IN8nHttpFullResponse } | Unrenewed | { code: string; detail: string }> => {
		try {
			const response = await (finishes ? finished({ ...request }) : once(host, { ...request }));
			if (request.encoding === 'stream' && response.statusCode >= 300) {
				response.body = await readJson(response.body as unknown as FileStream);
			}
			return { response };
		} catch (error) {
			const unrenewed = isOAuth ? renewalFailure(error, tokenUrl) : undefined;
			if (unrenewed) return { ...unrenewed, renewal: clean(unrenewed.renewal) };
			const response = thrownResponse(error);
			if (response) {
				if (request.encoding === 'stream') {
					const body = response.body as unknown as FileStream;
					response.body = await readJson(body).catch(() => '');
				}
				return { response };
			}
			const { message, messages, cause } = error as Thrown;
			const detail = clean(cause?.message ?? messages?.[0] ?? message ?? 'unknown');
			return { code: codeOf(error) ?? 'unknown', detail };
		}
	};

	const stopped = () =>
		operationError(node, 'The execution was stopped', undefined, { code: 'stopped' });

	const attempt = async (call: Call): Promise<Outcome> => {
		const { method, path } = fillLine(node, call.line, call.path);
		const reads = method === 'GET';
		const repeatable =
			call.repeatable === true ||
			call.idempotencyKey !== undefined ||
			['GET', 'PUT', 'DELETE'].includes(method);
		const request: IHttpRequestOptions = {
			method,
			url: `${baseUrl}${path}`,
			headers: {
				...call.headers,
				...(call.idempotencyKey === undefined ? {} : { 'Idempotency-Key': call.idempotencyKey }),
			},
			qs: call.query,
			json: true,
			returnFullResponse: true,
			// n8n refreshes an OAuth token when it sees a 401 thrown.
			ignoreHttpStatusErrors: isOAuth ? { ignore: true, except: [401] } : true,
			// A redirect would carry the API key to another place.
			disableFollowRedirect: true,
			timeout: call.timeout ?? (reads ? 30_000 : 120_000),
		};
		if (call.body !== undefined) request.body = call.body;
		if (call.streamed) request.encoding = 'stream';

		const begun = clock.now();
		/** Whether a try before this one may have got through. */
		let perhapsDone = false;
		for (let tries = 1; ; tries++) {
			const result = await slot(
				async () => {
					while (!signal.aborted && resumeAt > clock.now()) {
						await clock
							.sleep(resumeAt - clock.now() + Math.random() * 250, signal)
							.catch(() => undefined);
					}
					// As late as possible, so that what is counted is when a request really goes.
					if (call.rate && !signal.aborted) {
						await pace(`${account} ${call.rate.name}`, call.rate.perMinute, signal);
					}
					return signal.aborted
						? undefined
						: await tryOnce(request, call.finishes === true && !isOAuth);
				},
				(got) =>
					call.streamed && got && 'response' in got && got.response.statusCode < 300
						? closed(got.response.body as unknown as FileStream)
						: undefined,
			);
			if (result === undefined) return { ok: false, error: stopped() };

			const backoff = Math.min(longestBackoff, 0.5 * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
			let pause: number | undefined;
			let error: NodeApiError;
			if ('response' in result) {
				const { response } = result;
				const { statusCode } = response;
				if (call.streamed && statusCode < 300) {
					const stream = response.body as unknown as FileStream;
					return { ok: true, reply: {}, status: statusCode, stream };
				}
				const body = response.body as IDataObject | string | null;
				const isObject = body !== null && typeof body === 'object';
				// The envelope of v1 can carry its error with a status of success.
				const failed =
					statusCode < 300 &&
					isObject &&
					((Boolean(body.error) && !body.data) ||
						(path.startsWith('/v1/') && Number(body.code ?? v1Success) !== v1Success));
				if (failed) response.statusCode = 400;
				else if (
					statusCode >= 200 &&
					statusCode < 300 &&
					(isObject || statusCode === 204 || body === '')
				) {
					return { ok: true, reply: isObject ? body : {}, status: statusCode };
				}
				// The first DELETE got through although its answer was lost.
				if (statusCode === 404 && method === 'DELETE' && perhapsDone) {
					return { ok: true, reply: { data: {} }, status: 200 };
				}
				perhapsDone ||= statusCode >= 500;
				const { facts, said } = refusal(response);
				const uncertain = !repeatable && !failed && (statusCode >= 500 || statusCode < 300);
				if (statusCode < 300 && !failed) facts.code = 'not_json';
				if (uncertain && statusCode !== 503) facts.uncertain = true;
				error = serviceError(
					node,
					facts,
					said === undefined ? undefined : clean(said),
					facts.uncertain ? call.mayExist : undefined,
				);
				if (statusCode === 429) {
					// A used-up quota does not come back by waiting a little.
					const asked = facts.retry_after ?? (isQuota(facts.code) ? Infinity : 0);
					const after = Math.max(asked, backoff);
					if (after <= longestRetryAfter) {
						pause = after + Math.random() * Math.min(1, after / 4 + 0.1);
						// All wait as long as the service asks; how often this one was turned away is its own.
						resumeAt = Math.max(resumeAt, clock.now() + (facts.retry_after ?? backoff) * 1000);
					}
				} else if (facts.code === 'request_in_progress' || facts.code === 'resource_not_ready') {
					if ((clock.now() - begun) / 1000 < pollSeconds) {
						// These are polled: they do not use up the tries.
						tries = Math.min(tries, 4);
						pause = backoff;
					}
				} else if (statusCode >= 500 && repeatable && facts.code !== 'video_delete_failed') {
					pause =
						facts.retry_after !== undefined && facts.retry_after <= longestRetryAfter
							? facts.retry_after
							: backoff;
				}
			} else if ('renewal' in result) {
				error = renewalError(node, type, result.renewal, result.passing);
				// The service refused the request with 401, so that even a create may be repeated.
				if (result.passing && tries < maxTriesUnreached) pause = backoff;
			} else {
				const kind = connection(result.code);
				perhapsDone ||= kind === 'broken';
				error = connectionError(
					node,
					result.code,
					result.detail,
					kind === 'broken' && !repeatable ? call.mayExist : undefined,
				);
				const mayExist =
					call.mayExist ?? (call.finishes ? 'What it starts may exist all the same.' : undefined);
				if (cancelled?.aborted && kind === 'broken' && mayExist !== undefined) {
					host.logger.warn(`Stopped while ${method} ${path} was on its way. ${mayExist}`);
				}
				if (kind === 'unsent' ? tries < maxTriesUnreached : kind === 'broken' && repeatable) {
					pause = backoff;
				}
			}
			if (pause === undefined || tries >= maxTries) return { ok: false, error };
			const paused = await clock.sleep(pause * 1000, signal).then(
				() => true,
				() => false,
			);
			if (!paused) return { ok: false, error: stopped() };
		}
	};

	const reply = async (call: Call): Promise<IDataObject> => {
		const outcome = await attempt(call);
		if (!outcome.ok) throw outcome.error;
		return outcome.reply;
	};

	const stream = async (call: Call): Promise<FileStream> => {
		const outcome = await attempt({ ...call, streamed: true });
		if (!outcome.ok) throw outcome.error;
		return outcome.stream as FileStream;
	};

	const data = async (call: Call): Promise<IDataObject> => {
		const whole = await reply(call);
		const inner = whole.data;
		return (inner !== null && typeof inner === 'object' ? inner : whole) as IDataObject;
	};

	async function* pages(call: Call, pageSize?: number, token?: string): AsyncGenerator<Page> {
		let next = token;
		const seen = new Set<string>();
		do {
			const page = await reply({
				...call,
				query: {
					...call.query,
					...(pageSize === undefined ? {} : { limit: pageSize }),
					...(next === undefined ? {} : { token: next }),
				},
			});
			const rows = rowsOf(page);
			if (rows === undefined) throw serviceError(node, { code: 'not_json', status: 200 });
			next = page.has_more === false ? undefined : asText(page.next_token);
			// A cursor that comes back would make an endless list.
			if (next !== undefined && seen.has(next)) next = undefined;
			if (next !== undefined) seen.add(next);
			yield { rows, next };
		} while (next !== undefined);
	}

	return { node, account, signal, attempt, reply, data, stream, pages, slot };
}
