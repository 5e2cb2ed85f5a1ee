import { readObjects, readText } from '../../core/json';
import { operation } from '../../core/operation';
import { findFile, adviseOnMissingFile } from '../../core/jobs/resultFiles';
import { clip, clipping } from '../clipping';
import {
	defineDownload,
	createFileNameField,
	createFilesField,
	outputBinaryField,
} from '../../fields/download';
import { clipFiles } from '../../jobs/files';
import { clippingJob } from '../../jobs/catalog';
import { createClipItem } from '../clips';

type ClipChoice = { clip_id: string };

export const download = operation({
	value: 'download',
	name: 'Download Clip',
	action: 'Download a clip',
	description: 'Put one clip, and its still picture, into binary fields',
	request: 'GET /v3/ai-clipping/{job_id}',
	fields: [clipping, clip, createFilesField(clipFiles, 'clip'), outputBinaryField],
	options: [createFileNameField('clip.mp4', 'the ID of the clip')],
	...defineDownload(clippingJob, clipFiles, (reading, file, job_id, { clip_id }: ClipChoice) => {
		const chosen = readObjects(reading.clips).find(({ id }) => String(id) === clip_id);
		if (!chosen) {
			return {
				problem: `Clipping job ${job_id} has no clip ${clip_id}`,
				advice: adviseOnMissingFile(
					clippingJob,
					reading,
					'Choose one of its clips from the list, or read them with the operation Get.',
				),
			};
		}
		const reason = readText(chosen.failure_message);
		const found = findFile(chosen, file, clip_id, {
			problem: `Clip ${clip_id} has no such file: its ${file.key} is empty`,
			advice: adviseOnMissingFile(
				clippingJob,
				chosen.status === undefined ? reading : chosen,
				reason === undefined
					? 'It was made without this file.'
					: `The service could not make it: ${reason}`,
			),
		});
		return { ...found, json: createClipItem(reading, chosen) };
	}),
});
