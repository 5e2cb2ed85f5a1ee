import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { operationError } from '../../core/errors';
import { download as downloadFile } from '../../core/file';
import { operation } from '../../core/operation';
import { render } from '../../fields/render';

/** By the format that the render was asked for, if the storage does not tell. */
const mimeTypes: Record<string, string> = {
	mp4: 'video/mp4',
	webm: 'video/webm',
	mov: 'video/quicktime',
};

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a composition render',
	description: 'Put the rendered file into a binary field',
	request: 'GET /v3/hyperframes/renders/{render_id}',
	fields: [
		{ ...render, required: true },
		{
			displayName: 'Put Output File in Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			hint: 'The name of the output binary field to put the file in',
			description: 'The name of the binary field',
			schema: z.string().min(1),
			in: 'local',
		},
	],
	options: [
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. intro.mp4',
			description: 'The name of the file; without it the ID of the composition render',
			schema: z.string().min(1),
			in: 'local',
		},
	],
	async execute({ n8n, client }, values) {
		let read: IDataObject = {};
		const binary = await downloadFile(n8n, client, async () => {
			// Read anew for every try, because the addresses expire.
			read = await client.data({
				line: 'GET /v3/hyperframes/renders/{render_id}',
				path: { render_id: values.render_id },
			});
			const { video_url: url } = read;
			const status = String(read.status);
			if (typeof url !== 'string' || url === '') {
				throw operationError(
					client.node,
					`Composition render ${values.render_id} has no file`,
					status === 'failed'
						? `It failed: ${String(read.failure_message ?? 'the service gave no reason')}. Mend the project and render it again.`
						: `Its status is "${status}". Wait until it is completed.`,
					{ job: { kind: 'render', id: values.render_id }, status },
				);
			}
			const format = typeof read.format === 'string' ? read.format : 'mp4';
			return {
				url,
				fileName: values.fileName ?? `${values.render_id}.${format}`,
				mimeType: mimeTypes[format] ?? 'application/octet-stream',
			};
		});
		return [{ json: read, binary: { [values.binaryPropertyName]: binary } }];
	},
});
