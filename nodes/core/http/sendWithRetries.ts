/**
 * Sends a request through n8n's HTTP helper, and retries it until it succeeds, fails permanently or
 * is aborted. The helper adds the credential, uses n8n's proxy settings and rejects hosts that n8n
 * does not allow.
 */
import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INode,
	IDataObject,
	IHttpRequestMethods,
	NodeApiError,
} from 'n8n-workflow';
import { combineSignals, clock } from '../clock';
import { createDigest } from '../digest';
import type { ErrorExplanations } from '../errors/advice';
import {
	createCapacityTimeoutError,
	createExecutionStoppedError,
	createConnectionError,
	createOperationError,
	createTokenRenewalError,
	createServiceError,
} from '../errors/nodeErrors';
import { mapStrings } from '../json';
import type { AccountTraffic } from './accountTraffic';
import { getCancelSignal, replaceCancelSignal, type Account, type N8nContext } from './credentials';
import type { JobCapacityLimit } from './jobCapacity';
import { closeConnectionOnDestroy, receivedDataLimits } from './receivedDataLimits';
import {
	findThrownErrorCode,
	findThrownErrorMessage,
	findThrownResponse,
	findTokenRenewalFailure,
	isStream,
	isSuccess,
	readReply,
	waitForStreamClose,
	type FailedAttempt,
	type AttemptOutcome,
	type SuccessfulAttempt,
} from './reply';
import {
	classifyRequest,
	decideRetry,
	isCapacityRejection,
	isRateLimited,
	mayHaveSucceeded,
	mayBeConcurrencyRejection,
} from './retryPolicy';
import type { ConcurrencySlots, PerMinuteLimit } from './trafficPolicy';

export interface ServiceRequest {
	/** Method and path, such as `GET /v3/videos/{video_id}`. `path` has the placeholders' values. */
	line: string;
	path?: Readonly<Record<string, string>>;
	query?: IDataObject;
	body?: IHttpRequestOptions['body'];
	headers?: IDataObject;
	/** Idempotency key, sent in a header. The service creates only one object for each key. */
	idempotencyKey?: string;
	/** Whether the body contains the idempotency key, because the endpoint accepts no header. */
	isKeyInBody?: boolean;
	/** Whether the request can be repeated without a key, because a repeat has no further effect. */
	repeatable?: boolean;
	/** Advice if the connection breaks: what may have been created, and where to check. */
	uncertainOutcomeHint?: string;
	/** Whether to wait for the response even after a stop, because it contains a new job's ID. */
	survivesStop?: boolean;
	/** Function that is called right before the first attempt. */
	onSend?: () => void;
	/** Signal that ends the request's wait in the queue. It does not abort a request in flight. */
	turnSignal?: AbortSignal;
	/** Explanations of error codes for this request. Placeholders are filled from `path`. */
	explanations?: ErrorExplanations;
	/** Limit on running jobs. Set only if the request starts a job. */
	capacity?: JobCapacityLimit;
	/** Returns the display names of form fields by API name, for error messages about the request. */
	labels?: () => Readonly<Record<string, string>>;
	perMinuteLimit?: PerMinuteLimit;
	/**
	 * Whether the request polls a job. The caller polls again later anyway, so a failed poll is
	 * retried at most once, except after a 429 or while the service is still processing. No polls are
	 * sent while the service is known to be down.
	 */
	isPoll?: boolean;
	/** Timeout in milliseconds. Defaults to the times in receivedDataLimits.ts. */
	timeout?: number;
}

/** Maximum characters of a value in a path. IDs are far shorter, and servers reject long URLs. */
const maxPathValueLength = 2000;

/** Fills the placeholders of a path. Each value is encoded, so that it remains a single segment. */
export function fillRequestLine(
	node: INode,
	line: string,
	path: Readonly<Record<string, string>> = {},
) {
	const [method = 'GET', template = '/'] = line.split(' ');
	const filled = template.replace(/\{(\w+)\}/g, (_, key: string) => {
		const value = path[key]?.trim() ?? '';
		const name = key.replace(/_/g, ' ');
		// A dot segment would be removed from the URL, even if it is percent-encoded.
		if (value === '' || value === '.' || value === '..') {
			throw createOperationError(node, `"${value}" is not a valid ${name}`);
		}
		if (value.length > maxPathValueLength) {
			const most = maxPathValueLength.toLocaleString('en-US');
			throw createOperationError(node, `The ${name} has more than ${most} characters`);
		}
		// The text was cut in the middle of a surrogate pair, such as an emoji.
		if (/\p{Surrogate}/u.test(value)) {
			throw createOperationError(node, `The ${name} contains an incomplete character`);
		}
		return encodeURIComponent(value);
	});
	return { method: method as IHttpRequestMethods, path: filled };
}

