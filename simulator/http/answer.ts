import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, invalid, isProblem, problem, type Problem } from '../errors';
import type { ArmedFault } from '../faults';
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

export async function send(request: FastifyRequest, reply: FastifyReply, answer: Answer) {
	const { fault } = request;
	if (answer.body instanceof Readable && !fault?.cut) {
		return reply
			.status(answer.status)
			.headers(answer.headers ?? {})
			.send(answer.body);
	}
	const body =
		answer.body instanceof Readable ? (await answer.body.toArray()).join('') : answer.body;
	const isText = typeof body === 'string';
	const text = isText ? body : JSON.stringify(body);
	if (fault?.cut === 'after') return cut(request, reply);
	if (fault?.cut === 'midway') {
		const bytes = Buffer.from(text);
		reply.hijack();
		reply.raw.writeHead(answer.status, {
			'content-type': 'application/json',
			'content-length': bytes.length,
		});
		reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
			setTimeout(() => reply.raw.destroy(), 10);
		});
		return reply;
	}
	return reply
		.status(answer.status)
		.headers({
			'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
			...answer.headers,
		})
		.send(text);
}

/** Breaks the connection without an answer. */
export function cut(request: FastifyRequest, reply: FastifyReply) {
	reply.hijack();
	request.raw.socket.destroy();
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
