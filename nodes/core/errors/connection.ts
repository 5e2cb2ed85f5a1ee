/** Classifies connection errors by whether the service may have received the request. */

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
