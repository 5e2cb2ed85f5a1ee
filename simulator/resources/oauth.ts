/**
 * The authorization server: authorization code with PKCE (RFC 6749, RFC 7636) and revocation
 * (RFC 7009). Addresses and clients are the simulator's own: the specification names none.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '../store';

/** A client without a secret is public and shows nothing but its name. */
const CLIENTS = new Map<string, string | null>([
	['demo-public', null],
	['demo-confidential', 'demo-confidential-secret'],
]);

const USUAL_SCOPE = 'openid profile email';
const SCOPE = /^(openid|profile|email|\*:\*|[a-z_]+:(read|write))$/;
const CODE_SECONDS = 600;
/** 43 to 128 characters of this kind make a verifier; the S256 challenge has exactly 43. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Access that a user allowed once; ends as a whole. */
export interface Grant {
	clientId: string;
	scope: string;
	/** Refresh token that works now; with rotation, those before it are spent. */
	refreshToken: string;
	spent: Set<string>;
	/** Access token to the time of its end, in Unix seconds. */
	accessTokens: Map<string, number>;
	ended: boolean;
}

interface Code {
	clientId: string;
	redirectUri: string;
	challenge: string;
	scope: string;
	expires: number;
	/** Set when the code is exchanged. */
	grant: Grant | null;
}

export interface Oauth {
	codes: Map<string, Code>;
	grants: Grant[];
}

export const createOauth = (): Oauth => ({ codes: new Map(), grants: [] });

const newToken = (prefix: string) => prefix + randomBytes(24).toString('base64url');

export function endGrant(service: Service, grant: Grant) {
	grant.ended = true;
	for (const token of grant.accessTokens.keys()) service.tokens.delete(token);
}

type Fields = Record<string, string>;

/** What an OAuth endpoint refuses with. */
interface Refusal {
	status: number;
	error: string;
	error_description: string;
}

const refusal = (error: string, error_description: string, status = 400): Refusal => ({
	status,
	error,
	error_description,
});

const isRefusal = (value: object): value is Refusal => 'error_description' in value;

/** Fields of a query or form. An empty one counts as left out; a repeated one is refused. */
function fieldsOf(source: unknown): Fields | Refusal {
	const fields: Fields = {};
	for (const [name, value] of Object.entries((source ?? {}) as Record<string, unknown>)) {
		if (typeof value !== 'string') {
			return refusal('invalid_request', `${name} may be given only once`);
		}
		if (value !== '') fields[name] = value;
	}
	return fields;
}

/** Form bodies as objects; a repeated name becomes an array, as in a query. */
function parseForm(text: string) {
	const fields: Record<string, string | string[]> = {};
	for (const [name, value] of new URLSearchParams(text)) {
		const known = fields[name];
		fields[name] = known === undefined ? value : [known, value].flat();
	}
	return fields;
}

const escapeHtml = (text: string) =>
	text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

