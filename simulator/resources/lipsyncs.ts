import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { createBatch, readBatch, readStatuses, statusesQuery, type Progress } from '../batches';
import { dropPlain, findPlain, itemStatus, plainTable, startPlain, type Plain } from '../jobs';
import { mediaUrl } from '../media';
import { requireAsset, requireFolder } from '../references';
import { ok, page, paging, route } from '../route';
import { callback, narrowAssetInput, optionalText } from '../schemas';
import type { Service } from '../store';

const body = z
	.object({
		video: narrowAssetInput,
		audio: narrowAssetInput,
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
		...callback,
	})
	.strict();

export function registerLipsyncs(app: FastifyInstance, service: Service) {
	const read = { scope: 'lipsync:read' };
	const write = { scope: 'lipsync:write' };
	const table = () => plainTable(service, 'lipsync');
	const find = (id: string | undefined) => findPlain(service, 'lipsync', id);

	const view = (row: Plain) => {
		const done = row.status === 'completed';
		return {
			id: row.id,
			status: row.status,
			title: row.fields.title ?? null,
			video_url: done ? mediaUrl(service, row.id, 'video.mp4') : null,
			caption_url: done ? mediaUrl(service, row.id, 'captions.srt') : null,
			duration: done ? 2 : null,
			created_at: Math.floor(row.created),
			callback_id: row.fields.callback_id ?? null,
			failure_message: row.failure?.message ?? null,
		};
	};

	const checkBody = (payload: z.infer<typeof body>, path = '') => {
		requireAsset(service, payload.video, `${path}video`);
		requireAsset(service, payload.audio, `${path}audio`);
		requireFolder(service, payload.folder_id);
	};

	// No event of lipsyncs is known, so nothing but the callback hears of the end.
	const start = (payload: z.infer<typeof body>, progress?: Progress) => {
		const row: Plain = startPlain(service, 'lipsync', {
			prefix: 'lipsync_',
			statuses: { waiting: 'pending', running: 'running' },
			fields: { title: payload.title, callback_id: payload.callback_id },
			...(progress ? { onStart: progress.onStart } : {}),
			onEnd: (failure) => {
				progress?.onEnd(failure);
				if (!payload.callback_url) return;
				const end = failure ? 'fail' : 'success';
				service.deliverer.callBack(
					`lipsync.${end}`,
					{ ...view(row), lipsync_id: row.id },
					payload.callback_url,
				);
			},
		});
		return row;
	};

	route(app, service, 'POST /v3/lipsyncs', { ...write, idempotent: true, body }, (call) => {
		checkBody(call.body);
		return ok({ lipsync_id: start(call.body).id });
	});

	route(
		app,
		service,
		'GET /v3/lipsyncs',
		{ ...read, query: z.object(paging(10)).strict() },
		({ query }) => page(service, 'lipsyncs', table().values(), query, view),
	);

	route(
		app,
		service,
		'GET /v3/lipsyncs/statuses',
		{ ...read, query: statusesQuery('lipsync_ids') },
		({ query }) =>
			readStatuses(service, 'lipsync', query.lipsync_ids, query.batch_ids, (id) =>
				itemStatus(table().get(id)),
			),
	);

	route(
		app,
		service,
		'POST /v3/lipsyncs/batches',
		{
			...write,
			idempotent: true,
			body: z
				.object({
					lipsyncs: z.array(body).min(1).max(100),
					title: optionalText,
					callback_url: callback.callback_url,
				})
				.strict(),
		},
		(call) => {
			call.body.lipsyncs.forEach((item, index) => checkBody(item, `lipsyncs[${index}].`));
			return createBatch(service, {
				kind: 'lipsync',
				title: call.body.title ?? null,
				callbackUrl: call.body.callback_url ?? null,
				starts: call.body.lipsyncs.map((item) => (progress) => start(item, progress).id),
			});
		},
	);

	route(
		app,
		service,
		'GET /v3/lipsyncs/batches/{batch_id}',
		{ ...read, query: z.object(paging(100)).strict() },
		({ params, query }) => readBatch(service, 'lipsync', params.batch_id, query),
	);

	route(app, service, 'GET /v3/lipsyncs/{lipsync_id}', read, ({ params }) =>
		ok(view(find(params.lipsync_id))),
	);

	route(
		app,
		service,
		'PATCH /v3/lipsyncs/{lipsync_id}',
		{ ...write, body: z.object({ title: z.string().min(1) }).strict() },
		(call) => {
			const row = find(call.params.lipsync_id);
			row.fields.title = call.body.title;
			return ok(view(row));
		},
	);

	route(app, service, 'DELETE /v3/lipsyncs/{lipsync_id}', write, ({ params }) => {
		const row = find(params.lipsync_id);
		dropPlain(service, 'lipsync', row);
		return ok({ id: row.id });
	});
}
