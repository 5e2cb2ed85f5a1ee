/** Converts responses and the various errors of n8n's HTTP helper to `AttemptOutcome`. */
import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';
import { clock } from '../clock';
import { blockedByN8nErrorCode, type ErrorDetails } from '../errors/errorDetails';
import { isObject, readObject, readObjects, readText, toNumber, toText } from '../json';
import {
	getReceiveErrorCode,
	parseReceivedJson,
	receiveChunks,
	receivedDataLimits,
	type ReceivedAmounts,
	type ByteStream,
	type StreamLimits,
} from './receivedDataLimits';

export type AttemptOutcome =
	| {
			kind: 'success';
			status: number;
			body: IDataObject;
			/** Size of the body, if it arrived as a stream. */
			size?: ReceivedAmounts;
	  }
	| { kind: 'stream'; status: number; stream: ByteStream }
	| {
			kind: 'rejection';
			status: number;
			details: ErrorDetails;
			serviceMessage?: string;
			/**
			 * Whether the response came from the service, not from a proxy. Only the service's errors
			 * have a code.
			 */
			isFromService: boolean;
	  }
	/** Response with a success status whose body cannot be read as JSON. */
	| {
			kind: 'unreadable';
			status: number;
			code: UnreadableCode;
			/** How the response exceeded a limit, as a clause such as "it had more than 16 MB". */
			limit?: string;
	  }
	| { kind: 'unconnected'; code: string; detail: string }
	/** Outcome of a request whose OAuth token the service rejected and n8n could not renew. */
	| ({ kind: 'accessLost' } & TokenRenewalFailure);

/**
 * Why a response body cannot be read. `cut_answer`: it is empty or incomplete JSON, because the
 * connection ended early or was too slow. `not_json`: it has another format, such as HTML.
 */
type UnreadableCode = 'cut_answer' | 'response_too_large' | 'not_json';

export type SuccessfulAttempt = Extract<AttemptOutcome, { kind: 'success' | 'stream' }>;
export type FailedAttempt = Exclude<AttemptOutcome, SuccessfulAttempt>;

export const isSuccess = (reply: AttemptOutcome): reply is SuccessfulAttempt =>
	reply.kind === 'success' || reply.kind === 'stream';

/** Why n8n could not renew an OAuth credential's access token. */
export interface TokenRenewalFailure {
	reason: string;
	/** Status of the token endpoint, or code of the connection error. Set if a retry may help. */
	temporary?: { code?: string; status?: number };
}

/** Code in the body of a successful response of API version 1 (service.md, Conventions). */
const v1SuccessCode = 100;

/** Maximum characters of each text that an error copies from the service's response. */
const maxTextLength = 1_000;
const maxGraphProblems = 100;

/** Parses `Retry-After`, which contains seconds or a date. `now` is in Unix milliseconds. */
export function parseRetryAfterSeconds(value: unknown, now: number): number | undefined {
	if (typeof value === 'number') return Number.isFinite(value) ? Math.max(value, 0) : undefined;
	const text = readText(value)?.trim() ?? '';
	if (text === '') return undefined;
	const seconds = Number(text);
	if (Number.isFinite(seconds)) return Math.max(seconds, 0);
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max((date - now) / 1000, 0);
}

function readShortText(value: unknown): string | undefined {
	const text = readText(value);
	return text !== undefined && text.length > maxTextLength
		? `${text.slice(0, maxTextLength)} …`
		: text;
}

const readGraphProblem = (problem: IDataObject): IDataObject =>
	Object.fromEntries(
		['code', 'message', 'node_id', 'port', 'path'].flatMap((key) => {
			const value = Array.isArray(problem[key]) ? problem[key].map(toText).join('.') : problem[key];
			const text = typeof value === 'number' ? value : readShortText(value);
			return text === undefined ? [] : [[key, text]];
		}),
	);

