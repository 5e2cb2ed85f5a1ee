import { defineOperation } from '../../core/operation';
import { backgroundRemovalJobField } from '../backgroundRemoval';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get background removal',
	description: "Get a background removal's status and fresh file URLs",
	request: 'GET /v3/background-removals/{job_id}',
	returns: ['status', 'layers'],
	fields: [{ ...backgroundRemovalJobField, required: true }],
});
