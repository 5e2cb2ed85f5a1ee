import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
	buildErrorBody,
	createInvalidParameterError,
	isServiceError,
	createError,
	type ServiceError,
} from '../errors';
import type { ArmedFault, CutPoint } from '../faults';
import type { ReceivedRequest } from '../store';

declare module 'fastify' {
	interface FastifyRequest {
		fault?: ArmedFault;
		received?: ReceivedRequest;
	}
}

export interface ServiceResponse {
	status: number;
	/** Sent as JSON; a string as plain text, a stream in chunks. */
	body: unknown;
	headers?: Record<string, string>;
}

export const respond = (data: unknown, status = 200): ServiceResponse => ({
	status,
	body: { data },
});

/** Responds with a list that has no pages, but the paging fields of one that does. */
export const respondWithList = (data: unknown[]): ServiceResponse => ({
	status: 200,
	body: { data, has_more: false, next_token: null },
});

const getContentType = (body: unknown) =>
	typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';

export async function sendResponse(
	request: FastifyRequest,
	reply: FastifyReply,
	response: ServiceResponse,
) {
	const { status, body } = response;
	const headers = { 'content-type': getContentType(body), ...response.headers };
	const cutPoint = request.fault?.cut;
	if (body instanceof Readable && !cutPoint)
		return reply.status(status).headers(headers).send(body);
	const text =
		body instanceof Readable
			? (await body.toArray()).join('')
			: typeof body === 'string'
				? body
				: JSON.stringify(body);
	if (cutPoint) {
		const bytes = Buffer.from(text);
		return breakConnection(
			request,
			reply,
			{ status, headers, size: bytes.length },
			cutPoint,
			(to) => [bytes.subarray(0, to)],
		);
	}
	return reply.status(status).headers(headers).send(text);
}

/** Sends the response up to the cut point, then breaks the connection. */
export function breakConnection(
	request: FastifyRequest,
	reply: FastifyReply,
	response: { status: number; headers: Record<string, string>; size: number },
	cutPoint: CutPoint,
	readUpTo: (size: number) => Iterable<Buffer>,
) {
	reply.hijack();
	if (cutPoint === 'before' || cutPoint === 'after') {
		request.raw.socket.destroy();
		return reply;
	}
	const { status, headers, size } = response;
	// Without a length, the client knows only from a clean end that the body is complete.
	const length = cutPoint === 'tail' ? {} : { 'content-length': String(size) };
	reply.raw.writeHead(status, { ...headers, ...length });
	reply.raw.flushHeaders();
	const sent = { head: 0, midway: Math.floor(size / 2), tail: size }[cutPoint];
	const body = Readable.from(readUpTo(sent), { objectMode: false });
	body.pipe(reply.raw, { end: false });
	body.on('end', () => setTimeout(() => reply.raw.destroy(), 20));
	return reply;
}

export const createRequestId = () => randomBytes(16).toString('hex');

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
	const serviceError = isServiceError(error) ? error : toServiceError(error);
	const legacy = request.url.startsWith('/v1/');
	return sendResponse(request, reply, {
		status: serviceError.status,
		headers: serviceError.headers,
		body: buildErrorBody(serviceError, createRequestId(), legacy),
	});
}

function toServiceError(error: unknown): ServiceError {
	const { statusCode, message } = error as { statusCode?: number; message?: string };
	if (statusCode !== undefined && statusCode < 500)
		return createInvalidParameterError(null, message ?? 'Bad request');
	return createError(500, 'internal_error', message ?? 'The simulator failed');
}