/** Parses an error response in the format of API version 1 or 3. */
function parseRejection(status: number, headers: IDataObject, content: unknown): AttemptOutcome {
	const body = readObject(content);
	const error = isObject(body.error) ? body.error : body;
	const code = typeof error.code === 'number' ? String(error.code) : readShortText(error.code);
	const problems = readObjects(error.errors).slice(0, maxGraphProblems).map(readGraphProblem);
	const details: ErrorDetails = {
		status,
		code: code?.toLowerCase(),
		param: readShortText(error.param),
		doc_url: readShortText(error.doc_url),
		request_id: readShortText(error.request_id) ?? readShortText(headers['x-request-id']),
		errors: problems.length > 0 ? problems : undefined,
		retry_after: parseRetryAfterSeconds(headers['retry-after'], clock.now()),
	};
	const serviceMessage =
		readShortText(error.message) ?? readShortText(body.error) ?? readShortText(body.msg);
	return { kind: 'rejection', status, details, serviceMessage, isFromService: code !== undefined };
}

/** Whether a response with a success status is actually an error, as in API version 1. */
const isHiddenRejection = (body: IDataObject, legacy: boolean) =>
	(Boolean(body.error) && !body.data) ||
	(legacy && toNumber(body.code ?? v1SuccessCode) !== v1SuccessCode);

/** Removes a level of nesting from a response whose `data` contains only another `data`. */
function unwrapDoubledData(body: IDataObject): IDataObject {
	const data = readObject(body.data);
	const isDoubled = Object.keys(data).length === 1 && isObject(data.data);
	return isDoubled ? { ...body, data: data.data } : body;
}

