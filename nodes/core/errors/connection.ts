/** Classifies connection errors by whether the service may have received the request. */

/** Codes of connection errors that occur before the request is sent. */
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

/** Codes of TLS handshake errors: wrong protocol at the URL, or untrusted certificate. */
const handshakeCodes =
	/^EPROTO$|CERT|UNABLE_TO_VERIFY|ALTNAME|^ERR_SSL_(WRONG_VERSION_NUMBER|.*HANDSHAKE|.*ALERT_PROTOCOL|UNSUPPORTED_PROTOCOL)/;

/**
 * Codes of requests that cannot be sent, because of an invalid URL or header. Errors of n8n itself
 * have no code.
 */
const unsendableCodes =
	/^ERR_(INVALID_URL|INVALID_CHAR|INVALID_PROTOCOL|UNESCAPED_CHARACTERS|HTTP_INVALID_HEADER_VALUE|INVALID_ARG)|^UNKNOWN$/;

/**
 * Effect of a connection error. `unsent`: the service has not received the request. `broken`: it
 * may have. `impossible`: the request was not sent, and another attempt cannot help.
 */
export type ConnectionState = 'unsent' | 'broken' | 'impossible';

/** Classifies a connection error by its code, such as ECONNRESET. */
export function classifyConnectionError(code: string | undefined): ConnectionState {
	const name = code?.toUpperCase();
	if (name === undefined || handshakeCodes.test(name) || unsendableCodes.test(name))
		return 'impossible';
	return unsentCodes.has(name) ? 'unsent' : 'broken';
}

/** Whether an error code reports a failed TLS handshake. */
export const isHandshakeError = (code: string) => handshakeCodes.test(code.toUpperCase());
