import { operation } from '../../core/operation';
import { fileOfJob } from '../../core/files/results';
import { downloads, fileName, filesField, outputField } from '../../fields/download';
import { video } from '../../fields/video';
import { videoFiles } from '../../files';
import { videoJob } from '../../jobs';

type Wanted = { video_id: string };

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a video or its subtitles',
	description: 'Put the video, and others of its files, into binary fields',
	request: 'GET /v3/videos/{video_id}',
	fields: [{ ...video, required: true }, filesField(videoFiles, 'video'), outputField],
	options: [
		{
			...fileName,
			placeholder: 'e.g. welcome.mp4',
			description: 'The name of the file; without it the ID of the video',
		},
	],
	...downloads(videoJob, videoFiles, (reading, file, { video_id }: Wanted) =>
		fileOfJob(
			videoJob,
			reading,
			file,
			video_id,
			'It was made without this file. Captions, for instance, must be asked for when the video is created.',
		),
	),
});
