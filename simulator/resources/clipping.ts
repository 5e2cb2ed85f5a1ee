import { respond } from '../http/responses';
import { respondWithPage } from '../http/pagination';
import type { Route } from '../http/route';
import { deleteJobRow, startRowJob } from '../jobs';
import { createMediaUrl, buildPublicUrl } from '../media';
import { requireAsset } from '../references';
import type { Clipping } from '../rows';
import type { Service } from '../service';
import { findRow, createId } from '../store';

const sampleClips = [
	{ title: 'The best minute', seconds: 28, score: 91 },
	{ title: 'A good question', seconds: 31, score: 74 },
	{ title: 'How it ended', seconds: 24, score: 58.5 },
];

export function registerClipping(route: Route, service: Service) {
	const findClipping = (id: string | undefined) => findRow(service.state.clippings, id, 'Clipping');

	const viewClipping = (row: Clipping) => {
		const isDone = row.status === 'completed';
		return {
			id: row.id,
			status: row.status,
			title: row.title,
			input_language: row.inputLanguage,
			source_duration: 1800,
			output_settings: row.settings,
			clips: isDone
				? row.clips.map(({ title, seconds, score }, index) => ({
						id: `${row.id}_${index + 1}`,
						status: 'completed',
						title,
						thumbnail_url: buildPublicUrl(service.baseUrl, row.id, 'thumbnail.jpg'),
						video_url: createMediaUrl(service, `${row.id}_${index + 1}`, 'captioned.mp4'),
						failure_message: null,
						duration_seconds: seconds,
						virality_score: score,
						aspect_ratio: row.settings.aspect_ratio,
					}))
				: [],
			progress: isDone ? 100 : row.status === 'running' ? 40 : 0,
			callback_id: row.callbackId,
			created_at: Math.floor(row.created),
			failure_message: row.failure?.message ?? null,
		};
	};

	route('POST /v3/ai-clipping', { needs: 'generation' }, ({ body }) => {
		requireAsset(service, body.video, 'video');
		const row = startRowJob(service, 'clipping', service.state.clippings, {
			id: createId('clipping_'),
			statuses: { waiting: 'pending', running: 'running' },
			fields: {
				title: body.title ?? null,
				inputLanguage: body.input_language ?? 'en',
				callbackId: body.callback_id ?? null,
				clips: sampleClips,
				settings: {
					duration_types: ['30'],
					aspect_ratio: 'portrait',
					captions: true,
					caption_style: 'outline_classic',
					prompt: null,
					...body.output_settings,
				},
			},
			callbackUrl: body.callback_url,
			event: { name: 'ai_clipping', data: viewClipping },
		});
		return respond({ ai_clipping_id: row.id });
	});

	route('GET /v3/ai-clipping', ({ query }) =>
		respondWithPage(service, 'clippings', service.state.clippings.values(), query, viewClipping),
	);

	route('GET /v3/ai-clipping/{job_id}', ({ params }) =>
		respond(viewClipping(findClipping(params.job_id))),
	);

	route('DELETE /v3/ai-clipping/{job_id}', ({ params }) => {
		const row = findClipping(params.job_id);
		deleteJobRow(service, service.state.clippings, row);
		return respond({ id: row.id });
	});
}
