import { fileNameField } from '../../core/form/commonFields';
import { defineOperation } from '../../core/operation';
import { findResultFile, explainMissingFile } from '../../core/jobs/finishedItem';
import { defineDownloadExecution, outputBinaryField } from '../../fields/download';
import { modelVideoIdField } from '../modelVideo';
import { modelVideoResultFiles } from '../../jobKinds/files';
import { modelVideoJob } from '../../jobKinds/catalog';

export const download = defineOperation({
	value: 'download',
	name: 'Download',
	action: 'Download short video',
	description: 'Download the finished video into a binary field',
	request: 'GET /v3/models/videos/{video_id}',
	returns: ['status', 'video_url', 'duration'],
	fields: [modelVideoIdField, outputBinaryField],
	options: [fileNameField],
	...defineDownloadExecution(modelVideoJob, modelVideoResultFiles, (response, file, id) =>
		findResultFile(response, file, id, {
			problem: `Model video ${id} has no file: its ${file.key} is empty`,
			...explainMissingFile(modelVideoJob, response, 'Try again later.'),
		}),
	),
});
