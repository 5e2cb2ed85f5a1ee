import { Readable } from 'node:stream';
import { createError } from '../errors';
import { respond } from '../http/responses';
import type { Route } from '../http/route';
import { pause } from '../http/faultInjection';
import { stopJob, startRowJob } from '../jobs';
import { buildPublicUrl } from '../media';
import { requireAsset, requireLook, requireVoice } from '../references';
import type { RealtimeStream } from '../rows';
import type { Service } from '../service';
import { findRow, createId } from '../store';

const hasEnded = (row: RealtimeStream) => row.status === 'completed' || row.status === 'error';

export function registerRealtime(route: Route, service: Service) {
	const findStream = (streamId: string | undefined) =>
		findRow(service.state.streams, streamId, 'Stream');

	route('POST /v3/avatar-realtime', { needs: 'generation', occupies: 'streams' }, ({ body }) => {
		requireLook(service, body.avatar_id);
		if (body.type === 'audio') requireAsset(service, body.audio, 'audio');
		else requireVoice(service, body.voice_id);
		const row = startRowJob(service, 'stream', service.state.streams, {
			id: createId('stream_'),
			statuses: { waiting: 'pending', running: 'streaming', failed: 'error' },
			fields: {
				text: body.type === 'audio' ? 'What was recorded' : body.text,
				// A text stream without a final text ends after an idle time.
				closed: false,
				endReason: body.type === 'text_stream' ? 'idle_timeout' : 'final_marker',
			},
			event: {
				name: 'live_avatar',
				// The payload is undocumented. A receiver needs at least the id.
				data: ({ id, failure }) => ({
					stream_id: id,
					...(failure ? { message: failure.message } : {}),
				}),
			},
		});
		return respond({ stream_id: row.id });
	});

	route('GET /v3/avatar-realtime/{stream_id}', ({ params }) => {
		const row = findStream(params.stream_id);
		return respond({
			stream_id: row.id,
			status: row.status,
			hls_url:
				row.status === 'streaming' ? buildPublicUrl(service.baseUrl, row.id, 'video.mp4') : null,
			error_message: row.failure?.message ?? null,
			end_reason: row.status === 'completed' ? row.endReason : null,
		});
	});

	route('GET /v3/avatar-realtime/{stream_id}/words', ({ params, request }) => {
		const row = findStream(params.stream_id);
		async function* streamWords() {
			let sent = 0;
			const getWords = () => row.text.split(/\s+/).filter(Boolean);
			const createWord = (text: string, index: number) => ({
				word: text,
				start: index * 0.4,
				end: index * 0.4 + 0.35,
			});
			while (!request.raw.socket.destroyed) {
				service.clock.runDueActions();
				const isOver = hasEnded(row);
				const newWords = getWords()
					.slice(sent, sent + 10)
					.map((text, index) => createWord(text, sent + index));
				sent += newWords.length;
				if (newWords.length > 0) yield `data: ${JSON.stringify({ words: newWords })}\n\n`;
				else if (isOver) break;
				else await pause(service, 20);
			}
			const reason = row.status === 'error' ? 'error' : row.endReason;
			yield `event: end\ndata: ${JSON.stringify({ reason })}\n\n`;
		}
		return {
			status: 200,
			headers: { 'content-type': 'text/event-stream' },
			body: Readable.from(streamWords()),
		};
	});

	route('POST /v3/avatar-realtime/{stream_id}/text', ({ params, body }) => {
		const row = findStream(params.stream_id);
		if (hasEnded(row) || row.closed) {
			throw createError(410, 'resource_not_found', 'The stream is closed');
		}
		row.text = `${row.text} ${body.delta}`;
		if (body.final) Object.assign(row, { closed: true, endReason: 'final_marker' });
		return respond({ ok: true, buffered_bytes: Buffer.byteLength(body.delta) }, 202);
	});

	route('POST /v3/avatar-realtime/{stream_id}/cancel', ({ params }) => {
		const row = findStream(params.stream_id);
		const isCancelled = !hasEnded(row);
		stopJob(service, row.id);
		if (isCancelled) row.status = 'completed';
		return respond({ stream_id: row.id, cancelled: isCancelled }, 202);
	});
}
