/** The kinds of job of the service: where each is read and which states end it (docs/service.md, States). */
import type { Job } from './core/jobs/job';

/** Most kinds end in one of these two. */
const usual = { completed: ['completed'], failed: ['failed'] } as const;

/** A batch is completed when its items have ended; each item tells its own outcome. */
const batch = {
	id: 'batch_id',
	firstPause: 10,
	// All of its items: it has at most 100, which is the largest page.
	query: { limit: 100 },
	completed: ['completed', 'failed'],
	failed: [],
} as const;

export const videoJob: Job = {
	...usual,
	kind: 'video',
	id: 'video_id',
	read: 'GET /v3/videos/{video_id}',
	firstPause: 10,
	statuses: { line: 'GET /v3/videos/statuses', query: 'video_ids' },
	results: ['video_url'],
};

export const sessionJob: Job = {
	...usual,
	kind: 'session',
	id: 'session_id',
	read: 'GET /v3/video-agents/{session_id}',
	firstPause: 10,
	then: { name: 'video', job: videoJob },
};

/** In a chat the agent rests until the user answers; otherwise it passes these states by itself. */
export const chatSessionJob: Job = {
	...sessionJob,
	kind: 'chat_session',
	resting: ['waiting_for_input', 'reviewing'],
};

export const videoBatchJob: Job = {
	...batch,
	kind: 'video_batch',
	read: 'GET /v3/videos/batches/{batch_id}',
};

export const modelVideoJob: Job = {
	kind: 'model_video',
	id: 'video_id',
	read: 'GET /v3/models/videos/{video_id}',
	results: ['video_url'],
	completed: ['completed'],
	failed: ['failed', 'cancelled'],
	toldBy: 'callback',
};

export const modelVoiceJob: Job = {
	kind: 'model_voice',
	id: 'voice_id',
	read: 'GET /v3/models/audio/voices/{voice_id}',
	firstPause: 2,
	completed: ['ACTIVE'],
	failed: ['FAILED'],
	toldBy: 'nothing',
};

/** Ends in `complete`, not `completed`. */
export const voiceCloneJob: Job = {
	kind: 'voice_clone',
	id: 'voice_id',
	read: 'GET /v3/voices/{voice_id}',
	firstPause: 2,
	completed: ['complete'],
	failed: ['failed'],
	toldBy: 'nothing',
};

/** Rests while the person shown has not consented. */
export const lookJob: Job = {
	...usual,
	kind: 'look',
	id: 'look_id',
	read: 'GET /v3/avatars/looks/{look_id}',
	resting: ['pending_consent'],
};

export const avatarGroupJob: Job = {
	...usual,
	kind: 'avatar_group',
	id: 'group_id',
	read: 'GET /v3/avatars/{group_id}',
	resting: ['pending_consent'],
};

export const translationJob: Job = {
	...usual,
	kind: 'translation',
	id: 'video_translation_id',
	read: 'GET /v3/video-translations/{video_translation_id}',
	firstPause: 10,
	statuses: { line: 'GET /v3/video-translations/statuses', query: 'video_translation_ids' },
	results: ['video_url', 'audio_url'],
};

export const translationBatchJob: Job = {
	...batch,
	kind: 'translation_batch',
	read: 'GET /v3/video-translations/batches/{batch_id}',
};

export const proofreadJob: Job = {
	...usual,
	kind: 'proofread',
	id: 'proofread_id',
	read: 'GET /v3/video-translations/proofreads/{proofread_id}',
};

export const lipsyncJob: Job = {
	...usual,
	kind: 'lipsync',
	id: 'lipsync_id',
	read: 'GET /v3/lipsyncs/{lipsync_id}',
	firstPause: 10,
	statuses: { line: 'GET /v3/lipsyncs/statuses', query: 'lipsync_ids' },
	results: ['video_url'],
	toldBy: 'callback',
};

export const lipsyncBatchJob: Job = {
	...batch,
	kind: 'lipsync_batch',
	read: 'GET /v3/lipsyncs/batches/{batch_id}',
};

export const clippingJob: Job = {
	kind: 'clipping',
	id: 'job_id',
	read: 'GET /v3/ai-clipping/{job_id}',
	firstPause: 10,
	completed: ['completed'],
	failed: ['failed', 'cancelled'],
};

export const assetBatchJob: Job = {
	...batch,
	kind: 'asset_batch',
	read: 'GET /v3/assets/batches/{batch_id}',
	firstPause: 2,
};

export const brandKitJob: Job = {
	kind: 'brand_kit',
	id: 'brand_kit_id',
	read: 'GET /v3/brand-kits/{brand_kit_id}',
	firstPause: 2,
	longestPause: 5,
	completed: ['completed'],
	failed: ['error'],
	toldBy: 'nothing',
};

export const renderJob: Job = {
	...usual,
	kind: 'render',
	id: 'render_id',
	read: 'GET /v3/hyperframes/renders/{render_id}',
	results: ['video_url'],
};

export const backgroundRemovalJob: Job = {
	kind: 'background_removal',
	id: 'job_id',
	read: 'GET /v3/background-removals/{job_id}',
	completed: ['completed'],
	failed: ['failed', 'deleted'],
	toldBy: 'nothing',
};

export const realtimeStreamJob: Job = {
	kind: 'realtime_stream',
	id: 'stream_id',
	read: 'GET /v3/avatar-realtime/{stream_id}',
	firstPause: 1,
	completed: ['completed'],
	failed: ['error'],
};

/** Partial results are results: the run tells which nodes failed. */
export const workflowRunJob: Job = {
	kind: 'workflow_run',
	id: 'run_id',
	read: 'GET /v3/workflow-runs/{run_id}',
	completed: ['succeeded', 'partial'],
	failed: ['failed', 'canceled'],
	toldBy: 'nothing',
};
