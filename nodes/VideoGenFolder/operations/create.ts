import { z } from 'zod';
import { defineOperation } from '../../core/operation';
import { createTextSchema } from '../../core/form/validation';
import { folderField } from '../../fields/folder';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create folder',
	description: 'Create a folder for videos and translations',
	request: 'POST /v3/folders',
	returns: ['name', 'type', 'parent_id'],
	fields: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Spring campaign',
			description: 'Name of the folder, 1 to 256 characters; several folders can share a name',
			schema: createTextSchema(1, 256),
		},
	],
	options: [
		{
			...folderField,
			displayName: 'Parent Folder',
			name: 'parent_id',
			description:
				'The folder that contains the new folder. The list shows the folders of your recent videos; use the ID for any other folder.',
		},
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{ name: 'Mixed', value: 'mixed', description: 'Any kind of content' },
				{ name: 'Translated Videos', value: 'video_translate' },
				{ name: 'Videos', value: 'video' },
			],
			default: 'mixed',
			description: 'Kind of content in the folder',
			schema: z.enum(['mixed', 'video', 'video_translate']),
		},
	],
	idempotent: true,
});
