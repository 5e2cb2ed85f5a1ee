import { defineOperation } from '../../core/operation';
import { folderField } from '../../fields/folder';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get folder',
	description: "Get a folder's name, type and parent",
	request: 'GET /v3/folders/{folder_id}',
	returns: ['name', 'type', 'parent_id'],
	fields: [
		{
			...folderField,
			required: true,
			description:
				'The folder to get. The list shows the folders of your recent videos; use the ID for any other folder.',
		},
	],
});
