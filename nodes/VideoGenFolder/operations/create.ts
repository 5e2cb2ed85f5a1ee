import { z } from 'zod';
import { apiLimits, apiValues } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createTextSchema, formatRange } from '../../core/form/validation';
import { folderField } from '../../fields/folder';
import { nameValues } from '../../fields/namedValues';

const { name: folderName } = apiLimits['POST /v3/folders'];
const { type: folderTypes } = apiValues['POST /v3/folders'];

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
			description: `Name of the folder, ${formatRange(folderName)} characters; several folders can share a name`,
			schema: createTextSchema(folderName),
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
			options: nameValues(folderTypes, {
				mixed: { name: 'Mixed', description: 'Any kind of content' },
				video_translate: 'Translated Videos',
				video: 'Videos',
			}),
			default: 'mixed',
			description: 'Kind of content in the folder',
			schema: z.enum(folderTypes),
		},
	],
	idempotent: true,
});
