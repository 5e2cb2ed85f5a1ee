import { z } from 'zod';
import { operation } from '../../core/operation';
import {
	downloads,
	fileName,
	fileOfJob,
	outputField,
	srtFile,
	thumbnailFile,
	videoFile,
} from '../../fields/download';
import { video } from '../../fields/video';
import { videoJob } from '../../jobs';

/** The files of a video: the field with the address, and what the file is if nothing tells. */
const files = {
	video: videoFile,
	captioned: { ...videoFile, key: 'captioned_video_url' },
	subtitle: srtFile('subtitle_url'),
	thumbnail: thumbnailFile,
	gif: { key: 'gif_url', extension: 'gif', mimeType: 'image/gif' },
} as const;

type Wanted = { video_id: string; file?: keyof typeof files };

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a video or its subtitles',
	description: 'Put the video, or another of its files, into a binary field',
	request: 'GET /v3/videos/{video_id}',
	fields: [
		{ ...video, required: true },
		{
			displayName: 'File',
			name: 'file',
			type: 'options',
			options: [
				{ name: 'GIF', value: 'gif', description: 'A short preview that moves' },
				{ name: 'Subtitle', value: 'subtitle', description: 'The spoken words with times (SRT)' },
				{ name: 'Thumbnail', value: 'thumbnail', description: 'A still picture' },
				{ name: 'Video', value: 'video', description: 'The finished video' },
				{
					name: 'Video With Captions',
					value: 'captioned',
					description: 'The video with the words in the picture',
				},
			],
			default: 'video',
			description: 'Which file of the video to download',
			schema: z.enum(['video', 'captioned', 'subtitle', 'thumbnail', 'gif']),
			in: 'local',
		},
		outputField,
	],
	options: [
		{
			...fileName,
			placeholder: 'e.g. welcome.mp4',
			description: 'The name of the file; without it the ID of the video',
		},
	],
	...downloads(videoJob, (read, { video_id, file = 'video' }: Wanted) =>
		fileOfJob(
			videoJob,
			read,
			files[file],
			video_id,
			'It was made without this file. Captions, for instance, must be asked for when the video is created.',
		),
	),
});
