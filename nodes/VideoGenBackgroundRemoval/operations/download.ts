import { fileNameField } from '../../core/form/commonFields';
import { defineOperation } from '../../core/operation';
import { findResultFile, explainMissingFile } from '../../core/jobs/finishedItem';
import { backgroundRemovalJobField } from '../backgroundRemoval';
import {
	defineDownloadExecution,
	createDownloadSelectionField,
	outputBinaryField,
} from '../../fields/download';
import { backgroundRemovalResultFiles } from '../../jobKinds/files';
import { backgroundRemovalJob } from '../../jobKinds/catalog';

export const download = defineOperation({
	value: 'download',
	name: 'Download',
	action: 'Download video without its background',
	description: 'Download the layers of a finished background removal into binary fields',
	request: 'GET /v3/background-removals/{job_id}',
	returns: ['status', 'layers'],
	fields: [
		{ ...backgroundRemovalJobField, required: true },
		{
			...createDownloadSelectionField(backgroundRemovalResultFiles, 'result'),
			displayName: 'Layers',
		},
		outputBinaryField,
	],
	options: [fileNameField],
	...defineDownloadExecution(
		backgroundRemovalJob,
		backgroundRemovalResultFiles,
		(response, file, id) =>
			findResultFile(response, file, id, {
				problem: `Background removal ${id} has no layer "${file.value}"`,
				...explainMissingFile(
					backgroundRemovalJob,
					response,
					'The background removal was created without this layer. To get the layer, create another background removal and select the layer under Layers.',
				),
			}),
	),
});
