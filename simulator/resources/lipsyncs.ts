import { z } from 'zod/v4';
import {
	createBatch,
	readBatch,
	readStatuses,
	createStatusesQuery,
	type BatchProgress,
} from '../batches';
import { sendCallback } from '../deliveries';
import { respond } from '../http/responses';
import { respondWithPage, createPageQuery } from '../http/pagination';
import type { Route } from '../http/route';
import { deleteJobRow, getBatchItemStatus, startRowJob } from '../jobs';
import { createMediaUrl } from '../media';
import { requireAsset, requireFolder } from '../references';
import type { Lipsync } from '../rows';
import { callbackFields, assetInputWithoutBase64, optionalText } from '../schemas';
import type { Service } from '../service';
import { findRow, createId } from '../store';

const createBody = z
	.object({
		video: assetInputWithoutBase64,
		audio: assetInputWithoutBase64,
		title: optionalText,
		mode: z.enum(['speed', 'precision']).optional(),
		start_time: z.number().min(0).nullish(),
		end_time: z.number().min(0).nullish(),
		enable_dynamic_duration: z.boolean().optional(),
		disable_music_track: z.boolean().optional(),
		enable_speech_enhancement: z.boolean().optional(),
		enable_watermark: z.boolean().optional(),
		// Deprecated and without effect.
		enable_caption: z.boolean().optional(),
		fps_mode: z.enum(['vfr', 'cfr', 'passthrough']).nullish(),
		keep_the_same_format: z.boolean().nullish(),
		folder_id: optionalText,
		...callbackFields,
	})
	.strict();

export function registerLipsyncs(route: Route, service: Service) {
	const read = { scope: 'lipsync:read' };
	const write = { scope: 'lipsync:write' };
	const findLipsync = (id: string | undefined) => findRow(service.state.lipsyncs, id, 'Lipsync');

	const viewLipsync = (row: Lipsync) => {
		const isDone = row.status === 'completed';
		return {
			id: row.id,
			status: row.status,
			title: row.title,
			video_url: isDone ? createMediaUrl(service, row.id, 'video.mp4') : null,
			caption_url: isDone ? createMediaUrl(service, row.id, 'captions.srt') : null,
			duration: isDone ? 2 : null,
			created_at: Math.floor(row.created),
			callback_id: row.callbackId,
			failure_message: row.failure?.message ?? null,
		};
	};

	const checkBody = (payload: z.infer<typeof createBody>, path = '') => {
		requireAsset(service, payload.video, `${path}video`);
		requireAsset(service, payload.audio, `${path}audio`);
		requireFolder(service, payload.folder_id, [payload.video, payload.audio]);
	};

	// No event type for lipsyncs is documented, so only the callback URL is notified.
	const startLipsync = (payload: z.infer<typeof createBody>, progress?: BatchProgress) => {
		const row: Lipsync = startRowJob(service, 'lipsync', service.state.lipsyncs, {
			id: createId('lipsync_'),
			statuses: { waiting: 'pending', running: 'running' },
			fields: { title: payload.title ?? null, callbackId: payload.callback_id ?? null },
			onStart: progress?.onStart,
			onEnd: (failure) => {
				progress?.onEnd(failure);
				if (!payload.callback_url) return;
				const type = `lipsync.${failure ? 'fail' : 'success'}`;
				sendCallback(
					service,
					type,
					{ ...viewLipsync(row), lipsync_id: row.id },
					payload.callback_url,
				);
			},
		});
		return row;
	};

	route(
		'POST /v3/lipsyncs',
		{ ...write, needs: 'generation', idempotent: true, body: createBody },
		(call) => {
			checkBody(call.body);
			return respond({ lipsync_id: startLipsync(call.body).id });
		},
	);

	route('GET /v3/lipsyncs', { ...read, query: createPageQuery(10) }, ({ query }) =>
		respondWithPage(service, 'lipsyncs', service.state.lipsyncs.values(), query, viewLipsync),
	);

	route(
		'GET /v3/lipsyncs/statuses',
		{ ...read, query: createStatusesQuery('lipsync_ids') },
		({ query }) =>
			readStatuses(service, 'lipsync', query.lipsync_ids, query.batch_ids, (id) =>
				getBatchItemStatus(service.state.lipsyncs.get(id)),
			),
	);

	route(
		'POST /v3/lipsyncs/batches',
		{
			...write,
			needs: 'generation',
			idempotent: true,
			body: z
				.object({
					lipsyncs: z.array(createBody).min(1).max(100),
					title: optionalText,
					callback_url: callbackFields.callback_url,
				})
				.strict(),
		},
		(call) => {
			call.body.lipsyncs.forEach((item, index) => checkBody(item, `lipsyncs[${index}].`));
			return createBatch(service, {
				kind: 'lipsync',
				title: call.body.title ?? null,
				callbackUrl: call.body.callback_url ?? null,
				starts: call.body.lipsyncs.map((item) => (progress) => startLipsync(item, progress).id),
			});
		},
	);

	route(
		'GET /v3/lipsyncs/batches/{batch_id}',
		{ ...read, query: createPageQuery(100) },
		({ params, query }) => readBatch(service, 'lipsync', params.batch_id, query),
	);

	route('GET /v3/lipsyncs/{lipsync_id}', read, ({ params }) =>
		respond(viewLipsync(findLipsync(params.lipsync_id))),
	);

	route(
		'PATCH /v3/lipsyncs/{lipsync_id}',
		{ ...write, body: z.object({ title: z.string().min(1) }).strict() },
		(call) => {
			const row = findLipsync(call.params.lipsync_id);
			row.title = call.body.title;
			return respond(viewLipsync(row));
		},
	);

	route('DELETE /v3/lipsyncs/{lipsync_id}', write, ({ params }) => {
		const row = findLipsync(params.lipsync_id);
		deleteJobRow(service, service.state.lipsyncs, row);
		return respond({ id: row.id });
	});
}
