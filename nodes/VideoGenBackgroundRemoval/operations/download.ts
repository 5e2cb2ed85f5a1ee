import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { operationError } from '../../core/errors';
import { download as downloadFile } from '../../core/file';
import { operation } from '../../core/operation';
import { outputField } from '../../fields/asset';
import { backgroundRemoval } from '../../fields/backgroundRemoval';

/** The extension in the path of an address: layers come as WebM, MP4 or other. */
const extensionOf = (url: string) => /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase();

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a layer of a background removal',
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
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. speaker.webm',
			description: 'The name of the file; without it the ID of the job and the layer',
			schema: z.string().min(1),
			in: 'local',
		},
	],
	async execute({ n8n, client }, values) {
		const { job_id: id, layer } = values;
		let read: IDataObject = {};
		const binary = await downloadFile(n8n, client, async () => {
			// Read anew for every try, because the addresses expire.
			read = await client.data({
				line: 'GET /v3/background-removals/{job_id}',
				path: { job_id: id },
			});
			const url = ((read.layers ?? {}) as IDataObject)[layer];
			if (typeof url !== 'string' || url === '') {
				throw operationError(
					client.node,
					`Background removal ${id} has no layer "${layer}"`,
					read.status === 'completed'
						? 'It was made without this layer. Layers must be asked for when it is created.'
						: `Its status is "${String(read.status)}". Wait until it is completed.`,
					{ job: { kind: 'background_removal', id }, status: String(read.status) },
				);
			}
			return {
				url,
				fileName: values.fileName ?? `${id}_${layer}.${extensionOf(url) ?? 'mp4'}`,
				mimeType: 'video/mp4',
			};
		});
		return [{ json: read, binary: { [values.binaryPropertyName]: binary } }];
	},
});
