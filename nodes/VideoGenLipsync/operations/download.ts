import { operation } from '../../core/operation';
import { fileOfJob } from '../../core/files/results';
import { downloads, fileName, filesField, outputField } from '../../fields/download';
import { lipsync } from '../../fields/lipsync';
import { lipsyncFiles } from '../../files';
import { lipsyncJob } from '../../jobs';

type Wanted = { lipsync_id: string };

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a lipsynced video',
	description: 'Put the finished video or its subtitles into binary fields',
	request: 'GET /v3/lipsyncs/{lipsync_id}',
	fields: [{ ...lipsync, required: true }, filesField(lipsyncFiles, 'lipsync'), outputField],
	options: [{ ...fileName, placeholder: 'e.g. welcome.mp4' }],
	...downloads(lipsyncJob, lipsyncFiles, (reading, file, { lipsync_id }: Wanted) =>
		fileOfJob(lipsyncJob, reading, file, lipsync_id),
	),
});
