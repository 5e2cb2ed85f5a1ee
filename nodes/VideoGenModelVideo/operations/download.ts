import { operation } from '../../core/operation';
import { fileIn, waitOr } from '../../core/files/results';
import { downloads, fileName, outputField } from '../../fields/download';
import { modelVideoId } from '../../fields/modelVideo';
import { modelVideoFiles } from '../../files';
import { modelVideoJob } from '../../jobs';

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a short video',
	description: 'Put the finished video into a binary field',
	request: 'GET /v3/models/videos/{video_id}',
	fields: [modelVideoId, outputField],
	options: [fileName('boat.mp4', 'the ID of the video')],
	...downloads(modelVideoJob, modelVideoFiles, (reading, file, id) =>
		fileIn(reading, file, id, {
			problem: `Model video ${id} has no file: its ${file.key} is empty`,
			advice: waitOr(modelVideoJob, reading, 'Read it again a little later.'),
		}),
	),
});
