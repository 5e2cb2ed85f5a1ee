import { createBatch, readBatch, readStatuses, type BatchProgress } from '../batches';
import { sendCallback } from '../deliveries';
import { respond } from '../http/responses';
import { respondWithPage } from '../http/pagination';
import type { Route } from '../http/route';
import { deleteJobRow, getBatchItemStatus, startRowJob } from '../jobs';
import { createMediaUrl } from '../media';
import { requireAsset, requireFolder } from '../references';
import type { Lipsync } from '../rows';
import type { Schemas } from '../requestTypes';
import type { Service } from '../service';
import { findRow, createId } from '../store';

export function registerLipsyncs(route: Route, service: Service) {
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

	const checkBody = (payload: Schemas['LipsyncRequest'], path = '') => {
		requireAsset(service, payload.video, `${path}video`);
		requireAsset(service, payload.audio, `${path}audio`);
		requireFolder(service, payload.folder_id, [payload.video, payload.audio]);
	};

	// No event type for lipsyncs is documented, so only the callback URL is notified.
	const startLipsync = (payload: Schemas['LipsyncRequest'], progress?: BatchProgress) => {
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

	route('POST /v3/lipsyncs', { needs: 'generation' }, (call) => {
		checkBody(call.body);
		return respond({ lipsync_id: startLipsync(call.body).id });
	});

	route('GET /v3/lipsyncs', ({ query }) =>
		respondWithPage(service, 'lipsyncs', service.state.lipsyncs.values(), query, viewLipsync),
	);

	route('GET /v3/lipsyncs/statuses', ({ query }) =>
		readStatuses(service, 'lipsync', query.lipsync_ids, query.batch_ids, (id) =>
			getBatchItemStatus(service.state.lipsyncs.get(id)),
		),
	);

	route('POST /v3/lipsyncs/batches', { needs: 'generation' }, (call) => {
		call.body.lipsyncs.forEach((item, index) => checkBody(item, `lipsyncs[${index}].`));
		return createBatch(service, {
			kind: 'lipsync',
			title: call.body.title ?? null,
			callbackUrl: call.body.callback_url ?? null,
			starts: call.body.lipsyncs.map((item) => (progress) => startLipsync(item, progress).id),
		});
	});

	route('GET /v3/lipsyncs/batches/{batch_id}', ({ params, query }) =>
		readBatch(service, 'lipsync', params.batch_id, query),
	);

	route('GET /v3/lipsyncs/{lipsync_id}', ({ params }) =>
		respond(viewLipsync(findLipsync(params.lipsync_id))),
	);

	route('PATCH /v3/lipsyncs/{lipsync_id}', (call) => {
		const row = findLipsync(call.params.lipsync_id);
		row.title = call.body.title;
		return respond(viewLipsync(row));
	});

	route('DELETE /v3/lipsyncs/{lipsync_id}', ({ params }) => {
		const row = findLipsync(params.lipsync_id);
		deleteJobRow(service, service.state.lipsyncs, row);
		return respond({ id: row.id });
	});
}
