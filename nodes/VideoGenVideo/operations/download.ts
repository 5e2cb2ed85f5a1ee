import { operation } from '../../core/operation';
import { downloads, fileName, filesField, inJob, outputField } from '../../fields/download';
import { video } from '../../fields/video';
import { videoFiles } from '../../files';
import { videoJob } from '../../jobs';

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a video or its subtitles',
	description: 'Put the video, and others of its files, into binary fields',
	request: 'GET /v3/videos/{video_id}',
	fields: [{ ...video, required: true }, filesField(videoFiles, 'video'), outputField],
	options: [fileName('welcome.mp4', 'the ID of the video')],
	...downloads(
		videoJob,
		videoFiles,
		inJob(
			videoJob,
			'It was made without this file. Captions, for instance, must be asked for when the video is created.',
		),
	),
});
