import { operation } from '../../core/operation';
import { downloads, fileIn, fileName, outputField, videoFile, waitOr } from '../../fields/download';
import { modelVideoId } from '../../fields/modelVideo';
import { modelVideoJob } from '../../jobs';

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a short video',
	description: 'Put the finished video into a binary field',
	request: 'GET /v3/models/videos/{video_id}',
	fields: [modelVideoId, outputField],
	options: [
		{
			...fileName,
			placeholder: 'e.g. boat.mp4',
			description: 'The name of the file; without it the ID of the video',
		},
	],
	...downloads(modelVideoJob, (read, { video_id: id }: { video_id: string }) =>
		fileIn(read, videoFile, id, {
			problem: `Model video ${id} has no file: its ${videoFile.key} is empty`,
			advice: waitOr(modelVideoJob, read, 'Read it again a little later.'),
		}),
	),
});
