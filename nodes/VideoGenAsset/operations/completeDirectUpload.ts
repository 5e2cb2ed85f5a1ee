import { defineOperation } from '../../core/operation';
import { assetField } from '../../fields/asset';
import { checksumField } from '../checksum';

export const completeDirectUpload = defineOperation({
	value: 'completeDirectUpload',
	name: 'Complete Direct Upload',
	action: 'Finish upload from another tool',
	description: 'Create an asset from a file that another tool has uploaded to a direct upload URL',
	request: 'POST /v3/assets/{asset_id}/complete',
	returns: ['url', 'status'],
	fields: [
		{
			...assetField,
			required: true,
			default: { mode: 'id', value: '' },
			description: 'The asset_id returned by the "Create Direct Upload" operation',
		},
	],
	options: [checksumField],
	repeatable: true,
});
