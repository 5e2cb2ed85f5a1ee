import { defineOperation } from '../../core/operation';
import { dubbingTitleField } from '../../fields/dubbing';
import { translationJobField } from '../translation';

export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Rename translation',
	description: 'Change the title of a translation',
	request: 'PATCH /v3/video-translations/{video_translation_id}',
	returns: ['title', 'status'],
	fields: [
		{ ...translationJobField, required: true },
		{ ...dubbingTitleField, required: true, description: 'The new title' },
	],
});
