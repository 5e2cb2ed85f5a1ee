import { defineOperation } from '../../core/operation';
import { translationJobField } from '../translation';

export const deleteTranslation = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete translation',
	description: 'Permanently delete a translation',
	request: 'DELETE /v3/video-translations/{video_translation_id}',
	fields: [{ ...translationJobField, required: true }],
});
