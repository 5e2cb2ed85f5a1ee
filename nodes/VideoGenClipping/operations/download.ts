import { objectsOf, textOf } from '../../core/json';
import { operation } from '../../core/operation';
import { fileIn, waitOr } from '../../core/files/results';
import { clip, clipping } from '../../fields/clipping';
import { downloads, fileName, filesField, outputField } from '../../fields/download';
import { clipFiles } from '../../files';
import { clippingJob } from '../../jobs';
import { clipOf } from '../clips';

type Wanted = { clip_id: string };

export const download = operation({
	value: 'download',
	name: 'Download Clip',
	action: 'Download a clip',
	description: 'Put one clip, and its still picture, into binary fields',
	request: 'GET /v3/ai-clipping/{job_id}',
	fields: [clipping, clip, filesField(clipFiles, 'clip'), outputField],
	options: [fileName('clip.mp4', 'the ID of the clip')],
	...downloads(clippingJob, clipFiles, (reading, file, job_id, { clip_id }: Wanted) => {
		const chosen = objectsOf(reading.clips).find(({ id }) => String(id) === clip_id);
		if (!chosen) {
			return {
				problem: `Clipping job ${job_id} has no clip ${clip_id}`,
				advice: waitOr(
					clippingJob,
					reading,
					'Choose one of its clips from the list, or read them with the operation Get.',
				),
			};
		}
		const reason = textOf(chosen.failure_message);
		const found = fileIn(chosen, file, clip_id, {
			problem: `Clip ${clip_id} has no such file: its ${file.key} is empty`,
			advice: waitOr(
				clippingJob,
				chosen.status === undefined ? reading : chosen,
				reason === undefined
					? 'It was made without this file.'
					: `The service could not make it: ${reason}`,
			),
		});
		return { ...found, json: clipOf(reading, chosen) };
	}),
});
