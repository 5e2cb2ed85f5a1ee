/** Defines an error's structured details, which workflows can read with Continue On Fail. */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../json';

/** What has happened to the row of an input item. `unknown`: its job may exist. */
export type RowOutcome = 'finished' | 'running' | 'failed' | 'not_started' | 'unknown';

/** Most details come from the error response of the service. */
export interface ErrorDetails extends IDataObject {
	/** HTTP status, or the status of a job such as `failed`. Undefined without a response. */
	status?: number | string;
	/** In lower case. From the service, a connection error or this package, such as `not_json`. */
	code?: string;
	param?: string;
	doc_url?: string;
	request_id?: string;
	/** Problems in the request's workflow definition. */
	errors?: IDataObject[];
	/** A sentence for each invalid value. */
	complaints?: string[];
	/** Whether the service may have carried out the request. False if it was never sent. */
	uncertain?: boolean;
	/** Undefined if it follows from the other details. */
	outcome?: RowOutcome;
	/** Seconds to wait, as requested by the service. */
	retry_after?: number;
}

/** Seconds. If the service asks for a longer wait, the request fails. */
export const maxRetryAfter = 300;

/** Returns an empty object for errors that this package has not created. */
export function getErrorDetails(error: unknown): ErrorDetails {
	const context = isObject(error) ? error.context : undefined;
	const details = isObject(context) ? context.details : undefined;
	return isObject(details) ? details : {};
}

/** Whether a later attempt may succeed. A node that waits for a job keeps waiting. */
export function isTransientError(error: unknown): boolean {
	const { status, code, uncertain } = getErrorDetails(error);
	if (code === 'cut_answer') return true;
	if (typeof status === 'number') return status === 429 || status >= 500;
	// Only connection errors record whether the request may have been carried out.
	return uncertain !== undefined && getRequestSendState(code) !== 'impossible';
}

export const isNotFoundError = (error: unknown) => getErrorDetails(error).status === 404;

/** Codes of connections that fail before the request is sent. */
const unsentCodes =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EMFILE|ENFILE)$/;

/** The usual cause is a URL with the wrong protocol or an untrusted certificate. */
const handshakeCodes =
	/^EPROTO$|CERT|UNABLE_TO_VERIFY|ALTNAME|^ERR_SSL_(WRONG_VERSION_NUMBER|.*HANDSHAKE|.*ALERT_PROTOCOL|UNSUPPORTED_PROTOCOL)/;

/** n8n itself blocked the request to protect internal addresses. */
export const blockedByN8nErrorCode = 'BLOCKED_BY_N8N';

/** Redirects that cannot be followed, such as to an FTP server. */
const redirectCodes = /^ERR_FR_/;

/** The URL or a header is invalid. `UNKNOWN` stands for an error without a code. */
const unsendableCodes =
	/^ERR_(INVALID_URL|INVALID_CHAR|INVALID_PROTOCOL|UNESCAPED_CHARACTERS|HTTP_INVALID_HEADER_VALUE|INVALID_ARG)|^UNKNOWN$/;

/**
 * `broken`: the service may have received the request. `impossible`: it was not sent, and a retry
 * cannot help.
 */
export type RequestSendState = 'unsent' | 'broken' | 'impossible';

/** @param code error code of the connection, such as ECONNRESET */
export function getRequestSendState(code: string | undefined): RequestSendState {
	const name = code?.toUpperCase();
	if (name === undefined || name === blockedByN8nErrorCode) return 'impossible';
	if ([handshakeCodes, unsendableCodes, redirectCodes].some((codes) => codes.test(name)))
		return 'impossible';
	return unsentCodes.test(name) ? 'unsent' : 'broken';
}

export type UnsendableRequestCause = 'handshake' | 'blocked' | 'redirect' | 'other';

/** Expects a code that `getRequestSendState` classifies as `impossible`. */
export function findUnsendableRequestCause(code: string): UnsendableRequestCause {
	const name = code.toUpperCase();
	if (name === blockedByN8nErrorCode) return 'blocked';
	if (handshakeCodes.test(name)) return 'handshake';
	return redirectCodes.test(name) ? 'redirect' : 'other';
}
