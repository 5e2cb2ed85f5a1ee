import type { BatchProgress } from '../../batches';
import { emitEvent } from '../../deliveries';
import { startJob, takeNextFailure } from '../../jobs';
import { createMediaUrl, buildPublicUrl } from '../../media';
import type { Video } from '../../rows';
import type { Service } from '../../service';
import { addRow, findRow, createId } from '../../store';

const getVideoPageUrl = (video: Video) => `https://app.example/videos/${video.id}`;

export function viewVideo(service: Service, video: Video) {
	const isDone = video.status === 'completed';
	const createFileUrl = (name: string) => (isDone ? createMediaUrl(service, video.id, name) : null);
	return {
		id: video.id,
		status: video.status,
		title: video.title,
		created_at: Math.floor(video.created),
		completed_at: video.completed === null ? null : Math.floor(video.completed),
		video_url: createFileUrl(`video.${video.format}`),
		thumbnail_url: isDone ? buildPublicUrl(service.baseUrl, video.id, 'thumbnail.jpg') : null,
		gif_url: video.gif === 'failed' ? null : createFileUrl('preview.gif'),
		captioned_video_url: video.captions === 'burned' ? createFileUrl('captioned.mp4') : null,
		subtitle_url: video.captions === 'none' ? null : createFileUrl('captions.srt'),
		duration: isDone ? video.duration : null,
		folder_id: video.folder,
		...(video.outputLanguage ? { output_language: video.outputLanguage } : {}),
		...(video.failure
			? { failure_code: video.failure.code, failure_message: video.failure.message }
			: {}),
		video_page_url: getVideoPageUrl(video),
	};
}

export function findVideo(service: Service, id: string | undefined, code = 'not_found') {
	return findRow(service.state.videos, id, 'Video', code);
}

export const addVideo = (service: Service, video: Partial<Video>) =>
	addRow<Video>(service.state, service.state.videos, {
		id: createId(),
		status: 'pending',
		title: null,
		created: service.clock.now(),
		completed: null,
		duration: 10,
		folder: null,
		format: 'mp4',
		captions: 'none',
		gif: 'usual',
		failure: null,
		callbackUrl: null,
		callbackId: null,
		outputLanguage: null,
		sessionId: null,
		text: null,
		composition: null,
		...video,
	});

export function renderVideo(service: Service, video: Video, progress: Partial<BatchProgress> = {}) {
	startJob(service, 'video', {
		id: video.id,
		record: video,
		start: video.created,
		steps: [
			{
				share: 0.15,
				run: () => {
					video.status = 'processing';
					progress.onStart?.();
				},
			},
		],
		complete: (at) => {
			finishVideo(video, at);
			progress.onEnd?.(null);
			const data = {
				video_id: video.id,
				url: createMediaUrl(service, video.id, `video.${video.format}`),
				gif_download_url: createMediaUrl(service, video.id, 'preview.gif'),
				video_page_url: getVideoPageUrl(video),
				video_share_page_url: `https://app.example/share/${video.id}`,
				folder_id: video.folder,
				callback_id: video.callbackId,
			};
			emitEvent(service, 'avatar_video.success', data, video.callbackUrl);
			makeGifAndCaptions(service, video);
		},
		fail: (failure) => {
			video.status = 'failed';
			video.failure = failure;
			progress.onEnd?.(failure);
			const data = { video_id: video.id, msg: failure.message, callback_id: video.callbackId };
			emitEvent(service, 'avatar_video.fail', data, video.callbackUrl);
		},
	});
}

/** Emits the events of a requested GIF and captions, which never go to the callback URL. */
function makeGifAndCaptions(service: Service, video: Video) {
	const ids = { video_id: video.id, callback_id: video.callbackId };
	if (video.gif === 'asked') {
		const failure = takeNextFailure(service, 'gif');
		if (failure) {
			video.gif = 'failed';
			emitEvent(service, 'avatar_video_gif.fail', { ...ids, msg: failure.message });
		} else {
			const url = createMediaUrl(service, video.id, 'preview.gif');
			emitEvent(service, 'avatar_video_gif.success', { ...ids, url });
		}
	}
	if (video.captions !== 'none') {
		const failure = takeNextFailure(service, 'caption');
		if (failure) {
			video.captions = 'none';
			emitEvent(service, 'avatar_video_caption.fail', { ...ids, msg: failure.message });
		} else {
			const url = createMediaUrl(service, video.id, 'captions.srt');
			emitEvent(service, 'avatar_video_caption.success', { ...ids, url });
		}
	}
}

export function finishVideo(video: Video, at: number) {
	video.status = 'completed';
	video.completed = at;
}
