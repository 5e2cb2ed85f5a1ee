/** The kinds of job of the service: where each is read and which states end it (docs/service.md, States). */
import type { Job } from './core/jobs/job';
import { replyOf } from './reply';

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
	takes: 'A video usually takes some minutes.',
	kind: 'video',
	id: 'video_id',
	read: 'GET /v3/videos/{video_id}',
	firstPause: 10,
	statuses: { line: 'GET /v3/videos/statuses', query: 'video_ids' },
	results: ['video_url'],
};

export const sessionJob: Job = {
	...usual,
	takes: 'A video from a prompt usually takes 5 to 20 minutes.',
	kind: 'session',
	id: 'session_id',
	read: 'GET /v3/video-agents/{session_id}',
	firstPause: 10,
	then: { name: 'video', job: videoJob },
	digest: replyOf,
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
	takes: 'A batch usually takes some minutes, and longer with many rows.',
	read: 'GET /v3/videos/batches/{batch_id}',
};

export const modelVideoJob: Job = {
	takes: 'A short video usually takes some minutes.',
	kind: 'model_video',
	id: 'video_id',
	read: 'GET /v3/models/videos/{video_id}',
	results: ['video_url'],
	completed: ['completed'],
	failed: ['failed', 'cancelled'],
	toldBy: 'callback',
};

export const modelVoiceJob: Job = {
	takes: 'The training of a voice can take hours.',
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
	takes: 'A cloned voice usually takes a minute or two.',
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
	takes: 'A look usually takes some minutes; one that is made from a film, longer.',
	kind: 'look',
	id: 'look_id',
	read: 'GET /v3/avatars/looks/{look_id}',
	resting: ['pending_consent'],
};

export const avatarGroupJob: Job = {
	...usual,
	takes: 'An avatar usually takes some minutes; one that is made from a film, longer.',
	kind: 'avatar_group',
	id: 'group_id',
	read: 'GET /v3/avatars/{group_id}',
	resting: ['pending_consent'],
};

export const translationJob: Job = {
	...usual,
	takes:
		'A translation usually takes longer than the video itself: some minutes for each minute of it.',
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
	takes: 'A batch usually takes as long as its longest video: some minutes for each minute of it.',
	read: 'GET /v3/video-translations/batches/{batch_id}',
};

export const proofreadJob: Job = {
	...usual,
	takes: 'The words of a video usually take some minutes.',
	kind: 'proofread',
	id: 'proofread_id',
	read: 'GET /v3/video-translations/proofreads/{proofread_id}',
};

export const lipsyncJob: Job = {
	...usual,
	takes:
		'A lipsync usually takes longer than the video itself: some minutes for each minute of it.',
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
	takes: 'A batch usually takes as long as its longest video: some minutes for each minute of it.',
	read: 'GET /v3/lipsyncs/batches/{batch_id}',
};

export const clippingJob: Job = {
	takes: 'The clips of an hour of video usually take 10 to 30 minutes.',
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
	takes: 'Uploaded files are usually ready within a minute.',
	read: 'GET /v3/assets/batches/{batch_id}',
	firstPause: 2,
};

export const brandKitJob: Job = {
	takes: 'A brand kit is usually ready within a minute.',
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
	takes: 'A render usually takes some minutes.',
	kind: 'render',
	id: 'render_id',
	read: 'GET /v3/hyperframes/renders/{render_id}',
	results: ['video_url'],
};

export const backgroundRemovalJob: Job = {
	takes: 'A film usually takes longer than it lasts: some minutes for each minute of it.',
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
	takes: 'A run takes as long as its slowest steps, which is minutes where they make videos.',
	kind: 'workflow_run',
	id: 'run_id',
	read: 'GET /v3/workflow-runs/{run_id}',
	completed: ['succeeded', 'partial'],
	failed: ['failed', 'canceled'],
	toldBy: 'nothing',
};
