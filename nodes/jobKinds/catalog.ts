/**
 * Defines every kind of job that the service runs, with its endpoints, statuses, result files and
 * events (service.md, States).
 */
import type { IDataObject } from 'n8n-workflow';
import { apiLimits } from '../apiLimits';
import type { JobKind } from '../core/jobs/types';
import { readObjects, readText, toText } from '../core/json';
import * as files from './files';
import * as samples from './samples';

/**
 * Returns the latest message that the video agent has sent in a session. The service lists the
 * newest message first (service.md, Resources).
 */
function readLatestReply({ messages }: IDataObject): { reply?: string } {
	const message = readObjects(messages).find(
		({ role, content }) => role !== 'user' && readText(content),
	);
	return message ? { reply: toText(message.content) } : {};
}

/**
 * Name of the account's limit on running jobs. Videos, agent sessions and translations count toward
 * the same limit (service.md, Rate limits and retries).
 */
const sharedCapacityLimit = 'jobs';

/** Statuses that most kinds of job use for success and failure. */
const usualStatuses = { completed: ['completed'], failed: ['failed'] } as const;

/**
 * Properties that all kinds of batches share. A batch counts as completed as soon as all of its
 * jobs have ended, even if all of them failed.
 */
const batchJob = {
	id: 'batch_id',
	firstPollAfter: 10,
	// The maximum page size. No batch has more items.
	query: { limit: apiLimits['GET /v3/videos/batches/{batch_id}'].limit.max },
	completed: ['completed', 'failed'],
	failed: [],
} as const;

export const videoJob: JobKind = {
	...usualStatuses,
	durationHint: 'Creating a video usually takes a few minutes.',
	name: 'video',
	label: 'Video',
	capacityLimit: sharedCapacityLimit,
	id: 'video_id',
	read: 'GET /v3/videos/{video_id}',
	firstPollAfter: 10,
	batchedStatus: { line: 'GET /v3/videos/statuses', query: 'video_ids' },
	resultUrls: ['video_url'],
	files: files.videoResultFiles,
	events: {
		list: 'GET /v3/videos',
		type: 'avatar_video',
		toEventData: ({ id, title, video_url, gif_url, video_page_url, folder_id }) => ({
			video_id: id,
			url: video_url,
			gif_download_url: gif_url,
			video_page_url,
			folder_id,
			title,
		}),
		reasonKey: 'msg',
	},
	sample: samples.videoSampleResult,
};

export const agentSessionJob: JobKind = {
	...usualStatuses,
	durationHint: 'Creating a video from a prompt usually takes 5 to 20 minutes.',
	name: 'session',
	label: 'Agent Session',
	capacityLimit: sharedCapacityLimit,
	id: 'session_id',
	read: 'GET /v3/video-agents/{session_id}',
	firstPollAfter: 10,
	// While the agent thinks, the session may still contain the video ID of its previous turn.
	next: { name: 'video', job: videoJob, notWhile: ['thinking'] },
	extract: readLatestReply,
	stop: { line: 'POST /v3/video-agents/{session_id}/stop', operation: 'VideoGen Agent: Stop' },
	events: {
		list: 'GET /v3/video-agents',
		type: 'video_agent',
		toEventData: ({ session_id, video_id, title, video_url }) => ({
			session_id,
			video_id,
			url: video_url,
			title,
		}),
		reasonKey: 'msg',
	},
	sample: samples.sessionSampleResult,
};

/**
 * Chat-mode session with the video agent. In the statuses `waiting_for_input` and
 * `reviewing`, the agent waits for the user. In other modes, a session leaves these statuses
 * automatically.
 */
export const agentChatSessionJob: JobKind = {
	...agentSessionJob,
	name: 'chat_session',
	label: 'Agent Chat Session',
	resting: ['waiting_for_input', 'reviewing'],
	sample: samples.chatSessionSampleResult,
};

export const videoBatchJob: JobKind = {
	...batchJob,
	name: 'video_batch',
	label: 'Video Batch',
	capacityLimit: sharedCapacityLimit,
	durationHint: 'A batch usually takes a few minutes, or longer if it has many rows.',
	read: 'GET /v3/videos/batches/{batch_id}',
	rows: videoJob,
};

export const modelVideoJob: JobKind = {
	durationHint: 'Creating a short video usually takes a few minutes.',
	name: 'model_video',
	label: 'Model Video',
	id: 'video_id',
	read: 'GET /v3/models/videos/{video_id}',
	resultUrls: ['video_url'],
	completed: ['completed'],
	failed: ['failed', 'cancelled'],
	notifiedBy: 'callback',
	files: files.modelVideoResultFiles,
	sample: samples.modelVideoSampleResult,
};

