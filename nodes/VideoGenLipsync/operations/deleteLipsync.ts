import { defineOperation } from '../../core/operation';
import { lipsyncJobField } from '../lipsync';

export const deleteLipsync = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete lipsync',
	description: 'Permanently delete a lipsync',
	request: 'DELETE /v3/lipsyncs/{lipsync_id}',
	fields: [{ ...lipsyncJobField, required: true }],
});
