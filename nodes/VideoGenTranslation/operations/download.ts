import { operation } from '../../core/operation';
import {
	defineDownload,
	createFileNameField,
	createFilesField,
	findFileOfJob,
	outputBinaryField,
} from '../../fields/download';
import { translation } from '../translation';
import { translationFiles } from '../../jobs/files';
import { translationJob } from '../../jobs/catalog';

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a translated video or its subtitles',
	description: 'Put the translated video, its sound or its subtitles into binary fields',
	request: 'GET /v3/video-translations/{video_translation_id}',
	fields: [
		{ ...translation, required: true },
		createFilesField(translationFiles, 'translation'),
		outputBinaryField,
	],
	options: [createFileNameField()],
	...defineDownload(
		translationJob,
		translationFiles,
		findFileOfJob(
			translationJob,
			'It was made without this file. A translation of the sound alone, for instance, has no video.',
		),
	),
});