/** Request in the format of n8n's HTTP helper, and how to read the response. */
export type PreparedRequest = ReturnType<typeof prepareRequest>;

export function prepareRequest(
	account: Account,
	node: INode,
	request: ServiceRequest,
	streamed: boolean,
) {
	const { idempotencyKey, body, timeout, survivesStop = false } = request;
	const { method, path } = fillRequestLine(node, request.line, request.path);
	const { readSeconds, writeSeconds } = receivedDataLimits.response;
	return {
		request: {
			method,
			url: `${account.baseUrl}${path}`,
			headers: {
				...request.headers,
				...(idempotencyKey === undefined || request.isKeyInBody
					? {}
					: { 'Idempotency-Key': idempotencyKey }),
			},
			qs: request.query,
			...(body === undefined ? {} : { body }),
			json: true,
			// reply.ts reads the body, because n8n would read it to the end, however long it is.
			encoding: 'stream',
			returnFullResponse: true,
			// n8n renews an OAuth token only if a 401 is thrown (for n8n 1, see `sendThroughN8n`).
			ignoreHttpStatusErrors: account.isOAuth ? { ignore: true, except: [401] } : true,
			// A redirect would send the API key to another host.
			disableFollowRedirect: true,
			timeout: timeout ?? (method === 'GET' ? readSeconds : writeSeconds) * 1000,
		} satisfies IHttpRequestOptions,
		/** Whether the endpoint belongs to API version 1. */
		legacy: path.startsWith('/v1/'),
		streamed,
		survivesStop,
	};
}

/** Milliseconds to wait for a response with a new job's ID after the user stops the execution. */
const stopGracePeriod = 15_000;

async function sendThroughN8n(
	host: N8nContext,
	account: Account,
	request: IHttpRequestOptions,
	abortSignal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	const context = replaceCancelSignal(host, abortSignal) as IExecuteFunctions;
	const helper = host.helpers.httpRequestWithAuthentication;
	const send = async (options: IHttpRequestOptions): Promise<IN8nHttpFullResponse> =>
		await helper.call(context, account.credentialType, options);
	const response = await send(request);
	if (!account.isOAuth || response.statusCode !== 401) return response;
	// n8n 1 ignores `except`, and renews a token only if every error status is thrown.
	return await send({ ...request, ignoreHttpStatusErrors: false });
}

/** Sends a request once. Never throws: the outcome also describes failures. */
export async function sendAttempt(
	host: N8nContext,
	account: Account,
	prepared: PreparedRequest,
): Promise<AttemptOutcome> {
	const { request, legacy, streamed } = prepared;
	const connection = new AbortController();
	const stopLater = () => void clock.sleep(stopGracePeriod).then(() => connection.abort());
	const cancelled = getCancelSignal(host);
	// With OAuth, n8n would renew a rejected token, and send the request again after the stop.
	const survivesStop = prepared.survivesStop && !account.isOAuth;
	if (survivesStop) cancelled?.addEventListener('abort', stopLater);
	const abortSignal = combineSignals(connection.signal, survivesStop ? undefined : cancelled);
	const receive = async (response: IN8nHttpFullResponse): Promise<AttemptOutcome> => {
		const { statusCode: status } = response;
		const body: unknown = response.body;
		if (isStream(body)) {
			closeConnectionOnDestroy(body, connection);
			if (streamed && status >= 200 && status < 300)
				return { kind: 'stream', status, stream: body };
		}
		const seconds = request.timeout / 1000;
		return await readReply(response, { legacy, seconds, mask: account.removeEchoedSecrets });
	};
	try {
		return await receive(await sendThroughN8n(host, account, request, abortSignal));
	} catch (error) {
		const failure = account.isOAuth ? findTokenRenewalFailure(error, account.tokenUrl) : undefined;
		if (failure) {
			return { kind: 'accessLost', ...failure, reason: account.removeSecrets(failure.reason) };
		}
		const response = findThrownResponse(error);
		if (response) return await receive(response);
		const detail = account.removeSecrets(findThrownErrorMessage(error));
		return { kind: 'unconnected', code: findThrownErrorCode(error) ?? 'unknown', detail };
	} finally {
		if (survivesStop) cancelled?.removeEventListener('abort', stopLater);
	}
}

/** Data and functions shared by all requests of a node run. */
export interface ClientContext {
	host: N8nContext;
	node: INode;
	account: Account;
	/** Signal that aborts if the user stops the execution or an item fails. */
	signal: AbortSignal;
	traffic: AccountTraffic;
	slots: ConcurrencySlots;
	capacityWait: { seconds: number };
}