function showPage(reply: FastifyReply, status: number, title: string, content: string) {
	return reply
		.status(status)
		.headers({
			'content-type': 'text/html; charset=utf-8',
			'cache-control': 'no-store',
			'content-security-policy':
				"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
		})
		.send(
			`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
				'<style>body{font:16px/1.5 sans-serif;max-width:30rem;margin:4rem auto;padding:0 1rem}' +
				'button{font:inherit;padding:.4rem 1.2rem;margin-right:.5rem}</style></head>' +
				`<body><h1>${escapeHtml(title)}</h1>${content}</body></html>`,
		);
}

const showProblem = (reply: FastifyReply, problem: string) =>
	showPage(reply, 400, 'This link does not work', `<p>${escapeHtml(problem)}</p>`);

/** Where a browser may be sent back to: https, or this machine. */
function isReturnAddress(text: string | undefined): text is string {
	if (!text || !URL.canParse(text) || text.includes('#')) return false;
	const { protocol, hostname } = new URL(text);
	return (
		protocol === 'https:' ||
		(protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
	);
}

function goBack(reply: FastifyReply, redirectUri: string, result: Fields) {
	const target = new URL(redirectUri);
	for (const [name, value] of Object.entries(result)) target.searchParams.append(name, value);
	// 303 makes a browser follow with GET, also after the form.
	return reply.status(303).headers({ location: target.href, 'cache-control': 'no-store' }).send();
}

/** What is wrong with a request for access, once it is known where the answer may go. */
function wrongRequest(fields: Fields): Refusal | undefined {
	if (fields.response_type !== 'code') {
		return fields.response_type === undefined
			? refusal('invalid_request', 'response_type is missing')
			: refusal('unsupported_response_type', 'response_type must be code');
	}
	if (fields.state === undefined) return refusal('invalid_request', 'state is missing');
	// Without a method the challenge would count as plain (RFC 7636, 4.3).
	if (fields.code_challenge_method !== 'S256') {
		return refusal('invalid_request', 'code_challenge_method must be S256');
	}
	if (!CHALLENGE.test(fields.code_challenge ?? '')) {
		return refusal('invalid_request', 'code_challenge must be 43 characters of base64url');
	}
	const unknown = (fields.scope ?? USUAL_SCOPE).split(' ').find((scope) => !SCOPE.test(scope));
	if (unknown !== undefined) return refusal('invalid_scope', `There is no scope "${unknown}"`);
	return undefined;
}

const ASKED = [
	'response_type',
	'client_id',
	'redirect_uri',
	'scope',
	'state',
	'code_challenge',
	'code_challenge_method',
];

function consentPage(reply: FastifyReply, fields: Fields) {
	const hidden = ASKED.map(
		(name) => `<input type="hidden" name="${name}" value="${escapeHtml(fields[name] ?? '')}">`,
	).join('');
	const scopes = (fields.scope ?? USUAL_SCOPE)
		.split(' ')
		.map((scope) => `<li>${escapeHtml(scope)}</li>`)
		.join('');
	return showPage(
		reply,
		200,
		'Allow access?',
		`<p><strong>${escapeHtml(fields.client_id ?? '')}</strong> asks for access to your account:</p>` +
			`<ul>${scopes}</ul><form method="post" action="/oauth/authorize">${hidden}` +
			'<button name="decision" value="allow">Allow</button>' +
			'<button name="decision" value="deny">Deny</button></form>',
	);
}

/** The client of a token request: public, or with its secret in the form or as Basic. */
function clientOf(request: FastifyRequest, fields: Fields): { id: string } | Refusal {
	const header = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
	let id = fields.client_id;
	let secret = fields.client_secret;
	if (header !== undefined) {
		if (secret !== undefined) {
			return refusal('invalid_request', 'Send the client secret in one place only');
		}
		const pair = Buffer.from(header, 'base64').toString();
		const colon = pair.indexOf(':');
		if (colon === -1) return refusal('invalid_client', 'The Basic header is malformed', 401);
		const [basicId, basicSecret] = [pair.slice(0, colon), pair.slice(colon + 1)];
		if (id !== undefined && id !== basicId) {
			return refusal('invalid_request', 'client_id differs from the one in the Basic header');
		}
		id = basicId;
		secret = basicSecret === '' ? undefined : basicSecret;
	}
	if (id === undefined) return refusal('invalid_client', 'client_id is missing', 401);
	const wanted = CLIENTS.get(id);
	if (wanted === undefined) return refusal('invalid_client', 'The client is not known', 401);
	if (secret !== (wanted ?? undefined)) {
		return refusal('invalid_client', 'The client secret is wrong', 401);
	}
	return { id };
}

const isSubset = (scope: string, of: string) =>
	scope.split(' ').every((one) => of.split(' ').includes(one));

export function registerOauth(app: FastifyInstance, service: Service) {
	const { oauth } = service;

	const giveToken = (grant: Grant, scope: string, withRefreshToken: boolean) => {
		const { tokenSeconds } = service.settings;
		const accessToken = newToken('sim_access_');
		grant.accessTokens.set(accessToken, service.clock.now() + tokenSeconds);
		service.tokens.add(accessToken);
		return {
			access_token: accessToken,
			token_type: 'Bearer',
			expires_in: tokenSeconds,
			scope,
			...(withRefreshToken ? { refresh_token: grant.refreshToken } : {}),
		};
	};

	const grantForCode = (clientId: string, fields: Fields) => {
		const { code: text, redirect_uri: redirectUri, code_verifier: verifier } = fields;
		if (text === undefined) return refusal('invalid_request', 'code is missing');
		if (redirectUri === undefined) return refusal('invalid_request', 'redirect_uri is missing');
		if (verifier === undefined) return refusal('invalid_request', 'code_verifier is missing');
		if (!VERIFIER.test(verifier)) {
			return refusal('invalid_request', 'code_verifier must be 43 to 128 unreserved characters');
		}
		const code = oauth.codes.get(text);
		if (!code || code.clientId !== clientId) {
			return refusal('invalid_grant', 'The code is not known');
		}
		if (code.grant) {
			// Somebody has a copy of the code: what it gave out ends too (RFC 6749, 4.1.2).
			endGrant(service, code.grant);
			return refusal('invalid_grant', 'The code was used before');
		}
		if (code.expires <= service.clock.now()) return refusal('invalid_grant', 'The code is too old');
		if (code.redirectUri !== redirectUri) {
			return refusal('invalid_grant', 'redirect_uri differs from the one of the authorization');
		}
		if (createHash('sha256').update(verifier).digest('base64url') !== code.challenge) {
			return refusal('invalid_grant', 'code_verifier does not fit the code_challenge');
		}
		code.grant = {
			clientId,
			scope: code.scope,
			refreshToken: newToken('sim_refresh_'),
			spent: new Set(),
			accessTokens: new Map(),
			ended: false,
		};
		oauth.grants.push(code.grant);
		return giveToken(code.grant, code.scope, true);
	};

	const grantForRefreshToken = (clientId: string, fields: Fields) => {
		const { refresh_token: token, scope } = fields;
		if (token === undefined) return refusal('invalid_request', 'refresh_token is missing');
		const grant = oauth.grants.find((one) => one.refreshToken === token || one.spent.has(token));
		if (!grant || grant.ended || grant.clientId !== clientId) {
			return refusal('invalid_grant', 'The refresh token is not valid');
		}
		if (grant.spent.has(token)) {
			// Somebody has a copy of the token: nobody knows who is who.
			endGrant(service, grant);
			return refusal('invalid_grant', 'The refresh token was used before');
		}
		if (scope !== undefined && !isSubset(scope, grant.scope)) {
			return refusal('invalid_scope', 'scope goes beyond what was allowed');
		}
		if (service.settings.rotateRefreshTokens) {
			grant.spent.add(token);
			grant.refreshToken = newToken('sim_refresh_');
		}
		return giveToken(grant, scope ?? grant.scope, service.settings.rotateRefreshTokens);
	};

	const revoke = (clientId: string, fields: Fields): object => {
		const { token } = fields;
		if (token === undefined) return refusal('invalid_request', 'token is missing');
		const grant = oauth.grants.find(
			({ refreshToken, accessTokens }) => refreshToken === token || accessTokens.has(token),
		);
		// A token that is not known is as good as revoked (RFC 7009, 2.2).
		if (!grant) return {};
		if (grant.clientId !== clientId) {
			return refusal('unauthorized_client', 'The token was given to another client');
		}
		if (grant.refreshToken === token) endGrant(service, grant);
		else service.tokens.delete(token);
		return {};
	};

	const answer = (
		request: FastifyRequest,
		reply: FastifyReply,
		act: (clientId: string, fields: Fields) => object,
	) => {
		const work = () => {
			if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) {
				return refusal('invalid_request', 'The body must be application/x-www-form-urlencoded');
			}
			const fields = fieldsOf(request.body);
			if (isRefusal(fields)) return fields;
			const client = clientOf(request, fields);
			return isRefusal(client) ? client : act(client.id, fields);
		};
		const result = work();
		reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
		if (!isRefusal(result)) return reply.send(result);
		const { status, ...body } = result;
		if (status === 401) reply.header('www-authenticate', 'Basic realm="oauth"');
		return reply.status(status).send(body);
	};

	/** Checks a request for access; undefined when the answer is given already. */
	const readRequest = (source: unknown, reply: FastifyReply) => {
		const fields = fieldsOf(source);
		if (isRefusal(fields)) return void showProblem(reply, fields.error_description);
		if (!CLIENTS.has(fields.client_id ?? '')) {
			return void showProblem(reply, 'The application is not known here: check client_id.');
		}
		if (!isReturnAddress(fields.redirect_uri)) {
			// Never redirected: it may lead to a stranger.
			return void showProblem(reply, 'redirect_uri must be https, or http on this machine.');
		}
		const redirectUri = fields.redirect_uri;
		const wrong = wrongRequest(fields);
		if (wrong) {
			const { error, error_description } = wrong;
			const { state } = fields;
			const result: Fields = { error, error_description, ...(state ? { state } : {}) };
			return void goBack(reply, redirectUri, result);
		}
		return { fields, redirectUri, state: fields.state ?? '' };
	};

	// Tokens that have run out leave the list before any request is looked at.
	app.addHook('onRequest', async () => {
		for (const { accessTokens } of oauth.grants) {
			for (const [token, expires] of accessTokens) {
				if (expires <= service.clock.now()) service.tokens.delete(token);
			}
		}
	});

	// A scope of its own: the API itself takes no forms.
	void app.register(async (routes) => {
		routes.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			(_request, text, done) => done(null, parseForm(String(text))),
		);

		routes.get('/oauth/authorize', async (request, reply) => {
			const asked = readRequest(request.query, reply);
			if (asked) consentPage(reply, asked.fields);
			return reply;
		});

		routes.post('/oauth/authorize', async (request, reply) => {
			const asked = readRequest(request.body, reply);
			if (!asked) return reply;
			const { fields, redirectUri, state } = asked;
			if (fields.decision !== 'allow') {
				return goBack(reply, redirectUri, {
					error: 'access_denied',
					error_description: 'The user denied the access',
					state,
				});
			}
			const code = newToken('sim_code_');
			oauth.codes.set(code, {
				clientId: fields.client_id ?? '',
				redirectUri,
				challenge: fields.code_challenge ?? '',
				scope: fields.scope ?? USUAL_SCOPE,
				expires: service.clock.now() + CODE_SECONDS,
				grant: null,
			});
			return goBack(reply, redirectUri, { code, state });
		});

		routes.post('/oauth/token', async (request, reply) =>
			answer(request, reply, (clientId, fields) => {
				switch (fields.grant_type) {
					case undefined:
						return refusal('invalid_request', 'grant_type is missing');
					case 'authorization_code':
						return grantForCode(clientId, fields);
					case 'refresh_token':
						return grantForRefreshToken(clientId, fields);
					default:
						return refusal(
							'unsupported_grant_type',
							'grant_type must be authorization_code or refresh_token',
						);
				}
			}),
		);

		routes.post('/oauth/revoke', async (request, reply) => answer(request, reply, revoke));
	});
}
