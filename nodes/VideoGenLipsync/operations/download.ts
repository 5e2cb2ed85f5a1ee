import { operation } from '../../core/operation';
import { downloads, fileName, filesField, inJob, outputField } from '../../fields/download';
import { lipsync } from '../../fields/lipsync';
import { lipsyncFiles } from '../../files';
import { lipsyncJob } from '../../jobs';

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a lipsynced video',
	description: 'Put the finished video or its subtitles into binary fields',
	request: 'GET /v3/lipsyncs/{lipsync_id}',
	fields: [{ ...lipsync, required: true }, filesField(lipsyncFiles, 'lipsync'), outputField],
	options: [fileName()],
	...downloads(lipsyncJob, lipsyncFiles, inJob(lipsyncJob)),
});
