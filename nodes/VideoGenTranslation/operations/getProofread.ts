import { operation } from '../../core/operation';
import { proofread } from '../../fields/translation';
import { proofreads } from '../groups';

export const getProofread = operation({
	group: proofreads,
	value: 'getProofread',
	name: 'Get',
	action: 'Get a proofread',
	description: 'Read the status of a proofread',
	request: 'GET /v3/video-translations/proofreads/{proofread_id}',
	fields: [proofread],
});
