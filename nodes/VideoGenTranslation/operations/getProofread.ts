import { operation } from '../../core/operation';
import { proofreadIdField } from '../translation';

export const getProofread = operation({
	value: 'get',
	name: 'Get',
	action: 'Get translation proofread',
	description: 'Get the status of a proofread',
	request: 'GET /v3/video-translations/proofreads/{proofread_id}',
	returns: ['status', 'output_language'],
	fields: [proofreadIdField],
});