export const professionalVoiceJob: JobKind = {
	durationHint: 'Training a voice can take hours.',
	name: 'model_voice',
	label: 'Professional Voice',
	id: 'voice_id',
	read: 'GET /v3/models/audio/voices/{voice_id}',
	firstPollAfter: 2,
	completed: ['ACTIVE'],
	failed: ['FAILED'],
	notifiedBy: 'nothing',
	sample: samples.professionalVoiceSampleResult,
};

export const voiceCloneJob: JobKind = {
	durationHint: 'Cloning a voice usually takes a minute or two.',
	name: 'voice_clone',
	label: 'Voice Clone',
	id: 'voice_id',
	read: 'GET /v3/voices/{voice_id}',
	firstPollAfter: 2,
	completed: ['complete'],
	failed: ['failed'],
	notifiedBy: 'nothing',
	sample: samples.voiceCloneSampleResult,
};

/**
 * Job that creates an avatar look. The job pauses in the status `pending_consent` until the person
 * in the look has given consent.
 */
export const avatarLookJob: JobKind = {
	...usualStatuses,
	durationHint:
		'Creating a look usually takes a few minutes, or longer if it is created from a video.',
	name: 'look',
	label: 'Avatar Look',
	id: 'look_id',
	read: 'GET /v3/avatars/looks/{look_id}',
	resting: ['pending_consent'],
	sample: samples.avatarLookSampleResult,
};

export const avatarGroupJob: JobKind = {
	...usualStatuses,
	durationHint:
		'Creating an avatar usually takes a few minutes, or longer if it is created from a video.',
	name: 'avatar_group',
	label: 'Avatar',
	id: 'group_id',
	read: 'GET /v3/avatars/{group_id}',
	resting: ['pending_consent'],
	sample: samples.avatarSampleResult,
};

export const translationJob: JobKind = {
	...usualStatuses,
	durationHint:
		'A translation usually takes longer than the video itself: a few minutes for each minute of video.',
	name: 'translation',
	label: 'Translation',
	capacityLimit: sharedCapacityLimit,
	id: 'video_translation_id',
	read: 'GET /v3/video-translations/{video_translation_id}',
	firstPollAfter: 10,
	batchedStatus: { line: 'GET /v3/video-translations/statuses', query: 'video_translation_ids' },
	resultUrls: ['video_url', 'audio_url'],
	files: files.translationResultFiles,
	events: {
		list: 'GET /v3/video-translations',
		type: 'video_translate',
		toEventData: ({ id, title, video_url, audio_url, output_language, callback_id }) => ({
			video_translate_id: id,
			url: video_url ?? audio_url,
			output_language,
			callback_id,
			title,
		}),
		reasonKey: 'message',
	},
	sample: samples.translationSampleResult,
};

export const translationBatchJob: JobKind = {
	...batchJob,
	name: 'translation_batch',
	label: 'Translation Batch',
	capacityLimit: sharedCapacityLimit,
	durationHint:
		'A batch usually takes as long as its longest video: a few minutes for each minute of video.',
	read: 'GET /v3/video-translations/batches/{batch_id}',
	rows: translationJob,
};

export const proofreadJob: JobKind = {
	...usualStatuses,
	durationHint: 'Creating a proofread usually takes a few minutes.',
	name: 'proofread',
	label: 'Proofread',
	id: 'proofread_id',
	read: 'GET /v3/video-translations/proofreads/{proofread_id}',
	files: files.proofreadResultFiles,
	sample: samples.proofreadSampleResult,
};

export const lipsyncJob: JobKind = {
	...usualStatuses,
	durationHint:
		'A lipsync usually takes longer than the video itself: a few minutes for each minute of video.',
	name: 'lipsync',
	label: 'Lipsync',
	id: 'lipsync_id',
	read: 'GET /v3/lipsyncs/{lipsync_id}',
	firstPollAfter: 10,
	batchedStatus: { line: 'GET /v3/lipsyncs/statuses', query: 'lipsync_ids' },
	resultUrls: ['video_url'],
	notifiedBy: 'callback',
	files: files.lipsyncResultFiles,
	sample: samples.lipsyncSampleResult,
};

export const lipsyncBatchJob: JobKind = {
	...batchJob,
	name: 'lipsync_batch',
	label: 'Lipsync Batch',
	durationHint:
		'A batch usually takes as long as its longest video: a few minutes for each minute of video.',
	read: 'GET /v3/lipsyncs/batches/{batch_id}',
	rows: lipsyncJob,
};

