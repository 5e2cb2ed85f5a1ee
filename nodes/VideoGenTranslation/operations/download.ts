import { operation } from '../../core/operation';
import { fileOfJob } from '../../core/files/results';
import { downloads, fileName, filesField, outputField } from '../../fields/download';
import { translation } from '../../fields/translation';
import { translationFiles } from '../../files';
import { translationJob } from '../../jobs';

type Wanted = { video_translation_id: string };

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
	options: [fileName],
	...downloads(translationJob, translationFiles, (reading, file, wanted: Wanted) =>
		fileOfJob(
			translationJob,
			reading,
			file,
			wanted.video_translation_id,
			'It was made without this file. A translation of the sound alone, for instance, has no video.',
		),
	),
});
