import { textOf } from '../../core/json';
import { operation } from '../../core/operation';
import { asset } from '../../fields/asset';
import { downloadOf, fileIn, fileName, outputField } from '../../fields/download';

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download an asset',
	description: 'Put the file of an asset into a binary field',
	request: 'GET /v3/assets/{asset_id}',
	fields: [{ ...asset, required: true, description: 'The asset to download' }, outputField],
	options: [
		{
			...fileName,
			placeholder: 'e.g. logo.png',
			description: 'The name of the file; without it the name of the asset',
		},
	],
	async execute(context) {
		const { values } = context;
		const { asset_id: id } = values;
		return await downloadOf(
			context,
			{ kind: 'asset', id, line: 'GET /v3/assets/{asset_id}', placeholder: 'asset_id' },
			(read) => {
				const name = textOf(read.name) ?? id;
				// The name of an asset has its extension.
				const file = { key: 'url', extension: '', mimeType: 'application/octet-stream' };
				return fileIn(read, file, name, {
					problem: `Asset ${id} has no file: its url is empty`,
					advice:
						'Its upload may not be complete yet. Look with Get Statuses, and run again later.',
				});
			},
			values,
		);
	},
});
