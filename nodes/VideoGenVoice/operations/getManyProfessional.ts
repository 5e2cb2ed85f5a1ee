import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';

export const getManyProfessional = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many professional voices',
	description: "List the account's professional voices and their statuses",
	request: 'GET /v3/models/audio/voices',
	list: { pageSize: apiLimits['GET /v3/models/audio/voices'].limit.max },
	simple: ['name', 'language', 'status', 'created_at', 'failure_reason'],
});
