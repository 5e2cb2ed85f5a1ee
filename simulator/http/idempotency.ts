import type { FastifyRequest } from 'fastify';
import { createInvalidParameterError, createError, isServiceError } from '../errors';
import type { Service } from '../service';
import type { StoredResponse } from '../store';
import type { ServiceResponse } from './responses';

const replayWindowSeconds = 24 * 3600;
const keyPattern = /^[A-Za-z0-9_:.-]{1,255}$/;

/**
 * Runs the handler once per `Idempotency-Key` and replays its response for 24 hours. A repeat gets
 * the first response whatever its body (service.md, Idempotency).
 */
export async function runOncePerKey(
	service: Service,
	request: FastifyRequest,
	line: string,
	handleRequest: () => Promise<ServiceResponse>,
): Promise<ServiceResponse> {
	const header = request.headers['idempotency-key'];
	if (header === undefined) return handleRequest();
	const key = String(header);
	if (!keyPattern.test(key)) {
		throw createInvalidParameterError(
			'Idempotency-Key',
			'Idempotency-Key takes 1 to 255 characters of A-Z a-z 0-9 _ : . -',
		);
	}
	const { state } = service;
	const requestKey = `${line} ${JSON.stringify(request.params)} ${key}`;
	const stored = state.replays.get(requestKey);
	if (stored?.rejection) throw stored.rejection;
	if (stored && !stored.response) {
		throw createError(
			409,
			'request_in_progress',
			'The first request with this key is still running',
		);
	}
	if (stored?.response && service.clock.now() - stored.at < replayWindowSeconds)
		return stored.response;
	const entry: StoredResponse = { response: null, at: service.clock.now() };
	state.replays.set(requestKey, entry);
	try {
		const response = await handleRequest();
		Object.assign(entry, { response, at: service.clock.now() });
		return response;
	} catch (error) {
		// Undocumented (service.md, G1). By default, the corrected request may use the same key.
		const isKept = isServiceError(error) && ![409, 429].includes(error.status);
		if (state.workspace.keepsRejections && isKept) entry.rejection = error;
		else state.replays.delete(requestKey);
		throw error;
	}
}
