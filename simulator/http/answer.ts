import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, invalid, isProblem, problem, type Problem } from '../errors';
import type { ArmedFault, Cut } from '../faults';
import type { ReceivedRequest } from '../store';

declare module 'fastify' {
	interface FastifyRequest {
		fault?: ArmedFault;
		received?: ReceivedRequest;
	}
}

export interface Answer {
	status: number;
	/** Sent as JSON; text goes out as text, a stream piece by piece. */
	body: unknown;
	headers?: Record<string, string>;
}

export const ok = (data: unknown, status = 200): Answer => ({ status, body: { data } });

/** A list that comes whole. Unlike single answers it has the paging fields beside `data`. */
export const okList = (data: unknown[]): Answer => ({
	status: 200,
	body: { data, has_more: false, next_token: null },
});

const typeOf = (body: unknown) =>
	typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';

export async function send(request: FastifyRequest, reply: FastifyReply, answer: Answer) {
	const { status, body } = answer;
	const headers = { 'content-type': typeOf(body), ...answer.headers };
	const where = request.fault?.cut;
	if (body instanceof Readable && !where) return reply.status(status).headers(headers).send(body);
	const text =
		body instanceof Readable
			? (await body.toArray()).join('')
			: typeof body === 'string'
				? body
				: JSON.stringify(body);
	if (where) {
		const bytes = Buffer.from(text);
		return breakOff(request, reply, { status, headers, size: bytes.length }, where, (to) => [
			bytes.subarray(0, to),
		]);
	}
	return reply.status(status).headers(headers).send(text);
}

/** Sends as much of an answer as the cut leaves, then breaks the connection. */
export function breakOff(
	request: FastifyRequest,
	reply: FastifyReply,
	answer: { status: number; headers: Record<string, string>; size: number },
	where: Cut,
	upTo: (size: number) => Iterable<Buffer>,
) {
	reply.hijack();
	if (where === 'before' || where === 'after') {
		request.raw.socket.destroy();
		return reply;
	}
	const { status, headers, size } = answer;
	// Without a length, only a clean end tells that the whole body came.
	const length = where === 'tail' ? {} : { 'content-length': String(size) };
	reply.raw.writeHead(status, { ...headers, ...length });
	reply.raw.flushHeaders();
	const sent = { head: 0, midway: Math.floor(size / 2), tail: size }[where];
	const body = Readable.from(upTo(sent), { objectMode: false });
	body.pipe(reply.raw, { end: false });
	body.on('end', () => setTimeout(() => reply.raw.destroy(), 20));
	return reply;
}

export const newRequestId = () => randomBytes(16).toString('hex');

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
	const known = isProblem(error) ? error : frameworkProblem(error);
	const legacy = request.url.startsWith('/v1/');
	return send(request, reply, {
		status: known.status,
		headers: known.headers,
		body: errorBody(known, newRequestId(), legacy),
	});
}

function frameworkProblem(error: unknown): Problem {
	const { statusCode, message } = error as { statusCode?: number; message?: string };
	if (statusCode !== undefined && statusCode < 500) return invalid(null, message ?? 'Bad request');
	return problem(500, 'internal_error', message ?? 'Something broke inside the simulator');
}
