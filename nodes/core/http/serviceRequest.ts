/** One request to the service: its description, its form for n8n, and its error. */
import type {
	IDataObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
	INode,
	NodeApiError,
} from 'n8n-workflow';
import type { Explanations } from '../errors/advice';
import type { ErrorDetails } from '../errors/errorDetails';
import {
	createConnectionError,
	createOperationError,
	createTokenRenewalError,
	createServiceError,
} from '../errors/nodeErrors';
import { mapTexts } from '../json';
import type { Account } from './credentials';
import type { PerMinuteLimit } from './trafficPolicy';
import type { FailedReply } from './reply';
import type { PreparedRequest } from './sendOnce';

/** One request to the service. */
export interface ServiceRequest {
	/** Method and path, `{name}` for path identifiers. */
	line: string;
	path?: Readonly<Record<string, string>>;
	query?: IDataObject;
	body?: IHttpRequestOptions['body'];
	headers?: IDataObject;
	/** Sent as `Idempotency-Key`: the service creates only once, however often it gets the request. */
	idempotencyKey?: string;
	/** The idempotency key, if the service takes it in a field of the body. */
	keyInBody?: string;
	/** Safe to retry although the request has no idempotency key: it sets the same state. */
	repeatable?: boolean;
	/** What may exist when the connection breaks after sending, and where to look for it. */
	uncertainOutcomeHint?: string;
	/** The stop button does not cut it at once: its response names a job. */
	survivesStop?: boolean;
	/** Explanations of refusals that mean something special here. `{name}` takes a path identifier. */
	explanations?: Explanations;
	/** Names of the fields in the form, by their names in the API. */
	labels?: () => Readonly<Record<string, string>>;
	perMinuteLimit?: PerMinuteLimit;
	/** Milliseconds without a response. By default 30 s for reads, 120 s for writes. */
	timeout?: number;
}

const readTimeout = 30_000;
const writeTimeout = 120_000;

/** Method and path of a request. A path identifier stays one segment, whatever it contains. */
function fillRequestLine(node: INode, line: string, path: Readonly<Record<string, string>> = {}) {
	const [method = 'GET', template = '/'] = line.split(' ');
	const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = path[name]?.trim() ?? '';
		// A dot segment would be resolved away, even when it is percent-encoded.
		if (value === '' || value === '.' || value === '..') {
			throw createOperationError(node, `"${value}" is not a valid ${name.replace(/_/g, ' ')}`);
		}
		try {
			return encodeURIComponent(value);
		} catch {
			// Half of a surrogate pair, at the end of a text that was cut.
			throw createOperationError(
				node,
				`The ${name.replace(/_/g, ' ')} contains an incomplete character`,
			);
		}
	});
	return { method: method as IHttpRequestMethods, path: filled };
}

/** The request in the form that n8n's HTTP helper takes. */
export function prepareRequest(
	account: Account,
	node: INode,
	request: ServiceRequest,
	streamed: boolean,
): PreparedRequest {
	const { idempotencyKey, body, timeout, survivesStop = false } = request;
	const { method, path } = fillRequestLine(node, request.line, request.path);
	return {
		request: {
			method,
			url: `${account.baseUrl}${path}`,
			headers: {
				...request.headers,
				...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
			},
			qs: request.query,
			...(body === undefined ? {} : { body }),
			json: true,
			// The body is read by sendOnce.ts: n8n would read an error of any length to its end.
			encoding: 'stream',
			returnFullResponse: true,
			// n8n renews an OAuth token only when a 401 throws (n8n 1: see sendOnce.ts).
			ignoreHttpStatusErrors: account.isOAuth ? { ignore: true, except: [401] } : true,
			// A redirect would send the API key to another host.
			disableFollowRedirect: true,
			timeout: timeout ?? (method === 'GET' ? readTimeout : writeTimeout),
		},
		legacy: path.startsWith('/v1/'),
		streamed,
		survivesStop,
	};
}

/** The explanations of a request with its path identifiers filled in. */
function fillExplanations({ explanations, path = {} }: ServiceRequest): Explanations | undefined {
	if (!explanations) return undefined;
	return mapTexts(explanations, (text) =>
		text.replace(/\{(\w+)\}/g, (placeholder, name: string) => path[name] ?? placeholder),
	);
}

/** Advice for a create that may or may not have been carried out: its key finds the outcome. */
export const createKeyHint = (key: string) =>
	`It may have been created all the same. To find out without paying twice, run again with this as Own Key in the options (within 24 hours): ${key}`;

/**
 * The error of a request after its last attempt.
 *
 * @param uncertain whether it may have created something all the same
 */
export function createRequestError(
	node: INode,
	account: Account,
	request: ServiceRequest,
	reply: FailedReply,
	uncertain: boolean,
): NodeApiError {
	const key = request.idempotencyKey ?? request.keyInBody;
	const hint = uncertain
		? (request.uncertainOutcomeHint ?? (key && createKeyHint(key)))
		: undefined;
	const uncertainty: ErrorDetails = uncertain
		? { uncertain: true, ...(key === undefined ? {} : { idempotency_key: key }) }
		: {};
	switch (reply.kind) {
		case 'unconnected':
			return createConnectionError(node, reply.code, reply.detail, { hint, details: uncertainty });
		case 'accessLost': {
			const { reason, temporary } = reply;
			const more = { hint, details: uncertainty };
			return createTokenRenewalError(node, account.credentialType, { reason, temporary }, more);
		}
		case 'unreadable': {
			const code = reply.isTruncated ? 'cut_answer' : 'not_json';
			return createServiceError(node, { status: reply.status, code, ...uncertainty }, { hint });
		}
		case 'refusal': {
			const { serviceMessage } = reply;
			return createServiceError(
				node,
				mapTexts({ ...reply.details, ...uncertainty }, account.removeSecrets),
				{
					serviceMessage: serviceMessage && account.removeSecrets(serviceMessage),
					hint,
					explanations: fillExplanations(request),
					labels: request.labels?.(),
				},
			);
		}
	}
}