interface AttemptResult {
	reply: AttemptOutcome;
	/** Whether the service refused to start the job until running jobs have ended. */
	isRefusedForNow: boolean;
	/** Whether this refusal confirms that the account is running its maximum number of jobs. */
	isFull: boolean;
	/** Whether the request was not sent, because the service is known to be down. */
	isSkipped?: boolean;
}

async function sendWhenAllowed(
	run: ClientContext,
	{ perMinuteLimit, capacity, isPoll = false, onSend }: ServiceRequest,
	prepared: PreparedRequest,
	wait: { signal: AbortSignal; since: number; isRetry: boolean },
): Promise<AttemptResult | 'aborted'> {
	const { host, account, traffic, slots } = run;
	return await traffic.send(
		{ ...wait, slots, perMinuteLimit, capacity },
		async (isProbe) => {
			const predicted = isPoll ? traffic.outage.predictFailure() : undefined;
			const skipped = { isRefusedForNow: false, isFull: false, isSkipped: true };
			if (predicted) return { reply: predicted, ...skipped };
			if (!wait.isRetry) onSend?.();
			const sentAt = clock.elapsed();
			const reply = await sendAttempt(host, account, prepared);
			// If the user has stopped the execution, a failed request says nothing about the service.
			const isStopped = getCancelSignal(host)?.aborted === true && !isSuccess(reply);
			if (!isStopped) traffic.outage.record(reply, isPoll);
			const isRefusedForNow =
				capacity !== undefined && isCapacityRejection(reply, traffic.hasRunningJobs(capacity.name));
			const isFull = isRefusedForNow && isProbe;
			if (capacity) {
				const outcome = isRefusedForNow ? 'rejected' : isSuccess(reply) ? 'accepted' : 'unknown';
				const seconds = reply.kind === 'rejection' ? reply.details.retry_after : undefined;
				traffic.reportCreate(capacity, isProbe, outcome, seconds);
				const waited = (clock.elapsed() - wait.since) / 1000;
				if (isProbe) run.capacityWait.seconds = Math.max(run.capacityWait.seconds, waited);
			}
			// A failed connection has no response time. A request rejected for capacity was not too fast.
			if (reply.kind !== 'unconnected')
				traffic.reportResponse(isRateLimited(reply) && !isFull, clock.elapsed() - sentAt);
			return { reply, isRefusedForNow, isFull };
		},
		({ reply }) => (reply.kind === 'stream' ? waitForStreamClose(reply.stream) : undefined),
	);
}

/**
 * Sends a request until it succeeds, fails permanently or is aborted.
 *
 * @param streamed whether to return the response body as a stream
 */
export async function sendWithRetries(
	run: ClientContext,
	request: ServiceRequest,
	streamed: boolean,
): Promise<SuccessfulAttempt> {
	const { host, node, account, traffic } = run;
	const prepared = prepareRequest(account, node, request, streamed);
	const traits = classifyRequest(prepared.request.method, {
		repeatable: request.repeatable === true,
		hasKey: request.idempotencyKey !== undefined,
	});
	const stopSignal = getCancelSignal(host);
	const startedAt = clock.elapsed();
	let attempts = 1;
	let uncountedAttempts = 0;
	let delay = 0;
	/** Latest reply to an attempt that the service may have carried out. */
	let uncertainReply: FailedAttempt | undefined;

	const createError = (last: FailedAttempt | undefined, uncertain: boolean) => {
		const mayExist = uncertainReply !== undefined && traits.creates;
		if (mayExist && stopSignal?.aborted) logUncertainRequest(host, request, prepared);
		if (last === undefined) return createExecutionStoppedError(node, run.signal);
		const outcome = { creates: traits.creates, uncertain };
		return createRequestError(node, account, request, last, outcome);
	};

	for (;;) {
		// To find out whether a create request was paid for, it is repeated with its idempotency key,
		// even after another item has failed. Not after a 429: payment is unlikely then, and a repeat
		// would start the job.
		const mayBePaid = uncertainReply !== undefined && !isRateLimited(uncertainReply);
		const needsReply = mayBePaid && traits.creates && traits.safeToRepeat;
		const signal = needsReply
			? combineSignals(stopSignal)
			: combineSignals(run.signal, request.turnSignal);
		if (delay > 0) await clock.sleep(delay * 1000, signal).catch(() => undefined);
		const wait = { signal, since: startedAt, isRetry: attempts + uncountedAttempts > 1 };
		const sent = await sendWhenAllowed(run, request, prepared, wait);
		if (sent === 'aborted') throw createError(traits.creates ? uncertainReply : undefined, true);
		const { reply, isRefusedForNow, isFull, isSkipped } = sent;
		if (isSuccess(reply)) return reply;
		if (isSkipped) throw createError(reply, false);

		const decision = decideRetry(reply, {
			...traits,
			attempts,
			uncountedAttempts,
			seconds: (clock.elapsed() - startedAt) / 1000,
			mayHaveSucceededBefore: uncertainReply !== undefined,
			isRefusedForNow,
			isRepeatedLater: request.isPoll,
			random: Math.random(),
		});
		if (decision.next === 'done') return { kind: 'success', status: 200, body: {} };
		// A 429 does not replace the reply to an attempt that is more likely to have been charged.
		if (mayHaveSucceeded(reply) && !(uncertainReply && isRateLimited(reply)))
			uncertainReply = reply;
		if (decision.next === 'error') throw createError(reply, decision.uncertain);
		const { capacity } = request;
		if (isFull && capacity && clock.elapsed() >= traffic.getCapacityDeadline(capacity, startedAt)) {
			if (uncertainReply !== undefined) throw createError(uncertainReply, true);
			if (!mayBeConcurrencyRejection(reply)) throw createError(reply, false);
			const isContested = traffic.isContested(capacity.name);
			const waited = (clock.elapsed() - startedAt) / 1000;
			throw createCapacityTimeoutError(node, waited, isContested);
		}
		if (decision.pauseAccount !== undefined && !isFull) {
			const isRequested = reply.kind === 'rejection' && reply.details.retry_after !== undefined;
			traffic.pause(decision.pauseAccount, isRequested);
		}
		if (decision.isUncounted) uncountedAttempts++;
		else attempts++;
		delay = decision.delay;
	}
}

