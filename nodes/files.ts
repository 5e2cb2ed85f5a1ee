/** The files of results: where a reading holds their addresses (docs/service.md, Files and assets). */
import type { ResultFile } from './core/files/results';
import { textOf } from './core/json';

const film: ResultFile = {
	value: 'video',
	name: 'Video',
	description: 'The finished video',
	key: 'video_url',
	extension: 'mp4',
	mimeType: 'video/mp4',
};

const thumbnail: ResultFile = {
	value: 'thumbnail',
	name: 'Thumbnail',
	description: 'A still picture',
	key: 'thumbnail_url',
	extension: 'jpg',
	mimeType: 'image/jpeg',
};

/** The spoken words with times, as most programs take them. */
const subtitle: ResultFile = {
	value: 'subtitle',
	name: 'Subtitle (SRT)',
	description: 'The spoken words with times',
	key: 'subtitle_url',
	extension: 'srt',
	mimeType: 'application/x-subrip',
};

export const videoFiles: readonly ResultFile[] = [
	film,
	{
		...film,
		value: 'captioned',
		name: 'Video With Captions',
		description: 'The video with the words in the picture; captions must be switched on for it',
		key: 'captioned_video_url',
	},
	subtitle,
	thumbnail,
	{
		value: 'gif',
		name: 'GIF',
		description: 'A short preview that moves',
		key: 'gif_url',
		extension: 'gif',
		mimeType: 'image/gif',
	},
];

export const modelVideoFiles: readonly ResultFile[] = [film];

export const translationFiles: readonly ResultFile[] = [
	{ ...film, description: 'The translated video' },
	{
		value: 'audio',
		name: 'Audio',
		description: 'The translated sound',
		key: 'audio_url',
		extension: 'wav',
		mimeType: 'audio/wav',
	},
	{ ...subtitle, description: 'The translated words with times', key: 'srt_caption_url' },
	{
		value: 'vtt',
		name: 'Subtitle (VTT)',
		description: 'The same words, as browsers like them',
		key: 'vtt_caption_url',
		extension: 'vtt',
		mimeType: 'text/vtt',
	},
];

export const proofreadFiles: readonly ResultFile[] = [
	{
		...subtitle,
		value: 'translated',
		name: 'Translated Subtitles',
		description: 'The words to correct',
		key: 'srt_url',
	},
	{
		...subtitle,
		value: 'original',
		name: 'Original Subtitles',
		description: 'The words of the video as it is',
		key: 'original_srt_url',
	},
];

export const lipsyncFiles: readonly ResultFile[] = [film, { ...subtitle, key: 'caption_url' }];

export const clipFiles: readonly ResultFile[] = [{ ...film, description: 'The clip' }, thumbnail];

/** By the format that the render was asked for. */
const renderTypes: Record<string, string> = {
	mp4: 'video/mp4',
	webm: 'video/webm',
	mov: 'video/quicktime',
};

export const renderFiles: readonly ResultFile[] = [
	{
		...film,
		typeIn(reading) {
			const extension = textOf(reading.format) ?? 'mp4';
			return { extension, mimeType: renderTypes[extension] ?? 'application/octet-stream' };
		},
	},
];

/** Layers come as WebM, MP4 or other. */
const layer = { extension: 'mp4', mimeType: 'video/mp4' };

export const layerFiles: readonly ResultFile[] = [
	{
		...layer,
		value: 'foreground',
		name: 'Foreground',
		description: 'The people, cut out',
		key: 'layers.foreground',
	},
	{
		...layer,
		value: 'background',
		name: 'Background',
		description: 'What is behind the people',
		key: 'layers.background',
	},
	{
		...layer,
		value: 'mask',
		name: 'Mask',
		description: 'Where the people are, in black and white',
		key: 'layers.mask',
	},
];
