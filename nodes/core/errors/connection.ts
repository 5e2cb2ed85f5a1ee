/** Determines whether the service may have received a request whose connection failed. */

/** Codes of connection errors that occur before a request is sent. */
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
 * Pattern for the codes of failed TLS handshakes, caused by the wrong protocol in a URL or by an
 * untrusted certificate.
 */
const handshakeCodes =
	/^EPROTO$|CERT|UNABLE_TO_VERIFY|ALTNAME|^ERR_SSL_(WRONG_VERSION_NUMBER|.*HANDSHAKE|.*ALERT_PROTOCOL|UNSUPPORTED_PROTOCOL)/;

/** Code for requests that n8n's own protection against requests to internal addresses blocked. */
export const blockedByN8nCode = 'BLOCKED_BY_N8N';

/** Pattern for the codes of redirects that lead nowhere, such as to an FTP server. */
const redirectCodes = /^ERR_FR_/;

/**
 * Pattern for the codes of requests that can never be sent, because their URL or a header is
 * invalid. Errors that have no code of their own count as `UNKNOWN`.
 */
const unsendableCodes =
	/^ERR_(INVALID_URL|INVALID_CHAR|INVALID_PROTOCOL|UNESCAPED_CHARACTERS|HTTP_INVALID_HEADER_VALUE|INVALID_ARG)|^UNKNOWN$/;

/**
 * Whether a request was sent before its connection failed. `unsent`: it was not. `broken`: it may
 * have been. `impossible`: it was not, and a retry cannot help.
 */
export type SendOutcome = 'unsent' | 'broken' | 'impossible';

/** Classifies a connection error by its error code, such as ECONNRESET. */
export function classifyConnectionError(code: string | undefined): SendOutcome {
	const name = code?.toUpperCase();
	if (name === undefined || name === blockedByN8nCode) return 'impossible';
	if ([handshakeCodes, unsendableCodes, redirectCodes].some((codes) => codes.test(name)))
		return 'impossible';
	return unsentCodes.has(name) ? 'unsent' : 'broken';
}

/** Why a request can never be sent, as far as its error code says. */
export type ImpossibleCause = 'handshake' | 'blocked' | 'redirect' | 'other';

/** Returns the cause of a connection error that is classified as `impossible`. */
export function findImpossibleCause(code: string): ImpossibleCause {
	const name = code.toUpperCase();
	if (name === blockedByN8nCode) return 'blocked';
	if (handshakeCodes.test(name)) return 'handshake';
	return redirectCodes.test(name) ? 'redirect' : 'other';
}
