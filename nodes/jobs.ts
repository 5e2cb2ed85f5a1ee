/** The kinds of job of the service: where each is read and which states end it (docs/service.md, States). */
import type { Job } from './core/jobs/job';

/** Most kinds end in one of these two. */
const usual = { completed: ['completed'], failed: ['failed'] } as const;

/** A batch is completed when its items have ended; each item tells its own outcome. */
const batch = {
	kind: 'batch',
	id: 'batch_id',
	// All of its items: it has at most 100, which is the largest page.
	query: { limit: 100 },
	completed: ['completed', 'failed'],
	failed: [],
} as const;

export const video: Job = {
	...usual,
	kind: 'video',
	id: 'video_id',
	read: 'GET /v3/videos/{video_id}',
	results: ['video_url'],
};

export const session: Job = {
	...usual,
	kind: 'session',
	id: 'session_id',
	read: 'GET /v3/video-agents/{session_id}',
	then: { name: 'video', job: video },
};

/** In a chat the agent rests until the user answers; otherwise it passes these states by itself. */
export const chatSession: Job = { ...session, resting: ['waiting_for_input', 'reviewing'] };

export const videoBatch: Job = { ...batch, read: 'GET /v3/videos/batches/{batch_id}' };

export const modelVideo: Job = {
	kind: 'model_video',
	id: 'video_id',
	read: 'GET /v3/models/videos/{video_id}',
	results: ['video_url'],
	completed: ['completed'],
	failed: ['failed', 'cancelled'],
	eventless: true,
};

export const modelVoice: Job = {
	kind: 'model_voice',
	id: 'voice_id',
	read: 'GET /v3/models/audio/voices/{voice_id}',
	completed: ['ACTIVE'],
	failed: ['FAILED'],
	eventless: true,
};

/** Ends in `complete`, not `completed`. */
export const voiceClone: Job = {
	kind: 'voice_clone',
	id: 'voice_id',
	read: 'GET /v3/voices/{voice_id}',
	completed: ['complete'],
	failed: ['failed'],
	eventless: true,
};

/** Rests while the person shown has not consented. */
export const look: Job = {
	...usual,
	kind: 'look',
	id: 'look_id',
	read: 'GET /v3/avatars/looks/{look_id}',
	resting: ['pending_consent'],
};

export const avatarGroup: Job = {
	...usual,
	kind: 'avatar_group',
	id: 'group_id',
	read: 'GET /v3/avatars/{group_id}',
	resting: ['pending_consent'],
};

export const translation: Job = {
	...usual,
	kind: 'translation',
	id: 'video_translation_id',
	read: 'GET /v3/video-translations/{video_translation_id}',
	results: ['video_url', 'audio_url'],
};

export const translationBatch: Job = {
	...batch,
	read: 'GET /v3/video-translations/batches/{batch_id}',
};

export const proofread: Job = {
	...usual,
	kind: 'proofread',
	id: 'proofread_id',
	read: 'GET /v3/video-translations/proofreads/{proofread_id}',
};

export const lipsync: Job = {
	...usual,
	kind: 'lipsync',
	id: 'lipsync_id',
	read: 'GET /v3/lipsyncs/{lipsync_id}',
	results: ['video_url'],
	eventless: true,
};

export const lipsyncBatch: Job = { ...batch, read: 'GET /v3/lipsyncs/batches/{batch_id}' };

export const clipping: Job = {
	kind: 'clipping',
	id: 'job_id',
	read: 'GET /v3/ai-clipping/{job_id}',
	completed: ['completed'],
	failed: ['failed', 'cancelled'],
};

export const assetBatch: Job = { ...batch, read: 'GET /v3/assets/batches/{batch_id}' };

export const brandKit: Job = {
	kind: 'brand_kit',
	id: 'brand_kit_id',
	read: 'GET /v3/brand-kits/{brand_kit_id}',
	longestPause: 5,
	completed: ['completed'],
	failed: ['error'],
	eventless: true,
};

export const render: Job = {
	...usual,
	kind: 'render',
	id: 'render_id',
	read: 'GET /v3/hyperframes/renders/{render_id}',
	results: ['video_url'],
};

export const backgroundRemoval: Job = {
	kind: 'background_removal',
	id: 'job_id',
	read: 'GET /v3/background-removals/{job_id}',
	completed: ['completed'],
	failed: ['failed', 'deleted'],
	eventless: true,
};

export const realtimeStream: Job = {
	kind: 'realtime_stream',
	id: 'stream_id',
	read: 'GET /v3/avatar-realtime/{stream_id}',
	completed: ['completed'],
	failed: ['error'],
};

/** Partial results are results: the run tells which nodes failed. */
export const workflowRun: Job = {
	kind: 'workflow_run',
	id: 'run_id',
	read: 'GET /v3/workflow-runs/{run_id}',
	completed: ['succeeded', 'partial'],
	failed: ['failed', 'canceled'],
	eventless: true,
};