/** Logs a request with an unknown outcome, because n8n shows no output of a stopped node. */
function logUncertainRequest(
	host: N8nContext,
	request: ServiceRequest,
	prepared: PreparedRequest,
): void {
	const { idempotencyKey: key } = request;
	const hint =
		request.uncertainOutcomeHint ??
		(request.survivesStop
			? 'The request may have started something in the service anyway.'
			: undefined);
	if (hint === undefined && key === undefined) return;
	const { method, url } = prepared.request;
	const hints = [hint, key && createIdempotencyKeyHint(formatIdempotencyKeyForLog(key))]
		.filter(Boolean)
		.join(' ');
	host.logger.warn(`Stopped while ${method} ${new URL(url).pathname} was in flight. ${hints}`);
}

function fillExplanations({
	explanations,
	path = {},
}: ServiceRequest): ErrorExplanations | undefined {
	return mapStrings(explanations, (text) =>
		text.replace(/\{(\w+)\}/g, (placeholder, name: string) => path[name] ?? placeholder),
	);
}

/** Returns advice to repeat a create request with the same key if its outcome is unknown. */
export const createIdempotencyKeyHint = (key: string) =>
	`The result may have been created anyway. To find out without paying twice, run the node again within 24 hours, with Custom Key in the options set to this key: ${key}`;

/** Advice for a create request that has an unknown outcome and no idempotency key. */
const unkeyedHint =
	'Something may have been created and charged for anyway. Look for it in the service before you run the workflow again.';

/** Matches idempotency keys that this package has created, which contain no text of the user. */
const createdKeyPattern = /^n8n-(row-)?[0-9a-f]{48}(:again:\d+)?$/;

/** Formats an idempotency key for n8n's log. Hashes a user's key, which may name a customer. */
export const formatIdempotencyKeyForLog = (key: string) =>
	createdKeyPattern.test(key) ? key : `sha256:${createDigest(key)} of your own key`;

/**
 * Creates the error for a failed request.
 *
 * @param creates whether the request creates something if it succeeds
 * @param uncertain whether the failed request may have created something
 */
export function createRequestError(
	node: INode,
	account: Account,
	request: ServiceRequest,
	reply: FailedAttempt,
	{ creates, uncertain }: { creates: boolean; uncertain: boolean },
): NodeApiError {
	const { idempotencyKey: key } = request;
	const hints = [request.uncertainOutcomeHint, key && createIdempotencyKeyHint(key)];
	const more = {
		hint: uncertain ? hints.filter(Boolean).join(' ') || unkeyedHint : undefined,
		outcome:
			creates && !uncertain ? 'This request created nothing, and you were not charged.' : undefined,
		details: uncertain ? { uncertain: true, idempotency_key: key } : {},
	};
	switch (reply.kind) {
		case 'unconnected':
			return createConnectionError(node, reply.code, reply.detail, more);
		case 'accessLost':
			return createTokenRenewalError(node, account.credentialType, reply, more);
		case 'unreadable': {
			const { status, code, limit } = reply;
			return createServiceError(node, { status, code }, { ...more, serviceMessage: limit });
		}
		case 'rejection':
			return createServiceError(node, mapStrings(reply.details, account.removeSecrets), {
				...more,
				serviceMessage: mapStrings(reply.serviceMessage, account.removeSecrets),
				explanations: fillExplanations(request),
				labels: request.labels?.(),
			});
	}
}
