/** What a connection error says about the request that it ended. */

/** Connection errors after which the service has certainly not seen the request. */
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

/** No agreement on how to talk: another protocol at that address, or a certificate not trusted. */
const handshakeCodes =
	/^EPROTO$|CERT|UNABLE_TO_VERIFY|ALTNAME|^ERR_SSL_(WRONG_VERSION_NUMBER|.*HANDSHAKE|.*ALERT_PROTOCOL|UNSUPPORTED_PROTOCOL)/;

/** Addresses and headers that cannot be sent, and errors without a code: n8n's own. */
const unsendableCodes =
	/^ERR_(INVALID_URL|INVALID_CHAR|INVALID_PROTOCOL|UNESCAPED_CHARACTERS|HTTP_INVALID_HEADER_VALUE|INVALID_ARG)|^UNKNOWN$/;

/**
 * `unsent`: the service has certainly not seen it. `broken`: it may have, or not. `impossible`: it
 * was not sent and never will be.
 */
export type ConnectionState = 'unsent' | 'broken' | 'impossible';

/** What the code of a connection error, such as ECONNRESET, says about the request. */
export function classifyConnectionError(code: string | undefined): ConnectionState {
	const name = code?.toUpperCase();
	if (name === undefined || handshakeCodes.test(name) || unsendableCodes.test(name))
		return 'impossible';
	return unsentCodes.has(name) ? 'unsent' : 'broken';
}

/** Whether both sides did not agree on how to talk. */
export const isHandshakeError = (code: string) => handshakeCodes.test(code.toUpperCase());
