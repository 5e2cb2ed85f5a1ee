import { defineOperation } from '../../core/operation';
import { backgroundRemovalJobField } from '../backgroundRemoval';

export const deleteRemoval = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete background removal',
	description: 'Delete a background removal and its files',
	request: 'DELETE /v3/background-removals/{job_id}',
	fields: [{ ...backgroundRemovalJobField, required: true }],
});
