import { defineOperation } from '../../core/operation';
import { proofreadIdField } from '../translation';

export const getProofread = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get translation proofread',
	description: 'Get the status of a proofread',
	request: 'GET /v3/video-translations/proofreads/{proofread_id}',
	returns: ['status', 'output_language'],
	fields: [proofreadIdField],
});
