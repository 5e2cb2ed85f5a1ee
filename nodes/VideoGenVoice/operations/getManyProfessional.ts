import { operation } from '../../core/operation';
import { professional } from '../groups';

export const getManyProfessional = operation({
	value: 'getAllProfessional',
	group: professional,
	name: 'Get Many',
	action: 'Get many professional voices',
	description: 'List the professional voices of the account with their status',
	request: 'GET /v3/models/audio/voices',
	fields: [],
	list: 100,
});
