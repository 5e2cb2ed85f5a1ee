import { defineOperation } from '../../core/operation';
import { backgroundRemovalJobField } from '../backgroundRemoval';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get background removal',
	description: 'Get the status and fresh file URLs of a background removal',
	request: 'GET /v3/background-removals/{job_id}',
	returns: ['status', 'layers'],
	fields: [{ ...backgroundRemovalJobField, required: true }],
});
