/**
 * Defines simulated status responses for finished jobs, used as the sample output of the Check Only
 * option. Each contains the keys that the service documents (service.md, Resources). The
 * placeholder `{n}` is replaced with the item number.
 */
import type { IDataObject } from 'n8n-workflow';

const createdAt = '2026-01-31T09:00:00Z';
const completedAt = '2026-01-31T09:05:00Z';

/**
 * Builds the URL of a file in sample output. The domain is reserved for examples, so the file does
 * not exist.
 */
const buildSampleUrl = (name: string) => `https://example.com/simulated/{n}/${name}`;

const videoUrl = buildSampleUrl('video.mp4');
const thumbnailUrl = buildSampleUrl('thumbnail.jpg');
const audioUrl = buildSampleUrl('audio.wav');
const srtUrl = buildSampleUrl('subtitles.srt');

export const videoSampleResult: IDataObject = {
	status: 'completed',
	title: 'Sample video {n}',
	created_at: createdAt,
	completed_at: completedAt,
	video_url: videoUrl,
	thumbnail_url: thumbnailUrl,
	gif_url: buildSampleUrl('preview.gif'),
	captioned_video_url: buildSampleUrl('captioned.mp4'),
	subtitle_url: srtUrl,
	duration: 2,
	folder_id: null,
	video_page_url: buildSampleUrl('page'),
};

const sampleMessages = [
	{ role: 'model', type: 'text', content: 'This is a sample reply.', created_at: createdAt },
];

export const sessionSampleResult: IDataObject = {
	status: 'completed',
	video_id: 'sample_video_{n}',
	created_at: createdAt,
	progress: 100,
	title: 'Sample video {n}',
	messages: sampleMessages,
};

export const chatSessionSampleResult: IDataObject = {
	...sessionSampleResult,
	status: 'reviewing',
	video_id: null,
	progress: 0,
};

export const modelVideoSampleResult: IDataObject = {
	status: 'completed',
	model: 'sample-model',
	created_at: createdAt,
	aspect_ratio: '16:9',
	width: 1366,
	height: 768,
	video_url: videoUrl,
	duration: 2,
	seed: 1,
	timings: { inference: 1 },
};

export const professionalVoiceSampleResult: IDataObject = {
	mode: 'professional',
	name: 'Sample voice {n}',
	language: 'en',
	status: 'ACTIVE',
	created_at: createdAt,
	failure_reason: null,
};

export const voiceCloneSampleResult: IDataObject = {
	support_pause: true,
	support_interactive_avatar: false,
	name: 'Sample voice {n}',
	language: 'English',
	gender: 'unknown',
	preview_audio_url: audioUrl,
	status: 'complete',
	failure_message: null,
	created_at: createdAt,
};

export const avatarLookSampleResult: IDataObject = {
	name: 'Sample look {n}',
	avatar_type: 'photo_avatar',
	group_id: 'sample_avatar_{n}',
	preview_image_url: thumbnailUrl,
	preview_video_url: videoUrl,
	gender: 'unknown',
	tags: [],
	default_voice_id: null,
	supported_api_engines: ['avatar_iv'],
	image_width: 1280,
	image_height: 720,
	preferred_orientation: 'landscape',
	status: 'completed',
	error: null,
};

export const avatarSampleResult: IDataObject = {
	id: 'sample_avatar_{n}',
	name: 'Sample avatar {n}',
	created_at: createdAt,
	looks_count: 1,
	preview_image_url: thumbnailUrl,
	preview_video_url: videoUrl,
	gender: 'unknown',
	default_voice_id: null,
	consent_status: 'approved',
	status: 'completed',
	error: null,
};

export const translationSampleResult: IDataObject = {
	status: 'completed',
	title: 'Sample translation {n}',
	input_language: 'English',
	output_language: 'German',
	translate_audio_only: false,
	duration: 2,
	video_url: videoUrl,
	audio_url: audioUrl,
	srt_caption_url: srtUrl,
	vtt_caption_url: buildSampleUrl('subtitles.vtt'),
	created_at: createdAt,
	callback_id: null,
	failure_message: null,
};

export const proofreadSampleResult: IDataObject = {
	status: 'completed',
	title: 'Sample proofread {n}',
	input_language: 'English',
	output_language: 'German',
	submitted_for_review: false,
	created_at: createdAt,
	failure_message: null,
};

export const lipsyncSampleResult: IDataObject = {
	status: 'completed',
	title: 'Sample lipsync {n}',
	video_url: videoUrl,
	caption_url: srtUrl,
	duration: 2,
	created_at: createdAt,
	callback_id: null,
	failure_message: null,
};

export const clippingSampleResult: IDataObject = {
	ai_clipping_id: 'sample_clipping_{n}',
	status: 'completed',
	title: 'Sample clips {n}',
	input_language: 'en',
	source_duration: 1800,
	output_settings: { aspect_ratio: 'portrait', captions: true },
	clips: [1, 2].map((clip) => ({
		id: `sample_clip_{n}_${clip}`,
		status: 'completed',
		title: `Sample clip ${clip}`,
		thumbnail_url: thumbnailUrl,
		video_url: buildSampleUrl(`clip-${clip}.mp4`),
		failure_message: null,
		duration_seconds: 2,
		virality_score: 90,
		aspect_ratio: 'portrait',
	})),
	progress: 100,
	callback_id: null,
	created_at: createdAt,
	failure_message: null,
};

export const brandKitSampleResult: IDataObject = {
	status: 'completed',
	name: 'Sample brand {n}',
	colors: ['#204060'],
	color_roles: { primary: '#204060' },
	logos: [{ logo_id: 'sample_logo_{n}', name: 'Logo', url: thumbnailUrl }],
	logo_roles: { primary: 'sample_logo_{n}' },
	fonts: [{ font_id: 'sample_font_{n}', name: 'Sample Sans' }],
	font_roles: { body_text: { font_id: 'sample_font_{n}', weight: 400 } },
};

export const compositionRenderSampleResult: IDataObject = {
	status: 'completed',
	title: 'Sample render {n}',
	callback_id: null,
	fps: 30,
	quality: 'standard',
	format: 'mp4',
	resolution: '1080p',
	aspect_ratio: '16:9',
	composition: 'index.html',
	video_url: videoUrl,
	thumbnail_url: thumbnailUrl,
	duration: 2,
	created_at: createdAt,
	completed_at: completedAt,
	failure_message: null,
};

export const backgroundRemovalSampleResult: IDataObject = {
	status: 'completed',
	layers: {
		foreground: buildSampleUrl('foreground.mp4'),
		background: buildSampleUrl('background.mp4'),
		mask: buildSampleUrl('mask.mp4'),
	},
	duration: 2,
	created_at: createdAt,
	completed_at: completedAt,
	error: null,
};

export const realtimeStreamSampleResult: IDataObject = {
	status: 'streaming',
	hls_url: buildSampleUrl('stream.m3u8'),
};

export const workflowRunSampleResult: IDataObject = {
	workflow: {
		id: 'sample_workflow_{n}',
		version_id: 'sample_version_{n}',
		version_number: 1,
	},
	status: 'succeeded',
	created_at: createdAt,
	started_at: createdAt,
	completed_at: completedAt,
	progress: {
		total: 1,
		pending: 0,
		processing: 0,
		succeeded: 1,
		failed: 0,
		skipped: 0,
		canceled: 0,
	},
	error: null,
	outputs: [
		{ name: 'Result', status: 'ready', type: 'text', delivery: 'inline', value: 'Sample output' },
	],
};

export const speechSampleResult: IDataObject = { audio_url: audioUrl, duration: 1 };
