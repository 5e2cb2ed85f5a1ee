import { operation } from '../../core/operation';
import {
	defineDownload,
	createFileNameField,
	createFilesField,
	findFileOfJob,
	outputBinaryField,
} from '../../fields/download';
import { video } from '../../fields/video';
import { videoFiles } from '../../jobs/files';
import { videoJob } from '../../jobs/catalog';

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a video or its subtitles',
	description: 'Put the video, and others of its files, into binary fields',
	request: 'GET /v3/videos/{video_id}',
	fields: [{ ...video, required: true }, createFilesField(videoFiles, 'video'), outputBinaryField],
	options: [createFileNameField('welcome.mp4', 'the ID of the video')],
	...defineDownload(
		videoJob,
		videoFiles,
		findFileOfJob(
			videoJob,
			'It was made without this file. Captions, for instance, must be asked for when the video is created.',
		),
	),
});
