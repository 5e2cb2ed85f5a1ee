/** What comes in at the OAuth endpoints: forms, clients, requests for access. */
import type { FastifyRequest } from 'fastify';

export const publicClient = 'demo-public';

/** A client without a secret is public and shows nothing but its name. */
export const clients = new Map<string, string | null>([
	[publicClient, null],
	['demo-confidential', 'demo-confidential-secret'],
]);

export const defaultScope = 'openid profile email';
const scopePattern = /^(openid|profile|email|\*:\*|[a-z_]+:(read|write))$/;
/** 43 to 128 characters of this kind make a verifier; the S256 challenge has exactly 43. */
export const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;
const challengePattern = /^[A-Za-z0-9_-]{43}$/;

export type Fields = Record<string, string>;

/** What an OAuth endpoint refuses with. */
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

/** Fields of a query or form. An empty one counts as left out; a repeated one is refused. */
export function readFields(source: unknown): Fields | OauthError {
	const fields: Fields = {};
	for (const [name, value] of Object.entries((source ?? {}) as Record<string, unknown>)) {
		if (typeof value !== 'string') {
			return createOauthError('invalid_request', `${name} may be given only once`);
		}
		if (value !== '') fields[name] = value;
	}
	return fields;
}

/** Form bodies as objects; a repeated name becomes an array, as in a query. */
export function parseForm(text: string) {
	const fields: Record<string, string | string[]> = {};
	for (const [name, value] of new URLSearchParams(text)) {
		const known = fields[name];
		fields[name] = known === undefined ? value : [known, value].flat();
	}
	return fields;
}

/** Where a browser may be sent back to: https, or this machine. */
export function isRedirectUri(text: string | undefined): text is string {
	if (!text || !URL.canParse(text) || text.includes('#')) return false;
	const { protocol, hostname } = new URL(text);
	return (
		protocol === 'https:' ||
		(protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
	);
}

/** What is wrong with a request for access, once it is known where the answer may go. */
export function findRequestError(fields: Fields): OauthError | undefined {
	if (fields.response_type !== 'code') {
		return fields.response_type === undefined
			? createOauthError('invalid_request', 'response_type is missing')
			: createOauthError('unsupported_response_type', 'response_type must be code');
	}
	if (fields.state === undefined) return createOauthError('invalid_request', 'state is missing');
	// Without a method the challenge would count as plain (RFC 7636, 4.3).
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

/** The client of a token request: public, or with its secret in the form or as Basic. */
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
		return createOauthError('invalid_client', 'The client is not known', 401);
	if (secret !== (expectedSecret ?? undefined)) {
		return createOauthError('invalid_client', 'The client secret is wrong', 401);
	}
	return { id };
}
