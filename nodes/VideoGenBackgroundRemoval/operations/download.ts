import { z } from 'zod';
import { objectOf } from '../../core/json';
import { operation } from '../../core/operation';
import { backgroundRemoval } from '../../fields/backgroundRemoval';
import { downloads, fileIn, fileName, outputField, waitOr } from '../../fields/download';
import { backgroundRemovalJob } from '../../jobs';

type Wanted = { job_id: string; layer: string };

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a film without its background',
	description: 'Put one layer of the finished result into a binary field',
	request: 'GET /v3/background-removals/{job_id}',
	fields: [
		{ ...backgroundRemoval, required: true },
		{
			displayName: 'Layer',
			name: 'layer',
			type: 'options',
			options: [
				{ name: 'Background', value: 'background', description: 'What is behind the people' },
				{ name: 'Foreground', value: 'foreground', description: 'The people, cut out' },
				{ name: 'Mask', value: 'mask', description: 'Where the people are, in black and white' },
			],
			default: 'foreground',
			required: true,
			description: 'Which layer to download',
			schema: z.enum(['foreground', 'mask', 'background']),
			in: 'local',
		},
		outputField,
	],
	options: [
		{
			...fileName,
			placeholder: 'e.g. speaker.webm',
			description: 'The name of the file; without it the ID of the job and the layer',
		},
	],
	...downloads(backgroundRemovalJob, (read, { job_id: id, layer }: Wanted) => ({
		json: read,
		...fileIn(
			objectOf(read.layers),
			// Layers come as WebM, MP4 or other.
			{ key: layer, extension: 'mp4', mimeType: 'video/mp4' },
			`${id}_${layer}`,
			{
				problem: `Background removal ${id} has no layer "${layer}"`,
				advice: waitOr(
					backgroundRemovalJob,
					read,
					'It was made without this layer. Layers must be asked for when it is created.',
				),
			},
		),
	})),
});
