/** Classifies connection errors by whether the service may have received the request. */

/** Error codes of connections that fail before the request is sent. */
const unsentCodes = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EHOSTDOWN',
	'ENETDOWN',
	'EADDRNOTAVAIL',
	'EACCES',
	'EMFILE',
	'ENFILE',
]);

/**
 * Matches the error codes of failed TLS handshakes. The usual cause is a URL with the wrong
 * protocol or an untrusted certificate.
 */
const handshakeCodes =
	/^EPROTO$|CERT|UNABLE_TO_VERIFY|ALTNAME|^ERR_SSL_(WRONG_VERSION_NUMBER|.*HANDSHAKE|.*ALERT_PROTOCOL|UNSUPPORTED_PROTOCOL)/;

/** This package's error code for requests that n8n itself blocked to protect internal addresses. */
export const blockedByN8nErrorCode = 'BLOCKED_BY_N8N';

/**
 * Matches the error codes for redirects that cannot be followed, such as a redirect to an FTP
 * server.
 */
const redirectCodes = /^ERR_FR_/;

/**
 * Matches the error codes for requests that can never be sent because the URL or a header is
 * invalid. `UNKNOWN` stands for an error without a code.
 */
const unsendableCodes =
	/^ERR_(INVALID_URL|INVALID_CHAR|INVALID_PROTOCOL|UNESCAPED_CHARACTERS|HTTP_INVALID_HEADER_VALUE|INVALID_ARG)|^UNKNOWN$/;

/**
 * Whether a request was sent before the connection failed. `unsent`: the request was not sent.
 * `broken`: the service may have received the request. `impossible`: the request was not sent, and
 * a retry cannot help.
 */
export type RequestSendState = 'unsent' | 'broken' | 'impossible';

/**
 * Returns whether a request was sent before its connection failed, according to the connection's
 * error code, such as ECONNRESET.
 */
export function getRequestSendState(code: string | undefined): RequestSendState {
	const name = code?.toUpperCase();
	if (name === undefined || name === blockedByN8nErrorCode) return 'impossible';
	if ([handshakeCodes, unsendableCodes, redirectCodes].some((codes) => codes.test(name)))
		return 'impossible';
	return unsentCodes.has(name) ? 'unsent' : 'broken';
}

/** Reason why a request can never be sent, derived from the error code. */
export type UnsendableRequestCause = 'handshake' | 'blocked' | 'redirect' | 'other';

/**
 * Returns the reason why a request can never be sent. Expects an error code that
 * `getRequestSendState` classifies as `impossible`.
 */
export function findUnsendableRequestCause(code: string): UnsendableRequestCause {
	const name = code.toUpperCase();
	if (name === blockedByN8nErrorCode) return 'blocked';
	if (handshakeCodes.test(name)) return 'handshake';
	return redirectCodes.test(name) ? 'redirect' : 'other';
}
