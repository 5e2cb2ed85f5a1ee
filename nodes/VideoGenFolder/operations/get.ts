import { operation } from '../../core/operation';
import { folder } from '../../fields/folder';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get a folder',
	description: 'Read the name, type and place of a folder',
	request: 'GET /v3/folders/{folder_id}',
	fields: [
		{
			...folder,
			required: true,
			description:
				'The folder to read. The list shows the folders that hold your recent videos; use the ID for any other.',
		},
	],
});
