import { operation } from '../../core/operation';
import { downloads, fileName, filesField, inJob, outputField } from '../../fields/download';
import { translation } from '../../fields/translation';
import { translationFiles } from '../../files';
import { translationJob } from '../../jobs';

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a translated video or its subtitles',
	description: 'Put the translated video, its sound or its subtitles into binary fields',
	request: 'GET /v3/video-translations/{video_translation_id}',
	fields: [
		{ ...translation, required: true },
		filesField(translationFiles, 'translation'),
		outputField,
	],
	options: [fileName()],
	...downloads(
		translationJob,
		translationFiles,
		inJob(
			translationJob,
			'It was made without this file. A translation of the sound alone, for instance, has no video.',
		),
	),
});
