/**
 * Defines the files that each kind of job produces, and the keys in the status response that
 * contain their URLs (service.md, Files and assets).
 */
import type { ResultFileType } from '../core/jobs/types';
import { getOwnProperty, readText } from '../core/json';

const videoFile: ResultFileType = {
	value: 'video',
	name: 'Video',
	description: 'The finished video',
	key: 'video_url',
	extension: 'mp4',
	mimeType: 'video/mp4',
};

const thumbnailFile: ResultFileType = {
	value: 'thumbnail',
	name: 'Thumbnail',
	description: 'A still picture',
	key: 'thumbnail_url',
	extension: 'jpg',
	mimeType: 'image/jpeg',
};

const subtitleFile: ResultFileType = {
	value: 'subtitle',
	name: 'Subtitle (SRT)',
	description: 'The spoken words with timestamps',
	key: 'subtitle_url',
	extension: 'srt',
	mimeType: 'application/x-subrip',
};

export const videoResultFiles: readonly ResultFileType[] = [
	{ ...videoFile, description: 'The finished video, without burned-in captions' },
	{
		...videoFile,
		value: 'captioned',
		name: 'Video With Captions',
		description: 'The video with burned-in captions',
		includesKindInName: true,
		key: 'captioned_video_url',
	},
	subtitleFile,
	thumbnailFile,
	{
		value: 'gif',
		name: 'GIF',
		description: 'A short animated preview',
		key: 'gif_url',
		extension: 'gif',
		mimeType: 'image/gif',
	},
];

/** Result files that exist only if the video contains speech, identified by their `value`. */
const captionFiles: readonly string[] = ['captioned', 'subtitle'];

/** Files of a cinematic video, which contains no speech. */
export const cinematicResultFiles = videoResultFiles.filter(
	({ value }) => !captionFiles.includes(value),
);

export const modelVideoResultFiles: readonly ResultFileType[] = [videoFile];

export const translationResultFiles: readonly ResultFileType[] = [
	{ ...videoFile, description: 'The translated video' },
	{
		value: 'audio',
		name: 'Audio',
		description: 'The translated audio',
		key: 'audio_url',
		extension: 'wav',
		mimeType: 'audio/wav',
	},
	{ ...subtitleFile, description: 'The translated words with timestamps', key: 'srt_caption_url' },
	{
		value: 'vtt',
		name: 'Subtitle (VTT)',
		description: 'The translated words in WebVTT, the subtitle format for browsers',
		key: 'vtt_caption_url',
		extension: 'vtt',
		mimeType: 'text/vtt',
	},
];

export const proofreadResultFiles: readonly ResultFileType[] = [
	{
		...subtitleFile,
		value: 'translated',
		name: 'Translated Subtitles',
		description: 'The subtitles to correct',
		key: 'srt_url',
	},
	{
		...subtitleFile,
		value: 'original',
		name: 'Original Subtitles',
		description: 'The current transcript of the video',
		includesKindInName: true,
		languageKey: 'input_language',
		key: 'original_srt_url',
	},
];

export const lipsyncResultFiles: readonly ResultFileType[] = [
	videoFile,
	{ ...subtitleFile, key: 'caption_url' },
];

export const clipResultFiles: readonly ResultFileType[] = [
	{ ...videoFile, description: 'The clip' },
	thumbnailFile,
];

/** Media type of each output format of a rendered composition. */
const renderTypes: Record<string, string> = {
	mp4: 'video/mp4',
	webm: 'video/webm',
	mov: 'video/quicktime',
};

export const compositionRenderResultFiles: readonly ResultFileType[] = [
	{
		...videoFile,
		readType(response) {
			const extension = readText(response.format) ?? 'mp4';
			return {
				extension,
				mimeType: getOwnProperty(renderTypes, extension) ?? 'application/octet-stream',
			};
		},
	},
];

/**
 * Default file type of the video layers that a background removal creates. The service does not
 * report whether a layer is WebM, MP4 or another format.
 */
const layerFile = { extension: 'mp4', mimeType: 'video/mp4', includesKindInName: true };

export const backgroundRemovalResultFiles: readonly ResultFileType[] = [
	{
		...layerFile,
		value: 'foreground',
		name: 'Foreground',
		description: 'The people, cut out',
		key: 'layers.foreground',
	},
	{
		...layerFile,
		value: 'background',
		name: 'Background',
		description: 'The background behind the people',
		key: 'layers.background',
	},
	{
		...layerFile,
		value: 'mask',
		name: 'Mask',
		description: 'A black-and-white mask of the people',
		key: 'layers.mask',
	},
];
