/** The kinds of job of the service: where each is read and which states end it (docs/service.md, States). */
import type { JobKind } from '../core/jobs/state';
import { readLatestReply } from './latestReply';

/** Most kinds end in one of these two. */
const usualStatuses = { completed: ['completed'], failed: ['failed'] } as const;

/** A batch is completed when its items have ended; each item tells its own outcome. */
const batchJob = {
	id: 'batch_id',
	firstPause: 10,
	// All of its items: it has at most 100, which is the largest page.
	query: { limit: 100 },
	completed: ['completed', 'failed'],
	failed: [],
} as const;

export const videoJob: JobKind = {
	...usualStatuses,
	durationHint: 'A video usually takes some minutes.',
	name: 'video',
	id: 'video_id',
	read: 'GET /v3/videos/{video_id}',
	firstPollAfter: 10,
	batchedStatus: { line: 'GET /v3/videos/statuses', query: 'video_ids' },
	resultUrls: ['video_url'],
};

export const sessionJob: JobKind = {
	...usualStatuses,
	durationHint: 'A video from a prompt usually takes 5 to 20 minutes.',
	name: 'session',
	id: 'session_id',
	read: 'GET /v3/video-agents/{session_id}',
	firstPollAfter: 10,
	next: { name: 'video', job: videoJob },
	extract: readLatestReply,
};

/** In a chat the agent rests until the user answers; otherwise it passes these states by itself. */
export const chatSessionJob: JobKind = {
	...sessionJob,
	name: 'chat_session',
	resting: ['waiting_for_input', 'reviewing'],
};

export const videoBatchJob: JobKind = {
	...batchJob,
	name: 'video_batch',
	durationHint: 'A batch usually takes some minutes, and longer with many rows.',
	read: 'GET /v3/videos/batches/{batch_id}',
};

export const modelVideoJob: JobKind = {
	durationHint: 'A short video usually takes some minutes.',
	name: 'model_video',
	id: 'video_id',
	read: 'GET /v3/models/videos/{video_id}',
	resultUrls: ['video_url'],
	completed: ['completed'],
	failed: ['failed', 'cancelled'],
	notifiedBy: 'callback',
};

export const modelVoiceJob: JobKind = {
	durationHint: 'The training of a voice can take hours.',
	name: 'model_voice',
	id: 'voice_id',
	read: 'GET /v3/models/audio/voices/{voice_id}',
	firstPollAfter: 2,
	completed: ['ACTIVE'],
	failed: ['FAILED'],
	notifiedBy: 'nothing',
};

/** Ends in `complete`, not `completed`. */
export const voiceCloneJob: JobKind = {
	durationHint: 'A cloned voice usually takes a minute or two.',
	name: 'voice_clone',
	id: 'voice_id',
	read: 'GET /v3/voices/{voice_id}',
	firstPollAfter: 2,
	completed: ['complete'],
	failed: ['failed'],
	notifiedBy: 'nothing',
};

/** Rests while the person shown has not consented. */
export const lookJob: JobKind = {
	...usualStatuses,
	durationHint: 'A look usually takes some minutes; one that is made from a film, longer.',
	name: 'look',
	id: 'look_id',
	read: 'GET /v3/avatars/looks/{look_id}',
	resting: ['pending_consent'],
};

export const avatarGroupJob: JobKind = {
	...usualStatuses,
	durationHint: 'An avatar usually takes some minutes; one that is made from a film, longer.',
	name: 'avatar_group',
	id: 'group_id',
	read: 'GET /v3/avatars/{group_id}',
	resting: ['pending_consent'],
};

export const translationJob: JobKind = {
	...usualStatuses,
	durationHint:
		'A translation usually takes longer than the video itself: some minutes for each minute of it.',
	name: 'translation',
	id: 'video_translation_id',
	read: 'GET /v3/video-translations/{video_translation_id}',
	firstPollAfter: 10,
	batchedStatus: { line: 'GET /v3/video-translations/statuses', query: 'video_translation_ids' },
	resultUrls: ['video_url', 'audio_url'],
};

export const translationBatchJob: JobKind = {
	...batchJob,
	name: 'translation_batch',
	durationHint:
		'A batch usually takes as long as its longest video: some minutes for each minute of it.',
	read: 'GET /v3/video-translations/batches/{batch_id}',
};

export const proofreadJob: JobKind = {
	...usualStatuses,
	durationHint: 'The words of a video usually take some minutes.',
	name: 'proofread',
	id: 'proofread_id',
	read: 'GET /v3/video-translations/proofreads/{proofread_id}',
};

export const lipsyncJob: JobKind = {
	...usualStatuses,
	durationHint:
		'A lipsync usually takes longer than the video itself: some minutes for each minute of it.',
	name: 'lipsync',
	id: 'lipsync_id',
	read: 'GET /v3/lipsyncs/{lipsync_id}',
	firstPollAfter: 10,
	batchedStatus: { line: 'GET /v3/lipsyncs/statuses', query: 'lipsync_ids' },
	resultUrls: ['video_url'],
	notifiedBy: 'callback',
};

export const lipsyncBatchJob: JobKind = {
	...batchJob,
	name: 'lipsync_batch',
	durationHint:
		'A batch usually takes as long as its longest video: some minutes for each minute of it.',
	read: 'GET /v3/lipsyncs/batches/{batch_id}',
};

export const clippingJob: JobKind = {
	durationHint: 'The clips of an hour of video usually take 10 to 30 minutes.',
	name: 'clipping',
	id: 'job_id',
	read: 'GET /v3/ai-clipping/{job_id}',
	firstPollAfter: 10,
	completed: ['completed'],
	failed: ['failed', 'cancelled'],
};

export const assetBatchJob: JobKind = {
	...batchJob,
	name: 'asset_batch',
	durationHint: 'Uploaded files are usually ready within a minute.',
	read: 'GET /v3/assets/batches/{batch_id}',
	firstPollAfter: 2,
};

export const brandKitJob: JobKind = {
	durationHint: 'A brand kit is usually ready within a minute.',
	name: 'brand_kit',
	id: 'brand_kit_id',
	read: 'GET /v3/brand-kits/{brand_kit_id}',
	firstPollAfter: 2,
	maxPollInterval: 5,
	completed: ['completed'],
	failed: ['error'],
	notifiedBy: 'nothing',
};

export const renderJob: JobKind = {
	...usualStatuses,
	durationHint: 'A render usually takes some minutes.',
	name: 'render',
	id: 'render_id',
	read: 'GET /v3/hyperframes/renders/{render_id}',
	resultUrls: ['video_url'],
};

export const backgroundRemovalJob: JobKind = {
	durationHint: 'A film usually takes longer than it lasts: some minutes for each minute of it.',
	name: 'background_removal',
	id: 'job_id',
	read: 'GET /v3/background-removals/{job_id}',
	completed: ['completed'],
	failed: ['failed', 'deleted'],
	notifiedBy: 'nothing',
};

export const realtimeStreamJob: JobKind = {
	name: 'realtime_stream',
	id: 'stream_id',
	read: 'GET /v3/avatar-realtime/{stream_id}',
	firstPollAfter: 1,
	completed: ['completed'],
	failed: ['error'],
};

/** Partial results are results: the run tells which nodes failed. */
export const workflowRunJob: JobKind = {
	durationHint:
		'A run takes as long as its slowest steps, which is minutes where they make videos.',
	name: 'workflow_run',
	id: 'run_id',
	read: 'GET /v3/workflow-runs/{run_id}',
	completed: ['succeeded', 'partial'],
	failed: ['failed', 'canceled'],
	notifiedBy: 'nothing',
};
