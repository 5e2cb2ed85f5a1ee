import { defineOperation } from '../../core/operation';
import { clippingJobField } from '../clipping';

export const deleteClipping = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete clips of long video',
	description: 'Delete a clipping job and its clips',
	request: 'DELETE /v3/ai-clipping/{job_id}',
	fields: [clippingJobField],
});