const isTruncatedJson = (body: unknown) => typeof body !== 'string' || /^\s*([[{]|$)/.test(body);

/** Parses a response. `legacy`: whether the endpoint belongs to API version 1. */
export function parseReply(response: IN8nHttpFullResponse, legacy: boolean): AttemptOutcome {
	const { statusCode: status, headers, body } = response;
	if (status < 200 || status >= 300) return parseRejection(status, headers, body);
	if (body === '' || status === 204) return { kind: 'success', status, body: {} };
	if (body === null || typeof body !== 'object') {
		return { kind: 'unreadable', status, code: isTruncatedJson(body) ? 'cut_answer' : 'not_json' };
	}
	const json = unwrapDoubledData(readObject(body));
	if (isHiddenRejection(json, legacy)) return parseRejection(400, headers, json);
	return { kind: 'success', status, body: json };
}

export const isStream = (body: unknown): body is ByteStream =>
	body !== null && typeof body === 'object' && Symbol.asyncIterator in body;

export const waitForStreamClose = async (stream: ByteStream) =>
	await new Promise<void>((resolve) => {
		if (stream.closed) resolve();
		else stream.once('close', resolve);
	});

async function readBody(
	stream: ByteStream,
	limits: StreamLimits,
): Promise<{ chunks: Buffer[]; error?: unknown }> {
	const chunks: Buffer[] = [];
	try {
		for await (const chunk of receiveChunks(stream, limits)) chunks.push(chunk);
		return { chunks };
	} catch (error) {
		return { chunks, error };
	}
}

export interface ReplyOptions {
	/** Whether the endpoint belongs to API version 1. */
	legacy: boolean;
	/** Maximum seconds to receive the body. */
	seconds: number;
	/** Masks secrets that the service repeats in its response. */
	mask: (text: string) => string;
}

/**
 * Reads and parses a response. If an error response is too long or breaks off, parses its
 * beginning, which may contain the error code.
 */
export async function readReply(
	response: IN8nHttpFullResponse,
	{ legacy, seconds, mask }: ReplyOptions,
): Promise<AttemptOutcome> {
	const { statusCode: status } = response;
	const stream: unknown = response.body;
	if (!isStream(stream)) return parseReply(response, legacy);
	if (status < 200 || status >= 300) {
		const { chunks } = await readBody(stream, receivedDataLimits.rejection);
		const text = Buffer.concat(chunks).toString('utf8');
		const parsed = parseReceivedJson<IDataObject | string>(text, text);
		return parseReply({ ...response, body: 'excess' in parsed ? text : parsed.content }, legacy);
	}
	const { chunks, error } = await readBody(stream, { ...receivedDataLimits.response, seconds });
	if (error !== undefined) {
		const reason = getReceiveErrorCode(error);
		const code = reason === 'TOO_LARGE' ? 'response_too_large' : 'cut_answer';
		return { kind: 'unreadable', status, code, limit: reason && (error as Error).message };
	}
	const bytes = Buffer.concat(chunks);
	const text = mask(bytes.toString('utf8'));
	const parsed = parseReceivedJson<IDataObject | string>(text, text);
	if ('excess' in parsed) {
		const limit = `it had ${parsed.excess}`;
		return { kind: 'unreadable', status, code: 'response_too_large', limit };
	}
	const reply = parseReply({ ...response, body: parsed.content }, legacy);
	return reply.kind === 'success'
		? { ...reply, size: { bytes: bytes.length, values: parsed.values } }
		: reply;
}

/** Error that n8n's HTTP helper or OAuth client throws. */
interface ThrownError {
	name?: string;
	message?: string;
	code?: unknown;
	/** HTTP status, set only by n8n's OAuth client. Other errors contain it in `response`. */
	status?: unknown;
	config?: { url?: string };
	response?: { status: number; headers: IDataObject; data: unknown };
	cause?: ThrownError;
	messages?: string[];
}

const asThrownError = (error: unknown): ThrownError =>
	isObject(error) ? (error as ThrownError) : {};

/** Returns the response that n8n throws as an error if an OAuth request receives a 401. */
export function findThrownResponse(error: unknown): IN8nHttpFullResponse | undefined {
	const response = asThrownError(error).cause?.response ?? asThrownError(error).response;
	if (!response) return undefined;
	const { status: statusCode, headers, data } = response;
	return { statusCode, headers: { ...headers }, body: data as IDataObject };
}

/** Names of the errors that n8n throws when it blocks a request to an internal address. */
const blockedNames = /^SsrfBlocked/;

/** Returns the first code of an error or its causes, such as `ECONNRESET` or `BLOCKED_BY_N8N`. */
export function findThrownErrorCode(error: unknown): string | undefined {
	const causes: ThrownError[] = [];
	let next: ThrownError | undefined = asThrownError(error);
	for (let depth = 0; next && depth < 5; depth++, next = next.cause) causes.push(next);
	if (causes.some(({ name = '' }) => blockedNames.test(name))) return blockedByN8nErrorCode;
	for (const { code } of causes) {
		if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
	}
	const { message = '', messages = [] } = asThrownError(error);
	return /socket hang up|aborted/i.test([message, ...messages].join(' '))
		? 'ECONNRESET'
		: undefined;
}

/** Returns the most specific message of an error and its causes. */
export function findThrownErrorMessage(error: unknown): string {
	const { cause, message, messages } = asThrownError(error);
	return cause?.message ?? messages?.[0] ?? message ?? 'unknown';
}

/** Returns why n8n could not renew an access token, or `undefined` for any other error. */
export function findTokenRenewalFailure(
	error: unknown,
	tokenUrl: string | undefined,
): TokenRenewalFailure | undefined {
	const { cause } = asThrownError(error);
	const reason = findThrownErrorMessage(error);
	const code = findThrownErrorCode(error);
	// n8n 1 reports the status only in the message.
	const [, statusInMessage = 0] = /status (?:code )?(\d{3})$/.exec(reason) ?? [];
	const status = Number(cause?.response?.status ?? cause?.status ?? statusInMessage);
	const failedUrl = cause?.config?.url;
	// Rejections by the token endpoint, and errors of n8n itself, contain no request.
	const isRejected = failedUrl === undefined && [undefined, 'EAUTH', 'ESTATUS'].includes(code);
	if (!isRejected && (tokenUrl === undefined || failedUrl !== tokenUrl)) return undefined;
	if (status === 429 || status >= 500) return { reason, temporary: { status } };
	return isRejected || status !== 0
		? { reason }
		: { reason, temporary: { code: code ?? 'unknown' } };
}
