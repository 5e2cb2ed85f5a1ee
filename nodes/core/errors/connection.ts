/** Kinds of connection errors: whether the service may have received the request. */

/** Connection errors before the request was sent. */
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

/** Errors of the TLS handshake: another protocol at that URL, or a certificate that is not trusted. */
const handshakeCodes =
	/^EPROTO$|CERT|UNABLE_TO_VERIFY|ALTNAME|^ERR_SSL_(WRONG_VERSION_NUMBER|.*HANDSHAKE|.*ALERT_PROTOCOL|UNSUPPORTED_PROTOCOL)/;

/** URLs and headers that cannot be sent, and errors of n8n itself, which have no code. */
const unsendableCodes =
	/^ERR_(INVALID_URL|INVALID_CHAR|INVALID_PROTOCOL|UNESCAPED_CHARACTERS|HTTP_INVALID_HEADER_VALUE|INVALID_ARG)|^UNKNOWN$/;

/**
 * `unsent`: the service has not received the request. `broken`: it may have. `impossible`: the request
 * was not sent, and another attempt cannot help.
 */
export type ConnectionState = 'unsent' | 'broken' | 'impossible';

/** Whether the request was sent, by the code of the connection error, such as ECONNRESET. */
export function classifyConnectionError(code: string | undefined): ConnectionState {
	const name = code?.toUpperCase();
	if (name === undefined || handshakeCodes.test(name) || unsendableCodes.test(name))
		return 'impossible';
	return unsentCodes.has(name) ? 'unsent' : 'broken';
}

/** Whether the TLS handshake failed. */
export const isHandshakeError = (code: string) => handshakeCodes.test(code.toUpperCase());
