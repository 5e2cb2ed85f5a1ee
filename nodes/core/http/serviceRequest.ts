/**
 * Describes one request to the service, prepares it for n8n's HTTP helper, and creates its error.
 */
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
import type { CapacityLimit } from './jobCapacity';
import type { PerMinuteLimit } from './trafficPolicy';
import type { FailedReply } from './reply';
import type { PreparedRequest } from './sendOnce';

export interface ServiceRequest {
	/** Method and path. Path identifiers are written as `{name}`. */
	line: string;
	path?: Readonly<Record<string, string>>;
	query?: IDataObject;
	body?: IHttpRequestOptions['body'];
	headers?: IDataObject;
	/**
	 * Value of the `Idempotency-Key` header. The service creates only once, however often it receives
	 * the request.
	 */
	idempotencyKey?: string;
	/** Idempotency key, if the service expects it in a field of the body. */
	keyInBody?: string;
	/**
	 * Whether the request is safe to retry without an idempotency key, because it sets the same
	 * state.
	 */
	repeatable?: boolean;
	/**
	 * Hint for the user about what may exist after the connection broke, and where to look for it.
	 */
	uncertainOutcomeHint?: string;
	/** Whether the request may finish after the Stop button, because its response names a job. */
	survivesStop?: boolean;
	/**
	 * Explanations of refusals that have a special meaning here. `{name}` stands for a path
	 * identifier.
	 */
	explanations?: Explanations;
	/** Returns the names of the fields in the form, by their names in the API. */
	labels?: () => Readonly<Record<string, string>>;
	perMinuteLimit?: PerMinuteLimit;
	/** Limit of running jobs that the request counts for, if it starts a job. */
	capacity?: CapacityLimit;
	/**
	 * Milliseconds to wait for a response. The default is 30 seconds for reads and 120 for writes.
	 */
	timeout?: number;
}

const readTimeout = 30_000;
const writeTimeout = 120_000;

/**
 * Returns the method and the path of a request. A path identifier is always one segment, whatever
 * it contains.
 */
function fillRequestLine(node: INode, line: string, path: Readonly<Record<string, string>> = {}) {
	const [method = 'GET', template = '/'] = line.split(' ');
	const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = path[name]?.trim() ?? '';
		// A dot segment would be removed from the URL, even if it is percent-encoded.
		if (value === '' || value === '.' || value === '..') {
			throw createOperationError(node, `"${value}" is not a valid ${name.replace(/_/g, ' ')}`);
		}
		try {
			return encodeURIComponent(value);
		} catch {
			// Half of a surrogate pair, at the end of a truncated text.
			throw createOperationError(
				node,
				`The ${name.replace(/_/g, ' ')} contains an incomplete character`,
			);
		}
	});
	return { method: method as IHttpRequestMethods, path: filled };
}

/** Prepares a request for n8n's HTTP helper. */
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
			// sendOnce.ts reads the body: n8n would read an error of any length to its end.
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

/** Returns the explanations of a request with its path identifiers filled in. */
function fillExplanations({ explanations, path = {} }: ServiceRequest): Explanations | undefined {
	if (!explanations) return undefined;
	return mapTexts(explanations, (text) =>
		text.replace(/\{(\w+)\}/g, (placeholder, name: string) => path[name] ?? placeholder),
	);
}

/**
 * Returns advice about a create whose outcome is unknown: its idempotency key reveals the outcome.
 */
export const createKeyHint = (key: string) =>
	`It may have been created all the same. To find out without paying twice, run again with this as Own Key in the options (within 24 hours): ${key}`;

/**
 * Creates the error of a request after its last attempt.
 *
 * @param uncertain whether the request may have created something although it failed
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
