import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { buildErrorBody, createError } from '../errors';
import { takeFault, type ArmedFault } from '../faults';
import type { Service } from '../service';
import { createRequestId, sendResponse } from './responses';

export const pause = (service: Service, ms: number) =>
	sleep(ms, undefined, { signal: service.closing.signal });

/** Delays a request until the time is over or the fault is cleared. Throws when the service closes. */
export async function delayByFault(service: Service, fault: ArmedFault, ms: number | undefined) {
	if (!ms) return;
	const signal = AbortSignal.any([service.closing.signal, fault.cleared.signal]);
	await sleep(ms, undefined, { signal }).catch(() => service.closing.signal.throwIfAborted());
}

const codeByStatus: Record<number, string> = {
	400: 'invalid_parameter',
	401: 'unauthorized',
	402: 'insufficient_credit',
	403: 'forbidden',
	404: 'not_found',
	409: 'conflict',
	429: 'rate_limit_exceeded',
	503: 'service_unavailable',
	504: 'gateway_timeout',
};

/** Applies the faults that take effect before the handler, and keeps the fault on the request. */
export async function injectFault(service: Service, request: FastifyRequest, reply: FastifyReply) {
	const path = new URL(request.url, 'http://local').pathname;
	const fault = takeFault(service.state.faults, service.random, request.method, path);
	if (!fault) return undefined;
	request.fault = fault;
	const rejectsRequest = fault.status !== undefined || fault.body !== undefined || fault.proxy;
	if (!rejectsRequest && fault.cut !== 'before') {
		// API requests wait inside the handler, so that a repeat finds the original still running.
		if (!/^\/v\d\//.test(path)) await delayByFault(service, fault, fault.delayMs);
		return undefined;
	}
	await delayByFault(service, fault, fault.delayMs);
	// Drains the upload, because the client reads the response only after sending its body.
	request.raw.resume();
	const status = fault.status ?? (fault.proxy ? 502 : 200);
	const error = createError(
		status,
		fault.code ?? codeByStatus[status] ?? 'internal_error',
		fault.message ?? 'The control API injected this error',
		fault.param ?? null,
	);
	const body = fault.proxy
		? `<html><body><h1>${status}</h1>Response of a proxy</body></html>`
		: buildErrorBody(error, createRequestId(), path.startsWith('/v1/'));
	return sendResponse(request, reply, {
		status,
		headers: {
			...(fault.proxy ? { 'content-type': 'text/html' } : {}),
			...(fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }),
			...fault.headers,
		},
		body: fault.body === undefined ? body : fault.body,
	});
}
