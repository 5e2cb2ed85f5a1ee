/** The kinds of job of the service: where each is read and which states end it (api.md, 24). */
import type { Job } from './core/job';

export const video: Job = {
	kind: 'video',
	id: 'video_id',
	read: 'GET /v3/videos/{video_id}',
	completed: ['completed'],
	failed: ['failed'],
};

export const session: Job = {
	kind: 'session',
	id: 'session_id',
	read: 'GET /v3/video-agents/{session_id}',
	completed: ['completed'],
	failed: ['failed'],
	resting: ['waiting_for_input'],
	then: { name: 'video', job: video },
};

/** A batch is completed when its items have ended; each item tells its own outcome. */
export const videoBatch: Job = {
	kind: 'batch',
	id: 'batch_id',
	read: 'GET /v3/videos/batches/{batch_id}',
	completed: ['completed', 'failed'],
	failed: [],
};
