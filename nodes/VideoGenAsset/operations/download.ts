import { textOf } from '../../core/json';
import { operation } from '../../core/operation';
import { asset } from '../../fields/asset';
import { fileIn, type ResultFile } from '../../core/files/results';
import { downloads, fileName, outputField } from '../../fields/download';

/** The name of an asset has its extension. */
const content: ResultFile = {
	value: 'file',
	name: 'File',
	description: 'The file of the asset',
	key: 'url',
	extension: '',
	mimeType: 'application/octet-stream',
};

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download an asset',
	description: 'Put the file of an asset into a binary field',
	request: 'GET /v3/assets/{asset_id}',
	fields: [{ ...asset, required: true, description: 'The asset to download' }, outputField],
	options: [fileName('logo.png', 'the name of the asset')],
	...downloads(
		{ kind: 'asset', id: 'asset_id', read: 'GET /v3/assets/{asset_id}' },
		[content],
		(reading, file, id) =>
			fileIn(reading, file, textOf(reading.name) ?? id, {
				problem: `Asset ${id} has no file: its url is empty`,
				advice: 'Its upload may not be complete yet. Look with Get Statuses, and run again later.',
			}),
	),
});
