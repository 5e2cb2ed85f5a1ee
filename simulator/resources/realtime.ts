import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { problem } from '../errors';
import { findPlain, startPlain, type Plain } from '../jobs';
import { publicUrl } from '../media';
import { requireAsset, requireLook, requireVoice } from '../references';
import { ok, pause, route } from '../route';
import { assetInput } from '../schemas';
import type { Service } from '../store';

const id = z.string().min(1);
const createBody = z.discriminatedUnion('type', [
	z.object({ type: z.literal('tts'), avatar_id: id, text: id, voice_id: id }).strict(),
	z.object({ type: z.literal('audio'), avatar_id: id, audio: assetInput }).strict(),
	z.object({ type: z.literal('text_stream'), avatar_id: id, text: id, voice_id: id }).strict(),
]);

const KIND = 'stream';
const isOver = (row: Plain) => row.status === 'completed' || row.status === 'error';

export function registerRealtime(app: FastifyInstance, service: Service) {
	const read = { scope: 'avatar_realtime:read' };
	const write = { scope: 'avatar_realtime:write' };
	const find = (streamId: string | undefined) => findPlain(service, KIND, streamId);

	route(app, service, 'POST /v3/avatar-realtime', { ...write, body: createBody }, ({ body }) => {
		requireLook(service, body.avatar_id);
		if (body.type === 'audio') requireAsset(service, body.audio, 'audio');
		else requireVoice(service, body.voice_id);
		const row = startPlain(service, KIND, {
			prefix: 'stream_',
			statuses: { waiting: 'pending', running: 'streaming', failed: 'error' },
			fields: {
				type: body.type,
				text: body.type === 'audio' ? 'What was recorded' : body.text,
				// A text stream that nobody ends stops when it has been idle.
				end_reason: body.type === 'text_stream' ? 'idle_timeout' : 'final_marker',
			},
		});
		return ok({ stream_id: row.id });
	});

	route(app, service, 'GET /v3/avatar-realtime/{stream_id}', read, ({ params }) => {
		const row = find(params.stream_id);
		return ok({
			stream_id: row.id,
			status: row.status,
			hls_url: row.status === 'streaming' ? publicUrl(service.baseUrl, row.id, 'video.mp4') : null,
			error_message: row.failure?.message ?? null,
			end_reason: row.status === 'completed' ? row.fields.end_reason : null,
		});
	});

	route(app, service, 'GET /v3/avatar-realtime/{stream_id}/words', read, ({ params, request }) => {
		const row = find(params.stream_id);
		async function* frames() {
			let sent = 0;
			const said = () => String(row.fields.text).split(/\s+/).filter(Boolean);
			const word = (text: string, index: number) => ({
				word: text,
				start: index * 0.4,
				end: index * 0.4 + 0.35,
			});
			while (!request.raw.socket.destroyed) {
				service.clock.pump();
				const over = isOver(row);
				const fresh = said()
					.slice(sent, sent + 10)
					.map((text, index) => word(text, sent + index));
				sent += fresh.length;
				if (fresh.length > 0) yield `data: ${JSON.stringify({ words: fresh })}\n\n`;
				else if (over) break;
				else await pause(service, 20);
			}
			const reason = row.status === 'error' ? 'error' : row.fields.end_reason;
			yield `event: end\ndata: ${JSON.stringify({ reason })}\n\n`;
		}
		return {
			status: 200,
			headers: { 'content-type': 'text/event-stream' },
			body: Readable.from(frames()),
		};
	});

	route(
		app,
		service,
		'POST /v3/avatar-realtime/{stream_id}/text',
		{ ...write, body: z.object({ delta: z.string(), final: z.boolean().optional() }).strict() },
		({ params, body }) => {
			const row = find(params.stream_id);
			if (isOver(row) || row.fields.closed) {
				throw problem(410, 'resource_not_found', 'The stream is closed');
			}
			row.fields.text = `${row.fields.text} ${body.delta}`;
			if (body.final) Object.assign(row.fields, { closed: true, end_reason: 'final_marker' });
			return ok({ ok: true, buffered_bytes: Buffer.byteLength(body.delta) }, 202);
		},
	);

	route(app, service, 'POST /v3/avatar-realtime/{stream_id}/cancel', write, ({ params }) => {
		const row = find(params.stream_id);
		const job = service.state.jobs.get(row.id);
		const cancelled = !isOver(row);
		if (job) job.ended = true;
		if (cancelled) row.status = 'completed';
		return ok({ stream_id: row.id, cancelled }, 202);
	});
}
