import { fileNameField } from '../../core/form/commonFields';
import { defineOperation } from '../../core/operation';
import { assetField } from '../../fields/asset';
import { findResultFile } from '../../core/jobs/finishedItem';
import type { ResultFileType } from '../../core/jobs/types';
import { defineDownloadExecution, outputBinaryField } from '../../fields/download';

/**
 * Downloadable file of an asset. There is no default extension, because an asset can be any type of
 * file and asset names usually include an extension.
 */
const assetFile: ResultFileType = {
	value: 'file',
	name: 'File',
	description: "The asset's file",
	key: 'url',
	extension: '',
	mimeType: 'application/octet-stream',
};

export const download = defineOperation({
	value: 'download',
	name: 'Download',
	action: 'Download asset',
	description: "Download an asset's file into a binary field",
	request: 'GET /v3/assets/{asset_id}',
	returns: ['name', 'type', 'url'],
	fields: [{ ...assetField, required: true, description: 'Asset to download' }, outputBinaryField],
	options: [fileNameField],
	...defineDownloadExecution(
		{ name: 'asset', id: 'asset_id', read: 'GET /v3/assets/{asset_id}' },
		[assetFile],
		(response, file, id) =>
			findResultFile(response, file, id, {
				problem: `Asset ${id} has no file: its url is empty`,
				advice:
					'The upload may not be complete yet. Check its status with Get Statuses, and try again later.',
			}),
	),
});
