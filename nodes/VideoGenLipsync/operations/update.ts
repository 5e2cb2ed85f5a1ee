import { defineOperation } from '../../core/operation';
import { dubbingTitleField } from '../../fields/dubbing';
import { lipsyncJobField } from '../lipsync';

export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Rename lipsync',
	description: 'Change the title of a lipsync',
	request: 'PATCH /v3/lipsyncs/{lipsync_id}',
	returns: ['title', 'status'],
	fields: [
		{ ...lipsyncJobField, required: true },
		{ ...dubbingTitleField, required: true, description: 'The new title' },
	],
});
