import { operation } from '../../core/operation';
import { fileIn, waitOr } from '../../core/files/results';
import { backgroundRemoval } from '../../fields/backgroundRemoval';
import { downloads, fileName, filesField, outputField } from '../../fields/download';
import { layerFiles } from '../../files';
import { backgroundRemovalJob } from '../../jobs';

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a film without its background',
	description: 'Put layers of the finished result into binary fields',
	request: 'GET /v3/background-removals/{job_id}',
	fields: [
		{ ...backgroundRemoval, required: true },
		{ ...filesField(layerFiles, 'result'), displayName: 'Layers' },
		outputField,
	],
	options: [fileName('speaker.webm', 'the ID of the job and the layer')],
	...downloads(backgroundRemovalJob, layerFiles, (reading, file, id) =>
		fileIn(reading, file, `${id}_${file.value}`, {
			problem: `Background removal ${id} has no layer "${file.value}"`,
			advice: waitOr(
				backgroundRemovalJob,
				reading,
				'It was made without this layer. Layers must be asked for when it is created.',
			),
		}),
	),
});
