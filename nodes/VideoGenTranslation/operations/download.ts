import { fileNameField } from '../../core/form/commonFields';
import { defineOperation } from '../../core/operation';
import {
	defineDownloadExecution,
	createDownloadSelectionField,
	createJobFileFinder,
	outputBinaryField,
} from '../../fields/download';
import { translationJobField } from '../translation';
import { translationResultFiles } from '../../jobKinds/files';
import { translationJob } from '../../jobKinds/catalog';

export const download = defineOperation({
	value: 'download',
	name: 'Download',
	action: 'Download translated video or its subtitles',
	description: 'Download the translated video, its audio or its subtitles into binary fields',
	request: 'GET /v3/video-translations/{video_translation_id}',
	returns: ['status', 'output_language', 'video_url'],
	fields: [
		{ ...translationJobField, required: true },
		createDownloadSelectionField(translationResultFiles, 'translation'),
		outputBinaryField,
	],
	options: [fileNameField],
	...defineDownloadExecution(
		translationJob,
		translationResultFiles,
		createJobFileFinder(
			translationJob,
			'The result was created without this file. For example, an audio-only translation has no video.',
		),
	),
});
