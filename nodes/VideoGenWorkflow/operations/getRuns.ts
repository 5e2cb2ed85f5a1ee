import { operation } from '../../core/operation';
import { groups } from '../groups';

export const getRuns = operation({
	value: 'getRuns',
	group: groups.run,
	name: 'Get Many',
	action: 'Get many runs',
	description: 'List the runs of all workflows',
	request: 'GET /v3/workflow-runs',
	fields: [],
	list: 100,
});
