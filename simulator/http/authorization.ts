import type { FastifyRequest } from 'fastify';
import { createError } from '../errors';
import type { Service } from '../service';

/** Throws 401, 403 or 429 if the key or token may not make this request. A null scope accepts any key. */
export function authorize(
	service: Service,
	request: FastifyRequest,
	requestLine: string,
	scope: string | null,
) {
	const callerId = identifyCaller(service, request, requestLine, scope);
	const { requestsPerMinute, requestsPerSecond } = service.settings;
	limitRate(service, callerId, requestsPerMinute);
	limitRate(service, `${callerId} by the second`, requestsPerSecond, 1);
}

function identifyCaller(
	service: Service,
	{ headers }: FastifyRequest,
	requestLine: string,
	scope: string | null,
): string {
	const unauthorized = createError(
		401,
		'unauthorized',
		'The API key or access token is missing, invalid or expired',
	);
	const apiKey = headers['x-api-key'];
	if (apiKey === undefined) {
		const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
		if (token === undefined || !service.tokens.has(token)) throw unauthorized;
		return token;
	}
	const key = service.keys.get(String(apiKey));
	if (!key || key.isExpired) throw unauthorized;
	if (scope !== null && !hasScope(key.scopes, scope)) {
		throw createError(403, 'insufficient_api_key_scope', `This API key needs the scope ${scope}`);
	}
	if (key.forbidden.includes(requestLine)) {
		throw createError(403, 'forbidden', 'This API key is not allowed to make this request');
	}
	return String(apiKey);
}

function hasScope(scopes: string[], requiredScope: string) {
	const [resource, verb] = requiredScope.split(':');
	return scopes.some(
		(scope) =>
			scope === '*:*' ||
			scope === requiredScope ||
			(verb === 'read' && scope === `${resource}:write`),
	);
}

/** Throws 429 above the limit. Counts requests in fixed windows of simulated seconds. */
export function limitRate(
	service: Service,
	name: string,
	maxRequests: number | undefined,
	seconds = 60,
) {
	if (maxRequests === undefined) return;
	const now = service.clock.now();
	let window = service.state.windows.get(name);
	if (!window || now - window.from >= seconds) {
		window = { from: now, count: 0 };
		service.state.windows.set(name, window);
	}
	window.count += 1;
	if (window.count > maxRequests) {
		const wait = Math.max(1, Math.ceil(window.from + seconds - now));
		throw createError(429, 'rate_limit_exceeded', `Too many requests: wait ${wait} seconds`, null, {
			headers: { 'retry-after': String(wait) },
		});
	}
}

const maxSpeechRequestsPerMinute = 30;

/** Throws 429 above the speech limit, which all keys of a member share (service.md, Rate limits and retries). */
export const limitSpeechRate = (service: Service) =>
	limitRate(service, 'speech', maxSpeechRequestsPerMinute);
