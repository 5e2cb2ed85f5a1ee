import { operation } from '../../core/operation';
import { asset } from '../../fields/asset';
import { checksum } from '../checksum';

export const completeDirectUpload = operation({
	value: 'completeDirectUpload',
	name: 'Complete Direct Upload',
	action: 'Finish an upload made by another tool',
	description: 'Create an asset from a file that another tool has sent to a direct upload URL',
	request: 'POST /v3/assets/{asset_id}/complete',
	fields: [
		{
			...asset,
			required: true,
			default: { mode: 'id', value: '' },
			description: 'The asset_id returned by Create Direct Upload',
		},
	],
	options: [checksum],
	repeatable: true,
});
