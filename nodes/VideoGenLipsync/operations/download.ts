import { fileNameField } from '../../core/form/commonFields';
import { defineOperation } from '../../core/operation';
import {
	defineDownloadExecution,
	createDownloadSelectionField,
	createJobFileFinder,
	outputBinaryField,
} from '../../fields/download';
import { lipsyncJobField } from '../lipsync';
import { lipsyncResultFiles } from '../../jobKinds/files';
import { lipsyncJob } from '../../jobKinds/catalog';

export const download = defineOperation({
	value: 'download',
	name: 'Download',
	action: 'Download lipsynced video',
	description: 'Download the finished video or its subtitles into binary fields',
	request: 'GET /v3/lipsyncs/{lipsync_id}',
	returns: ['status', 'video_url', 'caption_url'],
	fields: [
		{ ...lipsyncJobField, required: true },
		createDownloadSelectionField(lipsyncResultFiles, 'lipsync'),
		outputBinaryField,
	],
	options: [fileNameField],
	...defineDownloadExecution(lipsyncJob, lipsyncResultFiles, createJobFileFinder(lipsyncJob)),
});
