import { fileNameField } from '../../core/form/commonFields';
import { defineOperation } from '../../core/operation';
import {
	defineDownloadExecution,
	createDownloadSelectionField,
	createJobFileFinder,
	outputBinaryField,
} from '../../fields/download';
import { videoField } from '../../fields/video';
import { videoResultFiles } from '../../jobKinds/files';
import { videoJob } from '../../jobKinds/catalog';

export const download = defineOperation({
	value: 'download',
	name: 'Download',
	action: 'Download video or its subtitles',
	description: 'Download a video and its other files into binary fields',
	request: 'GET /v3/videos/{video_id}',
	returns: ['status', 'title', 'video_url', 'duration'],
	fields: [
		{ ...videoField, required: true },
		createDownloadSelectionField(videoResultFiles, 'video'),
		outputBinaryField,
	],
	options: [fileNameField],
	...defineDownloadExecution(
		videoJob,
		videoResultFiles,
		createJobFileFinder(
			videoJob,
			'The result was created without this file. For example, captions must be requested when the video is created.',
		),
	),
});
