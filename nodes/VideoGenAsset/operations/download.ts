import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { operationError } from '../../core/errors';
import { download as downloadFile } from '../../core/file';
import { operation } from '../../core/operation';
import { asset, outputField } from '../../fields/asset';

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download an asset',
	description: 'Put the file of an asset into a binary field',
	request: 'GET /v3/assets/{asset_id}',
	fields: [{ ...asset, required: true, description: 'The asset to download' }, outputField],
	options: [
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. logo.png',
			description: 'The name of the file; without it the name of the asset',
			schema: z.string().min(1),
			in: 'local',
		},
	],
	async execute({ n8n, client }, values) {
		const { asset_id: id } = values;
		let read: IDataObject = {};
		const binary = await downloadFile(n8n, client, async () => {
			// Read anew for every try, because an address may expire.
			read = await client.data({ line: 'GET /v3/assets/{asset_id}', path: { asset_id: id } });
			const { url, name } = read;
			if (typeof url !== 'string' || url === '') {
				throw operationError(
					client.node,
					`Asset ${id} has no file: its url is empty`,
					'Its upload may not be complete yet. Look with Get Statuses, and run again later.',
				);
			}
			return {
				url,
				fileName: values.fileName ?? (typeof name === 'string' && name !== '' ? name : id),
				mimeType: 'application/octet-stream',
			};
		});
		return [{ json: read, binary: { [values.binaryPropertyName]: binary } }];
	},
});
