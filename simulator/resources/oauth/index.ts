/**
 * The authorization server: authorization code with PKCE (RFC 6749, RFC 7636) and revocation
 * (RFC 7009). Its URLs and clients are invented, because the specification contains none.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OauthGrant, Service } from '../../service';
import { sendConsentPage, redirectBack, sendErrorPage } from './pages';
import {
	readClient,
	clients,
	readFields,
	isOauthError,
	isRedirectUri,
	parseForm,
	createOauthError,
	defaultScope,
	verifierPattern,
	findRequestError,
	type Fields,
} from './requests';

const codeSeconds = 600;

const createToken = (prefix: string) => prefix + randomBytes(24).toString('base64url');

export function endGrant(service: Service, grant: OauthGrant) {
	grant.isEnded = true;
	for (const token of grant.accessTokens.keys()) service.tokens.delete(token);
}

const isSubset = (scope: string, of: string) =>
	scope.split(' ').every((one) => of.split(' ').includes(one));

export function registerOauth(app: FastifyInstance, service: Service) {
	const { oauth } = service;

	const issueToken = (grant: OauthGrant, scope: string, withRefreshToken: boolean) => {
		const { tokenSeconds } = service.settings;
		const accessToken = createToken('sim_access_');
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

	const exchangeCode = (clientId: string, fields: Fields) => {
		const { code: codeText, redirect_uri: redirectUri, code_verifier: verifier } = fields;
		if (codeText === undefined) return createOauthError('invalid_request', 'code is missing');
		if (redirectUri === undefined)
			return createOauthError('invalid_request', 'redirect_uri is missing');
		if (verifier === undefined)
			return createOauthError('invalid_request', 'code_verifier is missing');
		if (!verifierPattern.test(verifier)) {
			return createOauthError(
				'invalid_request',
				'code_verifier must be 43 to 128 unreserved characters',
			);
		}
		const code = oauth.codes.get(codeText);
		if (!code || code.clientId !== clientId) {
			return createOauthError('invalid_grant', 'The code is unknown');
		}
		if (code.grant) {
			// The code leaked, so its tokens are revoked too (RFC 6749, 4.1.2).
			endGrant(service, code.grant);
			return createOauthError('invalid_grant', 'The code was used before');
		}
		if (code.expires <= service.clock.now())
			return createOauthError('invalid_grant', 'The code has expired');
		if (code.redirectUri !== redirectUri) {
			return createOauthError(
				'invalid_grant',
				'redirect_uri differs from the authorization request',
			);
		}
		if (createHash('sha256').update(verifier).digest('base64url') !== code.challenge) {
			return createOauthError('invalid_grant', 'code_verifier does not match the code_challenge');
		}
		code.grant = {
			clientId,
			scope: code.scope,
			refreshToken: createToken('sim_refresh_'),
			usedRefreshTokens: new Set(),
			accessTokens: new Map(),
			isEnded: false,
		};
		oauth.grants.push(code.grant);
		return issueToken(code.grant, code.scope, true);
	};

	const refreshAccessToken = (clientId: string, fields: Fields) => {
		const { refresh_token: token, scope } = fields;
		if (token === undefined) return createOauthError('invalid_request', 'refresh_token is missing');
		const grant = oauth.grants.find(
			(one) => one.refreshToken === token || one.usedRefreshTokens.has(token),
		);
		if (!grant || grant.isEnded || grant.clientId !== clientId) {
			return createOauthError('invalid_grant', 'The refresh token is not valid');
		}
		if (grant.usedRefreshTokens.has(token)) {
			// The token leaked, and it is unknown which caller is the client (RFC 9700, 4.14.2).
			endGrant(service, grant);
			return createOauthError('invalid_grant', 'The refresh token was used before');
		}
		if (scope !== undefined && !isSubset(scope, grant.scope)) {
			return createOauthError('invalid_scope', 'scope exceeds the granted scope');
		}
		if (service.settings.rotateRefreshTokens) {
			grant.usedRefreshTokens.add(token);
			grant.refreshToken = createToken('sim_refresh_');
		}
		return issueToken(grant, scope ?? grant.scope, service.settings.rotateRefreshTokens);
	};

	const revokeToken = (clientId: string, fields: Fields): object => {
		const { token } = fields;
		if (token === undefined) return createOauthError('invalid_request', 'token is missing');
		const grant = oauth.grants.find(
			({ refreshToken, accessTokens }) => refreshToken === token || accessTokens.has(token),
		);
		// An unknown token counts as revoked (RFC 7009, 2.2).
		if (!grant) return {};
		if (grant.clientId !== clientId) {
			return createOauthError('unauthorized_client', 'The token was issued to another client');
		}
		if (grant.refreshToken === token) endGrant(service, grant);
		else service.tokens.delete(token);
		return {};
	};

	const sendTokenResponse = (
		request: FastifyRequest,
		reply: FastifyReply,
		handleFields: (clientId: string, fields: Fields) => object,
	) => {
		const handleForm = () => {
			if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) {
				return createOauthError(
					'invalid_request',
					'The body must be application/x-www-form-urlencoded',
				);
			}
			const fields = readFields(request.body);
			if (isOauthError(fields)) return fields;
			const client = readClient(request, fields);
			return isOauthError(client) ? client : handleFields(client.id, fields);
		};
		const result = handleForm();
		reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
		if (!isOauthError(result)) return reply.send(result);
		const { status, ...body } = result;
		if (status === 401) reply.header('www-authenticate', 'Basic realm="oauth"');
		return reply.status(status).send(body);
	};

	/** Validates an authorization request. Returns undefined after responding to an invalid one. */
	const readRequest = (source: unknown, reply: FastifyReply) => {
		const fields = readFields(source);
		if (isOauthError(fields)) return void sendErrorPage(reply, fields.error_description);
		if (!clients.has(fields.client_id ?? '')) {
			return void sendErrorPage(reply, 'The application is unknown: check client_id.');
		}
		if (!isRedirectUri(fields.redirect_uri)) {
			// An unchecked redirect could send the browser to an attacker.
			return void sendErrorPage(reply, 'redirect_uri must be https, or http on localhost.');
		}
		const redirectUri = fields.redirect_uri;
		const requestError = findRequestError(fields);
		if (requestError) {
			const { error, error_description } = requestError;
			const { state } = fields;
			const result: Fields = { error, error_description, ...(state ? { state } : {}) };
			return void redirectBack(reply, redirectUri, result);
		}
		return { fields, redirectUri, state: fields.state ?? '' };
	};

	app.addHook('onRequest', async () => {
		for (const { accessTokens } of oauth.grants) {
			for (const [token, expires] of accessTokens) {
				if (expires <= service.clock.now()) service.tokens.delete(token);
			}
		}
	});

	// Encapsulated, because the API itself accepts no form bodies.
	void app.register(async (routes) => {
		routes.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			(_request, text, done) => done(null, parseForm(String(text))),
		);

		routes.get('/oauth/authorize', async (request, reply) => {
			const authorization = readRequest(request.query, reply);
			if (authorization) sendConsentPage(reply, authorization.fields);
			return reply;
		});

		routes.post('/oauth/authorize', async (request, reply) => {
			const authorization = readRequest(request.body, reply);
			if (!authorization) return reply;
			const { fields, redirectUri, state } = authorization;
			if (fields.decision !== 'allow') {
				return redirectBack(reply, redirectUri, {
					error: 'access_denied',
					error_description: 'The user denied access',
					state,
				});
			}
			const code = createToken('sim_code_');
			oauth.codes.set(code, {
				clientId: fields.client_id ?? '',
				redirectUri,
				challenge: fields.code_challenge ?? '',
				scope: fields.scope ?? defaultScope,
				expires: service.clock.now() + codeSeconds,
				grant: null,
			});
			return redirectBack(reply, redirectUri, { code, state });
		});

		routes.post('/oauth/token', async (request, reply) =>
			sendTokenResponse(request, reply, (clientId, fields) => {
				switch (fields.grant_type) {
					case undefined:
						return createOauthError('invalid_request', 'grant_type is missing');
					case 'authorization_code':
						return exchangeCode(clientId, fields);
					case 'refresh_token':
						return refreshAccessToken(clientId, fields);
					default:
						return createOauthError(
							'unsupported_grant_type',
							'grant_type must be authorization_code or refresh_token',
						);
				}
			}),
		);

		routes.post('/oauth/revoke', async (request, reply) =>
			sendTokenResponse(request, reply, revokeToken),
		);
	});
}
