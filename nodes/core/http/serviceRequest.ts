/** One request to the service: what it says, and the error that it may come to. */
import type {
	IDataObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
	INode,
	NodeApiError,
} from 'n8n-workflow';
import type { Explanations } from '../errors/advice';
import { getErrorDetails, type ErrorDetails } from '../errors/errorDetails';
import {
	createConnectionError,
	createOperationError,
	createTokenRenewalError,
	createServiceError,
} from '../errors/nodeErrors';
import { mapTexts } from '../json';
import type { Account } from './credentials';
import type { PerMinuteLimit } from './perMinuteLimit';
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
	/** Sent as `Idempotency-Key`; makes a repeat safe. */
	idempotencyKey?: string;
	/** The key, where it is a field of the body. */
	keyInBody?: string;
	/** A repeat is safe for another reason. */
	repeatable?: boolean;
	/** What may exist when the connection breaks after sending, and how to look for it. */
	uncertainOutcomeHint?: string;
	/** It is not cut by the stop button at once: its answer names a job. */
	survivesStop?: boolean;
	/** Words for refusals that mean something special here; `{name}` takes a path identifier. */
	explanations?: Explanations;
	/** What the form calls the fields of the request, by the service's names. */
	labels?: () => Readonly<Record<string, string>>;
	/** A limit of requests per minute, shared by all that name it so. */
	perMinuteLimit?: PerMinuteLimit;
	/** Milliseconds; default 30 s for reads, 120 s for writes. */
	timeout?: number;
}

const readTimeout = 30_000;
const writeTimeout = 120_000;

/** Fills a request line. A path identifier stays one segment, whatever is in it. */
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
			// Half of a character, as a text that was cut may end in.
			throw createOperationError(node, `The ${name.replace(/_/g, ' ')} holds a broken character`);
		}
	});
	return { method: method as IHttpRequestMethods, path: filled };
}

/** The request of a call, as n8n's HTTP helper takes it. */
export function prepareRequest(
	account: Account,
	node: INode,
	call: ServiceRequest,
	streamed: boolean,
): PreparedRequest {
	const { method, path } = fillRequestLine(node, call.line, call.path);
	const request: PreparedRequest['request'] = {
		method,
		url: `${account.baseUrl}${path}`,
		headers: {
			...call.headers,
			...(call.idempotencyKey === undefined ? {} : { 'Idempotency-Key': call.idempotencyKey }),
		},
		qs: call.query,
		json: true,
		// Read here: n8n would read an error of any length to its end.
		encoding: 'stream',
		returnFullResponse: true,
		// n8n renews an OAuth token when it sees a 401 thrown (n8n 1: see transport.ts).
		ignoreHttpStatusErrors: account.isOAuth ? { ignore: true, except: [401] } : true,
		// A redirect would carry the API key to another place.
		disableFollowRedirect: true,
		timeout: call.timeout ?? (method === 'GET' ? readTimeout : writeTimeout),
	};
	if (call.body !== undefined) request.body = call.body;
	return {
		request,
		legacy: path.startsWith('/v1/'),
		streamed,
		survivesStop: call.survivesStop === true,
	};
}

/** The explanations of a call with its path identifiers filled in. */
function fillExplanations({
	explanations: explains,
	path = {},
}: ServiceRequest): Explanations | undefined {
	if (!explains) return undefined;
	return mapTexts(explains, (text) =>
		text.replace(/\{(\w+)\}/g, (whole, name: string) => path[name] ?? whole),
	);
}

/** What to do with the key of a create of which nobody knows whether it was carried out. */
export const keyHint = (key: string) =>
	`What was asked for may have been made all the same. To find out without paying twice, run again with this as Own Key in the options (within 24 hours): ${key}`;

/** The error of a try after which there is no other. */
export function createRequestError(
	node: INode,
	account: Account,
	call: ServiceRequest,
	reply: FailedReply,
	uncertain: boolean,
): NodeApiError {
	const key = call.idempotencyKey ?? call.keyInBody;
	const hint = uncertain ? (call.uncertainOutcomeHint ?? (key && keyHint(key))) : undefined;
	const doubt: ErrorDetails = uncertain
		? { uncertain: true, ...(key === undefined ? {} : { idempotency_key: key }) }
		: {};
	switch (reply.kind) {
		case 'unconnected':
			return createConnectionError(node, reply.code, reply.detail, { hint, facts: doubt });
		case 'unrenewed': {
			const error = createTokenRenewalError(
				node,
				account.credentialType,
				reply.renewal,
				reply.passing,
			);
			if (hint) error.description = `${error.description ?? ''}\n${hint}`;
			error.context.details = { ...getErrorDetails(error), ...doubt };
			return error;
		}
		case 'unreadable': {
			const code = reply.cut ? 'cut_answer' : 'not_json';
			return createServiceError(node, { status: reply.status, code, ...doubt }, { hint });
		}
		case 'refusal': {
			const facts = mapTexts({ ...reply.facts, ...doubt }, account.removeSecrets);
			return createServiceError(node, facts, {
				serviceMessage: reply.said === undefined ? undefined : account.removeSecrets(reply.said),
				hint,
				explanations: fillExplanations(call),
				labels: call.labels?.(),
			});
		}
	}
}
