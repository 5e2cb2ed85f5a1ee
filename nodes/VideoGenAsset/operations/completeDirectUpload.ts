import { operation } from '../../core/operation';
import { asset } from '../../fields/asset';
import { checksum } from '../checksum';

export const completeDirectUpload = operation({
	value: 'completeDirectUpload',
	name: 'Complete Direct Upload',
	action: 'Finish an upload made by another tool',
	description: 'Turn a file that was sent to the address of a direct upload into an asset',
	request: 'POST /v3/assets/{asset_id}/complete',
	fields: [
		{
			...asset,
			required: true,
			default: { mode: 'id', value: '' },
			description: 'The asset_id that Create Direct Upload gave',
		},
	],
	options: [checksum],
	repeatable: true,
});
