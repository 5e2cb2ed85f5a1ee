import { operation } from '../../core/operation';
import { translations } from '../groups';

export const getMany = operation({
	group: translations,
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many translations',
	description: 'List translations',
	request: 'GET /v3/video-translations',
	fields: [],
	list: 100,
});
