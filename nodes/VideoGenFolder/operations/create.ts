import { z } from 'zod';
import { operation } from '../../core/operation';
import { folder } from '../../fields/folder';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create a folder',
	description: 'Create a folder, whose ID the creates of videos and translations take',
	request: 'POST /v3/folders',
	fields: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Spring campaign',
			description:
				'The name of the folder, 1 to 256 characters; there may be several of the same name',
			schema: z.string().min(1).max(256),
		},
	],
	options: [
		{
			...folder,
			displayName: 'Parent Folder',
			name: 'parent_id',
			description:
				'The folder in which to create it. The list shows the folders that hold your recent videos; use the ID for any other.',
		},
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{ name: 'Mixed', value: 'mixed', description: 'For everything' },
				{ name: 'Translated Videos', value: 'video_translate' },
				{ name: 'Videos', value: 'video' },
			],
			default: 'mixed',
			description: 'What the folder is for',
			schema: z.enum(['mixed', 'video', 'video_translate']),
		},
	],
	idempotent: true,
});
