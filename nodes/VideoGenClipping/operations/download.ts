import { readObjects, readText, toText } from '../../core/json';
import { fileNameField } from '../../core/form/commonFields';
import { defineOperation } from '../../core/operation';
import { findResultFile, explainMissingFile } from '../../core/jobs/finishedItem';
import { clipField, clippingJobField } from '../clipping';
import {
	defineDownloadExecution,
	createDownloadSelectionField,
	outputBinaryField,
} from '../../fields/download';
import { clipResultFiles } from '../../jobKinds/files';
import { clippingJob } from '../../jobKinds/catalog';
import { createClipJson } from '../../shared/clips';

type ClipChoice = { clip_id: string };

export const download = defineOperation({
	value: 'download',
	name: 'Download Clip',
	action: 'Download clip',
	description: 'Download the files of a clip into binary fields',
	request: 'GET /v3/ai-clipping/{job_id}',
	returns: ['clip_id', 'title', 'video_url'],
	fields: [
		clippingJobField,
		clipField,
		createDownloadSelectionField(clipResultFiles, 'clip'),
		outputBinaryField,
	],
	options: [fileNameField],
	...defineDownloadExecution(
		clippingJob,
		clipResultFiles,
		(response, file, job_id, { clip_id }: ClipChoice) => {
			const clipData = readObjects(response.clips).find(({ id }) => toText(id) === clip_id);
			if (!clipData) {
				return {
					problem: `Clipping job ${job_id} has no clip ${clip_id}`,
					advice: explainMissingFile(
						clippingJob,
						response,
						"Select one of this job's clips from the list, or get the clips with the Get operation.",
					).advice,
				};
			}
			const reason = readText(clipData.failure_message);
			const location = findResultFile(clipData, file, clip_id, {
				problem: `Clip ${clip_id} does not have this file: its ${file.key} is empty`,
				...explainMissingFile(
					clippingJob,
					clipData.status === undefined ? response : clipData,
					reason === undefined
						? 'The result was created without this file.'
						: `The service could not create the file: ${reason}`,
				),
			});
			return { ...location, json: createClipJson(response, clipData) };
		},
	),
});
