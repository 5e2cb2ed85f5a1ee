/**
 * Defines a request to the service, prepares it for n8n's HTTP helper, and creates the error to
 * show if it fails.
 */
import type {
	IDataObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
	INode,
	NodeApiError,
} from 'n8n-workflow';
import { createDigest } from '../digest';
import type { ErrorExplanations } from '../errors/advice';
import {
	createConnectionError,
	createOperationError,
	createTokenRenewalError,
	createServiceError,
} from '../errors/nodeErrors';
import { mapStrings } from '../json';
import type { Account } from './credentials';
import type { JobCapacityLimit } from './jobCapacity';
import type { PerMinuteLimit } from './trafficPolicy';
import { receiveLimits } from './receiveLimits';
import type { FailedAttempt } from './reply';

export interface ServiceRequest {
	/** Method and path, such as `GET /v3/videos/{video_id}`, with placeholders for `path`. */
	line: string;
	path?: Readonly<Record<string, string>>;
	query?: IDataObject;
	body?: IHttpRequestOptions['body'];
	headers?: IDataObject;
	/** Sent in a header. The service creates only one object for each key. */
	idempotencyKey?: string;
	/** Whether the body contains the key, because the endpoint does not accept the header. */
	isKeyInBody?: boolean;
	/** Whether a second request without a key has no further effect. */
	repeatable?: boolean;
	/** Says what may have been created if the connection breaks, and where to check. */
	uncertainOutcomeHint?: string;
	/** Whether to await the response after a stop, because it contains a new job's ID. */
	survivesStop?: boolean;
	/** Called right before the first attempt. */
	onSend?: () => void;
	/** Ends the wait for the request's turn. A request in flight is not aborted. */
	turnSignal?: AbortSignal;
	/** Errors with a special meaning for this request. Placeholders are filled from `path`. */
	explanations?: ErrorExplanations;
	/** Set only if the request starts a job. */
	capacity?: JobCapacityLimit;
	/** Returns the display names of form fields by API name, for error messages. */
	labels?: () => Readonly<Record<string, string>>;
	perMinuteLimit?: PerMinuteLimit;
	/**
	 * Whether the request polls a job, so that the caller sends it again later anyway. It is
	 * retried at most once, except after a 429 or while the service is still processing. It is not
	 * sent while the service is known to be down.
	 */
	isPoll?: boolean;
	/** Milliseconds. Defaults to the times in receiveLimits.ts. */
	timeout?: number;
}

/** IDs are far shorter, and servers reject long URLs. */
const maxPathValueLength = 2000;

/** Encodes each value so that it remains a single path segment. */
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
export interface PreparedRequest {
	request: IHttpRequestOptions & Required<Pick<IHttpRequestOptions, 'method' | 'timeout'>>;
	/** Whether the endpoint is of API version 1, whose responses have another format. */
	legacy: boolean;
	/** Whether to return the body of a successful response as a stream. */
	streamed: boolean;
	/** Whether to await the response after a stop, because it contains a new job's ID. */
	survivesStop: boolean;
}

export function prepareRequest(
	account: Account,
	node: INode,
	request: ServiceRequest,
	streamed: boolean,
): PreparedRequest {
	const { idempotencyKey, body, timeout, survivesStop = false } = request;
	const { method, path } = fillRequestLine(node, request.line, request.path);
	const { readSeconds, writeSeconds } = receiveLimits.response;
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
			// reply.ts reads the body: n8n would read it to its end, however long it is.
			encoding: 'stream',
			returnFullResponse: true,
			// n8n renews an OAuth token only when a 401 throws (n8n 1: see sendWithRetries.ts).
			ignoreHttpStatusErrors: account.isOAuth ? { ignore: true, except: [401] } : true,
			// A redirect would send the API key to another host.
			disableFollowRedirect: true,
			timeout: timeout ?? (method === 'GET' ? readSeconds : writeSeconds) * 1000,
		},
		legacy: path.startsWith('/v1/'),
		streamed,
		survivesStop,
	};
}

function fillExplanations({
	explanations,
	path = {},
}: ServiceRequest): ErrorExplanations | undefined {
	return mapStrings(explanations, (text) =>
		text.replace(/\{(\w+)\}/g, (placeholder, name: string) => path[name] ?? placeholder),
	);
}

/** Advice for a create request with an unknown outcome: a repeat with the same key shows it. */
export const createIdempotencyKeyHint = (key: string) =>
	`It may have been created anyway. To find out without paying twice, run again within 24 hours with this Own Key in the options: ${key}`;

/** Advice for a create request that has an unknown outcome and no idempotency key. */
const unkeyedHint =
	'It may have been created and charged anyway. Look for it in the service before you run again.';

/** Keys that this package creates contain no text of the user. */
const createdKeyPattern = /^n8n-(row-)?[0-9a-f]{48}(:again:\d+)?$/;

/** A key that the user has chosen may contain a customer's name, so only its hash is logged. */
export const formatIdempotencyKeyForLog = (key: string) =>
	createdKeyPattern.test(key) ? key : `sha256:${createDigest(key)} of your own key`;

/**
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
			creates && !uncertain ? 'This request created nothing and was not charged.' : undefined,
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
