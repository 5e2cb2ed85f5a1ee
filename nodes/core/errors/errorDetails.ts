/** Defines the structured details of errors, which workflows can read with Continue On Fail. */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../json';

/** Outcome of an input item or batch row. `unknown`: a job may have been started for it. */
export type RowOutcome = 'finished' | 'running' | 'failed' | 'not_started' | 'unknown';

/** Structured details of an error. Most come from the service's error response. */
export interface ErrorDetails extends IDataObject {
	/** HTTP status, or the status of a job such as `failed`. Undefined if there was no response. */
	status?: number | string;
	/** Lowercase error code from the service, the connection or this package, such as `not_json`. */
	code?: string;
	param?: string;
	doc_url?: string;
	request_id?: string;
	/** Problems that the service has found in the workflow graph of a request. */
	errors?: IDataObject[];
	/** Problems with the request's values, one sentence for each invalid value. */
	complaints?: string[];
	/** Whether the service may have carried out the failed request. False if it was never sent. */
	uncertain?: boolean;
	/** Outcome of the row. Undefined if it follows from the other details. */
	outcome?: RowOutcome;
	/** Seconds to wait, as requested by the service. */
	retry_after?: number;
}

/** Maximum seconds before a retry. If the service asks for a longer wait, the request fails. */
export const maxRetryAfter = 300;

/** Returns the details of an error. Empty if this package has not created the error. */
export function getErrorDetails(error: unknown): ErrorDetails {
	const context = isObject(error) ? error.context : undefined;
	const details = isObject(context) ? context.details : undefined;
	return isObject(details) ? details : {};
}

/** Whether an error is temporary. If so, a later attempt may succeed, and waits continue. */
export function isTransientError(error: unknown): boolean {
	const { status, code, uncertain } = getErrorDetails(error);
	if (code === 'cut_answer') return true;
	if (typeof status === 'number') return status === 429 || status >= 500;
	// Only connection errors record whether the request may have been carried out.
	return uncertain !== undefined && getRequestSendState(code) !== 'impossible';
}

export const isNotFoundError = (error: unknown) => getErrorDetails(error).status === 404;

/** Error codes of connections that fail before the request is sent. */
const unsentCodes =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EMFILE|ENFILE)$/;

/** Error codes of failed TLS handshakes, usually caused by a wrong protocol or certificate. */
const handshakeCodes =
	/^EPROTO$|CERT|UNABLE_TO_VERIFY|ALTNAME|^ERR_SSL_(WRONG_VERSION_NUMBER|.*HANDSHAKE|.*ALERT_PROTOCOL|UNSUPPORTED_PROTOCOL)/;

/** Error code for requests that n8n itself blocked to protect internal addresses. */
export const blockedByN8nErrorCode = 'BLOCKED_BY_N8N';

/** Error codes of redirects that cannot be followed, such as to an FTP server. */
const redirectCodes = /^ERR_FR_/;

/** Error codes for an invalid URL or header. `UNKNOWN` stands for an error without a code. */
const unsendableCodes =
	/^ERR_(INVALID_URL|INVALID_CHAR|INVALID_PROTOCOL|UNESCAPED_CHARACTERS|HTTP_INVALID_HEADER_VALUE|INVALID_ARG)|^UNKNOWN$/;

/**
 * How far a failed request got. `unsent`: it was not sent, and a retry may help. `impossible`: it
 * was not sent, and a retry cannot help. `broken`: the service may have received it.
 */
export type RequestSendState = 'unsent' | 'broken' | 'impossible';

/** Returns how far a request got before a connection error, such as ECONNRESET. */
export function getRequestSendState(code: string | undefined): RequestSendState {
	const name = code?.toUpperCase();
	if (name === undefined || name === blockedByN8nErrorCode) return 'impossible';
	if ([handshakeCodes, unsendableCodes, redirectCodes].some((codes) => codes.test(name)))
		return 'impossible';
	return unsentCodes.test(name) ? 'unsent' : 'broken';
}

export type UnsendableRequestCause = 'handshake' | 'blocked' | 'redirect' | 'other';

/** Returns why a request could not be sent, from an error code such as ERR_INVALID_URL. */
export function findUnsendableRequestCause(code: string): UnsendableRequestCause {
	const name = code.toUpperCase();
	if (name === blockedByN8nErrorCode) return 'blocked';
	if (handshakeCodes.test(name)) return 'handshake';
	return redirectCodes.test(name) ? 'redirect' : 'other';
}