export const clippingJob: JobKind = {
	durationHint: 'Cutting an hour of video into clips usually takes 10 to 30 minutes.',
	name: 'clipping',
	label: 'Clipping',
	id: 'job_id',
	read: 'GET /v3/ai-clipping/{job_id}',
	firstPollAfter: 10,
	completed: ['completed'],
	failed: ['failed', 'cancelled'],
	files: files.clipResultFiles,
	parts: 'clips',
	describeUsable({ clips }) {
		const all = readObjects(clips);
		const finished = all.filter(({ video_url }) => readText(video_url)).length;
		return finished > 0 ? `${finished} of ${all.length} clips are finished.` : undefined;
	},
	events: {
		list: 'GET /v3/ai-clipping',
		type: 'ai_clipping',
		toEventData: (response) => response,
		reasonKey: 'failure_message',
	},
	sample: samples.clippingSampleResult,
};

/**
 * Job that processes an uploaded file. Nodes can wait for a batch of these jobs, but not for a
 * single one.
 */
const assetJob: JobKind = {
	name: 'asset',
	id: 'asset_id',
	read: 'GET /v3/assets/{asset_id}',
	completed: ['completed'],
	failed: ['failed'],
};

export const assetBatchJob: JobKind = {
	...batchJob,
	name: 'asset_batch',
	label: 'Asset Batch',
	durationHint: 'Uploaded files are usually ready within a minute.',
	read: 'GET /v3/assets/batches/{batch_id}',
	firstPollAfter: 2,
	rows: assetJob,
};

export const brandKitJob: JobKind = {
	durationHint: 'A brand kit is usually ready within a minute.',
	name: 'brand_kit',
	label: 'Brand Kit',
	id: 'brand_kit_id',
	read: 'GET /v3/brand-kits/{brand_kit_id}',
	firstPollAfter: 2,
	maxPollInterval: 5,
	completed: ['completed'],
	failed: ['error'],
	describeUsable(kit) {
		const keys = ['colors', 'fonts', 'logos'];
		const existing = keys.filter((key) => [kit[key] ?? []].flat().length > 0);
		if (existing.length === 0) return undefined;
		const missing = keys.filter((key) => !existing.includes(key));
		const lacks = missing.length === 0 ? '' : ` and no ${missing.join(' or ')}`;
		return `can be used: it has ${existing.join(', ')}${lacks}. Its roles cannot be set.`;
	},
	notifiedBy: 'nothing',
	sample: samples.brandKitSampleResult,
};

export const compositionRenderJob: JobKind = {
	...usualStatuses,
	durationHint: 'Rendering usually takes a few minutes.',
	name: 'render',
	label: 'Composition Render',
	id: 'render_id',
	read: 'GET /v3/hyperframes/renders/{render_id}',
	resultUrls: ['video_url'],
	files: files.compositionRenderResultFiles,
	sample: samples.compositionRenderSampleResult,
};

export const backgroundRemovalJob: JobKind = {
	durationHint:
		'Background removal usually takes longer than the video itself: a few minutes for each minute of video.',
	name: 'background_removal',
	label: 'Background Removal',
	id: 'job_id',
	read: 'GET /v3/background-removals/{job_id}',
	completed: ['completed'],
	failed: ['failed', 'deleted'],
	notifiedBy: 'nothing',
	files: files.backgroundRemovalResultFiles,
	sample: samples.backgroundRemovalSampleResult,
};

export const realtimeStreamJob: JobKind = {
	name: 'realtime_stream',
	id: 'stream_id',
	read: 'GET /v3/avatar-realtime/{stream_id}',
	stop: {
		line: 'POST /v3/avatar-realtime/{stream_id}/cancel',
		operation: 'VideoGen Realtime Avatar: Cancel',
	},
	firstPollAfter: 1,
	completed: ['completed'],
	failed: ['error'],
	// If the node waits for the URL, these statuses count as completed once there is a URL.
	pending: ['pending', 'ready', 'streaming'],
	sample: samples.realtimeStreamSampleResult,
};

/**
 * Job that runs a workflow in the service, not in n8n. A run with partial results counts as
 * completed. Its status response shows which steps failed.
 */
export const workflowRunJob: JobKind = {
	durationHint:
		'The duration of a run depends on its slowest steps. Steps that create videos take minutes.',
	name: 'workflow_run',
	label: 'Workflow Run',
	id: 'run_id',
	read: 'GET /v3/workflow-runs/{run_id}',
	stop: {
		line: 'POST /v3/workflow-runs/{run_id}/cancel',
		operation: 'VideoGen Workflow: Cancel',
	},
	completed: ['succeeded', 'partial'],
	failed: ['failed', 'canceled'],
	notifiedBy: 'nothing',
	sample: samples.workflowRunSampleResult,
};
