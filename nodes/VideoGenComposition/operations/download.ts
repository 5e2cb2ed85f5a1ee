import { fileNameField } from '../../core/form/commonFields';
import { defineOperation } from '../../core/operation';
import { findResultFile, explainMissingFile } from '../../core/jobs/finishedItem';
import { defineDownloadExecution, outputBinaryField } from '../../fields/download';
import { compositionRenderField } from '../render';
import { compositionRenderResultFiles } from '../../jobKinds/files';
import { compositionRenderJob } from '../../jobKinds/catalog';

export const download = defineOperation({
	value: 'download',
	name: 'Download',
	action: 'Download rendered composition',
	description: 'Download the rendered file into a binary field',
	request: 'GET /v3/hyperframes/renders/{render_id}',
	returns: ['status', 'video_url'],
	fields: [{ ...compositionRenderField, required: true }, outputBinaryField],
	options: [fileNameField],
	...defineDownloadExecution(
		compositionRenderJob,
		compositionRenderResultFiles,
		(response, file, id) =>
			findResultFile(response, file, id, {
				problem: `Composition render ${id} has no file: its ${file.key} is empty`,
				...explainMissingFile(
					compositionRenderJob,
					response,
					'The render produced no file. Create a new render.',
				),
			}),
	),
});
