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
	if (name === undefined || handshakeCodes.test(name) || unsendableCodes.test(name))
		return 'impossible';
	return unsentCodes.has(name) ? 'unsent' : 'broken';
}

/** Returns whether an error code means that the TLS handshake failed. */
export const isHandshakeError = (code: string) => handshakeCodes.test(code.toUpperCase());
