/**
 * What comes back from one request, in the few kinds that matter: n8n's HTTP helper answers,
 * refuses and throws in many ways.
 */
import type { IDataObject, IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { clock } from '../clock';
import type { ErrorDetails } from '../errors/errorDetails';
import { isObject, readObject, readObjects, readText } from '../json';

/** Content on its way. */
export type FileStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** What one try came to. */
export type Reply =
	| { kind: 'success'; status: number; body: IDataObject }
	| { kind: 'stream'; status: number; stream: FileStream }
	| {
			kind: 'refusal';
			status: number;
			facts: ErrorDetails;
			said?: string;
			/** The service itself refuses, and not a proxy before it: nothing was carried out for it. */
			own: boolean;
	  }
	/** A status of success with a body that is not the service's JSON. */
	| {
			kind: 'unreadable';
			status: number;
			/** The beginning of JSON, or nothing: the connection ended in the middle of the answer. */
			cut: boolean;
	  }
	| { kind: 'unconnected'; code: string; detail: string }
	/** The service refused the access of an OAuth credential, and it could not be renewed. */
	| ({ kind: 'unrenewed' } & RenewalFailure);

/** A reply that went well. */
export type SuccessfulReply = Extract<Reply, { kind: 'success' | 'stream' }>;
/** All others. */
export type FailedReply = Exclude<Reply, SuccessfulReply>;

/** Why n8n could not renew the access of an OAuth credential. */
export interface RenewalFailure {
	renewal: string;
	/** The place that renews it was out of reach or out of order, with this code or status. */
	passing?: { code?: string; status?: number };
}

/** `code` of a v1 answer that went well (docs/service.md, Conventions). */
const v1SuccessCode = 100;

/** The most of a refusal that is read, in bytes. */
const maxRefusalBytes = 65_536;

/** The most of a text of the service's that is shown, in letters. */
const maxTextLength = 1_000;
/** The most problems of a graph that are told. */
const maxGraphProblems = 100;

/**
 * Seconds of a `Retry-After` header: a number, or a date. Nothing where it cannot be read.
 *
 * @param now Unix time in milliseconds
 */
export function parseRetryAfter(value: unknown, now: number): number | undefined {
	if (typeof value === 'number') return Number.isFinite(value) ? Math.max(value, 0) : undefined;
	const text = readText(value)?.trim();
	if (text === undefined || text === '') return undefined;
	const seconds = Number(text);
	if (Number.isFinite(seconds)) return Math.max(seconds, 0);
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max((date - now) / 1000, 0);
}

/** The text, unless it is empty, with its end cut off where it is too long. */
function readShortText(value: unknown): string | undefined {
	const text = readText(value);
	return text !== undefined && text.length > maxTextLength
		? `${text.slice(0, maxTextLength)} …`
		: text;
}

/** What a problem of a graph says, without what may be nested in it. */
const readGraphProblem = (problem: IDataObject): IDataObject =>
	Object.fromEntries(
		['code', 'message', 'node_id', 'port', 'path'].flatMap((key) => {
			const value = Array.isArray(problem[key]) ? problem[key].map(String).join('.') : problem[key];
			const text = typeof value === 'number' ? value : readShortText(value);
			return text === undefined ? [] : [[key, text]];
		}),
	);

/** Facts and message of an answer that refuses: v3's error object, or the envelope of v1. */
function parseRefusal(status: number, headers: IDataObject, body: unknown): Reply {
	const facts: ErrorDetails = { status };
	const after = parseRetryAfter(headers['retry-after'], clock.now());
	if (after !== undefined) facts.retry_after = after;
	if (!isObject(body)) return { kind: 'refusal', status, facts, own: false };
	const error = isObject(body.error) ? body.error : body;
	const code = typeof error.code === 'number' ? String(error.code) : readShortText(error.code);
	if (code !== undefined) facts.code = code.toLowerCase();
	const param = readShortText(error.param);
	const doc = readShortText(error.doc_url);
	const id = readShortText(error.request_id) ?? readShortText(headers['x-request-id']);
	const problems = readObjects(error.errors).slice(0, maxGraphProblems).map(readGraphProblem);
	if (param) facts.param = param;
	if (doc) facts.doc_url = doc;
	if (id) facts.request_id = id;
	if (problems.length > 0) facts.errors = problems;
	const said = readShortText(error.message) ?? readShortText(body.error) ?? readShortText(body.msg);
	return { kind: 'refusal', status, facts, said, own: code !== undefined };
}

/** Whether the envelope of v1 carries its error with a status of success. */
const isHiddenRefusal = (body: IDataObject, legacy: boolean) =>
	(Boolean(body.error) && !body.data) ||
	(legacy && Number(body.code ?? v1SuccessCode) !== v1SuccessCode);

/** Whether a text that is no JSON looks like the beginning of some. */
const isTruncatedJson = (body: unknown) => typeof body !== 'string' || /^\s*([[{]|$)/.test(body);

/**
 * The kind of an answer that came.
 *
 * @param legacy whether the request went to a route of v1
 */
export function parseReply(response: IN8nHttpFullResponse, legacy: boolean): Reply {
	const { statusCode: status, headers, body } = response;
	if (status < 200 || status >= 300) return parseRefusal(status, headers, body);
	if (body === '' || status === 204) return { kind: 'success', status, body: {} };
	if (body === null || typeof body !== 'object') {
		return { kind: 'unreadable', status, cut: isTruncatedJson(body) };
	}
	const whole = readObject(body);
	if (isHiddenRefusal(whole, legacy)) return parseRefusal(400, headers, whole);
	return { kind: 'success', status, body: whole };
}

/** The bytes of a stream as JSON, or as text where they are none. */
const parseChunks = (chunks: readonly Buffer[]) => {
	const text = Buffer.concat(chunks).toString('utf8');
	return jsonParse<IDataObject | string>(text, { fallbackValue: text });
};

/** Whether it is content on its way. */
export const isStream = (body: unknown): body is FileStream =>
	body !== null && typeof body === 'object' && Symbol.asyncIterator in body;

/** Until a stream is read to its end or closed. */
export const waitForClose = async (stream: FileStream) =>
	await new Promise<void>((resolve) => {
		if (stream.closed) resolve();
		else stream.once('close', resolve);
	});

/** The beginning of a refusal: if it is the service's own, it is small, and JSON. */
export async function readRefusalBody(stream: FileStream): Promise<IDataObject | string> {
	const chunks: Buffer[] = [];
	let length = 0;
	try {
		for await (const chunk of stream) {
			const bytes = Buffer.from(chunk);
			chunks.push(bytes);
			length += bytes.length;
			if (length >= maxRefusalBytes) break;
		}
	} catch {
		// Its status has told the most important already.
	}
	return parseChunks(chunks);
}

/**
 * A good answer, whole. Throws where the connection ends before it does.
 *
 * @param timeout milliseconds after which an answer that does not come on is given up
 */
export async function readBody(stream: FileStream, timeout: number): Promise<IDataObject | string> {
	const chunks: Buffer[] = [];
	const read = new AbortController();
	const giveUp = () => void stream.destroy(new Error('The answer did not come on'));
	void clock.sleep(timeout, read.signal).then(giveUp, () => undefined);
	try {
		for await (const chunk of stream) chunks.push(Buffer.from(chunk));
	} finally {
		read.abort();
	}
	return parseChunks(chunks);
}

/** What n8n's HTTP helper and its OAuth client throw, as far as it is looked at. */
interface ThrownError {
	message?: string;
	code?: unknown;
	/** Of n8n's OAuth client, which tells the status so. */
	status?: unknown;
	config?: { url?: string };
	response?: { status: number; headers: IDataObject; data: unknown };
	cause?: ThrownError;
	messages?: string[];
}

const asThrownError = (error: unknown): ThrownError =>
	isObject(error) ? (error as ThrownError) : {};

/** The response inside what n8n throws: for OAuth, a 401 has to be thrown so that n8n refreshes. */
export function findThrownResponse(error: unknown): IN8nHttpFullResponse | undefined {
	const response = asThrownError(error).cause?.response ?? asThrownError(error).response;
	if (!response) return undefined;
	const { status: statusCode, headers, data } = response;
	return { statusCode, headers: { ...headers }, body: data as IDataObject };
}

/** The first code in a chain of causes, such as ECONNRESET. */
export function findErrorCode(error: unknown): string | undefined {
	let next: ThrownError | undefined = asThrownError(error);
	for (let depth = 0; next && depth < 5; depth++, next = next.cause) {
		if (typeof next.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(next.code)) return next.code;
	}
	const { message = '', messages = [] } = asThrownError(error);
	return /socket hang up|aborted/i.test([message, ...messages].join(' '))
		? 'ECONNRESET'
		: undefined;
}

/** The most telling words of what was thrown. */
export function findErrorMessage(error: unknown): string {
	const { cause, message, messages } = asThrownError(error);
	return cause?.message ?? messages?.[0] ?? message ?? 'unknown';
}

/** What was thrown while n8n renewed the access; undefined where the request itself failed. */
export function findRenewalFailure(
	error: unknown,
	tokenUrl: string | undefined,
): RenewalFailure | undefined {
	const { cause } = asThrownError(error);
	const renewal = findErrorMessage(error);
	const code = findErrorCode(error);
	// n8n 1 tells it in words alone.
	const [, inWords = 0] = /status (?:code )?(\d{3})$/.exec(renewal) ?? [];
	const status = Number(cause?.response?.status ?? cause?.status ?? inWords);
	const sent = cause?.config?.url;
	// Refusals by the token endpoint, and n8n's own words, come without a request in them.
	const refused = sent === undefined && [undefined, 'EAUTH', 'ESTATUS'].includes(code);
	if (!refused && (tokenUrl === undefined || sent !== tokenUrl)) return undefined;
	if (status === 429 || status >= 500) return { renewal, passing: { status } };
	return !refused && status === 0 ? { renewal, passing: { code: code ?? 'unknown' } } : { renewal };
}
