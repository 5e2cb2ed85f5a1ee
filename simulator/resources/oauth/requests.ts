/** Parses and validates the requests of the OAuth endpoints. */
import type { FastifyRequest } from 'fastify';

export const publicClient = 'demo-public';

/** Client ID to secret; null for a public client. */
export const clients = new Map<string, string | null>([
	[publicClient, null],
	['demo-confidential', 'demo-confidential-secret'],
]);

export const defaultScope = 'openid profile email';
const scopePattern = /^(openid|profile|email|\*:\*|[a-z_]+:(read|write))$/;
/** RFC 7636, 4.1. */
export const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;
const challengePattern = /^[A-Za-z0-9_-]{43}$/;

export type Fields = Record<string, string>;

/** The error response of an OAuth endpoint (RFC 6749, 5.2). */
export interface OauthError {
	status: number;
	error: string;
	error_description: string;
}

export const createOauthError = (
	error: string,
	error_description: string,
	status = 400,
): OauthError => ({
	status,
	error,
	error_description,
});

export const isOauthError = (value: object): value is OauthError => 'error_description' in value;

/** Returns the fields of a query or form. Empty fields count as missing, repeated ones are an error. */
export function readFields(source: unknown): Fields | OauthError {
	const fields: Fields = {};
	for (const [name, value] of Object.entries((source ?? {}) as Record<string, unknown>)) {
		if (typeof value !== 'string') {
			return createOauthError('invalid_request', `${name} may be sent only once`);
		}
		if (value !== '') fields[name] = value;
	}
	return fields;
}

/** Parses a form body. A repeated name becomes an array, as in a query. */
export function parseForm(text: string) {
	const fields: Record<string, string | string[]> = {};
	for (const [name, value] of new URLSearchParams(text)) {
		const known = fields[name];
		fields[name] = known === undefined ? value : [known, value].flat();
	}
	return fields;
}

/** Whether a redirect is allowed to this URI: https, or http on loopback. */
export function isRedirectUri(text: string | undefined): text is string {
	if (!text || !URL.canParse(text) || text.includes('#')) return false;
	const { protocol, hostname } = new URL(text);
	return (
		protocol === 'https:' ||
		(protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
	);
}

/** Returns the error of an authorization request, once its redirect URI is known to be safe. */
export function findRequestError(fields: Fields): OauthError | undefined {
	if (fields.response_type !== 'code') {
		return fields.response_type === undefined
			? createOauthError('invalid_request', 'response_type is missing')
			: createOauthError('unsupported_response_type', 'response_type must be code');
	}
	if (fields.state === undefined) return createOauthError('invalid_request', 'state is missing');
	// Without a method, the challenge counts as plain (RFC 7636, 4.3).
	if (fields.code_challenge_method !== 'S256') {
		return createOauthError('invalid_request', 'code_challenge_method must be S256');
	}
	if (!challengePattern.test(fields.code_challenge ?? '')) {
		return createOauthError('invalid_request', 'code_challenge must be 43 characters of base64url');
	}
	const unknownScope = (fields.scope ?? defaultScope)
		.split(' ')
		.find((scope) => !scopePattern.test(scope));
	if (unknownScope !== undefined)
		return createOauthError('invalid_scope', `There is no scope "${unknownScope}"`);
	return undefined;
}

/** Authenticates the client of a token request: public, or by a secret in the form or Basic header. */
export function readClient(request: FastifyRequest, fields: Fields): { id: string } | OauthError {
	const header = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
	let id = fields.client_id;
	let secret = fields.client_secret;
	if (header !== undefined) {
		if (secret !== undefined) {
			return createOauthError('invalid_request', 'Send the client secret in one place only');
		}
		const pair = Buffer.from(header, 'base64').toString();
		const colon = pair.indexOf(':');
		if (colon === -1)
			return createOauthError('invalid_client', 'The Basic header is malformed', 401);
		const [basicId, basicSecret] = [pair.slice(0, colon), pair.slice(colon + 1)];
		if (id !== undefined && id !== basicId) {
			return createOauthError(
				'invalid_request',
				'client_id differs from the one in the Basic header',
			);
		}
		id = basicId;
		secret = basicSecret === '' ? undefined : basicSecret;
	}
	if (id === undefined) return createOauthError('invalid_client', 'client_id is missing', 401);
	const expectedSecret = clients.get(id);
	if (expectedSecret === undefined)
		return createOauthError('invalid_client', 'The client is unknown', 401);
	if (secret !== (expectedSecret ?? undefined)) {
		return createOauthError('invalid_client', 'The client secret is wrong', 401);
	}
	return { id };
}
